// One row of a matrix product without tiles, for products of few rows, where packing b would cost more than the
// product. Internal to matmul.
#pragma once

#include "linalg/matrix_view.h"

namespace tied::matmul_internal {

// out [cols] (+)= a [depth] block [depth, cols], with the block read in place. `transposed`: it is stored [cols,
// depth].
// The sum over k starts at 0 and runs in ascending k; out is added last.
template <class T>
void multiply_row(T* out, const T* a, const ConstMatrixView<T>& block, bool transposed, bool add);

}  // namespace tied::matmul_internal
