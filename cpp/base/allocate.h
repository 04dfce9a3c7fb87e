// Allocation into an existing buffer, and the layout of several arrays in one block.
#pragma once

#include <cstdint>

#include "base/aligned_buffer.h"

namespace tied {

// Arrays that share a block start on cache lines of floats: their offsets, in elements, are multiples of this.
inline constexpr std::uint64_t kElementsPerLine = 16;
// `size` rounded up, so that the next array starts on a cache line.
constexpr std::uint64_t padded(std::uint64_t size) {
  return (size + kElementsPerLine - 1) / kElementsPerLine * kElementsPerLine;
}

// Replaces `buffer` with `size` elements, zeroed unless requested otherwise. T = float, double, std::uint32_t or
// std::uint64_t. Sizes are 64 bits wide even if addresses are not. Errors: kOutOfMemory; the buffer is then unchanged.
template <class T>
Status allocate(AlignedBuffer<T>& buffer, std::uint64_t size, Initially initially = Initially::kZero);

}  // namespace tied
