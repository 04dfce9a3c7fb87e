#include "checkpoint/decode_floats.h"

#include <cstring>
#include <type_traits>

#include "linalg/simd_widen.h"

namespace tied {
namespace {

using simd::Batch;
using simd::Bytes;
using simd::Words;
using Halves = Batch<std::uint16_t>;

// Elements per turn of a loop, so that counting costs little beside them.
constexpr std::size_t kTurn = 16;

// A narrow float that is the upper bits of a word has its exponent and fraction, `kShift` bits further down, where a
// float of 32 bits has them, but for a bias that is lower by `kBias`. kBits: those of sign, exponent and fraction.
// Numbers whose exponent, or for E4M3 all of them, has the bits kSpecial are not finite.
template <int kShift, std::uint32_t kBits, std::uint32_t kExponent, std::uint32_t kSpecial, std::uint32_t kBias>
struct Narrow {
  // The sign stays; its copies are masked out.
  TIED_INLINE static Words moved(const Words& upper) {
    return xsimd::bitwise_cast<std::uint32_t>(xsimd::bitwise_cast<std::int32_t>(upper) >> kShift) & Words(kBits);
  }
  TIED_INLINE static Words if_special(const Words& bits) {
    return Words(((bits & Words(kSpecial)) == Words(kSpecial)).data) & Words(0x7F800000);
  }
  // Of numbers that are normal.
  TIED_INLINE static Batch<float> decode_normal(const Words& upper) {
    return xsimd::bitwise_cast<float>(moved(upper) + Words(kBias << 23));
  }

  // A subnormal number gets the least exponent, whose 1 is then subtracted: products with subnormal floats of 32 bits
  // would be right too, but many times slower on some processors.
  TIED_INLINE static Batch<float> decode(const Words& upper) {
    const Words bits = moved(upper);
    const Words subnormal(((bits & Words(kExponent)) == Words(0)).data);
    const Words raised = (bits & Words(0x7FFFFFFF)) + Words(kBias << 23) + (subnormal & Words(1U << 23));
    const Words one = subnormal & Words((kBias + 1) << 23);
    const Batch<float> magnitude = xsimd::bitwise_cast<float>(raised) - xsimd::bitwise_cast<float>(one);
    return xsimd::bitwise_cast<float>(xsimd::bitwise_cast<std::uint32_t>(magnitude) | if_special(bits) |
                                      (upper & Words(0x80000000)));
  }
};
// E5M2 is the upper byte of F16. Of E4M3, only 0x7F and 0xFF are not finite.
using F16 = Narrow<3, 0x8FFFE000, 0x0F800000, 0x0F800000, 112>;
using E5m2 = F16;
using E4m3 = Narrow<4, 0x87F00000, 0x07800000, 0x07F00000, 120>;
struct Bf16 {
  TIED_INLINE static Batch<float> decode(const Words& upper) { return xsimd::bitwise_cast<float>(upper); }
};

TIED_INLINE inline Words upper_low(const Halves& halves) {
  return xsimd::bitwise_cast<std::uint32_t>(xsimd::zip_lo(Halves(std::uint16_t{0}), halves));
}
TIED_INLINE inline Words upper_high(const Halves& halves) {
  return xsimd::bitwise_cast<std::uint32_t>(xsimd::zip_hi(Halves(std::uint16_t{0}), halves));
}

// All ones where a half is zero, subnormal or not finite.
TIED_INLINE inline Halves not_normal(const Halves& halves) {
  const Halves exponent = halves & Halves(std::uint16_t{0x7C00});
  return Halves((exponent == Halves(std::uint16_t{0})).data) | Halves((exponent == Halves(std::uint16_t{0x7C00})).data);
}

// 16 elements of `kSize` bytes.
template <std::size_t kSize, class Type>
TIED_INLINE inline void decode_turn(float* out, const std::uint8_t* bytes) {
  const Bytes first = Bytes::load_unaligned(bytes);
  const Bytes zero(std::uint8_t{0});
  const auto halves = [](const Bytes& two) { return xsimd::bitwise_cast<std::uint16_t>(two); };
  const Halves left = halves(kSize == 2 ? first : xsimd::zip_lo(zero, first));
  const Halves right =
      halves(kSize == 2 ? Bytes::load_unaligned(bytes + 16 * (kSize - 1)) : xsimd::zip_hi(zero, first));
  const Words a = upper_low(left);
  const Words b = upper_high(left);
  const Words c = upper_low(right);
  const Words d = upper_high(right);
  if constexpr (kSize == 2 && std::is_same_v<Type, F16>) {
    // All others are rare in tables of 16 bits; in those of 8, subnormal numbers are common.
    if (!xsimd::any((not_normal(left) | not_normal(right)) != Halves(std::uint16_t{0}))) {
      simd::store(out, F16::decode_normal(a));
      simd::store(out + 4, F16::decode_normal(b));
      simd::store(out + 8, F16::decode_normal(c));
      simd::store(out + 12, F16::decode_normal(d));
      return;
    }
  }
  simd::store(out, Type::decode(a));
  simd::store(out + 4, Type::decode(b));
  simd::store(out + 8, Type::decode(c));
  simd::store(out + 12, Type::decode(d));
}

// The last elements from a copy, so that nothing after them is read.
template <std::size_t kSize, class Type>
void decode_all(float* out, const std::uint8_t* bytes, std::size_t count) {
  std::size_t i = 0;
  for (; i + kTurn <= count; i += kTurn) decode_turn<kSize, Type>(out + i, bytes + kSize * i);
  if (i == count) return;
  std::uint8_t last[kSize * kTurn] = {};
  float decoded[kTurn];
  std::memcpy(last, bytes + kSize * i, kSize * (count - i));
  decode_turn<kSize, Type>(decoded, last);
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

void decode_f16(float* out, const std::uint8_t* bytes, std::size_t count) { decode_all<2, F16>(out, bytes, count); }

void decode_bf16(float* out, const std::uint8_t* bytes, std::size_t count) { decode_all<2, Bf16>(out, bytes, count); }

void decode_f8_e4m3(float* out, const std::uint8_t* bytes, std::size_t count) {
  decode_all<1, E4m3>(out, bytes, count);
}

void decode_f8_e5m2(float* out, const std::uint8_t* bytes, std::size_t count) {
  decode_all<1, E5m2>(out, bytes, count);
}

}  // namespace tied
