// Softmax of attention scores, causal or over whole rows. T = float or double.
#pragma once

#include "linalg/matmul.h"

namespace tied {

// Softmax in place over the first n = i + row_offset + 1 elements of row i; the rest of the row becomes 0:
//   x_ij = exp(factor x_ij) / sum_k<n exp(factor x_ik)   for j < n,      x_ij = 0   for j >= n
// x [rows, cols], rows + row_offset <= cols; row i belongs to the token at position i + row_offset. Elements from n on
// are not read. With row_offset = kWholeProduct nothing is masked: n = cols. `margin` elements after each row may be
// read, and overwritten: if they complete the last batch, it is processed as a whole. A row's bits do not depend on
// `cols`, so decoding token by token gives the same bits as the whole sequence.
template <class T>
void attention_softmax_rows(MatrixView<T> x, std::type_identity_t<T> factor, std::size_t row_offset = 0,
                            std::size_t margin = 0);

// Gradient of attention_softmax_rows, in place: 0 for j > i + row_offset, before that
//   dp_ij = factor p_ij (dp_ij - sum_k p_ik dp_ik)
// p [rows, cols]: the result of attention_softmax_rows with the same row offset. dp [rows, cols]: the gradient with
// respect to p; masked elements are not read.
template <class T>
void attention_softmax_rows_backward(MatrixView<T> dp, Deduced<ConstMatrixView<T>> p, std::type_identity_t<T> factor,
                                     std::size_t row_offset = 0);

}  // namespace tied
