// Matrix products in the three forms that training needs. Row-major views, no allocation, T = float or double.
//
// The bits of an entry depend only on its row of the left factor and its column of the right factor: products are
// summed in the same order whatever the shapes. A product can be cut into blocks of rows or columns without changing a
// bit.
//
// Views are passed by reference: copying three of them per call makes the module larger.
#pragma once

#include "linalg/matrix_view.h"

namespace tied {

enum class Accumulate { kOverwrite, kAdd };

// Each entry sums its products in runs of this many, and then the runs. A product a^T b whose rows are cut at multiples
// of it, each part added to the ones before, is thus that of all rows, to the bit.
inline constexpr std::size_t kProductRun = 256;

// A row_offset skips the masked half of a causal attention product: row i of the scores [n, m] belongs to a token that
// attends to the first i + row_offset + 1 of m tokens.
//   scores = a b^T           entries (i, j) with j > i + row_offset are unspecified afterwards
//   a b,  a^T b              a holds scores, whose entries (i, j) with j > i + row_offset are 0
// All other results equal those of the whole product to the bit, provided b is finite.
inline constexpr std::size_t kWholeProduct = ~std::size_t{0};

// out (+)= a b.       out [m, n], a [m, k], b [k, n]. out must not overlap a or b.
template <class T>
void matmul_nn(const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& a, const Deduced<ConstMatrixView<T>>& b,
               Accumulate accumulate = Accumulate::kOverwrite, std::size_t row_offset = kWholeProduct);

// out (+)= a b^T.     out [m, n], a [m, k], b [n, k]. out must not overlap a or b. a and b may be the same matrix;
// then out is symmetric to the last bit: entries (i, j) and (j, i) add the same products in the same order.
template <class T>
void matmul_nt(const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& a, const Deduced<ConstMatrixView<T>>& b,
               Accumulate accumulate = Accumulate::kOverwrite, std::size_t row_offset = kWholeProduct);

// out (+)= a^T b.     out [m, n], a [k, m], b [k, n]. out must not overlap a or b.
template <class T>
void matmul_tn(const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& a, const Deduced<ConstMatrixView<T>>& b,
               Accumulate accumulate = Accumulate::kOverwrite, std::size_t row_offset = kWholeProduct);

// A copy of b [n, k] for matmul_packed, with its elements in the order in which one row of a product needs them: a
// product with b^T itself spends most of its time on turning it. `packed` has n k elements.
template <class T>
void pack_for_rows(T* packed, const Deduced<ConstMatrixView<T>>& b);

// matmul_nt(out, a, b), equal to it to the bit, for a few rows of a and a b that is used often.
template <class T>
void matmul_packed(const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& a, const Deduced<ConstMatrixView<T>>& b,
                   const T* packed, Accumulate accumulate = Accumulate::kOverwrite);

// Several products of the same shapes in one call, such as those of all attention heads. The views are those of the
// first product; each step is the distance in elements from one matrix to the next, 0 for the same matrix.
struct ProductBatch {
  std::size_t count = 1;
  std::size_t out_step = 0;
  std::size_t a_step = 0;
  std::size_t b_step = 0;
};

// Equal to `count` single calls to the bit, in that order if all add to the same `out`. No `out` may overlap any a or
// b.
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
