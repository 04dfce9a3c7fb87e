// Memory for a buffer that exists already, and the layout of several arrays in one block.
#pragma once

#include <cstdint>

#include "base/aligned_buffer.h"

namespace tied {

// Arrays that share a block start on cache lines of floats: their offsets, in elements, are multiples of this.
inline constexpr std::uint64_t kElementsPerLine = 16;
// `size` with what an array needs to leave the next one on a cache line.
constexpr std::uint64_t padded(std::uint64_t size) {
  return (size + kElementsPerLine - 1) / kElementsPerLine * kElementsPerLine;
}

// Gives `buffer` a new block of `size` elements, all zero unless asked otherwise. T = float, double or std::uint32_t.
// Sizes are 64 bits wide, also where memory is not. Errors: kOutOfMemory; the buffer is then as it was.
template <class T>
Status allocate(AlignedBuffer<T>& buffer, std::uint64_t size, Initially initially = Initially::kZero);

}  // namespace tied
