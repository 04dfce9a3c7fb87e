#include "linalg/matmul_row.h"

#include "linalg/matmul_pack.h"
#include "linalg/simd.h"

namespace tied::matmul_internal {

using simd::Batch;

namespace {

// Batches of sums in registers at a time. Four chains of additions wait for each other, eight do not, but heads can be
// narrower.
constexpr std::size_t kBatches = 4;
constexpr std::size_t kPackedBatches = 8;
static_assert(kPackedBatches * simd::kLanes<float> == kPackedCols<float>);

template <class T, std::size_t kCount>
void add_row(Batch<T> (&sums)[kCount], T a, const T* row) {
  const Batch<T> factor(a);
#pragma clang loop unroll(full)
  for (std::size_t c = 0; c < kCount; ++c) {
    sums[c] = simd::multiply_add(factor, simd::load(row + c * simd::kLanes<T>), sums[c]);
  }
}

// Columns of b are rows in memory: squares of them are transposed in registers.
template <class T, std::size_t kCount>
void add_transposed(Batch<T> (&sums)[kCount], const T* a, const T* b, std::size_t stride, std::size_t depth) {
  constexpr std::size_t n = simd::kLanes<T>;
  std::size_t k = 0;
  for (; k + n <= depth; k += n) {
#pragma clang loop unroll(full)
    for (std::size_t c = 0; c < kCount; ++c) {
      Batch<T> x[n];
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < n; ++i) x[i] = simd::load(b + (c * n + i) * stride + k);
      xsimd::transpose(x, x + n);
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < n; ++i) sums[c] = simd::multiply_add(Batch<T>(a[k + i]), x[i], sums[c]);
    }
  }
  for (; k < depth; ++k) {
    T row[kCount * n];
    for (std::size_t c = 0; c < kCount * n; ++c) row[c] = b[c * stride + k];
    add_row(sums, a[k], row);
  }
}

// Columns from j on, as many as are multiples of kCount batches. Returns the next one.
template <class T, std::size_t kCount, bool kTransposed>
std::size_t multiply_columns(std::size_t j, T* out, const T* a, const RowFactor<T>& b, bool add) {
  constexpr std::size_t n = simd::kLanes<T>;
  for (; j + kCount * n <= b.cols; j += kCount * n) {
    const T* from = b.data + j * b.column_step;
    Batch<T> sums[kCount];
#pragma clang loop unroll(full)
    for (std::size_t c = 0; c < kCount; ++c) sums[c] = Batch<T>(T{0});
    if constexpr (kTransposed) {
      add_transposed(sums, a, from, b.column_step, b.depth);
    } else {
      for (std::size_t k = 0; k < b.depth; ++k, from += b.step) add_row(sums, a[k], from);
    }
#pragma clang loop unroll(full)
    for (std::size_t c = 0; c < kCount; ++c) {
      T* to = out + j + c * n;
      simd::store(to, add ? simd::load(to) + sums[c] : sums[c]);
    }
  }
  return j;
}

template <class T, bool kTransposed>
[[gnu::noinline]] void multiply_row(T* out, const T* a, const RowFactor<T>& b, bool add) {
  std::size_t j = 0;
  j = multiply_columns<T, kBatches, kTransposed>(j, out, a, b, add);
  // Remaining columns, one by one, with the same instruction as above: in the relaxed build, a separate product and
  // sum could round differently.
  for (; j < b.cols; ++j) {
    const T* from = b.data + j * b.column_step;
    Batch<T> sum(T{0});
    for (std::size_t k = 0; k < b.depth; ++k) {
      sum = simd::multiply_add(Batch<T>(a[k]), Batch<T>(from[k * b.step]), sum);
    }
    if (add) sum = Batch<T>(out[j]) + sum;
    simd::store_partial(out + j, sum, 1);
  }
}

}  // namespace

template <class T>
void multiply_row(T* out, const T* a, const RowFactor<T>& b, bool add) {
  if (b.step == 1) {
    multiply_row<T, true>(out, a, b, add);
  } else {
    multiply_row<T, false>(out, a, b, add);
  }
}

template <class T>
void multiply_packed_row(T* out, const T* a, const RowFactor<T>& b, bool add) {
  multiply_columns<T, kPackedBatches, false>(0, out, a, b, add);
}

template void multiply_packed_row<float>(float*, const float*, const RowFactor<float>&, bool);
template void multiply_packed_row<double>(double*, const double*, const RowFactor<double>&, bool);
template void multiply_row<float>(float*, const float*, const RowFactor<float>&, bool);
template void multiply_row<double>(double*, const double*, const RowFactor<double>&, bool);

}  // namespace tied::matmul_internal
