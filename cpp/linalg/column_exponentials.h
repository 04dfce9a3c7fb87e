// Sums of exponentials of the columns of a matrix that arrives in blocks of rows.
#pragma once

#include "linalg/matrix_view.h"

namespace tied {

// The columns of a block are a multiple of this; pad with zeros.
inline constexpr std::size_t kExponentialColumns = 4;

// With m_j the larger of largest_j and max_i sign x_ij:
//   sums_j = sums_j e^(largest_j - m_j) + sum_i e^(sign x_ij - m_j),  largest_j = m_j
// so that nothing overflows. Before the first block: -infinity and 0. An exponential is within a few units in the last
// place of a float, and 0 below e^-88; the sums are accumulated in double.
void add_column_exponentials(ConstMatrixView<float> x, float sign, float* largest, double* sums);

}  // namespace tied
