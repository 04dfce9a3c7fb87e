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

// x = k ln 2 + r, |r| <= ln 2 / 2:  e^x = 2^(k + 1) (1 + r + r^2/2! + ...) / 2
template <class T>
struct Reduced {
  Batch<T> r;
  Batch<T> power;  // 2^(k + 1)
};
template <class T>
inline Reduced<T> reduce_exponent(const Batch<T>& x, const Constants<T>& constants) {
  using Of = ExpConstants<T>;
  const Batch<T> rounder = constants[2];
  const Batch<T> x_i = not_below(x, constants[0]);
  const Batch<T> shifted = multiply_add(x_i, constants[1], rounder);
  const Batch<T> k = shifted - rounder;
  // The shift drops the rounder's own bits.
  return {multiply_add(k, constants[4], multiply_add(k, constants[3], x_i)),
          xsimd::bitwise_cast<T>(xsimd::bitwise_cast<typename Of::Bits>(shifted) << Of::kMantissaBits)};
}

// x[i] = e^x[i] for x[i] <= 0, within 2 units in the last place; 0 from about -88.4 (-709.4 for double) downwards,
// where e^x is subnormal. NaN stays NaN. Several batches at once share the constants, which engines reload each time,
// and fill the pipeline.
template <class T, std::size_t kCount>
inline void exp_of_nonpositive(Batch<T> (&x)[kCount]) {
  using Of = ExpConstants<T>;
  const Constants<T> constants(kExpConstants<T>);
  Reduced<T> reduced[kCount];
  Batch<T> series[kCount];
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < kCount; ++i) {
    reduced[i] = reduce_exponent(x[i], constants);
    series[i] = constants[5 + Of::kTerms];
  }
#pragma clang loop unroll(full)
  for (int n = Of::kTerms - 1; n >= 0; --n) {
    const Batch<T> coefficient = constants[5 + n];
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < kCount; ++i) series[i] = multiply_add(series[i], reduced[i].r, coefficient);
  }
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < kCount; ++i) x[i] = series[i] * reduced[i].power;
}

// The same in place for an array of `count` elements, a multiple of a batch. It is continued by zeros to a multiple of
// kExponentialsTogether batches, for which there must be room; what becomes of these is of no use. In a separate
// function, which all callers share.
inline constexpr std::size_t kExponentialsTogether = 4;
template <class T>
void exponentials_of_nonpositive(T* x, std::size_t count);

}  // namespace tied::simd
