#include "linalg/rotary.h"

#include <cstdint>

#include "base/elementary.h"
#include "linalg/simd.h"

namespace tied {
namespace {

using simd::Batch;
using simd::kLanes;

struct SineCosine {
  double sine;
  double cosine;
};

// Sine and cosine of an angle in [0, 1e6], within 1e-13 (near 1e-16 for small angles).
//   x = k pi / 2 + r, |r| <= pi / 4; series in r, whose first omitted terms are below 2^-57
SineCosine sine_cosine(double x) {
  // pi / 2 in three parts; the first two end in enough zero bits for their products with any k to be exact.
  constexpr double kHalfPiHigh = 0x1.921fb544p+0;
  constexpr double kHalfPiMiddle = 0x1.0b4611a6p-34;
  constexpr double kHalfPiLow = 0x1.3198a2e037073p-69;
  constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
  const double quarters = x * kTwoOverPi + 0.5;
  const auto quarter = static_cast<std::uint32_t>(quarters);
  const double k = quarter;
  const double r = ((x - k * kHalfPiHigh) - k * kHalfPiMiddle) - k * kHalfPiLow;
  const double square = r * r;
  double sine = 1;
  double cosine = 1;
  constexpr int kTerms = 8;
  for (int n = kTerms; n >= 1; --n) {
    sine = 1 - sine * square / (2 * n * (2 * n + 1));
    cosine = 1 - cosine * square / (2 * n * (2 * n - 1));
  }
  sine *= r;
  switch (quarter % 4) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

template <class T>
struct Pairs {
  Batch<T> even;
  Batch<T> odd;
};

// Elements 0, 2, 4, ... and 1, 3, 5, ... of two consecutive batches.
template <class T>
Pairs<T> take_apart(const Batch<T>& low, const Batch<T>& high) {
  const Batch<T> even = xsimd::zip_lo(low, high);
  const Batch<T> odd = xsimd::zip_hi(low, high);
  if constexpr (kLanes<T> == 4) {
    return {xsimd::zip_lo(even, odd), xsimd::zip_hi(even, odd)};
  } else {
    return {even, odd};
  }
}

// One head of one row, `half` pairs.
template <class T>
void rotate_head(T* x, const T* cosines, const T* sines, std::size_t half, T sign) {
  std::size_t i = 0;
  const Batch<T> signs(sign);
  for (; i + kLanes<T> <= half; i += kLanes<T>) {
    const Pairs<T> pairs = take_apart(simd::load(x + 2 * i), simd::load(x + 2 * i + kLanes<T>));
    const Batch<T> cosine = simd::load(cosines + i);
    const Batch<T> sine = signs * simd::load(sines + i);
    const Batch<T> even = pairs.even * cosine - pairs.odd * sine;
    const Batch<T> odd = pairs.even * sine + pairs.odd * cosine;
    simd::store(x + 2 * i, xsimd::zip_lo(even, odd));
    simd::store(x + 2 * i + kLanes<T>, xsimd::zip_hi(even, odd));
  }
  for (; i < half; ++i) {
    const T even = x[2 * i];
    const T odd = x[2 * i + 1];
    const T sine = sign * sines[i];
    x[2 * i] = even * cosines[i] - odd * sine;
    x[2 * i + 1] = even * sine + odd * cosines[i];
  }
}

}  // namespace

template <class T>
void rotary_table(MatrixView<T> cosines, MatrixView<T> sines, double base) {
  TIED_ASSERT(cosines.rows == sines.rows && cosines.cols == sines.cols);
  const double log_base = natural_log(base);
  for (std::size_t i = 0; i < cosines.cols; ++i) {
    const double frequency = exponential(-log_base * static_cast<double>(i) / static_cast<double>(cosines.cols));
    for (std::size_t position = 0; position < cosines.rows; ++position) {
      const SineCosine angle = sine_cosine(static_cast<double>(position) * frequency);
      cosines.data[position * cosines.stride + i] = static_cast<T>(angle.cosine);
      sines.data[position * sines.stride + i] = static_cast<T>(angle.sine);
    }
  }
}

template <class T>
void rotate_pairs(MatrixView<T> x, Deduced<ConstMatrixView<T>> cosines, Deduced<ConstMatrixView<T>> sines,
                  std::size_t n_heads, std::size_t first_position, bool backward) {
  const std::size_t half = cosines.cols;
  TIED_ASSERT(x.cols == n_heads * 2 * half && sines.cols == half);
  TIED_ASSERT(first_position + x.rows <= cosines.rows && cosines.rows == sines.rows);
  const T sign = backward ? T{-1} : T{1};
  for (std::size_t i = 0; i < x.rows; ++i) {
    const T* cosine = cosines.row(first_position + i);
    const T* sine = sines.row(first_position + i);
    for (std::size_t head = 0; head < n_heads; ++head)
      rotate_head(x.row(i) + head * 2 * half, cosine, sine, half, sign);
  }
}

template void rotary_table<float>(MatrixView<float>, MatrixView<float>, double);
template void rotary_table<double>(MatrixView<double>, MatrixView<double>, double);
template void rotate_pairs<float>(MatrixView<float>, ConstMatrixView<float>, ConstMatrixView<float>, std::size_t,
                                  std::size_t, bool);
template void rotate_pairs<double>(MatrixView<double>, ConstMatrixView<double>, ConstMatrixView<double>, std::size_t,
                                   std::size_t, bool);

}  // namespace tied
