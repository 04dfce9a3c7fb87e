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
Normalizer normalizer(const T* x, std::size_t size, T* exponentials, T scale) {
  constexpr std::size_t kRun = kBatchesPerRun * kLanes<T>;
  constexpr std::size_t kTogether = 4;
  constexpr std::size_t kStep = kTogether * kLanes<T>;
  static_assert(kRun % kStep == 0);
  const Batch<T> nothing(-std::numeric_limits<T>::infinity());
  const Batch<T> factor(scale);
  const T maximum = scale * row_maximum(x, size);
  const Batch<T> shift(maximum);
  T unwanted[kStep];
  double sum = 0;
  for (std::size_t start = 0; start < size; start += kRun) {
    const std::size_t end = std::min(size, start + kRun);
    Batch<T> run(T{0});
    // A batch that is not full is added apart, as everywhere: the order of sums is part of the result.
    Batch<T> last(T{0});
    for (std::size_t j = start; j < end; j += kStep) {
      const std::size_t valid = std::min(kStep, end - j);
      const T* from = x + j;
      T* to = exponentials != nullptr ? exponentials + j : unwanted;
      Batch<T> e[kTogether];
      if (valid == kStep) {
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < kTogether; ++i) e[i] = simd::load(from + i * kLanes<T>);
      } else {
        // Where the row has ended, exp(-infinity) = 0.
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < kTogether; ++i) {
          const std::size_t before = i * kLanes<T>;
          e[i] = nothing;
          if (before + kLanes<T> <= valid) {
            e[i] = simd::load(from + before);
          } else if (before < valid) {
            e[i] = simd::load_partial(from + before, valid - before, -std::numeric_limits<T>::infinity());
          }
        }
      }
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < kTogether; ++i) e[i] = factor * e[i] - shift;
      simd::exp_of_nonpositive<T, kTogether>(e);
      if (valid == kStep) {
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < kTogether; ++i) {
          run += e[i];
          simd::store(to + i * kLanes<T>, e[i]);
        }
      } else {
#pragma clang loop unroll(full)
        for (std::size_t i = 0; i < kTogether; ++i) {
          const std::size_t before = i * kLanes<T>;
          if (before + kLanes<T> <= valid) {
            run += e[i];
            simd::store(to + before, e[i]);
          } else if (before < valid) {
            last = e[i];
            simd::store_partial(to + before, e[i], valid - before);
          }
        }
      }
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
    const Normalizer row = normalizer<T>(x.row(i), x.cols, out.row(i));
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

template Normalizer normalizer<float>(const float*, std::size_t, float*, float);
template Normalizer normalizer<double>(const double*, std::size_t, double*, double);
template void softmax_rows<float>(MatrixView<float>, ConstMatrixView<float>);
template void softmax_rows<double>(MatrixView<double>, ConstMatrixView<double>);
template void log_softmax_rows<float>(MatrixView<float>, ConstMatrixView<float>);
template void log_softmax_rows<double>(MatrixView<double>, ConstMatrixView<double>);
template double cross_entropy_tokens<float>(MatrixView<float>, const std::uint32_t*, double, bool);
template double cross_entropy_tokens<double>(MatrixView<double>, const std::uint32_t*, double, bool);
template double cross_entropy_joint<float>(MatrixView<float>, ConstMatrixView<float>, bool);
template double cross_entropy_joint<double>(MatrixView<double>, ConstMatrixView<double>, bool);

}  // namespace tied
