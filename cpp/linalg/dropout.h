// Dropout, whose choices can be had again without being stored. T = float or double.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tied {

// x_i *= 0 with probability `share`, else x_i *= 1 / (1 - share). share in [0, 1), rounded to multiples of 2^-16 so
// that eight choices come out of each block of random bits. Whether x_i is kept follows from (key, first + i) alone, so
// forward and backward pass choose the same numbers when called with the same arguments, and a long array may be worked
// on in pieces. N. Srivastava and others, "Dropout: A simple way to prevent neural networks from overfitting", JMLR 15,
// 2014.
template <class T>
void dropout(T* x, std::size_t size, double share, std::uint64_t key, std::uint64_t first);

}  // namespace tied
