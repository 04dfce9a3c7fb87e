#include "linalg/attention.h"

#include <algorithm>

#include "linalg/reduce.h"
#include "linalg/simd.h"
#include "linalg/softmax_row.h"

namespace tied {

using simd::Batch;
using simd::kLanes;

namespace {

// Rows that go through each part of their operations together: see softmax_row.h.
constexpr std::size_t kSoftmaxRows = 16;

// Extent of a row that may be masked from an element on. Rows are short, so a partial last batch would cost as much as
// all others together. If there are enough elements after the row, that batch is processed as a whole, and the elements
// after the row's end are zeroed afterwards.
template <class T>
struct MaskedRow {
  std::size_t size;
  std::size_t whole;   // elements in whole batches of the row
  std::size_t worked;  // elements processed: a multiple of the batch, or `size`

  MaskedRow(std::size_t elements, std::size_t capacity) : size(elements), whole(size - size % kLanes<T>), worked(size) {
    if (whole != size && whole + kLanes<T> <= capacity) worked = whole + kLanes<T>;
  }
};

template <class T>
void zero(T* from, const T* end) {
  for (; from + kLanes<T> <= end; from += kLanes<T>) simd::store(from, Batch<T>(T{0}));
  for (; from < end; ++from) *from = 0;
}

}  // namespace

template <class T>
void attention_softmax_rows(MatrixView<T> x, std::type_identity_t<T> factor, std::size_t row_offset,
                            std::size_t margin) {
  TIED_ASSERT(row_offset == kWholeProduct || x.rows + row_offset <= x.cols);
  const std::size_t capacity = x.cols + margin;
  T maxima[kSoftmaxRows];
  double sums[kSoftmaxRows];
  for (std::size_t first = 0; first < x.rows; first += kSoftmaxRows) {
    const std::size_t end = std::min(x.rows, first + kSoftmaxRows);
    const auto size_of = [&](std::size_t i) { return row_offset == kWholeProduct ? x.cols : i + row_offset + 1; };
    for (std::size_t i = first; i < end; ++i) {
      maxima[i - first] = scaled_maximum<T>(x.row(i), size_of(i), factor, capacity);
    }
    for (std::size_t i = first; i < end; ++i) {
      sums[i - first] = exponential_sum<T>(x.row(i), size_of(i), x.row(i), factor, maxima[i - first], capacity);
    }
    for (std::size_t i = first; i < end; ++i) {
      T* row = x.row(i);
      const MaskedRow<T> extent(size_of(i), capacity);
      scale(row, extent.worked, static_cast<T>(1 / sums[i - first]));
      zero(row + extent.size, row + x.cols);
    }
  }
}

template <class T>
void attention_softmax_rows_backward(MatrixView<T> dp, Deduced<ConstMatrixView<T>> p, std::type_identity_t<T> factor,
                                     std::size_t row_offset) {
  TIED_ASSERT(dp.rows == p.rows && dp.cols == p.cols);
  TIED_ASSERT(row_offset == kWholeProduct || p.rows + row_offset <= p.cols);
  const Batch<T> scale_batch(factor);
  for (std::size_t i = 0; i < dp.rows; ++i) {
    T* gradient = dp.row(i);
    const T* probabilities = p.row(i);
    const MaskedRow<T> extent(row_offset == kWholeProduct ? dp.cols : i + row_offset + 1, dp.cols);
    const bool worked_beyond = extent.worked != extent.size;
    double sum = simd::sum_over_batches<T>(worked_beyond ? extent.whole : extent.size,
                                           [=](auto at) { return at.load(probabilities) * at.load(gradient); });
    if (worked_beyond) {
      const Batch<T> last = simd::load(probabilities + extent.whole) * simd::load(gradient + extent.whole);
      sum += simd::sum_of_lanes(simd::first_lanes(last, extent.size - extent.whole, T{0}));
    }
    const Batch<T> mean(static_cast<T>(sum));
    simd::for_batches<T>(extent.worked, [=](auto at) {
      at.store(gradient, scale_batch * at.load(probabilities) * (at.load(gradient) - mean));
    });
    zero(gradient + extent.size, gradient + dp.cols);
  }
}

template void attention_softmax_rows<float>(MatrixView<float>, float, std::size_t, std::size_t);
template void attention_softmax_rows<double>(MatrixView<double>, double, std::size_t, std::size_t);
template void attention_softmax_rows_backward<float>(MatrixView<float>, ConstMatrixView<float>, float, std::size_t);
template void attention_softmax_rows_backward<double>(MatrixView<double>, ConstMatrixView<double>, double, std::size_t);

}  // namespace tied
