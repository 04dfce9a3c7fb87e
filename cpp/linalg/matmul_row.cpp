#include "linalg/matmul_row.h"

#include "linalg/matmul_pack.h"
#include "linalg/simd.h"

namespace tied::matmul_internal {

using simd::Batch;

namespace {

// Batches of sums in registers at a time.
constexpr std::size_t kBatches = 4;

template <class T>
using Sums = Batch<T>[kBatches];

template <class T>
void add_row(Sums<T>& sums, T a, const T* row) {
  const Batch<T> factor(a);
#pragma clang loop unroll(full)
  for (std::size_t c = 0; c < kBatches; ++c) {
    sums[c] = simd::multiply_add(factor, simd::load(row + c * simd::kLanes<T>), sums[c]);
  }
}

// Columns of b are rows in memory: squares of them are transposed in registers.
template <class T>
void add_transposed(Sums<T>& sums, const T* a, const T* b, std::size_t stride, std::size_t depth) {
  constexpr std::size_t n = simd::kLanes<T>;
  std::size_t k = 0;
  for (; k + n <= depth; k += n) {
#pragma clang loop unroll(full)
    for (std::size_t c = 0; c < kBatches; ++c) {
      Batch<T> x[n];
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < n; ++i) x[i] = simd::load(b + (c * n + i) * stride + k);
      xsimd::transpose(x, x + n);
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < n; ++i) sums[c] = simd::multiply_add(Batch<T>(a[k + i]), x[i], sums[c]);
    }
  }
  for (; k < depth; ++k) {
    T row[kBatches * n];
    for (std::size_t c = 0; c < kBatches * n; ++c) row[c] = b[c * stride + k];
    add_row(sums, a[k], row);
  }
}

template <class T, bool kTransposed>
[[gnu::noinline]] void multiply_row(T* out, const T* a, const ConstMatrixView<T>& block, bool add) {
  constexpr std::size_t n = simd::kLanes<T>;
  const std::size_t depth = kTransposed ? block.cols : block.rows;
  const std::size_t cols = kTransposed ? block.rows : block.cols;
  const std::size_t column_step = kTransposed ? block.stride : 1;
  std::size_t j = 0;
  for (; j + kBatches * n <= cols; j += kBatches * n) {
    const T* from = block.data + j * column_step;
    Sums<T> sums;
#pragma clang loop unroll(full)
    for (std::size_t c = 0; c < kBatches; ++c) sums[c] = Batch<T>(T{0});
    if constexpr (kTransposed) {
      add_transposed(sums, a, from, block.stride, depth);
    } else {
      for (std::size_t k = 0; k < depth; ++k, from += block.stride) add_row(sums, a[k], from);
    }
#pragma clang loop unroll(full)
    for (std::size_t c = 0; c < kBatches; ++c) {
      T* to = out + j + c * n;
      simd::store(to, add ? simd::load(to) + sums[c] : sums[c]);
    }
  }
  // Remaining columns, one by one, with the same instruction as above: in the relaxed build, a separate product and
  // sum could round differently.
  for (; j < cols; ++j) {
    const T* from = block.data + j * column_step;
    Batch<T> sum(T{0});
    for (std::size_t k = 0; k < depth; ++k) {
      sum = simd::multiply_add(Batch<T>(a[k]), Batch<T>(from[kTransposed ? k : k * block.stride]), sum);
    }
    if (add) sum = Batch<T>(out[j]) + sum;
    simd::store_partial(out + j, sum, 1);
  }
}

}  // namespace

template <class T>
void multiply_row(T* out, const T* a, const ConstMatrixView<T>& block, bool transposed, bool add) {
  if (transposed) {
    multiply_row<T, true>(out, a, block, add);
  } else {
    multiply_row<T, false>(out, a, block, add);
  }
}

template void multiply_row<float>(float*, const float*, const ConstMatrixView<float>&, bool, bool);
template void multiply_row<double>(double*, const double*, const ConstMatrixView<double>&, bool, bool);

}  // namespace tied::matmul_internal
