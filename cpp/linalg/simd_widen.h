// Registers of floats from narrower elements.
#pragma once

#include <cstdint>

#include "linalg/simd.h"

namespace tied::simd {

// 16 bytes.
using Bytes = Batch<std::uint8_t>;

// The quarters of a register of 16 signed bytes, as floats. Single members: arrays would be kept in memory.
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

}  // namespace tied::simd
