#include "linalg/attention.h"

#include <algorithm>

#include "linalg/reduce.h"
#include "linalg/simd.h"
#include "linalg/softmax_row.h"

namespace tied {

using simd::Batch;

template <class T>
void causal_softmax_rows(MatrixView<T> x, std::type_identity_t<T> factor, std::size_t row_offset) {
  TIED_ASSERT(x.rows + row_offset <= x.cols);
  for (std::size_t i = 0; i < x.rows; ++i) {
    T* row = x.row(i);
    const std::size_t size = i + row_offset + 1;
    const Normalizer of_row = normalizer<T>(row, size, row, factor);
    scale(row, size, static_cast<T>(1 / of_row.sum));
    std::fill(row + size, row + x.cols, T{0});
  }
}

template <class T>
void causal_softmax_rows_backward(MatrixView<T> dp, Deduced<ConstMatrixView<T>> p, std::type_identity_t<T> factor,
                                  std::size_t row_offset) {
  TIED_ASSERT(dp.rows == p.rows && dp.cols == p.cols && p.rows + row_offset <= p.cols);
  const Batch<T> scale_batch(factor);
  for (std::size_t i = 0; i < dp.rows; ++i) {
    T* gradient = dp.row(i);
    const T* share = p.row(i);
    const std::size_t size = i + row_offset + 1;
    const Batch<T> mean(
        static_cast<T>(simd::sum_over_batches<T>(size, [=](auto at) { return at.load(share) * at.load(gradient); })));
    simd::for_batches<T>(
        size, [=](auto at) { at.store(gradient, scale_batch * at.load(share) * (at.load(gradient) - mean)); });
    std::fill(gradient + size, gradient + dp.cols, T{0});
  }
}

template void causal_softmax_rows<float>(MatrixView<float>, float, std::size_t);
template void causal_softmax_rows<double>(MatrixView<double>, double, std::size_t);
template void causal_softmax_rows_backward<float>(MatrixView<float>, ConstMatrixView<float>, float, std::size_t);
template void causal_softmax_rows_backward<double>(MatrixView<double>, ConstMatrixView<double>, double, std::size_t);

}  // namespace tied
