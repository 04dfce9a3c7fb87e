// Blocks of matrices, and Gram matrices by blocks.
#pragma once

#include <algorithm>

#include "linalg/matmul.h"
#include "linalg/matrix_view.h"

namespace tied {

template <class T>
MatrixView<T> block_of(const MatrixView<T>& m, std::size_t row, std::size_t col, std::size_t rows, std::size_t cols) {
  TIED_ASSERT(row + rows <= m.rows && col + cols <= m.cols);
  return {m.data + row * m.stride + col, rows, cols, m.stride};
}

template <class T>
MatrixView<T> columns(const MatrixView<T>& m, std::size_t first, std::size_t count) {
  return block_of(m, 0, first, m.rows, count);
}

// out = in, rounded if out is narrower.
template <class To, class From>
void convert(const MatrixView<To>& out, const MatrixView<From>& in) {
  for (std::size_t i = 0; i < in.rows; ++i) {
    To* to = out.row(i);
    const From* from = in.row(i);
    for (std::size_t j = 0; j < in.cols; ++j) to[j] = static_cast<To>(from[j]);
  }
}

// out (+)= m^T m, the lower triangle and the rest of the diagonal blocks. With `mirror_lower` the result is symmetric
// to the last bit.
template <class T>
void gram_lower(const MatrixView<T>& out, const MatrixView<T>& m, Accumulate accumulate = Accumulate::kOverwrite) {
  constexpr std::size_t kCols = 64;
  for (std::size_t j = 0; j < m.cols; j += kCols) {
    const std::size_t width = std::min(kCols, m.cols - j);
    const std::size_t height = m.cols - j;
    matmul_tn<T>(block_of(out, j, j, height, width), columns(m, j, height), columns(m, j, width), accumulate);
  }
}

template <class T>
void mirror_lower(const MatrixView<T>& m) {
  for (std::size_t i = 0; i < m.rows; ++i) {
    for (std::size_t j = 0; j < i; ++j) m(j, i) = m(i, j);
  }
}

}  // namespace tied
