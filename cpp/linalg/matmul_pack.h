// Copies of blocks of a product's factors, in the order in which tiles read them. Internal to matmul.
#pragma once

#include "linalg/matrix_view.h"
#include "linalg/simd.h"

namespace tied::matmul_internal {

// to[c * to_stride + r] = from(r, c).
template <class T>
void transpose_block(T* to, std::size_t to_stride, const ConstMatrixView<T>& from);

// Packs a block of b [depth, cols] into consecutive panels [depth, kTileCols], the last one padded with zeros on the
// right. `transposed`: the block is stored [cols, depth].
template <class T>
void pack_panels(T* panels, const ConstMatrixView<T>& block, bool transposed);

}  // namespace tied::matmul_internal
