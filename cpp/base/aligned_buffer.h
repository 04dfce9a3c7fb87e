// An owning, 64-byte aligned, fixed-size buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <utility>

#include "base/error.h"

namespace tied {

// One cache line, and a multiple of the SIMD register size on every known machine.
inline constexpr std::size_t kAlignmentBytes = 64;

// Initial contents of a new block. kUnset is for blocks that are always written before they are read: untouched pages
// of memory then cost nothing.
enum class Initially { kZero, kUnset };

// Allocates `count` elements of `element_bytes` each, aligned, to be freed with std::free. Returns null if that fails
// or takes from the spare (base/memory.h). One function for all types (payload).
void* allocate_block(std::size_t count, std::size_t element_bytes, Initially initially);

// The error of a failed allocation of `size` elements.
Status out_of_memory(std::size_t size);

// `size` elements, zeroed at creation unless requested otherwise. Move-only; use `clone()` to copy.
template <class T>
class AlignedBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  AlignedBuffer() = default;

  // Errors: kOutOfMemory; nothing is allocated then.
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
