// The exponential of a batch. Our own, since softmax needs only x <= 0, where a third of a general exponential's work
// (overflow, rounding to integers) falls away, and since its bits must not depend on the version of a library.
#pragma once

#include <cstdint>

#include "linalg/simd.h"

namespace tied::simd {

template <class T>
struct ExpConstants;

template <>
struct ExpConstants<float> {
  using Bits = std::uint32_t;
  static constexpr int kMantissaBits = 23;
  static constexpr Bits kBias = 127;
  // 1.5 * 2^23: adding it rounds to a whole number, which then stands in the low bits.
  static constexpr float kRounder = 0x1.8p23F;
  // ln 2 in two parts; the first has so few bits that its product with any exponent is exact.
  static constexpr float kLn2High = 0x1.62e4p-1F;
  static constexpr float kLn2Low = 0x1.7f7d1cp-20F;
  static constexpr float kLowest = -87.33654F;  // -126 ln 2
  static constexpr int kTerms = 7;              // (ln 2 / 2)^8 / 8! < 2^-27
};

template <>
struct ExpConstants<double> {
  using Bits = std::uint64_t;
  static constexpr int kMantissaBits = 52;
  static constexpr Bits kBias = 1023;
  static constexpr double kRounder = 0x1.8p52;
  static constexpr double kLn2High = 0x1.62e42feep-1;
  static constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  static constexpr double kLowest = -708.39641853226;  // -1022 ln 2
  static constexpr int kTerms = 13;                    // (ln 2 / 2)^14 / 14! < 2^-57
};

// x[i] = e^x[i] for x[i] <= 0, within 2 units in the last place; 0 where e^x would be below the smallest normal number.
// NaN stays NaN. Several batches at once share the constants, which engines fetch anew each time, and fill the
// processor's pipes.
//   x = k ln 2 + r, |r| <= ln 2 / 2:  e^x = 2^k (1 + r + r^2/2! + ...)
template <class T, std::size_t kCount>
inline void exp_of_nonpositive(Batch<T> (&x)[kCount]) {
  using Constants = ExpConstants<T>;
  using BitsBatch = xsimd::batch<typename Constants::Bits, Architecture>;
  constexpr auto kCoefficients = [] {
    struct {
      T values[Constants::kTerms + 1];
    } c{};
    double factorial = 1;
    for (int n = 0; n <= Constants::kTerms; ++n) {
      factorial *= n > 1 ? n : 1;
      c.values[n] = static_cast<T>(1 / factorial);
    }
    return c;
  }();
  const Batch<T> log2_e(static_cast<T>(0x1.71547652b82fep+0));
  const Batch<T> rounder(Constants::kRounder);
  const Batch<T> ln2_high(Constants::kLn2High);
  const Batch<T> ln2_low(Constants::kLn2Low);

  Batch<T> shifted[kCount];
  Batch<T> r[kCount];
  Batch<T> series[kCount];
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < kCount; ++i) {
    shifted[i] = x[i] * log2_e + rounder;
    const Batch<T> k = shifted[i] - rounder;
    r[i] = (x[i] - k * ln2_high) - k * ln2_low;
    series[i] = Batch<T>(kCoefficients.values[Constants::kTerms]);
  }
#pragma clang loop unroll(full)
  for (int n = Constants::kTerms - 1; n >= 0; --n) {
    const Batch<T> coefficient(kCoefficients.values[n]);
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < kCount; ++i) series[i] = series[i] * r[i] + coefficient;
  }
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < kCount; ++i) {
    // The rounder's own bits leave by the shift; what is left is k + bias in the place of the exponent.
    const BitsBatch exponent = (xsimd::bitwise_cast<typename Constants::Bits>(shifted[i]) + BitsBatch(Constants::kBias))
                               << Constants::kMantissaBits;
    const Batch<T> power = xsimd::bitwise_cast<T>(exponent);
    x[i] = xsimd::select(x[i] < Batch<T>(Constants::kLowest), Batch<T>(T{0}), series[i] * power);
  }
}

// The same of one batch.
template <class T>
inline Batch<T> exp_of_nonpositive(const Batch<T>& x) {
  Batch<T> result[1] = {x};
  exp_of_nonpositive<T, 1>(result);
  return result[0];
}

}  // namespace tied::simd
