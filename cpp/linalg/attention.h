// Softmax of attention scores, where no token looks at those after it. T = float or double.
#pragma once

#include "linalg/matrix_view.h"

namespace tied {

// Row i, in place, with n = i + row_offset + 1 the number of tokens it may look at:
//   x_ij = exp(factor x_ij) / sum_k<n exp(factor x_ik)   for j < n,      x_ij = 0 after them
// x [rows, cols], rows + row_offset <= cols; row i stands for position i + row_offset. What stands after a row's n
// tokens is not read, and a row's bits do not depend on `cols`: decoding token after token gives those of the whole.
template <class T>
void causal_softmax_rows(MatrixView<T> x, std::type_identity_t<T> factor, std::size_t row_offset = 0);

// dp_ij = factor p_ij (dp_ij - sum_k p_ik dp_ik), in place, and 0 for the columns after a row's own. p [rows, cols]:
// what causal_softmax_rows gave with the same row offset; dp [rows, cols]: the gradient with respect to p, not read
// after a row's own column.
template <class T>
void causal_softmax_rows_backward(MatrixView<T> dp, Deduced<ConstMatrixView<T>> p, std::type_identity_t<T> factor,
                                  std::size_t row_offset = 0);

}  // namespace tied
