#include "linalg/reduce.h"

#include <cmath>

#include "linalg/simd.h"

namespace tied {
namespace {

// Four running sums: element i goes to sum i mod 4, and they are added in the order (0 + 1) + (2 + 3). The order is
// fixed, and the compiler can vectorize it.
constexpr std::size_t kSums = 4;

template <class Term>
double sum_of_terms(std::size_t size, Term term) {
  double sums[kSums] = {};
  std::size_t i = 0;
  for (; i + kSums <= size; i += kSums) {
    for (std::size_t lane = 0; lane < kSums; ++lane) sums[lane] += term(i + lane);
  }
  for (; i < size; ++i) sums[i % kSums] += term(i);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// The same for terms that are computed from four elements at a time, in two registers.
template <class Batches, class Term>
double sum_of_batches(std::size_t size, Batches batches, Term term) {
  const std::size_t whole = size / kSums * kSums;
  simd::Batch<double> low(0.0);
  simd::Batch<double> high(0.0);
  for (std::size_t i = 0; i < whole; i += kSums) {
    const simd::Doubles terms = batches(i);
    low += terms.low;
    high += terms.high;
  }
  double sums[kSums];
  simd::store(sums, low);
  simd::store(sums + 2, high);
  for (std::size_t i = whole; i < size; ++i) sums[i % kSums] += term(i);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

template <class T>
double sum(const T* x, std::size_t size) {
  return sum_of_terms(size, [x](std::size_t i) { return static_cast<double>(x[i]); });
}

template <class T>
double dot(const T* a, const T* b, std::size_t size) {
  const auto batches = [=](std::size_t i) -> simd::Doubles {
    const simd::Doubles a_i = simd::load_doubles(a + i);
    const simd::Doubles b_i = simd::load_doubles(b + i);
    return {a_i.low * b_i.low, a_i.high * b_i.high};
  };
  return sum_of_batches(size, batches,
                        [=](std::size_t i) { return static_cast<double>(a[i]) * static_cast<double>(b[i]); });
}

template <class T>
double weighted_difference(const T* weights, const T* a, const T* b, double shift, std::size_t size) {
  const simd::Batch<double> shifts(shift);
  const auto batches = [=](std::size_t i) -> simd::Doubles {
    const simd::Doubles w_i = simd::load_doubles(weights + i);
    const simd::Doubles a_i = simd::load_doubles(a + i);
    const simd::Doubles b_i = simd::load_doubles(b + i);
    return {w_i.low * ((a_i.low - b_i.low) - shifts), w_i.high * ((a_i.high - b_i.high) - shifts)};
  };
  return sum_of_batches(size, batches, [=](std::size_t i) {
    return static_cast<double>(weights[i]) * ((static_cast<double>(a[i]) - static_cast<double>(b[i])) - shift);
  });
}

template <class T>
double squared_norm(const T* x, std::size_t size) {
  return dot(x, x, size);
}

template <class T>
double max_abs(const T* x, std::size_t size) {
  T largest = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const T magnitude = std::fabs(x[i]);
    // Once `largest` is NaN, every comparison is false and it stays NaN.
    if (magnitude > largest || magnitude != magnitude) largest = magnitude;
  }
  return static_cast<double>(largest);
}

template <class T>
std::size_t argmax(const T* x, std::size_t size) {
  TIED_ASSERT(size > 0);
  std::size_t best = 0;
  for (std::size_t i = 1; i < size; ++i) {
    if (x[i] > x[best]) best = i;
  }
  return best;
}

template <class T>
std::size_t first_not_finite(const T* x, std::size_t size) {
  // x - x is 0 for finite x and NaN otherwise. A run is tested as a whole before it is searched.
  constexpr std::size_t kRun = 256;
  for (std::size_t start = 0; start < size; start += kRun) {
    const std::size_t end = start + kRun < size ? start + kRun : size;
    simd::Batch<T> differences(T{0});
    simd::for_batches<T>(end - start, [&](auto at) {
      const simd::Batch<T> x_i = at.load(x + start);
      differences += x_i - x_i;
    });
    if (simd::sum_of_lanes(differences) == 0) continue;
    for (std::size_t i = start; i < end; ++i) {
      if (!(x[i] - x[i] == 0)) return i;
    }
  }
  return size;
}

template <class T>
bool all_finite(const T* x, std::size_t size) {
  return first_not_finite(x, size) == size;
}

template <class T>
void add_scaled(T* y, const T* x, std::size_t size, T alpha) {
  const simd::Batch<T> factor(alpha);
  simd::map<T>(
      y, size, T{0}, [&](const simd::Batch<T>& y_i, const simd::Batch<T>& x_i) { return y_i + factor * x_i; }, y, x);
}

template <class T>
void scale(T* x, std::size_t size, T alpha) {
  const simd::Batch<T> factor(alpha);
  simd::map<T>(x, size, T{0}, [&](const simd::Batch<T>& x_i) { return factor * x_i; }, x);
}

template <class T>
void multiply(T* x, const T* factors, std::size_t size) {
  simd::map<T>(
      x, size, T{0}, [](const simd::Batch<T>& x_i, const simd::Batch<T>& factor) { return x_i * factor; }, x, factors);
}

template <class T>
void add_row_to_rows(MatrixView<T> m, const T* row) {
  for (std::size_t i = 0; i < m.rows; ++i) add_scaled(m.row(i), row, m.cols, T{1});
}

template <class T>
void add_column_sums(T* out, Deduced<ConstMatrixView<T>> m) {
  for (std::size_t i = 0; i < m.rows; ++i) add_scaled(out, m.row(i), m.cols, T{1});
}

template <class T>
double squared_norm(ConstMatrixView<T> m) {
  if (m.stride == m.cols) return squared_norm(m.data, m.rows * m.cols);
  double total = 0;
  for (std::size_t i = 0; i < m.rows; ++i) total += squared_norm(m.row(i), m.cols);
  return total;
}

template double sum<float>(const float*, std::size_t);
template double sum<double>(const double*, std::size_t);
template double dot<float>(const float*, const float*, std::size_t);
template double dot<double>(const double*, const double*, std::size_t);
template double weighted_difference<float>(const float*, const float*, const float*, double, std::size_t);
template double weighted_difference<double>(const double*, const double*, const double*, double, std::size_t);
template double squared_norm<float>(const float*, std::size_t);
template double squared_norm<double>(const double*, std::size_t);
template double max_abs<float>(const float*, std::size_t);
template double max_abs<double>(const double*, std::size_t);
template std::size_t argmax<float>(const float*, std::size_t);
template std::size_t argmax<double>(const double*, std::size_t);
template bool all_finite<float>(const float*, std::size_t);
template bool all_finite<double>(const double*, std::size_t);
template std::size_t first_not_finite<float>(const float*, std::size_t);
template std::size_t first_not_finite<double>(const double*, std::size_t);
template void add_scaled<float>(float*, const float*, std::size_t, float);
template void add_scaled<double>(double*, const double*, std::size_t, double);
template void scale<float>(float*, std::size_t, float);
template void scale<double>(double*, std::size_t, double);
template void multiply<float>(float*, const float*, std::size_t);
template void multiply<double>(double*, const double*, std::size_t);
template void add_row_to_rows<float>(MatrixView<float>, const float*);
template void add_row_to_rows<double>(MatrixView<double>, const double*);
template void add_column_sums<float>(float*, ConstMatrixView<float>);
template void add_column_sums<double>(double*, ConstMatrixView<double>);
template double squared_norm<float>(ConstMatrixView<float>);
template double squared_norm<double>(ConstMatrixView<double>);

}  // namespace tied
