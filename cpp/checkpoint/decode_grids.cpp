#include "checkpoint/decode_grids.h"

#include <bit>
#include <cstring>

#include "checkpoint/decode_floats.h"
#include "checkpoint/element_type.h"
#include "checkpoint/quants.h"

namespace tied {
namespace {

#include "checkpoint/grid_points.inc"

using simd::Bytes;
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
void for_grid_blocks(ElementType type, float* out, const std::uint8_t* bytes, std::size_t blocks, Decode decode) {
  const std::size_t size = block_of(type).bytes;
  for (std::size_t i = 0; i < blocks; ++i) decode(out + i * kGridElements, bytes + i * size);
}

TIED_INLINE inline Bytes two_points(std::uint64_t first, std::uint64_t second) {
  return xsimd::bitwise_cast<std::uint8_t>(simd::Batch<std::uint64_t>(first, second));
}
TIED_INLINE inline std::uint64_t both(std::uint32_t low, std::uint32_t high) {
  return low | static_cast<std::uint64_t>(high) << 32;
}

// out [16] = scale * points, negative where a bit of `signs` is set.
TIED_INLINE inline void store_signed(float* out, const Bytes& points, const std::uint8_t (&signs)[2], float scale) {
  const Bytes negative = bits_in_bytes(signs);
  store_scaled(out, (points ^ negative) - negative, scale);
}

inline std::uint32_t two_bytes_at(const std::uint8_t* at) { return at[0] | static_cast<std::uint32_t>(at[1]) << 8; }
inline std::uint32_t word_at(const std::uint8_t* at) {
  std::uint32_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}
// Seven signs, and an eighth that makes their number even.
inline std::uint8_t eight_signs(std::uint32_t seven) {
  return static_cast<std::uint8_t>(seven | (static_cast<std::uint32_t>(std::popcount(seven)) & 1U) << 7);
}
inline float halves(std::uint32_t number) { return 0.5F + static_cast<float>(number); }
inline float odd(std::uint32_t number) { return static_cast<float>(1 + 2 * number); }

}  // namespace

// f16 d; for each 32 elements four places and a word: four times seven signs, and four bits of scale.
void decode_iq2_xxs(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  static const Grid<std::uint64_t, 256> grid(kIq2XxsMembers, kLevelsOf2);
  for_grid_blocks(ElementType::kIQ2XXS, out, bytes, blocks, [](float* to, const std::uint8_t* block) {
    const float d = half_at(block);
    const std::uint8_t* group = block + 2;
    for (int i = 0; i < 8; ++i, group += 8, to += 32) {
      const std::uint32_t word = word_at(group + 4);
      const float scale = d * halves(word >> 28) * 0.25F;
      for (int k = 0; k < 4; k += 2) {
        const std::uint8_t signs[2] = {eight_signs(word >> (7 * k) & 127), eight_signs(word >> (7 * k + 7) & 127)};
        store_signed(to + 8 * k, two_points(grid.points[group[k]], grid.points[group[k + 1]]), signs, scale);
      }
    }
  });
}

// f16 d; 32 times nine bits of place and seven signs; four bits of scale for each 16 elements.
void decode_iq2_xs(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  static const Grid<std::uint64_t, 512> grid(kIq2XsMembers, kLevelsOf2);
  for_grid_blocks(ElementType::kIQ2XS, out, bytes, blocks, [](float* to, const std::uint8_t* block) {
    const float d = half_at(block);
    for (int i = 0; i < 16; ++i, to += 16) {
      const float scale = d * halves(block[66 + i / 2] >> (4 * (i % 2)) & 15U) * 0.25F;
      const std::uint32_t first = two_bytes_at(block + 2 + 4 * i);
      const std::uint32_t second = two_bytes_at(block + 4 + 4 * i);
      const std::uint8_t signs[2] = {eight_signs(first >> 9), eight_signs(second >> 9)};
      store_signed(to, two_points(grid.points[first & 511], grid.points[second & 511]), signs, scale);
    }
  });
}

// f16 d; the lower eight bits of 32 places; 256 signs; the upper two bits of four places in a byte; scales as above.
void decode_iq2_s(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  static const Grid<std::uint64_t, 1024> grid(kIq2SMembers, kLevelsOf2);
  for_grid_blocks(ElementType::kIQ2S, out, bytes, blocks, [](float* to, const std::uint8_t* block) {
    const float d = half_at(block);
    for (int i = 0; i < 16; ++i, to += 16) {
      const float scale = d * halves(block[74 + i / 2] >> (4 * (i % 2)) & 15U) * 0.25F;
      const std::uint32_t upper = static_cast<std::uint32_t>(block[66 + i / 2]) >> (4 * (i % 2));
      const std::uint8_t* lower = block + 2 + 2 * i;
      const std::uint32_t first = lower[0] | (upper & 3) << 8;
      const std::uint32_t second = lower[1] | (upper >> 2 & 3) << 8;
      const std::uint8_t signs[2] = {lower[32], lower[33]};
      store_signed(to, two_points(grid.points[first], grid.points[second]), signs, scale);
    }
  });
}

// f16 d; 64 places; for each 32 elements a word as of IQ2_XXS.
void decode_iq3_xxs(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  static const Grid<std::uint32_t, 256> grid(kIq3XxsMembers, kLevelsOf3Xxs);
  for_grid_blocks(ElementType::kIQ3XXS, out, bytes, blocks, [](float* to, const std::uint8_t* block) {
    const float d = half_at(block);
    const std::uint8_t* places = block + 2;
    for (int i = 0; i < 8; ++i) {
      const std::uint32_t word = word_at(block + 66 + 4 * i);
      const float scale = d * halves(word >> 28) * 0.5F;
      for (int k = 0; k < 4; k += 2, places += 4, to += 16) {
        const std::uint8_t signs[2] = {eight_signs(word >> (7 * k) & 127), eight_signs(word >> (7 * k + 7) & 127)};
        const Bytes points = two_points(both(grid.points[places[0]], grid.points[places[1]]),
                                        both(grid.points[places[2]], grid.points[places[3]]));
        store_signed(to, points, signs, scale);
      }
    }
  });
}

// f16 d; the lower eight bits of 64 places; their upper bits; 256 signs; four bits of scale for each 32 elements.
void decode_iq3_s(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  static const Grid<std::uint32_t, 512> grid(kIq3SMembers, kLevelsOf3S);
  for_grid_blocks(ElementType::kIQ3S, out, bytes, blocks, [](float* to, const std::uint8_t* block) {
    const float d = half_at(block);
    for (int i = 0; i < 16; ++i, to += 16) {
      const float scale = d * odd(block[106 + i / 4] >> (4 * (i / 2 % 2)) & 15U);
      const std::uint32_t upper = static_cast<std::uint32_t>(block[66 + i / 2]) >> (4 * (i % 2));
      const std::uint8_t* lower = block + 2 + 4 * i;
      const auto point = [&](int k) { return grid.points[lower[k] | (upper >> k & 1) << 8]; };
      const std::uint8_t signs[2] = {block[74 + 2 * i], block[75 + 2 * i]};
      store_signed(to, two_points(both(point(0), point(1)), both(point(2), point(3))), signs, scale);
    }
  });
}

// f16 d; the lower eight bits of 32 places; for each 32 elements the upper three bits of four places, three bits of
// scale, and whether an eighth is taken from all of them or added.
void decode_iq1_s(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const auto& grid = grid_of_1();
  for_grid_blocks(ElementType::kIQ1S, out, bytes, blocks, [&grid](float* to, const std::uint8_t* block) {
    const float d = half_at(block);
    for (int i = 0; i < 8; ++i, to += 32) {
      const std::uint32_t upper = two_bytes_at(block + 34 + 2 * i);
      const float scale = d * odd(upper >> 12 & 7) * 0.125F;
      const Bytes eighth(static_cast<std::uint8_t>((upper & 0x8000) != 0 ? -1 : 1));
      const auto point = [&](int k) { return grid.points[block[2 + 4 * i + k] | (upper >> (3 * k) & 7) << 8]; };
      store_scaled(to, two_points(point(0), point(1)) + eighth, scale);
      store_scaled(to + 16, two_points(point(2), point(3)) + eighth, scale);
    }
  });
}

// The lower eight bits of 32 places; for each two of them a byte with their upper three bits and, for each, whether an
// eighth is taken; four times 16 bits: four of an f16 d, and three bits of scale for each 16 elements.
void decode_iq1_m(float* out, const std::uint8_t* bytes, std::size_t blocks) {
  const auto& grid = grid_of_1();
  for_grid_blocks(ElementType::kIQ1M, out, bytes, blocks, [&grid](float* to, const std::uint8_t* block) {
    const std::uint8_t* scales = block + 48;
    const std::uint8_t half[2] = {static_cast<std::uint8_t>(scales[1] >> 4 | (scales[3] & 0xF0)),
                                  static_cast<std::uint8_t>(scales[5] >> 4 | (scales[7] & 0xF0))};
    const float d = half_at(half);
    for (int i = 0; i < 16; ++i, to += 16) {
      const std::uint32_t upper = block[32 + i];
      const float scale = d * odd(two_bytes_at(scales + 2 * (i / 4)) >> (3 * (i % 4)) & 7) * 0.125F;
      const std::uint64_t first = grid.points[block[2 * i] | (upper & 7) << 8];
      const std::uint64_t second = grid.points[block[2 * i + 1] | (upper >> 4 & 7) << 8];
      constexpr std::uint64_t kOnes = 0x0101010101010101;
      const auto eighths = [](bool is_taken) { return is_taken ? ~std::uint64_t{0} : kOnes; };
      store_scaled(to, two_points(first, second) + two_points(eighths((upper & 8) != 0), eighths((upper & 128) != 0)),
                   scale);
    }
  });
}

}  // namespace tied
