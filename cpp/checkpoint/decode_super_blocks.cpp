#include "checkpoint/decode_super_blocks.h"

#include "checkpoint/decode_floats.h"
#include "checkpoint/element_type.h"
#include "checkpoint/quants.h"

namespace tied {
namespace {

using simd::Bytes;

constexpr std::size_t kSuperElements = 256;

// The scale of a block and of its minima.
struct BlockScales {
  float d = 0;
  float dmin = 0;
};

// Scale and offset of a group of 32.
struct Group {
  float scale = 0;
  float offset = 0;
};

// Group j of 8. s: 12 bytes with 8 scales and 8 minima of six bits.
TIED_INLINE inline Group group_at(const BlockScales& scales, const std::uint8_t* s, int j) {
  const int scale = j < 4 ? s[j] & 63 : (s[j + 4] & 15) | (s[j - 4] >> 6) << 4;
  const int minimum = j < 4 ? s[j + 4] & 63 : (s[j + 4] >> 4) | (s[j] >> 6) << 4;
  return {scales.d * static_cast<float>(scale), -(scales.dmin * static_cast<float>(minimum))};
}

}  // namespace

// For each 64 elements, 32 bytes: low nibbles of one group, high nibbles of the next.
void decode_q4_k(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::uint8_t* block = bytes + i * block_of(ElementType::kQ4K).bytes;
    const std::uint8_t* quants = block + 16;
    const BlockScales scales{half_at(block), half_at(block + 2)};
    float* to = out + i * kSuperElements;
    for (int pair = 0; pair < 4; ++pair, quants += 32, to += 64) {
      const Group low = group_at(scales, block + 4, 2 * pair);
      const Group high = group_at(scales, block + 4, 2 * pair + 1);
      for (int half = 0; half < 32; half += 16) {
        const Bytes both = load_quants(quants + half);
        store_scaled(to + half, low_nibbles(both), low.scale, low.offset);
        store_scaled(to + 32 + half, high_nibbles(both), high.scale, high.offset);
      }
    }
  }
}

// The same with fifth bits: bit g of byte l belongs to element l of group g.
void decode_q5_k(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::uint8_t* block = bytes + i * block_of(ElementType::kQ5K).bytes;
    const BlockScales scales{half_at(block), half_at(block + 2)};
    const std::uint8_t* quants = block + 48;
    // The bits of the current pair of groups are the lowest two of each byte.
    Bytes fifth[2] = {load_quants(block + 16), load_quants(block + 32)};
    float* to = out + i * kSuperElements;
    for (int pair = 0; pair < 4; ++pair, quants += 32, to += 64) {
      const Group low = group_at(scales, block + 4, 2 * pair);
      const Group high = group_at(scales, block + 4, 2 * pair + 1);
      const auto store = [&](float* part, const Bytes& both, const Bytes& bits) {
        store_scaled(part, low_nibbles(both) | (moved_up(bits, 4) & Bytes(16)), low.scale, low.offset);
        store_scaled(part + 32, high_nibbles(both) | (moved_up(bits, 3) & Bytes(16)), high.scale, high.offset);
      };
      store(to, load_quants(quants), fifth[0]);
      store(to + 16, load_quants(quants + 16), fifth[1]);
      fifth[0] = moved_down(fifth[0], 2);
      fifth[1] = moved_down(fifth[1], 2);
    }
  }
}

// 128 bytes of low nibbles, 64 bytes of upper two bits, 16 signed scales, f16 d. Elements l, l + 32, l + 64, l + 96 of
// each half share a byte of upper bits; each group of 16 has a scale.
void decode_q6_k(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::uint8_t* low = bytes + i * block_of(ElementType::kQ6K).bytes;
    const std::uint8_t* upper = low + 128;
    const std::uint8_t* scales = low + 192;
    const float d = half_at(low + 208);
    float* to = out + i * kSuperElements;
    for (int part = 0; part < 2; ++part, low += 64, upper += 32, scales += 8, to += 128) {
      for (int half = 0; half < 2; ++half) {
        const Bytes bits = load_quants(upper + 16 * half);
        const Bytes first = load_quants(low + 16 * half);
        const Bytes second = load_quants(low + 32 + 16 * half);
        const auto store = [&](int quarter, const Bytes& nibbles, const Bytes& two) {
          const auto scale = static_cast<float>(static_cast<std::int8_t>(scales[half + 2 * quarter]));
          const Bytes quants = (nibbles | (two & Bytes(0x30))) - Bytes(32);
          store_scaled(to + 32 * quarter + 16 * half, quants, d * scale);
        };
        store(0, low_nibbles(first), moved_up(bits, 4));
        store(1, low_nibbles(second), moved_up(bits, 2));
        store(2, high_nibbles(first), bits);
        store(3, high_nibbles(second), moved_down(bits, 2));
      }
    }
  }
}

}  // namespace tied
