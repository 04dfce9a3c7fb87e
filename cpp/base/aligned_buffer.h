// An owning, 64-byte aligned, fixed-size block of numbers.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include "base/error.h"

namespace tied {

// One cache line, and a whole number of SIMD registers on every machine we know.
inline constexpr std::size_t kAlignmentBytes = 64;

// `size` elements, zeroed at creation. Moves, never copies by surprise: use `clone()`.
template <class T>
class AlignedBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  AlignedBuffer() = default;

  // Errors: kOutOfMemory where the allocator has no such block; nothing is taken then.
  static Result<AlignedBuffer> create(std::size_t size);

  AlignedBuffer(AlignedBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  AlignedBuffer& operator=(AlignedBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  AlignedBuffer(const AlignedBuffer&) = delete;
  AlignedBuffer& operator=(const AlignedBuffer&) = delete;
  ~AlignedBuffer() { std::free(data_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t size_bytes() const { return size_ * sizeof(T); }

  T& operator[](std::size_t index) {
    TIED_ASSERT(index < size_);
    return data_[index];
  }
  const T& operator[](std::size_t index) const {
    TIED_ASSERT(index < size_);
    return data_[index];
  }

  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

  void fill(T value) {
    for (std::size_t i = 0; i < size_; ++i) data_[i] = value;
  }
  Result<AlignedBuffer> clone() const;

 private:
  AlignedBuffer(T* data, std::size_t size) : data_(data), size_(size) {}

  T* data_ = nullptr;
  std::size_t size_ = 0;
};

template <class T>
Result<AlignedBuffer<T>> AlignedBuffer<T>::create(std::size_t size) {
  if (size == 0) return AlignedBuffer();
  const std::size_t limit = static_cast<std::size_t>(-1) - kAlignmentBytes;
  T* data = nullptr;
  if (size <= limit / sizeof(T)) {
    // aligned_alloc asks for a whole number of alignments.
    const std::size_t bytes = (size * sizeof(T) + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
    data = static_cast<T*>(std::aligned_alloc(kAlignmentBytes, bytes));
  }
  if (data == nullptr) {
    return make_error(ErrorCode::kOutOfMemory, "size", size, "a block that fits in the memory that is left");
  }
  AlignedBuffer buffer(data, size);
  buffer.fill(T{});
  return buffer;
}

template <class T>
Result<AlignedBuffer<T>> AlignedBuffer<T>::clone() const {
  auto copy = create(size_);
  if (!copy) return copy.error();
  for (std::size_t i = 0; i < size_; ++i) copy.value().data_[i] = data_[i];
  return copy;
}

}  // namespace tied
