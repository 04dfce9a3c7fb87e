#include "checkpoint/decode_codebooks.h"

#include <bit>

#include "checkpoint/decode_floats.h"
#include "checkpoint/element_type.h"
#include "checkpoint/quants.h"

namespace tied {
namespace {

using simd::Bytes;

// The numbers of IQ4_NL and IQ4_XS, constants of the format.
alignas(16) constexpr std::int8_t kUneven[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                                 1,    13,   25,  38,  53,  69,  89,  113};

TIED_INLINE inline Bytes numbers_of(const std::int8_t (&table)[16]) {
  return Bytes::load_aligned(reinterpret_cast<const std::uint8_t*>(table));
}

// 32 elements: 16 in low nibbles, then 16 in high ones.
TIED_INLINE inline void store_places(float* out, const Bytes& table, const Bytes& places, float scale) {
  store_scaled(out, simd::entries_at(table, low_nibbles(places)), scale);
  store_scaled(out + 16, simd::entries_at(table, high_nibbles(places)), scale);
}

// 2^(e - 128), half of what E8M0 stands for; the two least are subnormal.
inline float half_of_e8m0(std::uint32_t e) {
  return std::bit_cast<float>(e < 2 ? std::uint32_t{0x200000} << e : (e - 1) << 23);
}

// Half of a number of E4M3 without its sign bit; the pattern of NaN is 0.
inline float half_of_ue4m3(std::uint32_t bits) {
  if (bits == 0x7F) return 0;
  const std::uint32_t exponent = bits >> 3 & 15;
  const std::uint32_t fraction = bits & 7;
  if (exponent == 0) return static_cast<float>(fraction) * 0x1p-10F;
  return std::bit_cast<float>((exponent + 119) << 23 | fraction << 20);
}

}  // namespace

// f16 d; 16 bytes of places.
void decode_iq4_nl(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Bytes table = numbers_of(kUneven);
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::uint8_t* block = bytes + i * block_of(ElementType::kIQ4NL).bytes;
    store_places(out + 32 * i, table, load_quants(block + 2), half_at(block));
  }
}

// f16 d; 16 bits with the upper two of each of eight scales; four bytes with their lower four; 128 bytes of places.
void decode_iq4_xs(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Bytes table = numbers_of(kUneven);
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::uint8_t* block = bytes + i * block_of(ElementType::kIQ4XS).bytes;
    const float d = half_at(block);
    const int upper = block[2] | block[3] << 8;
    for (int group = 0; group < 8; ++group) {
      const int lower = block[4 + group / 2] >> (4 * (group % 2)) & 15;
      const int scale = (lower | (upper >> (2 * group) & 3) << 4) - 32;
      store_places(out + 256 * i + 32 * static_cast<std::size_t>(group), table, load_quants(block + 8 + 16 * group),
                   d * static_cast<float>(scale));
    }
  }
}

// An exponent of E8M0; 16 bytes of places.
void decode_mxfp4(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Bytes table = numbers_of(kTwiceE2m1);
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::uint8_t* block = bytes + i * block_of(ElementType::kMXFP4).bytes;
    store_places(out + 32 * i, table, load_quants(block + 1), half_of_e8m0(block[0]));
  }
}

// Four scales of E4M3; for each, eight bytes of places: eight elements in low nibbles, then eight in high ones.
void decode_nvfp4(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Bytes table = numbers_of(kTwiceE2m1);
  const auto eights = [&](const Bytes& places) {
    return xsimd::bitwise_cast<std::uint64_t>(simd::entries_at(table, places));
  };
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::uint8_t* block = bytes + i * block_of(ElementType::kNVFP4).bytes;
    float* to = out + 64 * i;
    for (int pair = 0; pair < 2; ++pair, to += 32) {
      const Bytes places = load_quants(block + 4 + 16 * pair);
      const auto low = eights(low_nibbles(places));
      const auto high = eights(high_nibbles(places));
      store_scaled(to, xsimd::bitwise_cast<std::uint8_t>(xsimd::zip_lo(low, high)), half_of_ue4m3(block[2 * pair]));
      store_scaled(to + 16, xsimd::bitwise_cast<std::uint8_t>(xsimd::zip_hi(low, high)),
                   half_of_ue4m3(block[2 * pair + 1]));
    }
  }
}

}  // namespace tied
