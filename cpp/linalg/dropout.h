// Dropout whose mask can be recomputed, so it is never stored. T = float or double.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tied {

// Inverted dropout, in place:
//   x_i *= 0 with probability `rate`, else x_i *= 1 / (1 - rate)
// rate in [0, 1), rounded to a multiple of 2^-16, so that each block of random bits decides eight elements. Whether x_i
// is dropped follows from (key, first + i) alone: the forward and the backward pass make the same choices, and a long
// array can be processed in pieces.
// N. Srivastava and others, "Dropout: A simple way to prevent neural networks from overfitting", JMLR 15, 2014.
template <class T>
void dropout(T* x, std::size_t size, double rate, std::uint64_t key, std::uint64_t first);

}  // namespace tied
