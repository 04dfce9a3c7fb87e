#include "linalg/softmax.h"

#include <algorithm>
#include <limits>

#include "base/elementary.h"
#include "linalg/reduce.h"
#include "linalg/simd.h"
#include "linalg/simd_exp.h"
#include "linalg/softmax_row.h"

namespace tied {
namespace {

using simd::Batch;
using simd::kBatchesPerRun;
using simd::kLanes;

template <class T>
constexpr T kNothing = -std::numeric_limits<T>::infinity();  // never the maximum, and exp(-infinity) = 0

// Batches processed together.
constexpr std::size_t kTogether = 4;

// Maximum of the first `whole` elements (whole batches) and of the lanes of `last`.
template <class T>
T largest_of(const T* x, std::size_t whole, const Batch<T>& last) {
  constexpr std::size_t kStep = kTogether * kLanes<T>;
  // Four chains, since each maximum waits for the previous one; four names, since an array would go to memory.
  Batch<T> a = last, b = last, c = last, d = last;
  std::size_t i = 0;
  for (; i + kStep <= whole; i += kStep) {
    a = xsimd::max(a, simd::load(x + i));
    b = xsimd::max(b, simd::load(x + i + kLanes<T>));
    c = xsimd::max(c, simd::load(x + i + 2 * kLanes<T>));
    d = xsimd::max(d, simd::load(x + i + 3 * kLanes<T>));
  }
  for (; i < whole; i += kLanes<T>) a = xsimd::max(a, simd::load(x + i));
  return xsimd::reduce_max(xsimd::max(xsimd::max(a, b), xsimd::max(c, d)));
}

// The partial batch at the end, with kNothing in lanes past the end.
template <class T>
Batch<T> last_batch(const T* x, std::size_t size, std::size_t capacity) {
  const std::size_t rest = size % kLanes<T>;
  const std::size_t whole = size - rest;
  if (rest == 0) return Batch<T>(kNothing<T>);
  if (whole + kLanes<T> > capacity) return simd::load_partial(x + whole, rest, kNothing<T>);
  return simd::first_lanes(simd::load(x + whole), rest, kNothing<T>);
}

template <class T>
T row_maximum(const T* x, std::size_t size) {
  return scaled_maximum(x, size, T{1}, size);
}

// Elements of a row whose exponentials are computed, and summed in T, together.
template <class T>
constexpr std::size_t kRun = kBatchesPerRun * kLanes<T>;

// to[j] = scale x_j - maximum in whole batches; beyond the end, a number whose exponential is 0.
template <class T>
void shift_row(T* to, const T* x, std::size_t size, T scale, T maximum, std::size_t capacity) {
  const Batch<T> factor(scale);
  const Batch<T> shift(maximum);
  const std::size_t whole = size - size % kLanes<T>;
  const Batch<T> last = last_batch(x, size, capacity);
#pragma clang loop unroll(disable)
  for (std::size_t j = 0; j < whole; j += kLanes<T>) simd::store(to + j, factor * simd::load(x + j) - shift);
  if (whole != size) simd::store(to + whole, factor * last - shift);
}

// Adds at most kRun numbers to a sum; those beyond are 0, to whole batches. If `to` is not null, they are copied there,
// at least `size` of them.
template <class T>
double add_row(double sum, const T* x, std::size_t size, T* to, std::size_t capacity) {
  const std::size_t rest = size % kLanes<T>;
  const std::size_t whole = size - rest;
  Batch<T> run(T{0});
#pragma clang loop unroll(disable)
  for (std::size_t j = 0; j < whole; j += kLanes<T>) {
    const Batch<T> batch = simd::load(x + j);
    run += batch;
    if (to != nullptr) simd::store(to + j, batch);
  }
  sum += simd::sum_of_lanes(run);
  if (rest == 0) return sum;
  const Batch<T> last = simd::load(x + whole);
  sum += simd::sum_of_lanes(last);
  if (to == nullptr) return sum;
  if (whole + kLanes<T> <= capacity) {
    simd::store(to + whole, last);
  } else {
    simd::store_partial(to + whole, last, rest);
  }
  return sum;
}

// In two steps: the maximum can be far larger than the logarithm and would absorb it in float.
template <class T>
void subtract_normalizer(T* out, const T* x, std::size_t size, const Normalizer& row) {
  const Batch<T> maximum(static_cast<T>(row.maximum));
  const Batch<T> log_sum(static_cast<T>(natural_log(row.sum)));
  simd::map<T>(out, size, T{0}, [=](const Batch<T>& batch) { return (batch - maximum) - log_sum; }, x);
}

}  // namespace

template <class T>
T scaled_maximum(const T* x, std::size_t size, T scale, std::size_t capacity) {
  TIED_ASSERT(size > 0 && size <= capacity);
  return scale * largest_of(x, size - size % kLanes<T>, last_batch(x, size, capacity));
}

template <class T>
double exponential_sum(const T* x, std::size_t size, T* exponentials, T scale, T maximum, std::size_t capacity) {
  T room[kRun<T> + simd::kExponentialsTogether * kLanes<T>];
  double sum = 0;
  std::size_t start = 0;
  do {
    const std::size_t count = std::min(size - start, kRun<T>);
    shift_row(room, x + start, count, scale, maximum, capacity - start);
    simd::exponentials_of_nonpositive(room, (count + kLanes<T> - 1) / kLanes<T> * kLanes<T>);
    T* const to = exponentials == nullptr ? nullptr : exponentials + start;
    sum = add_row(sum, room, count, to, capacity - start);
    start += count;
  } while (start < size);
  return sum;
}

template <class T>
Normalizer normalizer(const T* x, std::size_t size, T* exponentials, T scale, std::size_t capacity) {
  const T maximum = scaled_maximum(x, size, scale, capacity);
  return {static_cast<double>(maximum), exponential_sum(x, size, exponentials, scale, maximum, capacity)};
}

// An exponential is one long chain of operations, and a processor has started enough other ones before it waits only if
// twelve chains alternate. There are no registers for what these need besides their series, so that is in memory.
template <class T>
[[gnu::noinline]] void simd::exponentials_of_nonpositive(T* x, std::size_t count) {
  constexpr std::size_t kChains = 12;
  const Constants<T> constants(kExpConstants<T>);
  const auto of_batches = [&]<std::size_t kCount>() __attribute__((always_inline)) {
    T powers[kCount * kLanes<T>];
#pragma clang loop unroll(disable)
    for (std::size_t i = 0; i < kCount * kLanes<T>; i += 2 * kLanes<T>) {
      const Reduced<T> one = reduce_exponent(load(x + i), constants);
      const Reduced<T> other = reduce_exponent(load(x + i + kLanes<T>), constants);
      store(x + i, one.r);
      store(x + i + kLanes<T>, other.r);
      store(powers + i, one.power);
      store(powers + i + kLanes<T>, other.power);
    }
    Batch<T> series[kCount];
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < kCount; ++i) series[i] = constants[5 + ExpConstants<T>::kTerms];
#pragma clang loop unroll(disable)
    for (std::size_t n = ExpConstants<T>::kTerms; n-- > 0;) {
      // Otherwise the compiler would load all r before the loop.
      asm volatile("" : : : "memory");
      const Batch<T> coefficient = constants[5 + n];
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < kCount; ++i) {
        series[i] = multiply_add(series[i], load(x + i * kLanes<T>), coefficient);
      }
    }
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < kCount; ++i) store(x + i * kLanes<T>, series[i] * load(powers + i * kLanes<T>));
    x += kCount * kLanes<T>;
    count -= kCount * kLanes<T>;
  };
  for (; count % (kExponentialsTogether * kLanes<T>) != 0; count += kLanes<T>) store(x + count, Batch<T>(T{0}));
  while (count >= kChains * kLanes<T>) of_batches.template operator()<kChains>();
  // NOLINTNEXTLINE(bugprone-infinite-loop): `of_batches` counts down.
  while (count != 0) of_batches.template operator()<kExponentialsTogether>();
}

template <class T>
void softmax_rows(MatrixView<T> out, Deduced<ConstMatrixView<T>> x) {
  TIED_ASSERT(out.rows == x.rows && out.cols == x.cols);
  for (std::size_t i = 0; i < x.rows; ++i) {
    const Normalizer row = normalizer<T>(x.row(i), x.cols, out.row(i));
    scale(out.row(i), x.cols, static_cast<T>(1 / row.sum));
  }
}

template <class T>
void log_softmax_rows(MatrixView<T> out, Deduced<ConstMatrixView<T>> x) {
  TIED_ASSERT(out.rows == x.rows && out.cols == x.cols);
  for (std::size_t i = 0; i < x.rows; ++i) {
    subtract_normalizer(out.row(i), x.row(i), x.cols, normalizer<T>(x.row(i), x.cols, nullptr));
  }
}

template <class T>
LogSum log_sum_exp(const T* z, std::size_t size) {
  const Normalizer row = normalizer<T>(z, size, nullptr);
  return {row.maximum, natural_log(row.sum)};
}

template <class T>
LogSum softmax_minus(T* out, const T* z, const T* p, std::size_t size) {
  const Normalizer row = normalizer<T>(z, size, out);
  const Batch<T> factor(static_cast<T>(1 / row.sum));
  if (p == nullptr) {
    scale(out, size, static_cast<T>(1 / row.sum));
  } else {
    simd::map<T>(out, size, T{0}, [=](const Batch<T>& e, const Batch<T>& p_j) { return factor * e - p_j; }, out, p);
  }
  return {row.maximum, natural_log(row.sum)};
}

template <class T>
double cross_entropy_tokens(MatrixView<T> logits, const std::uint32_t* targets, double weight, bool backward,
                            std::size_t margin) {
  // Several rows go through each part together (softmax_row.h), if they stay in the first-level cache.
  constexpr std::size_t kRows = 16;
  constexpr std::size_t kMostCols = kRun<T>;
  const std::size_t together = logits.cols <= kMostCols ? kRows : 1;
  const std::size_t capacity = logits.cols + margin;
  const std::size_t whole = (logits.cols + kLanes<T> - 1) / kLanes<T> * kLanes<T>;
  T maxima[kRows];
  double sums[kRows];
  double target_logits[kRows];
  double loss = 0;
  const auto gradient_of_target = static_cast<T>(weight);
  for (std::size_t first = 0; first < logits.rows; first += together) {
    const std::size_t count = std::min(together, logits.rows - first);
    for (std::size_t i = 0; i < count; ++i) {
      const T* z = logits.row(first + i);
      TIED_ASSERT(targets[first + i] < logits.cols);
      target_logits[i] = static_cast<double>(z[targets[first + i]]);
      maxima[i] = scaled_maximum(z, logits.cols, T{1}, capacity);
    }
    T* const tile = logits.row(first);
    if (backward && together == kRows && logits.stride == whole && whole <= capacity &&
        count * whole % (simd::kExponentialsTogether * kLanes<T>) == 0) {
      // In place, and without a remainder for each row.
      for (std::size_t i = 0; i < count; ++i) {
        shift_row(tile + i * whole, tile + i * whole, logits.cols, T{1}, maxima[i], capacity);
      }
      simd::exponentials_of_nonpositive(tile, count * whole);
      for (std::size_t i = 0; i < count; ++i) sums[i] = add_row<T>(0, tile + i * whole, logits.cols, nullptr, capacity);
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        T* z = logits.row(first + i);
        sums[i] = exponential_sum(z, logits.cols, backward ? z : nullptr, T{1}, maxima[i], capacity);
      }
    }
    for (std::size_t i = 0; backward && i < count; ++i) {
      T* z = logits.row(first + i);
      scale(z, whole <= capacity ? whole : logits.cols, static_cast<T>(weight / sums[i]));
      z[targets[first + i]] -= gradient_of_target;
    }
    for (std::size_t i = 0; i < count; ++i) {
      loss += (static_cast<double>(maxima[i]) - target_logits[i]) + natural_log(sums[i]);
    }
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
    // sum_j p_j (maximum - z_j) has no negative terms, so nothing cancels.
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

template void simd::exponentials_of_nonpositive<float>(float*, std::size_t);
template void simd::exponentials_of_nonpositive<double>(double*, std::size_t);
template Normalizer normalizer<float>(const float*, std::size_t, float*, float, std::size_t);
template Normalizer normalizer<double>(const double*, std::size_t, double*, double, std::size_t);
template float scaled_maximum<float>(const float*, std::size_t, float, std::size_t);
template double exponential_sum<float>(const float*, std::size_t, float*, float, float, std::size_t);
template double scaled_maximum<double>(const double*, std::size_t, double, std::size_t);
template double exponential_sum<double>(const double*, std::size_t, double*, double, double, std::size_t);
template void softmax_rows<float>(MatrixView<float>, ConstMatrixView<float>);
template void softmax_rows<double>(MatrixView<double>, ConstMatrixView<double>);
template void log_softmax_rows<float>(MatrixView<float>, ConstMatrixView<float>);
template void log_softmax_rows<double>(MatrixView<double>, ConstMatrixView<double>);
template LogSum log_sum_exp<float>(const float*, std::size_t);
template LogSum log_sum_exp<double>(const double*, std::size_t);
template LogSum softmax_minus<float>(float*, const float*, const float*, std::size_t);
template LogSum softmax_minus<double>(double*, const double*, const double*, std::size_t);
template double cross_entropy_tokens<float>(MatrixView<float>, const std::uint32_t*, double, bool, std::size_t);
template double cross_entropy_tokens<double>(MatrixView<double>, const std::uint32_t*, double, bool, std::size_t);
template double cross_entropy_joint<float>(MatrixView<float>, ConstMatrixView<float>, bool);
template double cross_entropy_joint<double>(MatrixView<double>, ConstMatrixView<double>, bool);

}  // namespace tied
