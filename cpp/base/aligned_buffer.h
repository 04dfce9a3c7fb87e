// An owning, 64-byte aligned, fixed-size block of numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include "base/error.h"

namespace tied {

// One cache line, and a whole number of SIMD registers on every machine we know.
inline constexpr std::size_t kAlignmentBytes = 64;

// What a new block holds. kUnset is for what is always written before it is read: a page of memory then costs nothing
// before somebody writes to it.
enum class Initially { kZero, kUnset };

// `count` elements of `element_bytes` each, aligned, to be freed with std::free; null where there is no such block. One
// function for all types, for payload.
void* allocate_block(std::size_t count, std::size_t element_bytes, Initially initially);

// The error of a block that could not be had.
Status out_of_memory(std::size_t size);
// For a file of `bytes` bytes that was to be written beside the model.
Status no_memory_for_file(std::uint64_t bytes);

// `size` elements, zeroed at creation unless asked otherwise. Moves, never copies by surprise: use `clone()`.
template <class T>
class AlignedBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  AlignedBuffer() = default;

  // Errors: kOutOfMemory where the allocator has no such block; nothing is taken then.
  static Result<AlignedBuffer> create(std::size_t size, Initially initially = Initially::kZero);

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
Result<AlignedBuffer<T>> AlignedBuffer<T>::create(std::size_t size, Initially initially) {
  if (size == 0) return AlignedBuffer();
  void* data = allocate_block(size, sizeof(T), initially);
  if (data == nullptr) return out_of_memory(size);
  return AlignedBuffer(static_cast<T*>(data), size);
}

template <class T>
Result<AlignedBuffer<T>> AlignedBuffer<T>::clone() const {
  auto copy = create(size_);
  if (!copy) return copy.failure();
  for (std::size_t i = 0; i < size_; ++i) copy.value().data_[i] = data_[i];
  return copy;
}

}  // namespace tied
