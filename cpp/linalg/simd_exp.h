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

// e^x for x <= 0, within 2 units in the last place; 0 where e^x would be below the smallest normal number. NaN stays
// NaN.
//   x = k ln 2 + r, |r| <= ln 2 / 2:  e^x = 2^k (1 + r + r^2/2! + ...)
template <class T>
inline Batch<T> exp_of_nonpositive(const Batch<T>& x) {
  using Constants = ExpConstants<T>;
  using BitsBatch = xsimd::batch<typename Constants::Bits, Architecture>;
  constexpr T kLog2E = static_cast<T>(0x1.71547652b82fep+0);

  const Batch<T> rounder(Constants::kRounder);
  const Batch<T> shifted = x * Batch<T>(kLog2E) + rounder;
  const Batch<T> k = shifted - rounder;
  const Batch<T> r = (x - k * Batch<T>(Constants::kLn2High)) - k * Batch<T>(Constants::kLn2Low);

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
  Batch<T> series(kCoefficients.values[Constants::kTerms]);
#pragma clang loop unroll(full)
  for (int n = Constants::kTerms - 1; n >= 0; --n) series = series * r + Batch<T>(kCoefficients.values[n]);

  // The rounder's own bits leave by the shift; what is left is k + bias in the place of the exponent.
  const BitsBatch exponent = (xsimd::bitwise_cast<typename Constants::Bits>(shifted) + BitsBatch(Constants::kBias))
                             << Constants::kMantissaBits;
  const Batch<T> power = xsimd::bitwise_cast<T>(exponent);
  return xsimd::select(x < Batch<T>(Constants::kLowest), Batch<T>(T{0}), series * power);
}

}  // namespace tied::simd
