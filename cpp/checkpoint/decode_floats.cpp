#include "checkpoint/decode_floats.h"

#include <cstring>

#include "checkpoint/decode_arranged.h"
#include "checkpoint/quants.h"
#include "linalg/simd_widen.h"

namespace tied {
namespace {

using simd::Batch;
using simd::Bytes;
using simd::Words;
using Halves = Batch<std::uint16_t>;

// Elements per iteration of a loop, enough to make counting cheap in comparison.
constexpr std::size_t kTurn = 16;

TIED_INLINE inline Words upper_low(const Halves& halves) {
  return xsimd::bitwise_cast<std::uint32_t>(xsimd::zip_lo(Halves(std::uint16_t{0}), halves));
}
TIED_INLINE inline Words upper_high(const Halves& halves) {
  return xsimd::bitwise_cast<std::uint32_t>(xsimd::zip_hi(Halves(std::uint16_t{0}), halves));
}

// 8 elements of BF16, which are the upper halves of floats.
TIED_INLINE inline void decode_brain(float* out, const Halves& halves) {
  simd::store(out, xsimd::bitwise_cast<float>(upper_low(halves)));
  simd::store(out + 4, xsimd::bitwise_cast<float>(upper_high(halves)));
}

// The same, times a factor.
TIED_INLINE inline void decode_brain(float* out, const Halves& halves, const Batch<float>& factor) {
  simd::store(out, xsimd::bitwise_cast<float>(upper_low(halves)) * factor);
  simd::store(out + 4, xsimd::bitwise_cast<float>(upper_high(halves)) * factor);
}

// A 16-bit float in the upper half of a word. A subnormal one gets the smallest normal exponent, whose implicit 1 is
// then subtracted: products with subnormal 32-bit floats would be correct too, but many times slower on some
// processors.
TIED_INLINE inline Batch<float> decode_half(const Words& upper) {
  // The sign remains; its copies are masked out.
  const Words bits =
      xsimd::bitwise_cast<std::uint32_t>(xsimd::bitwise_cast<std::int32_t>(upper) >> 3) & Words(0x8FFFE000);
  const auto with_exponent = [&](std::uint32_t exponent) {
    return Words(((bits & Words(0x0F800000)) == Words(exponent)).data);
  };
  const Words subnormal = with_exponent(0);
  const Words raised = (bits & Words(0x7FFFFFFF)) + Words(112U << 23) + (subnormal & Words(1U << 23));
  const Words one = subnormal & Words(113U << 23);
  const Batch<float> magnitude = xsimd::bitwise_cast<float>(raised) - xsimd::bitwise_cast<float>(one);
  return xsimd::bitwise_cast<float>(xsimd::bitwise_cast<std::uint32_t>(magnitude) |
                                    (with_exponent(0x0F800000) & Words(0x7F800000)) | (upper & Words(0x80000000)));
}

constexpr int kNoSpecial = 0x80;

// 8-bit floats have so few digits that each is also a BF16. kFraction: bits of the fraction. Subnormal numbers, below
// kNormal, are in a table; numbers from kSpecial on are not finite. All without the sign.
template <int kFraction, std::uint8_t kNormal, int kSpecial>
struct Narrow {
  static constexpr bool kIsFnuz = kSpecial == kNoSpecial;
  static constexpr int kBias = 127 - (kFraction == 3 ? 7 : 15);

  // The BF16 of subnormal number i: i 2^-(fraction + 126 - kBias) with its highest bit at the exponent.
  static constexpr std::uint16_t subnormal(int i) {
    int exponent = kBias + 1 - kFraction;
    int digits = i;
    while (digits < 128) {
      if (digits == 0) return 0;
      digits *= 2;
      --exponent;
    }
    return static_cast<std::uint16_t>((exponent + 7) << 7 | (digits & 127));
  }
  struct Table {
    alignas(16) std::uint8_t upper[16] = {};
    alignas(16) std::uint8_t lower[16] = {};
  };
  static constexpr Table kSubnormal = [] {
    Table made;
    for (int i = 0; i < kNormal; ++i) {
      made.upper[i] = static_cast<std::uint8_t>(subnormal(i) >> 8);
      made.lower[i] = static_cast<std::uint8_t>(subnormal(i));
    }
    return made;
  }();

  TIED_INLINE static Bytes from(const Bytes& magnitude, std::uint8_t first) {
    return Bytes((xsimd::max(magnitude, Bytes(first)) == magnitude).data);
  }
  // `factor`: none, or one factor of all.
  template <class... Factor>
  TIED_INLINE static void decode(float* out, const Bytes& bytes, const Factor&... factor) {
    const Bytes magnitude = bytes & Bytes(0x7F);
    const Bytes normal = from(magnitude, kNormal);
    // In FNUZ, all numbers are finite but the pattern of -0, which is NaN.
    const Bytes special =
        kIsFnuz ? Bytes((bytes == Bytes(0x80)).data) : from(magnitude, static_cast<std::uint8_t>(kSpecial));
    constexpr int kUp = 7 - kFraction;
    constexpr auto kUpper = static_cast<std::uint8_t>(0x7F >> (8 - kUp));
    constexpr auto kLower = static_cast<std::uint8_t>(0xFF << kUp);
    const Bytes moved = (moved_down(magnitude, 8 - kUp) & Bytes(kUpper)) + Bytes(kBias / 2);
    const Bytes upper = (moved & normal) | simd::entries_at(Bytes::load_aligned(kSubnormal.upper), magnitude) |
                        (special & Bytes(0x7F)) | (bytes & Bytes(0x80));
    const Bytes lower = (moved_up(magnitude, kUp) & Bytes(kLower) & normal) |
                        simd::entries_at(Bytes::load_aligned(kSubnormal.lower), magnitude) |
                        (special & Bytes(kIsFnuz ? 0xC0 : 0x80));
    decode_brain(out, xsimd::bitwise_cast<std::uint16_t>(xsimd::zip_lo(lower, upper)), factor...);
    decode_brain(out + 8, xsimd::bitwise_cast<std::uint16_t>(xsimd::zip_hi(lower, upper)), factor...);
  }
};
// In E4M3, only the last number is not finite.
using E4m3 = Narrow<3, 8, 0x7F>;
using E5m2 = Narrow<2, 4, 0x7C>;
// Twice the numbers of FNUZ, whose bias is larger by 1.
using TwiceE4m3Fnuz = Narrow<3, 8, kNoSpecial>;
using TwiceE5m2Fnuz = Narrow<2, 4, kNoSpecial>;

// 0 if a half is zero, subnormal or not finite: if adding 1 to its exponent leaves at most the lowest of the five bits.
TIED_INLINE inline Halves normal_bits(const Halves& halves) {
  return (halves + Halves(std::uint16_t{0x0400})) & Halves(std::uint16_t{0x7800});
}

// 8 elements of F16 that are all normal. The two halves of the floats are made separately, eight at a time: the upper
// ones have sign, exponent and the first bits of the fraction, the lower ones the rest.
TIED_INLINE inline void decode_normal(float* out, const Halves& halves) {
  const Halves moved = xsimd::bitwise_cast<std::uint16_t>(xsimd::bitwise_cast<std::int16_t>(halves) >> 3);
  const Halves upper = (moved & Halves(std::uint16_t{0x8FFF})) + Halves(std::uint16_t{112 << 7});
  const Halves lower = halves << 13;
  simd::store(out, xsimd::bitwise_cast<float>(xsimd::zip_lo(lower, upper)));
  simd::store(out + 4, xsimd::bitwise_cast<float>(xsimd::zip_hi(lower, upper)));
}

TIED_INLINE inline Halves load_halves(const std::uint8_t* bytes) {
  return xsimd::bitwise_cast<std::uint16_t>(Bytes::load_unaligned(bytes));
}

// Each decodes the kTurn elements that begin at `bytes`.
TIED_INLINE inline void f16_turn(float* out, const std::uint8_t* bytes) {
  const Halves left = load_halves(bytes);
  const Halves right = load_halves(bytes + kTurn);
  // All other turns are rare in tables.
  const Halves least = xsimd::min(normal_bits(left), normal_bits(right));
  if (xsimd::all(least != Halves(std::uint16_t{0}))) {
    decode_normal(out, left);
    decode_normal(out + 8, right);
    return;
  }
  simd::store(out, decode_half(upper_low(left)));
  simd::store(out + 4, decode_half(upper_high(left)));
  simd::store(out + 8, decode_half(upper_low(right)));
  simd::store(out + 12, decode_half(upper_high(right)));
}
TIED_INLINE inline void bf16_turn(float* out, const std::uint8_t* bytes) {
  decode_brain(out, load_halves(bytes));
  decode_brain(out + 8, load_halves(bytes + kTurn));
}
template <class Type>
TIED_INLINE inline void f8_turn(float* out, const std::uint8_t* bytes) {
  Type::decode(out, Bytes::load_unaligned(bytes));
}
template <class Twice>
TIED_INLINE inline void f8_fnuz_turn(float* out, const std::uint8_t* bytes) {
  Twice::decode(out, Bytes::load_unaligned(bytes), Batch<float>(0.5F));
}

// The last elements from a copy, so that nothing after them is read.
template <std::size_t kSize, void (*kDecode)(float*, const std::uint8_t*)>
void decode_all(float* out, const std::uint8_t* bytes, std::size_t count) {
  std::size_t i = 0;
  for (; i + kTurn <= count; i += kTurn) kDecode(out + i, bytes + kSize * i);
  if (i == count) return;
  std::uint8_t last[kSize * kTurn] = {};
  float decoded[kTurn];
  std::memcpy(last, bytes + kSize * i, kSize * (count - i));
  kDecode(decoded, last);
  std::memcpy(out + i, decoded, (count - i) * sizeof(float));
}

}  // namespace

void decode_f64(float* out, const std::uint8_t* bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    double element = 0;
    std::memcpy(&element, bytes + i * sizeof element, sizeof element);
    out[i] = static_cast<float>(element);
  }
}

void decode_f16(float* out, const std::uint8_t* bytes, std::size_t count) {
  decode_all<2, f16_turn>(out, bytes, count);
}

void decode_bf16(float* out, const std::uint8_t* bytes, std::size_t count) {
  decode_all<2, bf16_turn>(out, bytes, count);
}

void decode_f8_e4m3(float* out, const std::uint8_t* bytes, std::size_t count) {
  decode_all<1, f8_turn<E4m3>>(out, bytes, count);
}

void decode_f8_e5m2(float* out, const std::uint8_t* bytes, std::size_t count) {
  decode_all<1, f8_turn<E5m2>>(out, bytes, count);
}

void decode_f8_e4m3fnuz(float* out, const std::uint8_t* bytes, std::size_t count) {
  decode_all<1, f8_fnuz_turn<TwiceE4m3Fnuz>>(out, bytes, count);
}

void decode_f8_e5m2fnuz(float* out, const std::uint8_t* bytes, std::size_t count) {
  decode_all<1, f8_fnuz_turn<TwiceE5m2Fnuz>>(out, bytes, count);
}

// Here, so that a block is decoded without a call.
void decode_scaled_e4m3(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  for (std::size_t i = 0; i < blocks; ++i, bytes += sizeof(float) + kTurn) {
    float scale = 0;
    std::memcpy(&scale, bytes, sizeof scale);
    E4m3::decode(out + kTurn * i, Bytes::load_unaligned(bytes + sizeof scale), Batch<float>(scale));
  }
}

}  // namespace tied
