// Narrower elements converted to registers of floats.
#pragma once

#include <cstdint>

#include "linalg/simd.h"

namespace tied::simd {

// 16 bytes.
using Bytes = Batch<std::uint8_t>;

// The quarters of a register of 16 signed bytes, as floats. Single members, since an array would go to memory.
struct Quarters {
  Batch<float> first;
  Batch<float> second;
  Batch<float> third;
  Batch<float> fourth;
};
TIED_INLINE inline Quarters floats_of_signed(const Bytes& bytes) {
#if defined(__wasm_simd128__)
  const v128_t low = wasm_i16x8_extend_low_i8x16(bytes.data);
  const v128_t high = wasm_i16x8_extend_high_i8x16(bytes.data);
  return {Batch<float>(wasm_f32x4_convert_i32x4(wasm_i32x4_extend_low_i16x8(low))),
          Batch<float>(wasm_f32x4_convert_i32x4(wasm_i32x4_extend_high_i16x8(low))),
          Batch<float>(wasm_f32x4_convert_i32x4(wasm_i32x4_extend_low_i16x8(high))),
          Batch<float>(wasm_f32x4_convert_i32x4(wasm_i32x4_extend_high_i16x8(high)))};
#elif defined(__SSE4_2__)
  const __m128i all = bytes;
  return {Batch<float>(_mm_cvtepi32_ps(_mm_cvtepi8_epi32(all))),
          Batch<float>(_mm_cvtepi32_ps(_mm_cvtepi8_epi32(_mm_srli_si128(all, 4)))),
          Batch<float>(_mm_cvtepi32_ps(_mm_cvtepi8_epi32(_mm_srli_si128(all, 8)))),
          Batch<float>(_mm_cvtepi32_ps(_mm_cvtepi8_epi32(_mm_srli_si128(all, 12))))};
#else
  const int8x16_t all = vreinterpretq_s8_u8(bytes);
  const int16x8_t low = vmovl_s8(vget_low_s8(all));
  const int16x8_t high = vmovl_high_s8(all);
  return {Batch<float>(vcvtq_f32_s32(vmovl_s16(vget_low_s16(low)))), Batch<float>(vcvtq_f32_s32(vmovl_high_s16(low))),
          Batch<float>(vcvtq_f32_s32(vmovl_s16(vget_low_s16(high)))),
          Batch<float>(vcvtq_f32_s32(vmovl_high_s16(high)))};
#endif
}

// The same for bytes below 128. If the compiler knew that they are, it would convert unsigned integers, for which
// engines need several instructions; XOR with zeros that it cannot see hides it.
TIED_INLINE inline Quarters floats_of_small(const Bytes& bytes) {
#if defined(__wasm_simd128__)
  alignas(16) static constexpr std::uint8_t kZeros[16] = {};
  const std::uint8_t* zeros = kZeros;
  asm volatile("" : "+r"(zeros));
  return floats_of_signed(bytes ^ Bytes::load_aligned(zeros));
#else
  return floats_of_signed(bytes);
#endif
}

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

}  // namespace tied::simd
