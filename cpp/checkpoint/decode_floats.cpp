#include "checkpoint/decode_floats.h"

#include <bit>
#include <cstring>

#include "checkpoint/decode_arranged.h"
#include "checkpoint/quants.h"
#include "linalg/simd_widen.h"

namespace tied {
namespace {

using simd::Bytes;
using simd::Floats;
using simd::Halves;
using simd::Words;

// Elements per iteration of a loop, enough to make counting cheap in comparison.
constexpr std::size_t kTurn = 16;

TIED_INLINE inline Words upper_low(const Halves& halves) {
  return xsimd::bitwise_cast<std::uint32_t>(xsimd::zip_lo(Halves(std::uint16_t{0}), halves));
}
TIED_INLINE inline Words upper_high(const Halves& halves) {
  return xsimd::bitwise_cast<std::uint32_t>(xsimd::zip_hi(Halves(std::uint16_t{0}), halves));
}
TIED_INLINE inline Halves load_halves(const std::uint8_t* bytes) {
  return xsimd::bitwise_cast<std::uint16_t>(Bytes::load_unaligned(bytes));
}

// Of each kind of float: kBytes of an element, and a call that decodes the kTurn elements that begin at `bytes`.

// BF16, which are the upper halves of floats.
struct BrainFloats {
  static constexpr std::size_t kBytes = 2;

  // 8 elements.
  TIED_INLINE static void decode(float* out, const Halves& halves) {
    simd::store(out, xsimd::bitwise_cast<float>(upper_low(halves)));
    simd::store(out + 4, xsimd::bitwise_cast<float>(upper_high(halves)));
  }
  // The same, times a factor.
  TIED_INLINE static void decode(float* out, const Halves& halves, const Floats& factor) {
    simd::store(out, xsimd::bitwise_cast<float>(upper_low(halves)) * factor);
    simd::store(out + 4, xsimd::bitwise_cast<float>(upper_high(halves)) * factor);
  }
  TIED_INLINE void operator()(float* out, const std::uint8_t* bytes) const {
    decode(out, load_halves(bytes));
    decode(out + 8, load_halves(bytes + 16));
  }
};

// A 16-bit float in the upper half of a word. A subnormal one gets the smallest normal exponent, whose implicit 1 is
// then subtracted: products with subnormal 32-bit floats would be correct too, but many times slower on some
// processors.
TIED_INLINE inline Floats decode_half(const Words& upper) {
  // The sign remains; its copies are masked out.
  const Words bits =
      xsimd::bitwise_cast<std::uint32_t>(xsimd::bitwise_cast<std::int32_t>(upper) >> 3) & Words(0x8FFFE000);
  const auto with_exponent = [&](std::uint32_t exponent) {
    return Words(((bits & Words(0x0F800000)) == Words(exponent)).data);
  };
  const Words subnormal = with_exponent(0);
  const Words raised = (bits & Words(0x7FFFFFFF)) + Words(112U << 23) + (subnormal & Words(1U << 23));
  const Words one = subnormal & Words(113U << 23);
  const Floats magnitude = xsimd::bitwise_cast<float>(raised) - xsimd::bitwise_cast<float>(one);
  return xsimd::bitwise_cast<float>(xsimd::bitwise_cast<std::uint32_t>(magnitude) |
                                    (with_exponent(0x0F800000) & Words(0x7F800000)) | (upper & Words(0x80000000)));
}

// 8 elements of F16 of any kind.
[[gnu::noinline]] void decode_any(float* out, const Halves& halves) {
  simd::store(out, decode_half(upper_low(halves)));
  simd::store(out + 4, decode_half(upper_high(halves)));
}

class HalfFloats {
 public:
  static constexpr std::size_t kBytes = 2;

  TIED_INLINE void operator()(float* out, const std::uint8_t* bytes) const {
    const Halves left = load_halves(bytes);
    const Halves right = load_halves(bytes + 16);
    // All other turns are rare in tables.
    if (!are_normal(xsimd::min(normal_bits(left), normal_bits(right)))) [[unlikely]] {
      decode_any(out, left);
      decode_any(out + 8, right);
      return;
    }
    decode_normal(out, left);
    decode_normal(out + 8, right);
  }

 private:
  // 0 if a half is zero, subnormal or not finite, as in half_at.
  TIED_INLINE Halves normal_bits(const Halves& halves) const { return (halves + exponent_) & upper_exponent_; }
  TIED_INLINE static bool are_normal(const Halves& bits) { return xsimd::all(bits != Halves(std::uint16_t{0})); }
  // 8 elements that are all normal. The two halves of the floats are made separately, eight at a time: the upper ones
  // have sign, exponent and the first bits of the fraction, the lower ones the rest.
  TIED_INLINE void decode_normal(float* out, const Halves& halves) const {
    const Halves moved = xsimd::bitwise_cast<std::uint16_t>(xsimd::bitwise_cast<std::int16_t>(halves) >> 3);
    const Halves upper = (moved & sign_and_rest_) + bias_;
    const Halves lower = halves << 13;
    simd::store(out, xsimd::bitwise_cast<float>(xsimd::zip_lo(lower, upper)));
    simd::store(out + 4, xsimd::bitwise_cast<float>(xsimd::zip_hi(lower, upper)));
  }

  Halves exponent_ = simd::constant<std::uint16_t{0x0400}>();
  Halves upper_exponent_ = simd::constant<std::uint16_t{0x7800}>();
  Halves sign_and_rest_ = simd::constant<std::uint16_t{0x8FFF}>();
  Halves bias_ = simd::constant<std::uint16_t{112 << 7}>();
};

// 8-bit floats have so few digits that each is also a BF16, whose two bytes are made separately. kFraction: bits of the
// fraction, 3 or 2; kFnuz: whether the pattern of -0 is the only one that is not finite. The numbers of FNUZ, whose
// bias is larger by 1, are made twice as large.
template <int kFraction, bool kFnuz>
class NarrowFloats {
 public:
  static constexpr std::size_t kBytes = 1;

  TIED_INLINE void operator()(float* out, const std::uint8_t* bytes) const {
    if constexpr (kFnuz) {
      decode(out, bytes, half_);
    } else {
      decode(out, bytes);
    }
  }
  // `factor`: none, or one factor of all.
  template <class... Factor>
  TIED_INLINE void decode(float* out, const std::uint8_t* from, const Factor&... factor) const {
    const Bytes bytes = Bytes::load_unaligned(from);
    const Bytes magnitude = bytes & magnitude_bits_;
    const Bytes special = special_of(bytes, magnitude);
    const Bytes upper = upper_of(bytes, magnitude) | (simd::where(special, magnitude_bits_));
    Bytes lower = (simd::moved_up(bytes, 7 - kFraction) & lower_bits_) ^ simd::entries_at(subnormal_lower_, magnitude);
    if constexpr (kFnuz) lower = lower | (simd::where(special, quiet_));
    BrainFloats::decode(out, xsimd::bitwise_cast<std::uint16_t>(xsimd::zip_lo(lower, upper)), factor...);
    BrainFloats::decode(out + 8, xsimd::bitwise_cast<std::uint16_t>(xsimd::zip_hi(lower, upper)), factor...);
  }

 private:
  static constexpr int kBias = 127 - (kFraction == 3 ? 7 : 15);
  static constexpr int kNormal = 1 << kFraction;

  // The BF16 of subnormal number i: i 2^-(fraction + 126 - kBias) with its highest bit at the exponent.
  static constexpr int subnormal(int i) {
    int exponent = kBias + 1 - kFraction;
    int digits = i;
    while (digits < 128) {
      if (digits == 0) return 0;
      digits *= 2;
      --exponent;
    }
    return (exponent + 7) << 7 | (digits & 127);
  }
  struct Table {
    std::uint8_t entries[16] = {};
  };
  // What makes the lower byte of a subnormal number, or of 0, of the one that normal numbers have.
  static constexpr Table kSubnormalLower = [] {
    Table made;
    for (int i = 0; i < kNormal; ++i) {
      made.entries[i] = static_cast<std::uint8_t>((subnormal(i) & 255) ^ (i << (7 - kFraction) & 255));
    }
    return made;
  }();
  // The same for the upper byte, of numbers below 16. Those of E4M3 that are normal have their whole byte here, since
  // the table of upper bits has none for them.
  static constexpr Table kSmallUpper = [] {
    Table made;
    for (int i = 0; i < kNormal; ++i) {
      made.entries[i] = static_cast<std::uint8_t>((subnormal(i) >> 8) ^ (kFraction == 3 ? 0 : kBias / 2));
    }
    for (int i = 8; kFraction == 3 && i < 16; ++i) made.entries[i] = kBias / 2;
    return made;
  }();
  // Of E4M3, whose upper four bits, sign and exponent, give the upper byte unless they are 0.
  static constexpr Table kUpperOfNibble = [] {
    Table made;
    for (int i = 0; i < 16; ++i) {
      made.entries[i] = static_cast<std::uint8_t>((i & 8) << 4 | (i % 8 == 0 ? 0 : kBias / 2 + i % 8));
    }
    return made;
  }();

  TIED_INLINE Bytes special_of(const Bytes& bytes, const Bytes& magnitude) const {
    if constexpr (kFnuz) return simd::is_equal(bytes, sign_);
    // In E4M3, only the last number is not finite.
    return simd::is_greater(magnitude, last_finite_);
  }
  TIED_INLINE Bytes upper_of(const Bytes& bytes, const Bytes& magnitude) const {
    const Bytes small = simd::entries_at(small_upper_, magnitude);
    if constexpr (kFraction == 3) {
      return small | simd::entries_at(upper_of_nibble_, simd::moved_down(bytes, 4) & four_bits_);
    } else {
      return (((simd::moved_down(bytes, 3) & four_bits_) + bias_) ^ small) | (bytes & sign_);
    }
  }

  Bytes magnitude_bits_ = simd::constant<std::uint8_t{0x7F}>();
  Bytes sign_ = simd::constant<std::uint8_t{0x80}>();
  Bytes quiet_ = simd::constant<std::uint8_t{0xC0}>();
  Bytes four_bits_ = simd::constant<std::uint8_t{0x0F}>();
  Bytes bias_ = simd::constant<std::uint8_t{kBias / 2}>();
  Bytes lower_bits_ = simd::constant<static_cast<std::uint8_t>(0xFF << (7 - kFraction))>();
  Bytes last_finite_ = simd::constant<std::uint8_t{kFraction == 3 ? 0x7E : 0x7B}>();
  Bytes subnormal_lower_ = simd::constant(kSubnormalLower.entries);
  Bytes small_upper_ = simd::constant(kSmallUpper.entries);
  Bytes upper_of_nibble_ = simd::constant(kUpperOfNibble.entries);
  Floats half_ = simd::constant<0.5F>();
};

// Turns of kTurn elements. Not inlined, since it is called twice.
template <class Kind>
[[gnu::noinline]] void decode_turns(float* out, const std::uint8_t* bytes, std::size_t turns) {
  const Kind kind;
  for (; turns > 0; --turns, out += kTurn, bytes += Kind::kBytes * kTurn) kind(out, bytes);
}

// The last elements from a copy, so that nothing after them is read.
template <class Kind>
void decode_all(float* out, const std::uint8_t* bytes, std::size_t count) {
  const std::size_t rest = count % kTurn;
  const std::size_t whole = count - rest;
  decode_turns<Kind>(out, bytes, whole / kTurn);
  if (rest == 0) return;
  std::uint8_t last[Kind::kBytes * kTurn] = {};
  float decoded[kTurn];
  std::memcpy(last, bytes + Kind::kBytes * whole, Kind::kBytes * rest);
  decode_turns<Kind>(decoded, last, 1);
  std::memcpy(out + whole, decoded, rest * sizeof(float));
}

}  // namespace

// A product with 2^112 corrects the bias of its exponent and makes a subnormal number normal; infinities and NaN also
// need the other bits of the exponent set.
float rare_half(std::uint32_t half) {
  const float magnitude = std::bit_cast<float>((half & 0x7FFF) << 13) * 0x1p112F;
  std::uint32_t bits = std::bit_cast<std::uint32_t>(magnitude) | (half & 0x8000) << 16;
  if ((half & 0x7C00) == 0x7C00) bits |= 0x7F800000;
  return std::bit_cast<float>(bits);
}

void decode_f64(float* out, const std::uint8_t* bytes, std::size_t count) {
  const auto load = [](const std::uint8_t* from) { return xsimd::bitwise_cast<double>(Bytes::load_unaligned(from)); };
  for (; count >= 4; count -= 4, out += 4, bytes += 32) {
    simd::store(out, simd::rounded_to_floats(load(bytes), load(bytes + 16)));
  }
  for (; count > 0; --count, ++out, bytes += sizeof(double)) {
    double element = 0;
    std::memcpy(&element, bytes, sizeof element);
    *out = static_cast<float>(element);
  }
}

void decode_f16(float* out, const std::uint8_t* bytes, std::size_t count) { decode_all<HalfFloats>(out, bytes, count); }

void decode_bf16(float* out, const std::uint8_t* bytes, std::size_t count) {
  decode_all<BrainFloats>(out, bytes, count);
}

void decode_f8_e4m3(float* out, const std::uint8_t* bytes, std::size_t count) {
  decode_all<NarrowFloats<3, false>>(out, bytes, count);
}

void decode_f8_e5m2(float* out, const std::uint8_t* bytes, std::size_t count) {
  decode_all<NarrowFloats<2, false>>(out, bytes, count);
}

void decode_f8_e4m3fnuz(float* out, const std::uint8_t* bytes, std::size_t count) {
  decode_all<NarrowFloats<3, true>>(out, bytes, count);
}

void decode_f8_e5m2fnuz(float* out, const std::uint8_t* bytes, std::size_t count) {
  decode_all<NarrowFloats<2, true>>(out, bytes, count);
}

// Here, so that a block is decoded without a call.
void decode_scaled_e4m3(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const NarrowFloats<3, false> numbers;
  for (std::size_t i = 0; i < blocks; ++i, bytes += sizeof(float) + kTurn) {
    numbers.decode(out + kTurn * i, bytes + sizeof(float), repeated<float>(bytes));
  }
}

}  // namespace tied
