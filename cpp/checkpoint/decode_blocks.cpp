#include "checkpoint/decode_blocks.h"

#include "checkpoint/decode_floats.h"
#include "checkpoint/element_type.h"
#include "checkpoint/quants.h"

namespace tied {
namespace {

using simd::Bytes;
using simd::Floats;
using simd::Integral;

constexpr std::size_t kElements = 32;

template <class Decode>
TIED_INLINE inline void for_blocks(ElementType type, float* out, const std::uint8_t* bytes, std::size_t blocks,
                                   const Decode& decode) {
  const std::size_t size = block_of(type).bytes;
  for (; blocks > 0; --blocks, out += kElements, bytes += size) decode(out, bytes);
}

// Quants of five bits: the fifth ones are in 32 bits in front of the others.
class FiveBits {
 public:
  struct Halves {
    Bytes first;
    Bytes second;
  };
  TIED_INLINE Halves at(const std::uint8_t* bits) const {
    // Each of the four bytes in eight places.
    const Bytes four = repeated_bytes<std::uint32_t>(bits);
    const auto twice = xsimd::bitwise_cast<std::uint16_t>(xsimd::zip_lo(four, four));
    const auto often = xsimd::bitwise_cast<std::uint32_t>(xsimd::zip_lo(twice, twice));
    const Bytes quants = load_quants(bits + 4);
    return {nibbles_.low(quants) | fifth(xsimd::zip_lo(often, often)),
            nibbles_.high(quants) | fifth(xsimd::zip_hi(often, often))};
  }

 private:
  TIED_INLINE Bytes fifth(const simd::Words& bytes) const {
    return simd::moved_up(xsimd::min(xsimd::bitwise_cast<std::uint8_t>(bytes) & masks_, one_), 4);
  }

  Nibbles nibbles_;
  Bytes masks_ = simd::constant(kBitMasks);
  Bytes one_ = simd::constant<std::uint8_t{1}>();
};

}  // namespace

// f16 d; 32 signed bytes.
void decode_q8_0(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Integral<128> less_zero;
  const Bytes sign = simd::constant<std::uint8_t{128}>();
  for_blocks(ElementType::kQ80, out, bytes, blocks, [&](float* to, const std::uint8_t* block) {
    const Floats d(half_at(block));
    store_scaled(to, less_zero, load_quants(block + 2) ^ sign, d);
    store_scaled(to + 16, less_zero, load_quants(block + 18) ^ sign, d);
  });
}

// f16 d; 16 bytes of quants, the first half of the block in their low nibbles.
void decode_q4_0(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Integral<8> less_zero;
  const Nibbles nibbles;
  for_blocks(ElementType::kQ40, out, bytes, blocks, [&](float* to, const std::uint8_t* block) {
    const Floats d(half_at(block));
    const Bytes quants = load_quants(block + 2);
    store_scaled(to, less_zero, nibbles.low(quants), d);
    store_scaled(to + 16, less_zero, nibbles.high(quants), d);
  });
}

// f16 d; f16 m; quants.
void decode_q4_1(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Integral<> integral;
  const Nibbles nibbles;
  for_blocks(ElementType::kQ41, out, bytes, blocks, [&](float* to, const std::uint8_t* block) {
    const Floats d(half_at(block));
    const Floats m(half_at(block + 2));
    const Bytes quants = load_quants(block + 4);
    store_scaled(to, integral, nibbles.low(quants), d, m);
    store_scaled(to + 16, integral, nibbles.high(quants), d, m);
  });
}

// f16 d; 32 fifth bits; quants.
void decode_q5_0(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Integral<16> less_zero;
  const FiveBits five;
  for_blocks(ElementType::kQ50, out, bytes, blocks, [&](float* to, const std::uint8_t* block) {
    const Floats d(half_at(block));
    const FiveBits::Halves quants = five.at(block + 2);
    store_scaled(to, less_zero, quants.first, d);
    store_scaled(to + 16, less_zero, quants.second, d);
  });
}

// f16 d; f16 m; 32 fifth bits; quants.
void decode_q5_1(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Integral<> integral;
  const FiveBits five;
  for_blocks(ElementType::kQ51, out, bytes, blocks, [&](float* to, const std::uint8_t* block) {
    const Floats d(half_at(block));
    const Floats m(half_at(block + 2));
    const FiveBits::Halves quants = five.at(block + 4);
    store_scaled(to, integral, quants.first, d, m);
    store_scaled(to + 16, integral, quants.second, d, m);
  });
}

}  // namespace tied
