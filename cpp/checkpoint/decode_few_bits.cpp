#include "checkpoint/decode_few_bits.h"

#include "checkpoint/decode_floats.h"
#include "checkpoint/element_type.h"
#include "checkpoint/quants.h"

namespace tied {
namespace {

using simd::Bytes;
using simd::Floats;
using simd::Integral;

template <class Decode>
TIED_INLINE inline void for_few_bits(ElementType type, float* out, const std::uint8_t* bytes, std::size_t blocks,
                                     const Decode& decode) {
  const ElementBlock block = block_of(type);
  for (std::size_t i = 0; i < blocks; ++i) decode(out + i * block.elements, bytes + i * block.bytes);
}

class PairsOfBits {
 public:
  // Bits 2 pair and 2 pair + 1 of each byte.
  TIED_INLINE Bytes at(const Bytes& bytes, int pair) const { return simd::moved_down(bytes, 2 * pair) & three_; }
  // Calls take(pair, 16 numbers) for the pairs of 16 bytes, in order.
  template <class Take>
  TIED_INLINE void each(const Bytes& bytes, const Take& take) const {
    take(0, bytes & three_);
    take(1, at(bytes, 1));
    take(2, at(bytes, 2));
    take(3, at(bytes, 3));
  }

 private:
  Bytes three_ = simd::constant<std::uint8_t{3}>();
};

// Trits of bytes with 128 added, which change that to their signs.
class Trits {
 public:
  TIED_INLINE Bytes of(const std::uint8_t* bytes) const { return load_quants(bytes) ^ sign_; }
  // 0, 1 or 2 by the upper third, in units of 256 / 3, to which each byte belongs.
  TIED_INLINE Bytes leading(const Bytes& bytes) const {
    return Bytes(std::uint8_t{0}) - (simd::is_greater(bytes, first_) + simd::is_greater(bytes, second_));
  }
  // The next trit of each byte becomes the leading one. Three times 128 is 128 again, in eight bits. Not as a sum of
  // three bytes, which compilers take for a product, for which there is no instruction.
  TIED_INLINE Bytes next(const Bytes& bytes) const { return bytes + (simd::moved_up(bytes, 1) & even_); }

 private:
  Bytes sign_ = simd::constant<std::uint8_t{128}>();
  Bytes even_ = simd::constant<std::uint8_t{254}>();
  Bytes first_ = simd::constant<std::uint8_t{85 ^ 128}>();
  Bytes second_ = simd::constant<std::uint8_t{170 ^ 128}>();
};

// 16 scales of six bits as bytes: four bits in the first eight bytes, low nibbles before high ones, and two in the last
// four, in the order of the pairs in their bytes.
TIED_INLINE inline Bytes scales_of_q3(const std::uint8_t* s) {
  std::uint32_t words[3];
  std::memcpy(words, s, sizeof words);
  constexpr std::uint32_t kNibbles = 0x0F0F0F0F;
  const auto two = [&](int j) { return (words[2] >> (2 * j) & 0x03030303U) << 4; };
  const simd::Words all((words[0] & kNibbles) | two(0), (words[1] & kNibbles) | two(1),
                        (words[0] >> 4 & kNibbles) | two(2), (words[1] >> 4 & kNibbles) | two(3));
  return xsimd::bitwise_cast<std::uint8_t>(all);
}

}  // namespace

// 16 bytes with a scale and a minimum of four bits, 64 bytes of quants, f16 d, f16 dmin. Each 32 bytes of quants hold
// 128 elements, 32 in every pair of bits; each 16 elements have a scale.
void decode_q2_k(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Integral<> integral;
  const Nibbles nibbles;
  const PairsOfBits pairs;
  for_few_bits(ElementType::kQ2K, out, bytes, blocks, [&](float* to, const std::uint8_t* block) {
    float scales[16];
    float offsets[16];
    const Bytes both = load_quants(block);
    store_scaled(scales, integral, nibbles.low(both), Floats(half_at(block + 80)));
    store_scaled(offsets, integral, nibbles.high(both), Floats(-half_at(block + 82)));
    for (std::size_t part = 0; part < 4; ++part) {
      const std::size_t first = 8 * (part / 2) + part % 2;
      pairs.each(load_quants(block + 16 + 16 * part), [&](int pair, const Bytes& quants) {
        const std::size_t at = first + 2 * static_cast<std::size_t>(pair);
        store_scaled(to + 16 * at, integral, quants, Floats(scales[at]), Floats(offsets[at]));
      });
    }
  });
}

// 32 bytes of third bits, 64 bytes of quants in the order of q2_k, 12 bytes with 16 scales of six bits, f16 d. Bit k of
// third byte l belongs to element 32 k + l.
void decode_q3_k(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Integral<32> scale_less_zero;
  const Integral<4> less_zero;
  const PairsOfBits pairs;
  const Bytes four = simd::constant<std::uint8_t{4}>();
  for_few_bits(ElementType::kQ3K, out, bytes, blocks, [&](float* to, const std::uint8_t* block) {
    float scales[16];
    store_scaled(scales, scale_less_zero, scales_of_q3(block + 96), Floats(half_at(block + 108)));
    for (std::size_t half = 0; half < 2; ++half) {
      // The bits of the current pair are the third and the ones above.
      const Bytes third = load_quants(block + 16 * half);
      const auto store_part = [&](std::size_t part, const Bytes(&thirds)[4]) {
        pairs.each(load_quants(block + 32 + 32 * part + 16 * half), [&](int pair, const Bytes& quants) {
          const std::size_t at = 8 * part + 2 * static_cast<std::size_t>(pair) + half;
          store_scaled(to + 16 * at, less_zero, quants | (thirds[pair] & four), Floats(scales[at]));
        });
      };
      store_part(0, {simd::moved_up(third, 2), simd::moved_up(third, 1), third, simd::moved_down(third, 1)});
      store_part(1, {simd::moved_down(third, 2), simd::moved_down(third, 3), simd::moved_down(third, 4),
                     simd::moved_down(third, 5)});
    }
  });
}

// 52 bytes with five trits each, of which the last four have one less, f16 d. The elements are the leading trits of the
// first 32 bytes, then their next ones; likewise of 16 bytes, and of four.
void decode_tq1_0(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Integral<1> less_zero;
  const Trits trits;
  for_few_bits(ElementType::kTQ10, out, bytes, blocks, [&](float* to, const std::uint8_t* block) {
    const Floats d(half_at(block + 52));
    const auto store_five = [&](float* from, std::size_t distance, Bytes quants) {
      for (std::size_t trit = 0; trit < 5; ++trit, quants = trits.next(quants)) {
        store_scaled(from + distance * trit, less_zero, trits.leading(quants), d);
      }
    };
    store_five(to, 32, trits.of(block));
    store_five(to + 16, 32, trits.of(block + 16));
    store_five(to + 160, 16, trits.of(block + 32));
    const auto words = [](const Bytes& four) { return xsimd::bitwise_cast<std::uint32_t>(four); };
    const Bytes first = repeated_bytes<std::uint32_t>(block + 48) ^ simd::constant<std::uint8_t{128}>();
    const Bytes second = trits.next(first);
    const Bytes third = trits.next(second);
    const auto even = xsimd::zip_lo(words(first), words(third));
    const auto odd = xsimd::zip_lo(words(second), words(trits.next(third)));
    store_scaled(to + 240, less_zero, trits.leading(xsimd::bitwise_cast<std::uint8_t>(xsimd::zip_lo(even, odd))), d);
  });
}

// 64 bytes of quants, f16 d: each 32 bytes hold 128 elements, 32 in every pair of bits.
void decode_tq2_0(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Integral<1> less_zero;
  const PairsOfBits pairs;
  for_few_bits(ElementType::kTQ20, out, bytes, blocks, [&](float* to, const std::uint8_t* block) {
    const Floats d(half_at(block + 64));
    for (std::size_t part = 0; part < 4; ++part) {
      float* from = to + 128 * (part / 2) + 16 * (part % 2);
      pairs.each(load_quants(block + 16 * part),
                 [&](int pair, const Bytes& quants) { store_scaled(from + 32 * pair, less_zero, quants, d); });
    }
  });
}

// f16 d; 16 bytes of bits, the lowest first: d where a bit is set, else -d.
void decode_q1_0(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Integral<1> less_zero;
  const SpreadBits<> spread;
  const Bytes two = simd::constant<std::uint8_t{2}>();
  for_few_bits(ElementType::kQ10, out, bytes, blocks, [&](float* to, const std::uint8_t* block) {
    const Floats d(half_at(block));
    for (std::size_t i = 0; i < 16; i += 2) {
      store_scaled(to + 8 * i, less_zero, simd::where(spread(repeated_bytes<std::uint16_t>(block + 2 + i)), two), d);
    }
  });
}

// f16 d; 16 bytes with four quants each, the lowest bits first.
void decode_q2_0(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Integral<1> less_zero;
  const PairsOfBits pairs;
  for_few_bits(ElementType::kQ20, out, bytes, blocks, [&](float* to, const std::uint8_t* block) {
    const Floats d(half_at(block));
    const Bytes quants = load_quants(block + 2);
    const auto paired = [](const Bytes& a) { return xsimd::bitwise_cast<std::uint16_t>(a); };
    const auto store_four = [&](float* part, const simd::Halves& four) {
      store_scaled(part, less_zero, xsimd::bitwise_cast<std::uint8_t>(four), d);
    };
    const Bytes first = pairs.at(quants, 0);
    const Bytes second = pairs.at(quants, 1);
    const Bytes third = pairs.at(quants, 2);
    const Bytes fourth = pairs.at(quants, 3);
    const auto begin_low = paired(xsimd::zip_lo(first, second));
    const auto end_low = paired(xsimd::zip_lo(third, fourth));
    const auto begin_high = paired(xsimd::zip_hi(first, second));
    const auto end_high = paired(xsimd::zip_hi(third, fourth));
    store_four(to, xsimd::zip_lo(begin_low, end_low));
    store_four(to + 16, xsimd::zip_hi(begin_low, end_low));
    store_four(to + 32, xsimd::zip_lo(begin_high, end_high));
    store_four(to + 48, xsimd::zip_hi(begin_high, end_high));
  });
}

}  // namespace tied
