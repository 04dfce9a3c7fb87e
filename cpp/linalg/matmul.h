// Matrix products in the three forms that training needs. Row-major views, no allocation, T = float or double.
//
// An entry's bits follow from its row of the left and its column of the right factor alone: the products are added in
// the same order whatever the shapes, so a product may be cut into blocks of rows or columns without changing a bit.
//
// Views come by reference: there are many calls, and to copy three views for each makes the module larger.
#pragma once

#include "linalg/matrix_view.h"

namespace tied {

enum class Accumulate { kOverwrite, kAdd };

// With a row_offset, half of what causal attention multiplies is left out: row i of its scores [n, m] stands for a
// token that looks at the first i + row_offset + 1 of m tokens.
//   scores = a b^T           entries (i, j) with j > i + row_offset are not wanted: they hold anything afterwards
//   a b,  a^T b              a are scores, whose entries (i, j) with j > i + row_offset are 0
// Results are those without it, to the bit, where b is finite.
inline constexpr std::size_t kWholeProduct = ~std::size_t{0};

// out (+)= a b.       out [m, n], a [m, k], b [k, n]. out must not overlap a or b.
template <class T>
void matmul_nn(const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& a, const Deduced<ConstMatrixView<T>>& b,
               Accumulate accumulate = Accumulate::kOverwrite, std::size_t row_offset = kWholeProduct);

// out (+)= a b^T.     out [m, n], a [m, k], b [n, k]. out must not overlap a or b; a and b may be the same matrix, and
// then out is symmetric to the last bit: entries (i, j) and (j, i) add the same products in the same order.
template <class T>
void matmul_nt(const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& a, const Deduced<ConstMatrixView<T>>& b,
               Accumulate accumulate = Accumulate::kOverwrite, std::size_t row_offset = kWholeProduct);

// out (+)= a^T b.     out [m, n], a [k, m], b [k, n]. out must not overlap a or b.
template <class T>
void matmul_tn(const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& a, const Deduced<ConstMatrixView<T>>& b,
               Accumulate accumulate = Accumulate::kOverwrite, std::size_t row_offset = kWholeProduct);

// Several products of the same shapes in one call, such as those of all heads of attention: views are those of the
// first product, and each matrix of the next one lies so many numbers after that of the one before. 0: the same matrix.
struct ProductBatch {
  std::size_t count = 1;
  std::size_t out_step = 0;
  std::size_t a_step = 0;
  std::size_t b_step = 0;
};

// The same to the bit as one call after the other, and in that order where they add to one `out`. No `out` may overlap
// any a or b.
template <class T>
void matmul_nn(const ProductBatch& batch, const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& a,
               const Deduced<ConstMatrixView<T>>& b, Accumulate accumulate = Accumulate::kOverwrite,
               std::size_t row_offset = kWholeProduct);
template <class T>
void matmul_nt(const ProductBatch& batch, const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& a,
               const Deduced<ConstMatrixView<T>>& b, Accumulate accumulate = Accumulate::kOverwrite,
               std::size_t row_offset = kWholeProduct);
template <class T>
void matmul_tn(const ProductBatch& batch, const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& a,
               const Deduced<ConstMatrixView<T>>& b, Accumulate accumulate = Accumulate::kOverwrite,
               std::size_t row_offset = kWholeProduct);

}  // namespace tied
