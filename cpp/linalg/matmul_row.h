// One row of a matrix product without tiles, for products of few rows, where packing b would cost more than the
// product. Internal to matmul.
#pragma once

#include <cstddef>

#include "linalg/simd.h"

namespace tied::matmul_internal {

// Columns of a panel of a right factor that is packed for single rows: as many as are summed at a time.
template <class T>
inline constexpr std::size_t kPackedCols = 8 * simd::kLanes<T>;

// The right factor b [depth, cols], in place or packed: b(k, j) at data[k * step + j * column_step]. The factor has
// rows (column_step = 1), is stored transposed (step = 1), or consists of panels of kPackedCols columns (step =
// kPackedCols), where that is the place of each panel's first column and the others follow.
template <class T>
struct RowFactor {
  const T* data;
  std::size_t depth;
  std::size_t cols;
  std::size_t step;
  std::size_t column_step;
};

// out [cols] (+)= a [depth] b.
// The sum over k starts at 0 and runs in ascending k; out is added last.
template <class T>
void multiply_row(T* out, const T* a, const RowFactor<T>& b, bool add);

// The same for a packed factor, whose columns are whole panels. A function of its own, so modules that pack nothing do
// not have it.
template <class T>
void multiply_packed_row(T* out, const T* a, const RowFactor<T>& b, bool add);

}  // namespace tied::matmul_internal
