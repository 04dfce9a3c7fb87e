// Copies of blocks of a product's factors, in the order in which tiles read them. Internal to matmul.
#pragma once

#include "linalg/matrix_view.h"
#include "linalg/simd.h"

namespace tied::matmul_internal {

// Transposes a square of kLanes batches in registers: lane j of batch i and lane i of batch j change places.
template <class T>
inline void transpose_square(simd::Batch<T> (&x)[simd::kLanes<T>]) {
  using simd::Batch;
  if constexpr (simd::kLanes<T> == 4) {
    const Batch<T> even_low = xsimd::zip_lo(x[0], x[2]);
    const Batch<T> even_high = xsimd::zip_hi(x[0], x[2]);
    const Batch<T> odd_low = xsimd::zip_lo(x[1], x[3]);
    const Batch<T> odd_high = xsimd::zip_hi(x[1], x[3]);
    x[0] = xsimd::zip_lo(even_low, odd_low);
    x[1] = xsimd::zip_hi(even_low, odd_low);
    x[2] = xsimd::zip_lo(even_high, odd_high);
    x[3] = xsimd::zip_hi(even_high, odd_high);
  } else {
    const Batch<T> low = xsimd::zip_lo(x[0], x[1]);
    x[1] = xsimd::zip_hi(x[0], x[1]);
    x[0] = low;
  }
}

// to[r * to_stride + c] = from(r, c).
template <class T>
void copy_block(T* to, std::size_t to_stride, const ConstMatrixView<T>& from);

// Packs a block of b [depth, cols] into consecutive panels [depth, kTileCols], the last one padded with zeros on the
// right. `transposed`: the block is stored [cols, depth].
template <class T>
void pack_panels(T* panels, const ConstMatrixView<T>& block, bool transposed);

}  // namespace tied::matmul_internal
