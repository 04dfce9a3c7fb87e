#include "checkpoint/decode_codebooks.h"

#include <bit>

#include "checkpoint/decode_floats.h"
#include "checkpoint/element_type.h"
#include "checkpoint/quants.h"

namespace tied {
namespace {

using simd::Bytes;
using simd::Floats;
using simd::Halves;

// The numbers of IQ4_NL and IQ4_XS with 128 added, constants of the format.
constexpr std::uint8_t kUneven[16] = {1, 24, 45, 63, 79, 93, 106, 118, 129, 141, 153, 166, 181, 197, 217, 241};

// Numbers of a table, less kZero.
template <int kZero>
class Codebook {
 public:
  TIED_INLINE explicit Codebook(const std::uint8_t (&table)[16]) : table_(simd::constant(table)) {}

  TIED_INLINE Bytes low(const Bytes& places) const { return simd::entries_at(table_, nibbles_.low(places)); }
  TIED_INLINE Bytes high(const Bytes& places) const { return simd::entries_at(table_, nibbles_.high(places)); }
  TIED_INLINE void store(float* out, const Bytes& numbers, const Floats& scale) const {
    store_scaled(out, less_zero_, numbers, scale);
  }
  // 32 elements: 16 in low nibbles, then 16 in high ones.
  TIED_INLINE void store_both(float* out, const Bytes& places, const Floats& scale) const {
    store(out, low(places), scale);
    store(out + 16, high(places), scale);
  }

 private:
  Bytes table_;
  Nibbles nibbles_;
  simd::Integral<kZero> less_zero_;
};

// 2^(e - 128), half of what E8M0 stands for; the two least are subnormal.
inline float half_of_e8m0(std::uint32_t e) {
  return std::bit_cast<float>(e < 2 ? std::uint32_t{0x200000} << e : (e - 1) << 23);
}

// Half of a number of E4M3 without its sign bit; the pattern of NaN is 0.
inline float half_of_ue4m3(std::uint32_t bits) {
  if ((bits & 0x78) == 0) return static_cast<float>(bits & 7) * 0x1p-10F;
  if (bits == 0x7F) return 0;
  return std::bit_cast<float>(((bits & 0x7F) << 20) + (119U << 23));
}

// Scales of IQ4_XS: four bits in each nibble, two more in 16 bits.
class SixBits {
 public:
  // out [8] = d * scale, of the six bytes from `at` on.
  TIED_INLINE void store(float* out, const std::uint8_t* at, const Floats& d) const {
    const Bytes four = repeated_bytes<std::uint32_t>(at + 2);
    const Halves lower = xsimd::bitwise_cast<std::uint16_t>(
        xsimd::zip_lo(xsimd::zip_lo(nibbles_.low(four), nibbles_.high(four)), Bytes(std::uint8_t{0})));
    const Halves upper = (repeated<std::uint16_t>(at) * factors_) >> 14;
    const Halves scales = lower | upper << 4;
    simd::store(out, d * less_zero_.low(scales));
    simd::store(out + 4, d * less_zero_.high(scales));
  }

 private:
  // Each moves another pair of bits to the upper end.
  static constexpr std::uint16_t kFactors[8] = {1 << 14, 1 << 12, 1 << 10, 1 << 8, 1 << 6, 1 << 4, 1 << 2, 1};

  Nibbles nibbles_;
  Halves factors_ = Halves::load_unaligned(simd::hidden(kFactors));
  simd::Integral<32> less_zero_;
};

}  // namespace

// f16 d; 16 bytes of places.
void decode_iq4_nl(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Codebook<128> uneven(kUneven);
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::uint8_t* block = bytes + i * block_of(ElementType::kIQ4NL).bytes;
    uneven.store_both(out + 32 * i, load_quants(block + 2), Floats(half_at(block)));
  }
}

// f16 d; 16 bits with the upper two of each of eight scales; four bytes with their lower four; 128 bytes of places.
void decode_iq4_xs(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Codebook<128> uneven(kUneven);
  const SixBits six;
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::uint8_t* block = bytes + i * block_of(ElementType::kIQ4XS).bytes;
    float scales[8];
    six.store(scales, block + 2, Floats(half_at(block)));
    for (std::size_t group = 0; group < 8; ++group) {
      uneven.store_both(out + 256 * i + 32 * group, load_quants(block + 8 + 16 * group), Floats(scales[group]));
    }
  }
}

// An exponent of E8M0; 16 bytes of places.
void decode_mxfp4(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Codebook<kZeroOfE2m1> numbers(kTwiceE2m1);
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::uint8_t* block = bytes + i * block_of(ElementType::kMXFP4).bytes;
    numbers.store_both(out + 32 * i, load_quants(block + 1), Floats(half_of_e8m0(block[0])));
  }
}

// Four scales of E4M3; for each, eight bytes of places: eight elements in low nibbles, then eight in high ones.
void decode_nvfp4(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const Codebook<kZeroOfE2m1> numbers(kTwiceE2m1);
  const auto eights = [](const Bytes& entries) { return xsimd::bitwise_cast<std::uint64_t>(entries); };
  for (std::size_t i = 0; i < 2 * blocks; ++i) {
    const std::uint8_t* block = bytes + i / 2 * block_of(ElementType::kNVFP4).bytes;
    const std::uint8_t* scales = block + 2 * (i % 2);
    const Bytes places = load_quants(block + 4 + 16 * (i % 2));
    const auto low = eights(numbers.low(places));
    const auto high = eights(numbers.high(places));
    float* to = out + 32 * i;
    numbers.store(to, xsimd::bitwise_cast<std::uint8_t>(xsimd::zip_lo(low, high)), Floats(half_of_ue4m3(scales[0])));
    numbers.store(to + 16, xsimd::bitwise_cast<std::uint8_t>(xsimd::zip_hi(low, high)),
                  Floats(half_of_ue4m3(scales[1])));
  }
}

}  // namespace tied
