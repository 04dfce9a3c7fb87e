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
  }
  return 0;
}

}  // namespace tied::fuzz
