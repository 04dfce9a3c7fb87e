#include "checkpoint/decode_blocks.h"

#include "checkpoint/decode_floats.h"
#include "checkpoint/element_type.h"
#include "checkpoint/quants.h"

namespace tied {
namespace {

using simd::Bytes;
constexpr std::size_t kElements = 32;

template <class Decode>
void for_blocks(ElementType type, float* out, const std::uint8_t* bytes, std::size_t blocks, Decode decode) {
  const std::size_t size = block_of(type).bytes;
  for (std::size_t i = 0; i < blocks; ++i) decode(out + i * kElements, bytes + i * size);
}

// 16 in each byte whose bit of the 16 bits is set, otherwise 0.
TIED_INLINE inline Bytes fifth_bits(const std::uint8_t* bits) { return bits_in_bytes(bits) & Bytes(16); }

}  // namespace

// f16 d; 32 signed bytes.
void decode_q8_0(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  for_blocks(ElementType::kQ80, out, bytes, blocks, [](float* to, const std::uint8_t* block) {
    const float d = half_at(block);
    store_scaled(to, load_quants(block + 2), d);
    store_scaled(to + 16, load_quants(block + 18), d);
  });
}

// f16 d; 16 bytes of quants, the first half of the block in their low nibbles.
void decode_q4_0(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  for_blocks(ElementType::kQ40, out, bytes, blocks, [](float* to, const std::uint8_t* block) {
    const float d = half_at(block);
    const Bytes quants = load_quants(block + 2);
    store_scaled(to, low_nibbles(quants) - Bytes(8), d);
    store_scaled(to + 16, high_nibbles(quants) - Bytes(8), d);
  });
}

// f16 d; f16 m; quants.
void decode_q4_1(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  for_blocks(ElementType::kQ41, out, bytes, blocks, [](float* to, const std::uint8_t* block) {
    const float d = half_at(block);
    const float m = half_at(block + 2);
    const Bytes quants = load_quants(block + 4);
    store_scaled(to, low_nibbles(quants), d, m);
    store_scaled(to + 16, high_nibbles(quants), d, m);
  });
}

// f16 d; 32 fifth bits; quants.
void decode_q5_0(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  for_blocks(ElementType::kQ50, out, bytes, blocks, [](float* to, const std::uint8_t* block) {
    const float d = half_at(block);
    const Bytes quants = load_quants(block + 6);
    store_scaled(to, (low_nibbles(quants) | fifth_bits(block + 2)) - Bytes(16), d);
    store_scaled(to + 16, (high_nibbles(quants) | fifth_bits(block + 4)) - Bytes(16), d);
  });
}

// f16 d; f16 m; 32 fifth bits; quants.
void decode_q5_1(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  for_blocks(ElementType::kQ51, out, bytes, blocks, [](float* to, const std::uint8_t* block) {
    const float d = half_at(block);
    const float m = half_at(block + 2);
    const Bytes quants = load_quants(block + 8);
    store_scaled(to, low_nibbles(quants) | fifth_bits(block + 4), d, m);
    store_scaled(to + 16, high_nibbles(quants) | fifth_bits(block + 6), d, m);
  });
}

}  // namespace tied
