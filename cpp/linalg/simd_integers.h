// Registers of four 32-bit integers: rounding, products of their halves, and conversion to double.
#pragma once

#include <cstdint>

#include "linalg/simd.h"

namespace tied::simd {

using Integers = Batch<std::int32_t>;

// The bits of unsigned integers, as signed ones.
TIED_INLINE inline Integers load_integers(const std::uint32_t* from) {
  return xsimd::bitwise_cast<std::int32_t>(Words::load_unaligned(from));
}
TIED_INLINE inline void store_integers(std::uint32_t* to, const Integers& x) {
  xsimd::bitwise_cast<std::uint32_t>(x).store_unaligned(to);
}

// Rounds to nearest, ties to even; |x| < 2^31.
TIED_INLINE inline Integers rounded(const Batch<float>& x) {
#if defined(__wasm_simd128__)
  return Integers(wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(x.data)));
#elif defined(__SSE4_2__)
  return Integers(_mm_cvtps_epi32(x));
#else
  return Integers(vcvtnq_s32_f32(x));
#endif
}

// For each lane, the product of the lower halves plus that of the upper halves, as signed integers.
TIED_INLINE inline Integers products_of_halves(const Integers& a, const Integers& b) {
#if defined(__wasm_simd128__)
  return Integers(wasm_i32x4_dot_i16x8(a.data, b.data));
#elif defined(__SSE4_2__)
  return Integers(_mm_madd_epi16(a, b));
#else
  const int16x8_t x = vreinterpretq_s16_s32(a);
  const int16x8_t y = vreinterpretq_s16_s32(b);
  return Integers(vpaddq_s32(vmull_s16(vget_low_s16(x), vget_low_s16(y)), vmull_high_s16(x, y)));
#endif
}

TIED_INLINE inline Doubles doubles_of(const Integers& x) {
#if defined(__wasm_simd128__)
  return {Batch<double>(wasm_f64x2_convert_low_i32x4(x.data)),
          Batch<double>(wasm_f64x2_convert_low_i32x4(wasm_i32x4_shuffle(x.data, x.data, 2, 3, 2, 3)))};
#elif defined(__SSE4_2__)
  const __m128i all = x;
  return {Batch<double>(_mm_cvtepi32_pd(all)), Batch<double>(_mm_cvtepi32_pd(_mm_srli_si128(all, 8)))};
#else
  return {Batch<double>(vcvtq_f64_s64(vmovl_s32(vget_low_s32(x)))), Batch<double>(vcvtq_f64_s64(vmovl_high_s32(x)))};
#endif
}

}  // namespace tied::simd
