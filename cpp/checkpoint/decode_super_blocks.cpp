#include "checkpoint/decode_super_blocks.h"

#include "checkpoint/decode_floats.h"
#include "checkpoint/element_type.h"
#include "checkpoint/quants.h"

namespace tied {
namespace {

using simd::Bytes;
using simd::Floats;
using simd::Integral;

constexpr std::size_t kSuperElements = 256;

// Scales and offsets of the eight groups of 32.
struct GroupScales {
  float scales[8];
  float offsets[8];
};

// f16 d, f16 dmin, and 12 bytes with eight scales and eight minima of six bits: lower six bits of the first four of
// each, then four bits of the others, whose upper two are above those six.
TIED_INLINE inline void store_groups(GroupScales& to, const Integral<>& integral, const std::uint8_t* block) {
  std::uint32_t words[3];
  std::memcpy(words, block + 4, sizeof words);
  constexpr std::uint32_t kSix = 0x3F3F3F3F;
  constexpr std::uint32_t kFour = 0x0F0F0F0F;
  constexpr std::uint32_t kTwo = 0x30303030;
  const simd::Words all(words[0] & kSix, (words[2] & kFour) | (words[0] >> 2 & kTwo), words[1] & kSix,
                        (words[2] >> 4 & kFour) | (words[1] >> 2 & kTwo));
  const simd::Quarters numbers = integral.floats(xsimd::bitwise_cast<std::uint8_t>(all));
  const Floats d(half_at(block));
  const Floats dmin(-half_at(block + 2));
  simd::store(to.scales, d * numbers.first);
  simd::store(to.scales + 4, d * numbers.second);
  simd::store(to.offsets, dmin * numbers.third);
  simd::store(to.offsets + 4, dmin * numbers.fourth);
}

// Calls store(pair of groups, whether the second half of each, 16 bytes) for 128 bytes of nibbles: for each pair, 32
// bytes with low nibbles of one group and high nibbles of the next.
template <class Store>
TIED_INLINE inline void for_nibbles(const std::uint8_t* quants, const Store& store_both) {
  for (std::size_t pair = 0; pair < 4; ++pair, quants += 32) {
    store_both(pair, 0, load_quants(quants));
    store_both(pair, 1, load_quants(quants + 16));
  }
}

}  // namespace

void decode_q4_k(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Integral<> integral;
  const Nibbles nibbles;
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::uint8_t* block = bytes + i * block_of(ElementType::kQ4K).bytes;
    float* to = out + i * kSuperElements;
    GroupScales of;
    store_groups(of, integral, block);
    for_nibbles(block + 16, [&](std::size_t pair, std::size_t half, const Bytes& both) {
      float* part = to + 64 * pair + 16 * half;
      const std::size_t group = 2 * pair;
      store_scaled(part, integral, nibbles.low(both), Floats(of.scales[group]), Floats(of.offsets[group]));
      store_scaled(part + 32, integral, nibbles.high(both), Floats(of.scales[group + 1]),
                   Floats(of.offsets[group + 1]));
    });
  }
}

// The same with fifth bits: bit g of byte l belongs to element l of group g.
void decode_q5_k(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Integral<> integral;
  const Nibbles nibbles;
  const Bytes sixteen = simd::constant<std::uint8_t{16}>();
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::uint8_t* block = bytes + i * block_of(ElementType::kQ5K).bytes;
    float* to = out + i * kSuperElements;
    GroupScales of;
    store_groups(of, integral, block);
    // The bits of the current pair of groups are the lowest two of each byte.
    Bytes first = load_quants(block + 16);
    Bytes second = load_quants(block + 32);
    for_nibbles(block + 48, [&](std::size_t pair, std::size_t half, const Bytes& both) {
      Bytes& bits = half == 0 ? first : second;
      float* part = to + 64 * pair + 16 * half;
      const std::size_t group = 2 * pair;
      store_scaled(part, integral, nibbles.low(both) | (simd::moved_up(bits, 4) & sixteen), Floats(of.scales[group]),
                   Floats(of.offsets[group]));
      store_scaled(part + 32, integral, nibbles.high(both) | (simd::moved_up(bits, 3) & sixteen),
                   Floats(of.scales[group + 1]), Floats(of.offsets[group + 1]));
      bits = simd::moved_down(bits, 2);
    });
  }
}

// 128 bytes of low nibbles, 64 bytes of upper two bits, 16 signed scales, f16 d. Elements l, l + 32, l + 64, l + 96 of
// each half share a byte of upper bits; each group of 16 has a scale.
void decode_q6_k(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Integral<128> scale_less_zero;
  const Integral<32> less_zero;
  const Nibbles nibbles;
  const Bytes sign = simd::constant<std::uint8_t{128}>();
  const Bytes upper_bits = simd::constant<std::uint8_t{0x30}>();
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::uint8_t* block = bytes + i * block_of(ElementType::kQ6K).bytes;
    float scales[16];
    store_scaled(scales, scale_less_zero, load_quants(block + 192) ^ sign, Floats(half_at(block + 208)));
    for (std::size_t k = 0; k < 4; ++k) {
      const std::size_t part = k / 2;
      const std::size_t half = k % 2;
      const std::uint8_t* low = block + 64 * part + 16 * half;
      const Bytes bits = load_quants(block + 128 + 16 * k);
      const Bytes first = load_quants(low);
      const Bytes second = load_quants(low + 32);
      float* to = out + i * kSuperElements + 128 * part + 16 * half;
      const float* of = scales + 8 * part + half;
      const auto store_quarter = [&](std::size_t quarter, const Bytes& four, const Bytes& two) {
        store_scaled(to + 32 * quarter, less_zero, four | (two & upper_bits), Floats(of[2 * quarter]));
      };
      store_quarter(0, nibbles.low(first), simd::moved_up(bits, 4));
      store_quarter(1, nibbles.low(second), simd::moved_up(bits, 2));
      store_quarter(2, nibbles.high(first), bits);
      store_quarter(3, nibbles.high(second), simd::moved_down(bits, 2));
    }
  }
}

}  // namespace tied
