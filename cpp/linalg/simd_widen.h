// Elements of other widths converted to registers of floats.
#pragma once

#include <cstdint>

#include "linalg/simd.h"

namespace tied::simd {

// 16 bytes, 8 pairs of them, 4 floats.
using Bytes = Batch<std::uint8_t>;
using Halves = Batch<std::uint16_t>;
using Floats = Batch<float>;

template <class T>
TIED_INLINE inline const T* hidden(const T* at) {
#if defined(__wasm_simd128__)
  asm("" : "+r"(at));
#endif
  return at;
}

// A constant in all lanes, or 16 bytes, to be loaded before a loop: engines build those that the compiler knows from
// several instructions, at every use (see Constants).
template <auto kValue>
inline constexpr auto kInMemory = kValue;
template <auto kValue>
TIED_INLINE inline auto constant() {
  return Batch<decltype(kValue)>(*hidden(&kInMemory<kValue>));
}
TIED_INLINE inline Bytes constant(const std::uint8_t (&bytes)[16]) { return Bytes::load_unaligned(hidden(bytes)); }

// table[i] for each byte i; 0 for i from 16 to 127.
TIED_INLINE inline Bytes entries_at(const Bytes& table, const Bytes& places) {
#if defined(__wasm_simd128__)
  return Bytes(wasm_i8x16_swizzle(table.data, places.data));
#elif defined(__SSE4_2__)
  // The instruction looks at four bits, unless the highest one is set.
  return Bytes(_mm_shuffle_epi8(table, _mm_adds_epu8(places, _mm_set1_epi8(0x70))));
#else
  return Bytes(vqtbl1q_u8(table, places));
#endif
}

// Shifts bits within pairs of bytes, for which machines have an instruction; callers mask out the bits from the other
// byte.
TIED_INLINE inline Bytes moved_up(const Bytes& bytes, int n) {
  return xsimd::bitwise_cast<std::uint8_t>(xsimd::bitwise_cast<std::uint16_t>(bytes) << n);
}
TIED_INLINE inline Bytes moved_down(const Bytes& bytes, int n) {
  return xsimd::bitwise_cast<std::uint8_t>(xsimd::bitwise_cast<std::uint16_t>(bytes) >> n);
}

// All bits set where a > b, as signed numbers.
TIED_INLINE inline Bytes is_greater(const Bytes& a, const Bytes& b) {
  using Signed = Batch<std::int8_t>;
  const Signed x = xsimd::bitwise_cast<std::int8_t>(a);
  return xsimd::bitwise_cast<std::uint8_t>(Signed((x > xsimd::bitwise_cast<std::int8_t>(b)).data));
}
TIED_INLINE inline Bytes is_equal(const Bytes& a, const Bytes& b) { return Bytes((a == b).data); }
// x where all bits are set, else 0. As a minimum, since the compiler would make a selection of AND, for which engines
// need several instructions.
TIED_INLINE inline Bytes where(const Bytes& all_or_none, const Bytes& x) { return xsimd::min(all_or_none, x); }

// Four doubles, rounded to nearest.
TIED_INLINE inline Floats rounded_to_floats(const Batch<double>& low, const Batch<double>& high) {
#if defined(__wasm_simd128__)
  const v128_t first = wasm_f32x4_demote_f64x2_zero(low.data);
  return Floats(wasm_i64x2_shuffle(first, wasm_f32x4_demote_f64x2_zero(high.data), 0, 2));
#elif defined(__SSE4_2__)
  return Floats(_mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high)));
#else
  return Floats(vcvt_high_f32_f64(vcvt_f32_f64(low), high));
#endif
}

// The quarters of a register of 16 bytes, as floats. Single members, since an array would go to memory.
struct Quarters {
  Floats first;
  Floats second;
  Floats third;
  Floats fourth;
};

// Unsigned integers less kZero as floats. An integer is put into the lowest bits of the float 2^23, from which 2^23 is
// subtracted: fewer instructions than to extend and to convert it.
template <int kZero = 0>
class Integral {
 public:
  TIED_INLINE Integral() : upper_(constant<std::uint16_t{0x4B00}>()), zero_(constant<float{(1 << 23) + kZero}>()) {}

  TIED_INLINE Floats low(const Halves& numbers) const { return less_zero(xsimd::zip_lo(numbers, upper_)); }
  TIED_INLINE Floats high(const Halves& numbers) const { return less_zero(xsimd::zip_hi(numbers, upper_)); }
  TIED_INLINE Quarters floats(const Bytes& numbers) const {
    const Bytes none(std::uint8_t{0});
    const Halves left = xsimd::bitwise_cast<std::uint16_t>(xsimd::zip_lo(numbers, none));
    const Halves right = xsimd::bitwise_cast<std::uint16_t>(xsimd::zip_hi(numbers, none));
    return {low(left), high(left), low(right), high(right)};
  }

 private:
  TIED_INLINE Floats less_zero(const Halves& words) const { return xsimd::bitwise_cast<float>(words) - zero_; }

  Halves upper_;
  Floats zero_;
};

}  // namespace tied::simd
