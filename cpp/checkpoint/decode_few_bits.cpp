#include "checkpoint/decode_few_bits.h"

#include "checkpoint/decode_floats.h"
#include "checkpoint/element_type.h"
#include "checkpoint/quants.h"

namespace tied {
namespace {

using simd::Bytes;

template <class Decode>
void for_few_bits(ElementType type, float* out, const std::uint8_t* bytes, std::size_t blocks, Decode decode) {
  const ElementBlock block = block_of(type);
  for (std::size_t i = 0; i < blocks; ++i) decode(out + i * block.elements, bytes + i * block.bytes);
}

// Bits 2 pair and 2 pair + 1 of each byte.
TIED_INLINE inline Bytes pair_of_bits(const Bytes& bytes, int pair) { return moved_down(bytes, 2 * pair) & Bytes(3); }

// -1, 0 or 1 by the upper third, in units of 256 / 3, to which each byte belongs.
TIED_INLINE inline Bytes leading_trit(const Bytes& bytes) {
  const auto from = [&](std::uint8_t first) { return Bytes((xsimd::max(bytes, Bytes(first)) == bytes).data); };
  return Bytes(0xFF) - from(86) - from(171);
}
// The next trit of each byte becomes the leading one.
TIED_INLINE inline Bytes next_trit(const Bytes& bytes) { return bytes + bytes + bytes; }

// Scale j of 16: four bits in the first eight bytes, low nibbles before high ones, and two in the last four, in the
// order of the pairs in their bytes.
TIED_INLINE inline int scale_of_q3(const std::uint8_t* s, int j) {
  const int low = j < 8 ? s[j] & 15 : s[j - 8] >> 4;
  return (low | (s[8 + j % 4] >> (2 * (j / 4)) & 3) << 4) - 32;
}

}  // namespace

// 16 bytes with a scale and a minimum of four bits, 64 bytes of quants, f16 d, f16 dmin. Each 32 bytes of quants hold
// 128 elements, 32 in every pair of bits; each 16 elements have a scale.
void decode_q2_k(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  for_few_bits(ElementType::kQ2K, out, bytes, blocks, [](float* to, const std::uint8_t* block) {
    const std::uint8_t* scales = block;
    const float d = half_at(block + 80);
    const float dmin = half_at(block + 82);
    for (const std::uint8_t* quants = block + 16; quants < block + 80; quants += 32) {
      const Bytes halves[2] = {load_quants(quants), load_quants(quants + 16)};
      for (int pair = 0; pair < 4; ++pair) {
        for (const Bytes& half : halves) {
          const float offset = -(dmin * static_cast<float>(*scales >> 4));
          store_scaled(to, pair_of_bits(half, pair), d * static_cast<float>(*scales & 15), offset);
          ++scales;
          to += 16;
        }
      }
    }
  });
}

// 32 bytes of third bits, 64 bytes of quants in the order of q2_k, 12 bytes with 16 scales of six bits, f16 d. Bit k of
// third byte l belongs to element 32 k + l.
void decode_q3_k(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  for_few_bits(ElementType::kQ3K, out, bytes, blocks, [](float* to, const std::uint8_t* block) {
    const float d = half_at(block + 108);
    const std::uint8_t* quants = block + 32;
    for (int k = 0; k < 8; ++k, to += 32) {
      for (int half = 0; half < 2; ++half) {
        const Bytes third = load_quants(block + 16 * half);
        const Bytes fours = (k < 2 ? moved_up(third, 2 - k) : moved_down(third, k - 2)) & Bytes(4);
        const Bytes low = pair_of_bits(load_quants(quants + 32 * (k / 4) + 16 * half), k % 4);
        const auto scale = static_cast<float>(scale_of_q3(block + 96, 2 * k + half));
        store_scaled(to + 16 * half, (low | fours) - Bytes(4), d * scale);
      }
    }
  });
}

// 52 bytes with five trits each, of which the last four have one less, f16 d. The elements are the leading trits of the
// first 32 bytes, then their next ones; likewise of 16 bytes, and of four.
void decode_tq1_0(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  for_few_bits(ElementType::kTQ10, out, bytes, blocks, [](float* to, const std::uint8_t* block) {
    const float d = half_at(block + 52);
    Bytes left = load_quants(block);
    Bytes right = load_quants(block + 16);
    Bytes rest = load_quants(block + 32);
    for (int trit = 0; trit < 5; ++trit) {
      store_scaled(to + 32 * trit, leading_trit(left), d);
      store_scaled(to + 32 * trit + 16, leading_trit(right), d);
      store_scaled(to + 160 + 16 * trit, leading_trit(rest), d);
      left = next_trit(left);
      right = next_trit(right);
      rest = next_trit(rest);
    }
    std::uint8_t last[16];
    for (int i = 0; i < 16; ++i) last[i] = i < 4 ? block[48 + i] : static_cast<std::uint8_t>(3 * last[i - 4]);
    store_scaled(to + 240, leading_trit(load_quants(last)), d);
  });
}

// 64 bytes of quants, f16 d: each 32 bytes hold 128 elements, 32 in every pair of bits.
void decode_tq2_0(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  for_few_bits(ElementType::kTQ20, out, bytes, blocks, [](float* to, const std::uint8_t* block) {
    const float d = half_at(block + 64);
    for (const std::uint8_t* quants = block; quants < block + 64; quants += 32) {
      const Bytes halves[2] = {load_quants(quants), load_quants(quants + 16)};
      for (int pair = 0; pair < 4; ++pair) {
        for (const Bytes& half : halves) {
          store_scaled(to, pair_of_bits(half, pair) - Bytes(1), d);
          to += 16;
        }
      }
    }
  });
}

// f16 d; 16 bytes of bits, the lowest first: d where a bit is set, else -d.
void decode_q1_0(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  for_few_bits(ElementType::kQ10, out, bytes, blocks, [](float* to, const std::uint8_t* block) {
    const float d = half_at(block);
    for (int i = 0; i < 16; i += 2) {
      store_scaled(to + 8 * i, (bits_in_bytes(block + 2 + i) & Bytes(2)) - Bytes(1), d);
    }
  });
}

// f16 d; 16 bytes with four quants each, the lowest bits first.
void decode_q2_0(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  for_few_bits(ElementType::kQ20, out, bytes, blocks, [](float* to, const std::uint8_t* block) {
    using Pairs = simd::Batch<std::uint16_t>;
    const float d = half_at(block);
    const Bytes quants = load_quants(block + 2);
    const auto paired = [](const Bytes& a) { return xsimd::bitwise_cast<std::uint16_t>(a); };
    const auto store = [&](float* part, const Pairs& four) {
      store_scaled(part, xsimd::bitwise_cast<std::uint8_t>(four) - Bytes(1), d);
    };
    const Bytes first = pair_of_bits(quants, 0);
    const Bytes second = pair_of_bits(quants, 1);
    const Bytes third = pair_of_bits(quants, 2);
    const Bytes fourth = pair_of_bits(quants, 3);
    const Pairs begin[2] = {paired(xsimd::zip_lo(first, second)), paired(xsimd::zip_hi(first, second))};
    const Pairs end[2] = {paired(xsimd::zip_lo(third, fourth)), paired(xsimd::zip_hi(third, fourth))};
    for (int half = 0; half < 2; ++half) {
      store(to + 32 * half, xsimd::zip_lo(begin[half], end[half]));
      store(to + 32 * half + 16, xsimd::zip_hi(begin[half], end[half]));
    }
  });
}

}  // namespace tied
