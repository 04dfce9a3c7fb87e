// A row of a matrix product by itself, without tiles: for products of few rows, where to pack b would cost more than
// the product. Internal to matmul.
#pragma once

#include "linalg/matrix_view.h"

namespace tied::matmul_internal {

// out [cols] (+)= a [depth] block [depth, cols], which is read where it is. `transposed`: it is stored [cols, depth].
// The sum over k begins with 0, in ascending k; then out is added.
template <class T>
void multiply_row(T* out, const T* a, const ConstMatrixView<T>& block, bool transposed, bool add);

}  // namespace tied::matmul_internal
