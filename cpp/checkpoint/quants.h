// Shared by the decoders of quantized blocks: quants in registers of 16 bytes, and their scaling to floats.
#pragma once

#include <cstdint>

#include "linalg/simd_widen.h"

namespace tied {

// Twice the numbers of E2M1: a sign, two bits of exponent with the bias 1, one of fraction. Of integers, there is no
// -0.
alignas(16) inline constexpr std::int8_t kTwiceE2m1[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

TIED_INLINE inline simd::Bytes load_quants(const std::uint8_t* from) { return simd::Bytes::load_unaligned(from); }

TIED_INLINE inline simd::Bytes low_nibbles(const simd::Bytes& bytes) { return bytes & simd::Bytes(0x0F); }

// Shifts bits within pairs of bytes, for which machines have an instruction; callers mask out the bits from the other
// byte.
TIED_INLINE inline simd::Bytes moved_up(const simd::Bytes& bytes, int n) {
  return xsimd::bitwise_cast<std::uint8_t>(xsimd::bitwise_cast<std::uint16_t>(bytes) << n);
}
TIED_INLINE inline simd::Bytes moved_down(const simd::Bytes& bytes, int n) {
  return xsimd::bitwise_cast<std::uint8_t>(xsimd::bitwise_cast<std::uint16_t>(bytes) >> n);
}

TIED_INLINE inline simd::Bytes high_nibbles(const simd::Bytes& bytes) {
  return moved_down(bytes, 4) & simd::Bytes(0x0F);
}

// All bits set in each byte whose bit of the 16 bits is set, the lowest bit first; otherwise none.
TIED_INLINE inline simd::Bytes bits_in_bytes(const std::uint8_t* bits) {
  using Pair = simd::Batch<std::uint64_t>;
  constexpr std::uint64_t kMasks = 0x8040201008040201;
  // Built in registers: two stores would have to reach memory before they are loaded as one, and 64-bit products are
  // slow.
  const auto eight = [](std::uint8_t byte) { return xsimd::bitwise_cast<std::uint64_t>(simd::Bytes(byte)); };
  const simd::Bytes repeated = xsimd::bitwise_cast<std::uint8_t>(xsimd::zip_lo(eight(bits[0]), eight(bits[1])));
  const simd::Bytes masks = xsimd::bitwise_cast<std::uint8_t>(Pair(kMasks, kMasks));
  return simd::Bytes(((repeated & masks) == masks).data);
}

// out [16] = scale * q, for signed quants.
TIED_INLINE inline void store_scaled(float* out, const simd::Bytes& quants, float scale) {
  const simd::Quarters q = simd::floats_of_signed(quants);
  const simd::Batch<float> factor(scale);
  simd::store(out, factor * q.first);
  simd::store(out + 4, factor * q.second);
  simd::store(out + 8, factor * q.third);
  simd::store(out + 12, factor * q.fourth);
}

// out [16] = scale * q + offset, with at most two roundings, for quants below 128.
TIED_INLINE inline void store_scaled(float* out, const simd::Bytes& quants, float scale, float offset) {
  const simd::Quarters q = simd::floats_of_small(quants);
  const simd::Batch<float> factor(scale);
  const simd::Batch<float> added(offset);
  simd::store(out, factor * q.first + added);
  simd::store(out + 4, factor * q.second + added);
  simd::store(out + 8, factor * q.third + added);
  simd::store(out + 12, factor * q.fourth + added);
}

}  // namespace tied
