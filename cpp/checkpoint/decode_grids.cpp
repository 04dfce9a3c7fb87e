#include "checkpoint/decode_grids.h"

#include <cstring>

#include "checkpoint/decode_floats.h"
#include "checkpoint/element_type.h"
#include "checkpoint/quants.h"

namespace tied {
namespace {

#include "checkpoint/grid_points.inc"

using simd::Bytes;
using simd::Floats;
using simd::Halves;
using simd::Integral;
using simd::Words;
constexpr std::size_t kGridElements = 256;

// The points of a grid in ascending order, their coordinates in the bytes of a word, the first one in the lowest.
template <class Word, std::size_t kPoints>
struct Grid {
  Word points[kPoints] = {};

  // `members`: bit n is whether there is a point whose coordinates are levels[d] for the digits d of n, the lowest
  // first.
  template <std::size_t kLevels>
  Grid(const std::uint8_t* members, const std::int8_t (&levels)[kLevels]) {
    std::size_t found = 0;
    for (std::uint32_t number = 0; found < kPoints; ++number) {
      if ((members[number / 8] >> (number % 8) & 1) == 0) continue;
      Word point = 0;
      std::uint32_t rest = number;
      for (std::size_t at = 0; at < sizeof(Word); ++at, rest /= kLevels) {
        point |= static_cast<Word>(static_cast<std::uint8_t>(levels[rest % kLevels])) << (8 * at);
      }
      points[found++] = point;
    }
  }
};

constexpr std::int8_t kLevelsOf2[] = {8, 25, 43};
constexpr std::int8_t kLevelsOf3Xxs[] = {4, 12, 20, 28, 36, 44, 52, 62};
constexpr std::int8_t kLevelsOf3S[] = {1, 3, 5, 7, 9, 11, 13, 15};
// Eight times -1, 0 and 1, to which an eighth is added or from which it is taken.
constexpr std::int8_t kLevelsOf1[] = {-8, 0, 8};

const Grid<std::uint64_t, 2048>& grid_of_1() {
  static const Grid<std::uint64_t, 2048> grid(kIq1SMembers, kLevelsOf1);
  return grid;
}

template <class Decode>
TIED_INLINE inline void for_grid_blocks(ElementType type, float* out, const std::uint8_t* bytes, std::size_t blocks,
                                        const Decode& decode) {
  const std::size_t size = block_of(type).bytes;
  for (std::size_t i = 0; i < blocks; ++i) decode(out + i * kGridElements, bytes + i * size);
}

TIED_INLINE inline Bytes two_points(std::uint64_t first, std::uint64_t second) {
  return xsimd::bitwise_cast<std::uint8_t>(simd::Batch<std::uint64_t>(first, second));
}
TIED_INLINE inline Bytes four_points(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  return xsimd::bitwise_cast<std::uint8_t>(Words(a, b, c, d));
}

// Points whose coordinates get signs, from bytes 0 and kSecond.
template <std::uint8_t kSecond>
class SignedPoints {
 public:
  // out [16] = scale * points, negative where a bit of `signs` is set.
  TIED_INLINE void store(float* out, const Bytes& points, const Bytes& signs, float scale) const {
    const Bytes negative = spread_(signs);
    // 128 is added.
    store_scaled(out, less_zero_, (points ^ negative) - (negative ^ sign_), Floats(scale));
  }

 private:
  SpreadBits<kSecond> spread_;
  Bytes sign_ = simd::constant<std::uint8_t{128}>();
  Integral<128> less_zero_;
};

// Seven signs in each byte, and an eighth that makes their number even.
class EightSigns {
 public:
  TIED_INLINE Bytes of(const Bytes& seven) const {
    return seven |
           (simd::entries_at(parities_, nibbles_.low(seven)) ^ simd::entries_at(parities_, nibbles_.high(seven)));
  }

 private:
  static constexpr std::uint8_t kParities[16] = {0, 128, 128, 0, 128, 0, 0, 128, 128, 0, 0, 128, 0, 128, 128, 0};

  Bytes parities_ = simd::constant(kParities);
  Nibbles nibbles_;
};

// Words of four times seven signs and four bits of scale, of two times 128 elements.
class SignsAndScales {
 public:
  // signs [16], and scales [4] = factor * (d * (1/2 + number)).
  TIED_INLINE void store(std::uint8_t* signs, float* scales, const Words& words, const Floats& d,
                         const Floats& factor) const {
    const Words seven = (words & Words(0x7F)) | (words << 1 & Words(0x7F00)) | (words << 2 & Words(0x7F0000)) |
                        (words << 3 & Words(0x7F000000));
    eight_.of(xsimd::bitwise_cast<std::uint8_t>(seven)).store_unaligned(signs);
    const Floats numbers = xsimd::to_float(xsimd::bitwise_cast<std::int32_t>(words >> 28));
    simd::store(scales, d * (half_ + numbers) * factor);
  }

 private:
  EightSigns eight_;
  Floats half_ = simd::constant<0.5F>();
};

// scales [16] = d * (1/2 + number) / 4, for numbers of four bits in eight bytes.
TIED_INLINE inline void store_scales_of_2(float* scales, const std::uint8_t* at, const Nibbles& nibbles,
                                          const Integral<>& integral, float d) {
  const Bytes eight = repeated_bytes<std::uint64_t>(at);
  const simd::Quarters q = integral.floats(xsimd::zip_lo(nibbles.low(eight), nibbles.high(eight)));
  const Floats half(0.5F);
  const Floats quarter(0.25F);
  const Floats all(d);
  store(scales, {all * (half + q.first) * quarter, all * (half + q.second) * quarter, all * (half + q.third) * quarter,
                 all * (half + q.fourth) * quarter});
}

inline std::uint32_t two_bytes_at(const std::uint8_t* at) { return at[0] | static_cast<std::uint32_t>(at[1]) << 8; }
inline std::uint32_t word_at(const std::uint8_t* at) {
  std::uint32_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

}  // namespace

// f16 d; for each 32 elements four places and a word: four times seven signs, and four bits of scale.
void decode_iq2_xxs(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  static const Grid<std::uint64_t, 256> grid(kIq2XxsMembers, kLevelsOf2);
  const SignedPoints<1> points;
  const SignsAndScales numbers;
  const Floats quarter = simd::constant<0.25F>();
  for_grid_blocks(ElementType::kIQ2XXS, out, bytes, blocks, [&](float* to, const std::uint8_t* block) {
    const Floats d(half_at(block));
    std::uint8_t signs[32];
    float scales[8];
    for (std::size_t k = 0; k < 2; ++k) {
      const std::uint8_t* at = block + 6 + 32 * k;
      const Words words(word_at(at), word_at(at + 8), word_at(at + 16), word_at(at + 24));
      numbers.store(signs + 16 * k, scales + 4 * k, words, d, quarter);
    }
    for (std::size_t i = 0; i < 16; ++i) {
      const std::uint8_t* places = block + 2 + 8 * (i / 2) + 2 * (i % 2);
      points.store(to + 16 * i, two_points(grid.points[places[0]], grid.points[places[1]]),
                   repeated_bytes<std::uint16_t>(signs + 2 * i), scales[i / 2]);
    }
  });
}

// f16 d; 32 times nine bits of place and seven signs; four bits of scale for each 16 elements.
void decode_iq2_xs(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  static const Grid<std::uint64_t, 512> grid(kIq2XsMembers, kLevelsOf2);
  const SignedPoints<2> points;
  const EightSigns eight;
  const Nibbles nibbles;
  const Integral<> integral;
  for_grid_blocks(ElementType::kIQ2XS, out, bytes, blocks, [&](float* to, const std::uint8_t* block) {
    float scales[16];
    store_scales_of_2(scales, block + 66, nibbles, integral, half_at(block));
    std::uint8_t signs[64];
    for (std::size_t k = 0; k < 64; k += 16) {
      const Halves seven = xsimd::bitwise_cast<std::uint16_t>(load_quants(block + 2 + k)) >> 9;
      eight.of(xsimd::bitwise_cast<std::uint8_t>(seven)).store_unaligned(signs + k);
    }
    for (std::size_t i = 0; i < 16; ++i) {
      const std::uint64_t first = grid.points[two_bytes_at(block + 2 + 4 * i) & 511];
      const std::uint64_t second = grid.points[two_bytes_at(block + 4 + 4 * i) & 511];
      points.store(to + 16 * i, two_points(first, second), repeated_bytes<std::uint32_t>(signs + 4 * i), scales[i]);
    }
  });
}

// f16 d; the lower eight bits of 32 places; 256 signs; the upper two bits of four places in a byte; scales as above.
void decode_iq2_s(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  static const Grid<std::uint64_t, 1024> grid(kIq2SMembers, kLevelsOf2);
  const SignedPoints<1> points;
  const Nibbles nibbles;
  const Integral<> integral;
  for_grid_blocks(ElementType::kIQ2S, out, bytes, blocks, [&](float* to, const std::uint8_t* block) {
    float scales[16];
    store_scales_of_2(scales, block + 74, nibbles, integral, half_at(block));
    const auto store_two = [&](std::size_t i, std::uint32_t upper) {
      const std::uint8_t* lower = block + 2 + 2 * i;
      const std::uint64_t first = grid.points[lower[0] | (upper << 8 & 0x300)];
      const std::uint64_t second = grid.points[lower[1] | (upper << 6 & 0x300)];
      points.store(to + 16 * i, two_points(first, second), repeated_bytes<std::uint16_t>(lower + 32), scales[i]);
    };
    for (std::size_t i = 0; i < 8; ++i) {
      const std::uint32_t upper = block[66 + i];
      store_two(2 * i, upper);
      store_two(2 * i + 1, upper >> 4);
    }
  });
}

// f16 d; 64 places; for each 32 elements a word as of IQ2_XXS.
void decode_iq3_xxs(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  static const Grid<std::uint32_t, 256> grid(kIq3XxsMembers, kLevelsOf3Xxs);
  const SignedPoints<1> points;
  const SignsAndScales numbers;
  const Floats half = simd::constant<0.5F>();
  for_grid_blocks(ElementType::kIQ3XXS, out, bytes, blocks, [&](float* to, const std::uint8_t* block) {
    const Floats d(half_at(block));
    std::uint8_t signs[32];
    float scales[8];
    for (std::size_t k = 0; k < 2; ++k) {
      const Words words = xsimd::bitwise_cast<std::uint32_t>(load_quants(block + 66 + 16 * k));
      numbers.store(signs + 16 * k, scales + 4 * k, words, d, half);
    }
    for (std::size_t i = 0; i < 16; ++i) {
      const std::uint8_t* places = block + 2 + 4 * i;
      const auto point = [&](int k) { return grid.points[places[k]]; };
      points.store(to + 16 * i, four_points(point(0), point(1), point(2), point(3)),
                   repeated_bytes<std::uint16_t>(signs + 2 * i), scales[i / 2]);
    }
  });
}

// f16 d; the lower eight bits of 64 places; their upper bits; 256 signs; four bits of scale for each 32 elements.
void decode_iq3_s(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  static const Grid<std::uint32_t, 512> grid(kIq3SMembers, kLevelsOf3S);
  const SignedPoints<1> points;
  const Nibbles nibbles;
  const Integral<> integral;
  for_grid_blocks(ElementType::kIQ3S, out, bytes, blocks, [&](float* to, const std::uint8_t* block) {
    const Bytes four = repeated_bytes<std::uint32_t>(block + 106);
    const simd::Quarters q = integral.floats(xsimd::zip_lo(nibbles.low(four), nibbles.high(four)));
    const Floats d(half_at(block));
    const Floats one(1.0F);
    float scales[8];
    simd::store(scales, d * (q.first + q.first + one));
    simd::store(scales + 4, d * (q.second + q.second + one));
    const auto store_four = [&](std::size_t i, std::uint32_t upper) {
      const std::uint8_t* lower = block + 2 + 4 * i;
      const auto point = [&](int k) { return grid.points[lower[k] | (upper << (8 - k) & 256)]; };
      points.store(to + 16 * i, four_points(point(0), point(1), point(2), point(3)),
                   repeated_bytes<std::uint16_t>(block + 74 + 2 * i), scales[i / 2]);
    };
    for (std::size_t i = 0; i < 8; ++i) {
      const std::uint32_t upper = block[66 + i];
      store_four(2 * i, upper);
      store_four(2 * i + 1, upper >> 4);
    }
  });
}

// f16 d; the lower eight bits of 32 places; for each 32 elements the upper three bits of four places, three bits of
// scale, and whether an eighth is taken from all of them or added.
void decode_iq1_s(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const auto& grid = grid_of_1();
  const Integral<128> less_zero;
  for_grid_blocks(ElementType::kIQ1S, out, bytes, blocks, [&](float* to, const std::uint8_t* block) {
    const float d = half_at(block);
    for (std::size_t i = 0; i < 8; ++i, to += 32) {
      const std::uint32_t upper = two_bytes_at(block + 34 + 2 * i);
      const Floats scale(d * static_cast<float>(1 + 2 * (upper >> 12 & 7)) * 0.125F);
      const Bytes eighth(static_cast<std::uint8_t>((upper & 0x8000) != 0 ? 127 : 129));
      const auto point = [&](std::size_t k) { return grid.points[block[2 + 4 * i + k] | (upper >> (3 * k) & 7) << 8]; };
      store_scaled(to, less_zero, two_points(point(0), point(1)) + eighth, scale);
      store_scaled(to + 16, less_zero, two_points(point(2), point(3)) + eighth, scale);
    }
  });
}

// The lower eight bits of 32 places; for each two of them a byte with their upper three bits and, for each, whether an
// eighth is taken; four times 16 bits: four of an f16 d, and three bits of scale for each 16 elements.
void decode_iq1_m(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  // Where the 16 bits of each scale are, and the factor that moves its three bits to their upper end.
  static constexpr std::uint8_t kPlaces[16] = {0, 1, 0, 1, 0, 1, 0, 1, 2, 3, 2, 3, 2, 3, 2, 3};
  static constexpr std::uint16_t kFactors[8] = {1 << 13, 1 << 10, 1 << 7, 1 << 4, 1 << 13, 1 << 10, 1 << 7, 1 << 4};
  static constexpr std::uint8_t kTaken[16] = {8, 8, 8, 8, 8, 8, 8, 8, 128, 128, 128, 128, 128, 128, 128, 128};
  const auto& grid = grid_of_1();
  const Integral<128> less_zero;
  const Integral<> integral;
  const Bytes places = simd::constant(kPlaces);
  const Halves factors = Halves::load_unaligned(simd::hidden(kFactors));
  const Bytes taken = simd::constant(kTaken);
  const Bytes added = simd::constant<std::uint8_t{129}>();
  const Bytes two = simd::constant<std::uint8_t{2}>();
  for_grid_blocks(ElementType::kIQ1M, out, bytes, blocks, [&](float* to, const std::uint8_t* block) {
    const std::uint8_t* at = block + 48;
    const std::uint8_t half[2] = {static_cast<std::uint8_t>(at[1] >> 4 | (at[3] & 0xF0)),
                                  static_cast<std::uint8_t>(at[5] >> 4 | (at[7] & 0xF0))};
    const Floats d(half_at(half));
    float scales[16];
    for (std::size_t k = 0; k < 2; ++k) {
      const Bytes words = simd::entries_at(repeated_bytes<std::uint32_t>(at + 4 * k), places);
      const Halves three = xsimd::bitwise_cast<std::uint16_t>(words) * factors >> 13;
      const auto store_four = [&](float* four, const Floats& numbers) {
        simd::store(four, d * (numbers + numbers + Floats(1.0F)) * Floats(0.125F));
      };
      store_four(scales + 8 * k, integral.low(three));
      store_four(scales + 8 * k + 4, integral.high(three));
    }
    for (std::size_t i = 0; i < 16; ++i) {
      const std::uint32_t upper = block[32 + i];
      const std::uint64_t first = grid.points[block[2 * i] | (upper << 8 & 0x700)];
      const std::uint64_t second = grid.points[block[2 * i + 1] | (upper << 4 & 0x700)];
      const Bytes is_taken = simd::is_equal(repeated_bytes<std::uint8_t>(block + 32 + i) & taken, taken);
      store_scaled(to + 16 * i, less_zero, two_points(first, second) + (added - (simd::where(is_taken, two))),
                   Floats(scales[i]));
    }
  });
}

}  // namespace tied
