#include "linalg/softmax.h"

#include <algorithm>
#include <limits>

#include "base/elementary.h"
#include "linalg/simd.h"
#include "linalg/simd_exp.h"
#include "linalg/softmax_row.h"

namespace tied {
namespace {

using simd::Batch;
using simd::kLanes;

using simd::kBatchesPerRun;

template <class T>
T row_maximum(const T* x, std::size_t size) {
  constexpr T kLowest = -std::numeric_limits<T>::infinity();
  Batch<T> largest(kLowest);
  std::size_t i = 0;
  for (; i + kLanes<T> <= size; i += kLanes<T>) largest = xsimd::max(largest, simd::load(x + i));
  if (i < size) largest = xsimd::max(largest, simd::load_partial(x + i, size - i, kLowest));
  T lanes[kLanes<T>];
  simd::store(lanes, largest);
  return *std::max_element(lanes, lanes + kLanes<T>);
}

}  // namespace

template <class T>
Normalizer normalizer(const T* x, std::size_t size, T* exponentials) {
  constexpr std::size_t kRun = kBatchesPerRun * kLanes<T>;
  constexpr std::size_t kTogether = 4;
  constexpr std::size_t kStep = kTogether * kLanes<T>;
  static_assert(kRun % kStep == 0);
  const T maximum = row_maximum(x, size);
  const Batch<T> shift(maximum);
  T unwanted[kRun];
  T tail[kStep];
  double sum = 0;
  for (std::size_t start = 0; start < size; start += kRun) {
    const std::size_t count = std::min(kRun, size - start);
    T* to = exponentials != nullptr ? exponentials + start : unwanted;
    Batch<T> run(T{0});
    Batch<T> last(T{0});
    for (std::size_t j = 0; j < count; j += kStep) {
      // The end of the row goes through `tail`, where -infinity adds exp(-infinity) = 0.
      const std::size_t valid = std::min(kStep, count - j);
      const T* from = x + start + j;
      if (valid < kStep) {
        for (std::size_t i = 0; i < kStep; ++i) tail[i] = i < valid ? from[i] : -std::numeric_limits<T>::infinity();
        from = tail;
      }
      Batch<T> e[kTogether];
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < kTogether; ++i) e[i] = simd::load(from + i * kLanes<T>) - shift;
      simd::exp_of_nonpositive<T, kTogether>(e);
      T* target = valid < kStep ? tail : to + j;
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < kTogether; ++i) simd::store(target + i * kLanes<T>, e[i]);
      if (valid == kStep) {
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < kTogether; ++i) run += e[i];
        continue;
      }
      std::copy_n(tail, valid, to + j);
      // A batch that is not full is added apart, as everywhere: the order of sums is part of the result.
      for (std::size_t i = 0; i < valid / kLanes<T>; ++i) run += simd::load(tail + i * kLanes<T>);
      if (valid % kLanes<T> != 0) last = simd::load(tail + valid / kLanes<T> * kLanes<T>);
    }
    sum += simd::sum_of_lanes(run);
    sum += simd::sum_of_lanes(last);
  }
  return {static_cast<double>(maximum), sum};
}

template <class T>
void softmax_rows(MatrixView<T> out, Deduced<ConstMatrixView<T>> x) {
  TIED_ASSERT(out.rows == x.rows && out.cols == x.cols);
  for (std::size_t i = 0; i < x.rows; ++i) {
    const Normalizer row = normalizer(x.row(i), x.cols, out.row(i));
    const Batch<T> factor(static_cast<T>(1 / row.sum));
    simd::map<T>(out.row(i), x.cols, T{0}, [=](const Batch<T>& e) { return factor * e; }, out.row(i));
  }
}

template <class T>
void log_softmax_rows(MatrixView<T> out, Deduced<ConstMatrixView<T>> x) {
  TIED_ASSERT(out.rows == x.rows && out.cols == x.cols);
  for (std::size_t i = 0; i < x.rows; ++i) {
    const Normalizer row = normalizer<T>(x.row(i), x.cols, nullptr);
    // In two steps: the maximum can be far larger than the logarithm, and would round it away in float.
    const Batch<T> maximum(static_cast<T>(row.maximum));
    const Batch<T> log_sum(static_cast<T>(natural_log(row.sum)));
    simd::map<T>(
        out.row(i), x.cols, T{0}, [=](const Batch<T>& batch) { return (batch - maximum) - log_sum; }, x.row(i));
  }
}

template <class T>
double cross_entropy_tokens(MatrixView<T> logits, const std::uint32_t* targets, double weight, bool backward) {
  double loss = 0;
  const auto gradient_of_target = static_cast<T>(weight);
  for (std::size_t i = 0; i < logits.rows; ++i) {
    T* z = logits.row(i);
    TIED_ASSERT(targets[i] < logits.cols);
    const auto z_target = static_cast<double>(z[targets[i]]);
    const Normalizer row = normalizer<T>(z, logits.cols, backward ? z : nullptr);
    loss += (row.maximum - z_target) + natural_log(row.sum);
    if (!backward) continue;
    const Batch<T> factor(static_cast<T>(weight / row.sum));
    simd::map<T>(z, logits.cols, T{0}, [=](const Batch<T>& e) { return factor * e; }, z);
    z[targets[i]] -= gradient_of_target;
  }
  return loss * weight;
}

template <class T>
double cross_entropy_joint(MatrixView<T> logits, Deduced<ConstMatrixView<T>> joint, bool backward) {
  TIED_ASSERT(logits.rows == joint.rows && logits.cols == joint.cols);
  double loss = 0;
  for (std::size_t i = 0; i < logits.rows; ++i) {
    T* z = logits.row(i);
    const T* p = joint.row(i);
    const std::size_t cols = logits.cols;
    const double row_sum = simd::sum_over_batches<T>(cols, [=](auto at) { return at.load(p); });
    const Batch<T> maximum(row_maximum(z, cols));
    // sum_j p_j (maximum - z_j): its terms are not negative, so nothing cancels.
    const double below_maximum =
        simd::sum_over_batches<T>(cols, [=](auto at) { return at.load(p) * (maximum - at.load(z)); });
    const Normalizer row = normalizer<T>(z, cols, backward ? z : nullptr);
    loss += below_maximum + row_sum * natural_log(row.sum);
    if (!backward) continue;
    const Batch<T> factor(static_cast<T>(row_sum / row.sum));
    simd::map<T>(z, cols, T{0}, [=](const Batch<T>& e, const Batch<T>& p_j) { return factor * e - p_j; }, z, p);
  }
  return loss;
}

template Normalizer normalizer<float>(const float*, std::size_t, float*);
template Normalizer normalizer<double>(const double*, std::size_t, double*);
template void softmax_rows<float>(MatrixView<float>, ConstMatrixView<float>);
template void softmax_rows<double>(MatrixView<double>, ConstMatrixView<double>);
template void log_softmax_rows<float>(MatrixView<float>, ConstMatrixView<float>);
template void log_softmax_rows<double>(MatrixView<double>, ConstMatrixView<double>);
template double cross_entropy_tokens<float>(MatrixView<float>, const std::uint32_t*, double, bool);
template double cross_entropy_tokens<double>(MatrixView<double>, const std::uint32_t*, double, bool);
template double cross_entropy_joint<float>(MatrixView<float>, ConstMatrixView<float>, bool);
template double cross_entropy_joint<double>(MatrixView<double>, ConstMatrixView<double>, bool);

}  // namespace tied
