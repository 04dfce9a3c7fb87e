// Elements of every type, one at a time with integers and powers of two, by the formulas of the formats: the reference
// for the decoders.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "checkpoint/element_type.h"

namespace tied::fuzz {

#include "checkpoint/grid_points.inc"

// A float with the given numbers of exponent and fraction bits; `finite`: no infinities, and one NaN of each sign.
inline float narrow(std::uint32_t bits, int exponent_bits, int fraction_bits, bool finite = false) {
  const float sign = (bits >> (exponent_bits + fraction_bits) & 1) != 0 ? -1.0F : 1.0F;
  const std::uint32_t largest = (1U << exponent_bits) - 1;
  const std::uint32_t exponent = bits >> fraction_bits & largest;
  const std::uint32_t fraction = bits & ((1U << fraction_bits) - 1);
  const int bias = static_cast<int>(largest >> 1);
  const bool is_nan = finite ? fraction == (1U << fraction_bits) - 1 : fraction != 0;
  if (exponent == largest && is_nan) return std::numeric_limits<float>::quiet_NaN();
  if (exponent == largest && !finite) return sign * std::numeric_limits<float>::infinity();
  const std::uint32_t digits = exponent == 0 ? fraction : fraction | 1U << fraction_bits;
  const int power = (exponent == 0 ? 1 : static_cast<int>(exponent)) - bias - fraction_bits;
  return sign * static_cast<float>(std::ldexp(static_cast<double>(digits), power));
}

inline std::uint32_t two_bytes(const std::uint8_t* at) { return at[0] | static_cast<std::uint32_t>(at[1]) << 8; }
inline float half(const std::uint8_t* at) { return narrow(two_bytes(at), 5, 10); }
// The nibble of element j of 2 n; the first n are in the low nibbles.
inline int nibble(const std::uint8_t* at, std::size_t j, std::size_t n) { return j < n ? at[j] & 15 : at[j - n] >> 4; }
inline int bit(const std::uint8_t* at, std::size_t j) { return at[j / 8] >> (j % 8) & 1; }

struct ScaleAndMinimum {
  int scale;
  int minimum;
};
inline ScaleAndMinimum six_bits(const std::uint8_t* s, std::size_t j) {
  if (j < 4) return {s[j] & 63, s[j + 4] & 63};
  return {(s[j + 4] & 15) | (s[j - 4] >> 6) << 4, (s[j + 4] >> 4) | (s[j] >> 6) << 4};
}

inline float q4_or_q5_k(const std::uint8_t* b, std::size_t i, bool fifth) {
  const auto [scale, minimum] = six_bits(b + 4, i / 32);
  const std::uint8_t* quants = b + (fifth ? 48 : 16) + i / 64 * 32;
  int q = nibble(quants, i % 64, 32);
  if (fifth) q += 16 * (b[16 + i % 32] >> (i / 32) & 1);
  return half(b) * static_cast<float>(scale) * static_cast<float>(q) - half(b + 2) * static_cast<float>(minimum);
}

inline float q6_k(const std::uint8_t* b, std::size_t i) {
  const std::size_t part = i / 128;
  const std::size_t quarter = i % 128 / 32;
  const std::size_t l = i % 32;
  const int low = b[64 * part + l + 32 * (quarter % 2)] >> (quarter >= 2 ? 4 : 0) & 15;
  const int upper = b[128 + 32 * part + l] >> (2 * quarter) & 3;
  const auto scale = static_cast<float>(static_cast<std::int8_t>(b[192 + i / 16]));
  return half(b + 208) * scale * static_cast<float>((low | upper << 4) - 32);
}

// An 8-bit float without -0, whose pattern is NaN, and with a bias larger by 1 than IEEE's.
inline float fnuz(std::uint32_t bits, int exponent_bits, int fraction_bits) {
  if (bits == 0x80) return std::numeric_limits<float>::quiet_NaN();
  const int exponent = static_cast<int>((bits & 0x7F) >> fraction_bits);
  const std::uint32_t fraction = bits & ((1U << fraction_bits) - 1);
  const std::uint32_t digits = exponent == 0 ? fraction : fraction | 1U << fraction_bits;
  const int power = (exponent == 0 ? 1 : exponent) - (1 << (exponent_bits - 1)) - fraction_bits;
  const auto size = static_cast<float>(std::ldexp(static_cast<double>(digits), power));
  return bits >> 7 != 0 ? -size : size;
}

// Element i of 256 in pairs of bits: 32 bytes hold 128 of them, 32 in each pair.
inline int pair_of_32(const std::uint8_t* at, std::size_t i) {
  return at[i / 128 * 32 + i % 32] >> (2 * (i % 128 / 32)) & 3;
}

inline float q2_k(const std::uint8_t* b, std::size_t i) {
  const float scaled = half(b + 80) * static_cast<float>(b[i / 16] & 15) * static_cast<float>(pair_of_32(b + 16, i));
  return scaled - half(b + 82) * static_cast<float>(b[i / 16] >> 4);
}

inline float q3_k(const std::uint8_t* b, std::size_t i) {
  const std::size_t j = i / 16;
  const std::uint8_t* s = b + 96;
  const int low = j < 8 ? s[j] & 15 : s[j - 8] >> 4;
  const int scale = (low | (s[8 + j % 4] >> (2 * (j / 4)) & 3) << 4) - 32;
  const int q = pair_of_32(b + 32, i) - ((b[i % 32] >> (i / 32) & 1) != 0 ? 0 : 4);
  return half(b + 108) * static_cast<float>(scale) * static_cast<float>(q);
}

inline int uneven(int place) {
  constexpr int kNumbers[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
  return kNumbers[place];
}
inline float iq4_xs(const std::uint8_t* b, std::size_t i) {
  const std::size_t j = i / 32;
  const int low = b[4 + j / 2] >> (4 * (j % 2)) & 15;
  const int scale = (low | (static_cast<int>(two_bytes(b + 2)) >> (2 * j) & 3) << 4) - 32;
  return half(b) * static_cast<float>(scale) * static_cast<float>(uneven(nibble(b + 8 + 16 * j, i % 32, 16)));
}

// An E2M1 as an integer number of halves.
inline float halves_of_e2m1(int place) {
  constexpr int kHalves[8] = {0, 1, 2, 3, 4, 6, 8, 12};
  return static_cast<float>(place < 8 ? kHalves[place] : -kHalves[place - 8]);
}
inline float nvfp4(const std::uint8_t* b, std::size_t i) {
  const std::uint32_t bits = b[i / 16];
  const std::uint32_t fraction = bits & 7;
  const int exponent = static_cast<int>(bits >> 3 & 15);
  const auto digits = static_cast<double>(exponent == 0 ? fraction : fraction | 8);
  const double scale = bits == 0x7F ? 0 : std::ldexp(digits, (exponent == 0 ? 1 : exponent) - 11);
  return halves_of_e2m1(nibble(b + 4 + i / 16 * 8, i % 16, 8)) * static_cast<float>(scale);
}

// Digit n, to the base 3, of a fraction of 256 that was rounded up; less 1.
inline int trit(int byte, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) byte = byte * 3 & 255;
  return (byte * 3 >> 8) - 1;
}
inline int tq1_0(const std::uint8_t* b, std::size_t i) {
  if (i < 160) return trit(b[i % 32], i / 32);
  if (i < 240) return trit(b[32 + (i - 160) % 16], (i - 160) / 16);
  return trit(b[48 + i % 4], (i - 240) / 4);
}

inline float f32_at(const std::uint8_t* at) {
  float value = 0;
  std::memcpy(&value, at, sizeof value);
  return value;
}
// Number i of a stream of bits, the lowest first.
inline int number_in_bits(const std::uint8_t* at, std::size_t i, std::size_t bits) {
  int number = 0;
  for (std::size_t k = 0; k < bits; ++k) number |= bit(at, i * bits + k) << k;
  return number;
}
inline float affine(const std::uint8_t* b, std::size_t i, std::size_t bits) {
  return f32_at(b) * static_cast<float>(number_in_bits(b + 8, i, bits)) + f32_at(b + 4);
}

// Coordinate `at` of a point: a digit of the number of its bit, the lowest first. Places count the bits that are set.
template <std::size_t kBytes>
int coordinate(const std::uint8_t (&members)[kBytes], int place, int levels, std::size_t at) {
  int number = 0;
  for (int left = place;; ++number) {
    if (bit(members, static_cast<std::size_t>(number)) == 1 && left-- == 0) break;
  }
  for (std::size_t i = 0; i < at; ++i) number /= levels;
  return number % levels;
}
inline int level_of_2(int digit) { return digit == 2 ? 43 : 8 + 17 * digit; }
// Seven signs, and an eighth that makes their number even.
inline float sign_of_8(std::uint32_t seven, std::size_t at) {
  const int ones = std::popcount(seven & 127);
  return (at < 7 ? static_cast<int>(seven >> at & 1) : ones % 2) != 0 ? -1.0F : 1.0F;
}
inline std::uint32_t four_bytes(const std::uint8_t* at) { return two_bytes(at) | two_bytes(at + 2) << 16; }

inline float iq2(ElementType type, const std::uint8_t* b, std::size_t i) {
  const std::size_t j = i / 8;
  int digit = 0;
  int scale = 0;
  float sign = 1;
  if (type == ElementType::kIQ2XXS) {
    const std::uint32_t word = four_bytes(b + 6 + 8 * (i / 32));
    digit = coordinate(kIq2XxsMembers, b[2 + 8 * (i / 32) + j % 4], 3, i % 8);
    scale = static_cast<int>(word >> 28);
    sign = sign_of_8(word >> (7 * (j % 4)), i % 8);
  } else if (type == ElementType::kIQ2XS) {
    const std::uint32_t word = two_bytes(b + 2 + 2 * j);
    digit = coordinate(kIq2XsMembers, static_cast<int>(word & 511), 3, i % 8);
    scale = b[66 + i / 32] >> (4 * (i / 16 % 2)) & 15;
    sign = sign_of_8(word >> 9, i % 8);
  } else {
    digit = coordinate(kIq2SMembers, b[2 + j] | (b[66 + j / 4] >> (2 * (j % 4)) & 3) << 8, 3, i % 8);
    scale = b[74 + i / 32] >> (4 * (i / 16 % 2)) & 15;
    sign = bit(b + 34, i) != 0 ? -1.0F : 1.0F;
  }
  return half(b) * (0.5F + static_cast<float>(scale)) * 0.25F * static_cast<float>(level_of_2(digit)) * sign;
}
inline float iq3_xxs(const std::uint8_t* b, std::size_t i) {
  const std::uint32_t word = four_bytes(b + 66 + 4 * (i / 32));
  const int digit = coordinate(kIq3XxsMembers, b[2 + i / 4], 8, i % 4);
  const auto level = static_cast<float>(digit == 7 ? 62 : 4 + 8 * digit);
  return half(b) * (0.5F + static_cast<float>(word >> 28)) * 0.5F * level * sign_of_8(word >> (7 * (i / 8 % 4)), i % 8);
}
inline float iq3_s(const std::uint8_t* b, std::size_t i) {
  const int digit = coordinate(kIq3SMembers, b[2 + i / 4] | bit(b + 66, i / 4) << 8, 8, i % 4);
  const int scale = b[106 + i / 64] >> (4 * (i / 32 % 2)) & 15;
  const float size = half(b) * static_cast<float>(1 + 2 * scale) * static_cast<float>(1 + 2 * digit);
  return bit(b + 74, i) != 0 ? -size : size;
}
inline float iq1(float d, int scale, int place, bool is_taken, std::size_t at) {
  const int digit = coordinate(kIq1SMembers, place, 3, at) - 1;
  return d * static_cast<float>(2 * scale + 1) * (static_cast<float>(digit) + (is_taken ? -0.125F : 0.125F));
}
inline float iq1_s(const std::uint8_t* b, std::size_t i) {
  const auto upper = static_cast<int>(two_bytes(b + 34 + 2 * (i / 32)));
  const int place = b[2 + i / 8] | (upper >> (3 * (i / 8 % 4)) & 7) << 8;
  return iq1(half(b), upper >> 12 & 7, place, (upper & 0x8000) != 0, i % 8);
}
inline float iq1_m(const std::uint8_t* b, std::size_t i) {
  std::uint32_t d = 0;
  for (std::size_t k = 0; k < 4; ++k) d |= (two_bytes(b + 48 + 2 * k) >> 12) << (4 * k);
  const int upper = b[32 + i / 16] >> (4 * (i / 8 % 2)) & 15;
  const auto scale = static_cast<int>(two_bytes(b + 48 + 2 * (i / 64)) >> (3 * (i / 16 % 4)) & 7);
  return iq1(narrow(d, 5, 10), scale, b[i / 8] | (upper & 7) << 8, (upper & 8) != 0, i % 8);
}

// Element i of the block that begins at b.
inline float plain_element(ElementType type, const std::uint8_t* b, std::size_t i) {
  const auto of = [](int q) { return static_cast<float>(q); };
  switch (type) {
    case ElementType::kF32: {
      float value = 0;
      std::memcpy(&value, b, sizeof value);
      return value;
    }
    case ElementType::kF64: {
      double value = 0;
      std::memcpy(&value, b, sizeof value);
      return static_cast<float>(value);
    }
    case ElementType::kF16:
      return half(b);
    case ElementType::kBf16:
      return narrow(two_bytes(b), 8, 7);
    case ElementType::kF8E4m3:
      return narrow(b[0], 4, 3, true);
    case ElementType::kF8E5m2:
      return narrow(b[0], 5, 2);
    case ElementType::kF8E4m3Fnuz:
      return fnuz(b[0], 4, 3);
    case ElementType::kF8E5m2Fnuz:
      return fnuz(b[0], 5, 2);
    case ElementType::kQ80:
      return half(b) * of(static_cast<std::int8_t>(b[2 + i]));
    case ElementType::kQ40:
      return half(b) * of(nibble(b + 2, i, 16) - 8);
    case ElementType::kQ41:
      return half(b) * of(nibble(b + 4, i, 16)) + half(b + 2);
    case ElementType::kQ50:
      return half(b) * of((nibble(b + 6, i, 16) | bit(b + 2, i) << 4) - 16);
    case ElementType::kQ51:
      return half(b) * of(nibble(b + 8, i, 16) | bit(b + 4, i) << 4) + half(b + 2);
    case ElementType::kQ4K:
      return q4_or_q5_k(b, i, false);
    case ElementType::kQ5K:
      return q4_or_q5_k(b, i, true);
    case ElementType::kQ6K:
      return q6_k(b, i);
    case ElementType::kQ2K:
      return q2_k(b, i);
    case ElementType::kQ3K:
      return q3_k(b, i);
    case ElementType::kIQ4NL:
      return half(b) * of(uneven(nibble(b + 2, i, 16)));
    case ElementType::kIQ4XS:
      return iq4_xs(b, i);
    case ElementType::kMXFP4:
      return static_cast<float>(std::ldexp(halves_of_e2m1(nibble(b + 1, i, 16)), b[0] - 128));
    case ElementType::kNVFP4:
      return nvfp4(b, i);
    case ElementType::kTQ10:
      return half(b + 52) * of(tq1_0(b, i));
    case ElementType::kTQ20:
      return half(b + 64) * of(pair_of_32(b, i) - 1);
    case ElementType::kQ10:
      return half(b) * of(bit(b + 2, i) != 0 ? 1 : -1);
    case ElementType::kQ20:
      return half(b) * of((b[2 + i / 4] >> (2 * (i % 4)) & 3) - 1);
    case ElementType::kIQ2XXS:
    case ElementType::kIQ2XS:
    case ElementType::kIQ2S:
      return iq2(type, b, i);
    case ElementType::kIQ3XXS:
      return iq3_xxs(b, i);
    case ElementType::kIQ3S:
      return iq3_s(b, i);
    case ElementType::kIQ1S:
      return iq1_s(b, i);
    case ElementType::kIQ1M:
      return iq1_m(b, i);
    case ElementType::kAffine2:
      return affine(b, i, 2);
    case ElementType::kAffine3:
      return affine(b, i, 3);
    case ElementType::kAffine4:
      return affine(b, i, 4);
    case ElementType::kAffine5:
      return affine(b, i, 5);
    case ElementType::kAffine6:
      return affine(b, i, 6);
    case ElementType::kAffine8:
      return affine(b, i, 8);
    case ElementType::kScaledE2m1:
      return f32_at(b) * 0.5F * halves_of_e2m1(b[4 + i / 2] >> (4 * (i % 2)) & 15);
    case ElementType::kScaledE4m3:
      return f32_at(b) * narrow(b[4 + i], 4, 3, true);
  }
  return 0;
}

}  // namespace tied::fuzz
