#include "linalg/matmul_pack.h"

#include <algorithm>

#include "linalg/matmul_tile.h"

namespace tied::matmul_internal {

using simd::Batch;

namespace {

// to[r * to_stride + c] = from(r, c).
template <class T>
void copy_block(T* to, std::size_t to_stride, const ConstMatrixView<T>& from) {
  constexpr std::size_t n = simd::kLanes<T>;
  const T* row = from.data;
  for (std::size_t r = 0; r < from.rows; ++r, row += from.stride, to += to_stride) {
    std::size_t c = 0;
    for (; c + n <= from.cols; c += n) simd::store(to + c, simd::load(row + c));
    for (; c < from.cols; ++c) to[c] = row[c];
  }
}

}  // namespace

template <class T>
void transpose_block(T* to, std::size_t to_stride, const ConstMatrixView<T>& from) {
  constexpr std::size_t n = simd::kLanes<T>;
  std::size_t r = 0;
  for (; r + n <= from.rows; r += n) {
    const T* source = from.data + r * from.stride;
    T* target = to + r;
    std::size_t c = 0;
    for (; c + n <= from.cols; c += n, target += n * to_stride) {
      Batch<T> x[n];
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < n; ++i) x[i] = simd::load(source + i * from.stride + c);
      xsimd::transpose(x, x + n);
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < n; ++i) simd::store(target + i * to_stride, x[i]);
    }
    for (; c < from.cols; ++c, target += to_stride) {
      for (std::size_t i = 0; i < n; ++i) target[i] = source[i * from.stride + c];
    }
  }
  for (; r < from.rows; ++r) {
    for (std::size_t c = 0; c < from.cols; ++c) to[c * to_stride + r] = from(r, c);
  }
}

template <class T>
void pack_panels(T* panels, const ConstMatrixView<T>& block, bool transposed) {
  constexpr std::size_t n = kTileCols<T>;
  const std::size_t depth = transposed ? block.cols : block.rows;
  const std::size_t cols = transposed ? block.rows : block.cols;
  for (std::size_t j = 0; j < cols; j += n, panels += n * depth) {
    const std::size_t width = std::min(n, cols - j);
    if (width < n) std::fill_n(panels, n * depth, T{0});
    if (transposed) {
      transpose_block<T>(panels, n, {block.data + j * block.stride, width, depth, block.stride});
    } else if (width < n) {
      copy_block<T>(panels, n, {block.data + j, depth, width, block.stride});
    } else {
      const T* from = block.data + j;
      T* to = panels;
      for (std::size_t k = 0; k < depth; ++k, from += block.stride, to += n) {
        const Batch<T> low = simd::load(from);
        const Batch<T> high = simd::load(from + simd::kLanes<T>);
        simd::store(to, low);
        simd::store(to + simd::kLanes<T>, high);
      }
    }
  }
}

template void transpose_block<float>(float*, std::size_t, const ConstMatrixView<float>&);
template void transpose_block<double>(double*, std::size_t, const ConstMatrixView<double>&);
template void pack_panels<float>(float*, const ConstMatrixView<float>&, bool);
template void pack_panels<double>(double*, const ConstMatrixView<double>&, bool);

}  // namespace tied::matmul_internal
