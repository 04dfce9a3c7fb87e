// Exponential of a batch. Our own for two reasons: softmax needs only x <= 0, which saves a third of the work of a
// general exponential (overflow, rounding to integers), and the bits must not depend on a library's version.
// Every operation counts: a softmax over a large vocabulary does little else.
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
  // Adding 1.5 * 2^23 rounds to an integer and leaves it in the low bits. With 128 more, the low bits hold the exponent
  // field of 2^(k + 1).
  static constexpr float kRounder = 0x1.8p23F + 128;
  // ln 2 in two parts; the first has few enough bits for its product with any exponent to be exact.
  static constexpr float kLn2High = 0x1.62e4p-1F;
  static constexpr float kLn2Low = 0x1.7f7d1cp-20F;
  static constexpr float kLowest = -88.5F;  // rounds to -128 ln 2, and the field to 0
  static constexpr int kTerms = 7;          // (ln 2 / 2)^8 / 8! < 2^-27
};

template <>
struct ExpConstants<double> {
  using Bits = std::uint64_t;
  static constexpr int kMantissaBits = 52;
  static constexpr double kRounder = 0x1.8p52 + 1024;
  static constexpr double kLn2High = 0x1.62e42feep-1;
  static constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
  static constexpr double kLowest = -709.5;  // rounds to -1024 ln 2
  static constexpr int kTerms = 13;          // (ln 2 / 2)^14 / 14! < 2^-57
};

// max(x, least), but NaN stays NaN: the result of a maximum with NaN depends on the machine.
template <class T>
inline Batch<T> not_below(const Batch<T>& x, const Batch<T>& least) {
#if defined(__wasm_simd128__)
  return xsimd::max(x, least);  // pmax: x < least ? least : x
#else
  return xsimd::select(x < least, least, x);
#endif
}

template <class T>
inline constexpr auto kExpConstants = [] {
  using Of = ExpConstants<T>;
  T constants[5 + Of::kTerms + 1] = {Of::kLowest, static_cast<T>(0x1.71547652b82fep+0), Of::kRounder, -Of::kLn2High,
                                     -Of::kLn2Low};
  double factorial = 1;
  for (int n = 0; n <= Of::kTerms; ++n) {
    factorial *= n > 1 ? n : 1;
    constants[5 + n] = static_cast<T>(1 / factorial) / 2;
  }
  return spread(constants);
}();

// x[i] = e^x[i] for x[i] <= 0, within 2 units in the last place; 0 from about -88.4 (-709.4 for double) downwards,
// where e^x is subnormal. NaN stays NaN. Several batches at once share the constants, which engines reload each time,
// and fill the pipeline.
//   x = k ln 2 + r, |r| <= ln 2 / 2:  e^x = 2^(k + 1) (1 + r + r^2/2! + ...) / 2
template <class T, std::size_t kCount>
inline void exp_of_nonpositive(Batch<T> (&x)[kCount]) {
  using Of = ExpConstants<T>;
  const Constants<T> constants(kExpConstants<T>);
  const Batch<T> lowest = constants[0];
  const Batch<T> log2_e = constants[1];
  const Batch<T> rounder = constants[2];
  const Batch<T> minus_ln2_high = constants[3];
  const Batch<T> minus_ln2_low = constants[4];

  Batch<T> shifted[kCount];
  Batch<T> r[kCount];
  Batch<T> series[kCount];
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < kCount; ++i) {
    const Batch<T> x_i = not_below(x[i], lowest);
    shifted[i] = multiply_add(x_i, log2_e, rounder);
    const Batch<T> k = shifted[i] - rounder;
    r[i] = multiply_add(k, minus_ln2_low, multiply_add(k, minus_ln2_high, x_i));
    series[i] = constants[5 + Of::kTerms];
  }
#pragma clang loop unroll(full)
  for (int n = Of::kTerms - 1; n >= 0; --n) {
    const Batch<T> coefficient = constants[5 + n];
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < kCount; ++i) series[i] = multiply_add(series[i], r[i], coefficient);
  }
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < kCount; ++i) {
    // The shift drops the rounder's own bits.
    const Batch<T> power =
        xsimd::bitwise_cast<T>(xsimd::bitwise_cast<typename Of::Bits>(shifted[i]) << Of::kMantissaBits);
    x[i] = series[i] * power;
  }
}

// The same for a single batch.
template <class T>
inline Batch<T> exp_of_nonpositive(const Batch<T>& x) {
  Batch<T> result[1] = {x};
  exp_of_nonpositive<T, 1>(result);
  return result[0];
}

}  // namespace tied::simd
