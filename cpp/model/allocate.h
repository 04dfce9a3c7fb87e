// Memory for a buffer that somebody has already.
#pragma once

#include <cstdint>

#include "base/aligned_buffer.h"

namespace tied {

// Gives `buffer` a new block of `size` numbers, all zero unless asked otherwise. T = float, double or std::uint32_t.
// Sizes are 64 bits wide, also where memory is not. Errors: kOutOfMemory; the buffer is then as it was.
template <class T>
Status allocate(AlignedBuffer<T>& buffer, std::uint64_t size, Initially initially = Initially::kZero);

}  // namespace tied
