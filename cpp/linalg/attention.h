// Causal softmax of attention scores. T = float or double.
#pragma once

#include "linalg/matrix_view.h"

namespace tied {

// Softmax in place over the first n = i + row_offset + 1 elements of row i; the rest of the row becomes 0:
//   x_ij = exp(factor x_ij) / sum_k<n exp(factor x_ik)   for j < n,      x_ij = 0   for j >= n
// x [rows, cols], rows + row_offset <= cols; row i belongs to the token at position i + row_offset. Elements from n on
// are not read.
// A row's bits do not depend on `cols`, so decoding token by token gives those of the whole sequence.
template <class T>
void causal_softmax_rows(MatrixView<T> x, std::type_identity_t<T> factor, std::size_t row_offset = 0);

// Gradient of causal_softmax_rows, in place: 0 for j > i + row_offset, before that
//   dp_ij = factor p_ij (dp_ij - sum_k p_ik dp_ik)
// p [rows, cols]: the result of causal_softmax_rows with the same row offset. dp [rows, cols]: the gradient with
// respect to p; elements with j > i + row_offset are not read.
template <class T>
void causal_softmax_rows_backward(MatrixView<T> dp, Deduced<ConstMatrixView<T>> p, std::type_identity_t<T> factor,
                                  std::size_t row_offset = 0);

}  // namespace tied
