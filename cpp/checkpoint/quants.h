// Shared by the decoders of quantized blocks: quants in registers of 16 bytes, and their scaling to floats. What has
// members of its own loads them from memory and is made before a loop.
#pragma once

#include <cstdint>
#include <cstring>

#include "linalg/simd_widen.h"

namespace tied {

// Twice the numbers of E2M1, with 12 added: a sign, two bits of exponent with the bias 1, one of fraction. Of integers,
// there is no -0.
inline constexpr int kZeroOfE2m1 = 12;
inline constexpr std::uint8_t kTwiceE2m1[16] = {12, 13, 14, 15, 16, 18, 20, 24, 12, 11, 10, 9, 8, 6, 4, 0};

TIED_INLINE inline simd::Bytes load_quants(const std::uint8_t* from) { return simd::Bytes::load_unaligned(from); }

// The number that begins at `from`, at any address, in all lanes.
template <class T>
TIED_INLINE inline simd::Batch<T> repeated(const std::uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return simd::Batch<T>(value);
}
template <class T>
TIED_INLINE inline simd::Bytes repeated_bytes(const std::uint8_t* from) {
  return xsimd::bitwise_cast<std::uint8_t>(repeated<T>(from));
}

class Nibbles {
 public:
  TIED_INLINE simd::Bytes low(const simd::Bytes& bytes) const { return bytes & mask_; }
  TIED_INLINE simd::Bytes high(const simd::Bytes& bytes) const { return simd::moved_down(bytes, 4) & mask_; }

 private:
  simd::Bytes mask_ = simd::constant<std::uint8_t{0x0F}>();
};

// For each byte another bit of eight.
inline constexpr std::uint8_t kBitMasks[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};

// Bits of two bytes of a register: byte 0 and byte kSecond.
template <std::uint8_t kSecond = 1>
class SpreadBits {
 public:
  // All bits set in each byte whose bit of the 16 bits is set, the lowest bit first; otherwise none.
  TIED_INLINE simd::Bytes operator()(const simd::Bytes& bits) const {
    return simd::is_equal(simd::entries_at(bits, places_) & masks_, masks_);
  }

 private:
  static constexpr std::uint8_t kPlaces[16] = {0,       0,       0,       0,       0,       0,       0,       0,
                                               kSecond, kSecond, kSecond, kSecond, kSecond, kSecond, kSecond, kSecond};

  simd::Bytes places_ = simd::constant(kPlaces);
  simd::Bytes masks_ = simd::constant(kBitMasks);
};

TIED_INLINE inline void store(float* out, const simd::Quarters& all) {
  simd::store(out, all.first);
  simd::store(out + 4, all.second);
  simd::store(out + 8, all.third);
  simd::store(out + 12, all.fourth);
}

// out [16] = scale * q, for quants less kZero.
template <int kZero>
TIED_INLINE inline void store_scaled(float* out, const simd::Integral<kZero>& less_zero, const simd::Bytes& quants,
                                     const simd::Floats& scale) {
  const simd::Quarters q = less_zero.floats(quants);
  store(out, {scale * q.first, scale * q.second, scale * q.third, scale * q.fourth});
}

// out [16] = scale * q + offset, with at most two roundings.
template <int kZero>
TIED_INLINE inline void store_scaled(float* out, const simd::Integral<kZero>& less_zero, const simd::Bytes& quants,
                                     const simd::Floats& scale, const simd::Floats& offset) {
  const simd::Quarters q = less_zero.floats(quants);
  store(out,
        {scale * q.first + offset, scale * q.second + offset, scale * q.third + offset, scale * q.fourth + offset});
}

}  // namespace tied
