#include "linalg/fixed_products.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/allocate.h"
#include "linalg/simd_integers.h"

namespace tied {
namespace {

using simd::Batch;
using simd::Doubles;
using simd::Integers;

constexpr std::size_t kPanel = 16;                 // columns of a panel
constexpr std::size_t kPanelBatches = kPanel / 4;  // registers with a row of a panel
constexpr std::size_t kPairs = kFixedRows / 2;
constexpr std::size_t kKindSize = kPairs * kPanel;
constexpr int kDigitBits = 12;

// Kinds of digits. For 24 bits: upper ones, lower ones, and their sums, whose products give those of upper with lower
// ones. For 16 bits: the whole integers.
constexpr std::size_t kinds_of(FixedBits bits) { return bits == FixedBits::k16 ? 1 : 3; }

// Digits of one row in the lower halves, and of the next row in the upper halves.
TIED_INLINE inline Integers paired(const Integers& first, const Integers& second) {
  return (first & Integers(0xFFFF)) | (second << 16);
}

struct Digits {
  Integers upper;
  Integers lower;
};
TIED_INLINE inline Digits split(const Integers& whole) {
  const Integers upper = (whole + Integers(1 << (kDigitBits - 1))) >> kDigitBits;
  return {upper, whole - (upper << kDigitBits)};
}

// Writes the digits of a panel of the rows from `from` on, in the units that the factors define.
struct Factors {
  float one[kPanel];
  float other[kPanel];
};
template <FixedBits kBits>
void write_digits(std::uint32_t* to, const float* from, std::size_t stride, std::size_t count, const Factors& factors) {
  static constexpr float kZeros[kPanel] = {};
  for (std::size_t k = 0; k < kPairs; ++k, to += kPanel) {
    const float* first = 2 * k < count ? from + 2 * k * stride : kZeros;
    const float* second = 2 * k + 1 < count ? from + (2 * k + 1) * stride : kZeros;
    for (std::size_t j = 0; j < kPanel; j += 4) {
      const Batch<float> one = simd::load(factors.one + j);
      const Batch<float> other = simd::load(factors.other + j);
      const Integers a_whole = simd::rounded(simd::load(first + j) * one * other);
      const Integers b_whole = simd::rounded(simd::load(second + j) * one * other);
      if constexpr (kBits == FixedBits::k16) {
        simd::store_integers(to + j, paired(a_whole, b_whole));
      } else {
        const Digits a = split(a_whole);
        const Digits b = split(b_whole);
        simd::store_integers(to + j, paired(a.upper, b.upper));
        simd::store_integers(to + kKindSize + j, paired(a.lower, b.lower));
        simd::store_integers(to + 2 * kKindSize + j, paired(a.upper + a.lower, b.upper + b.lower));
      }
    }
  }
}

// For each column of a panel, the largest sum of squares of the four rows of two steps.
void find_squares(std::uint32_t* squares, const std::uint32_t* digits) {
  for (std::size_t j = 0; j < kPanel; j += 4) {
    const auto of_step = [=](std::size_t step) {
      const Integers x = simd::load_integers(digits + step * kPanel + j);
      return xsimd::bitwise_cast<std::uint32_t>(simd::products_of_halves(x, x));
    };
    simd::Words most(0U);
    for (std::size_t step = 0; step < kPairs; step += 2) most = xsimd::max(most, of_step(step) + of_step(step + 1));
    most.store_unaligned(squares + j);
  }
}

// Sums over the rows of a block: kRows columns of a, from `a` on, with a panel of b. In registers, since there are
// eight of them. Loops over a block are functions of their own, so engines soon replace their baseline code for them:
// for a function with all loops over a table that takes a second.
struct Tile {
  static constexpr std::size_t kRows = 2;
  Integers sums[kRows][kPanelBatches];
};
[[gnu::noinline]] void multiply(Tile& found, const std::uint32_t* a, const std::uint32_t* b) {
  Tile tile;
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < Tile::kRows; ++i) {
#pragma clang loop unroll(full)
    for (std::size_t j = 0; j < kPanelBatches; ++j) tile.sums[i][j] = Integers(0);
  }
#pragma clang loop unroll(disable)
  for (const std::uint32_t* end = a + kKindSize; a != end; a += kPanel, b += kPanel) {
    Integers factors[Tile::kRows];
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < Tile::kRows; ++i) factors[i] = Integers(static_cast<std::int32_t>(a[i]));
#pragma clang loop unroll(full)
    for (std::size_t j = 0; j < kPanelBatches; ++j) {
      const Integers others = simd::load_integers(b + 4 * j);
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < Tile::kRows; ++i) {
        tile.sums[i][j] += simd::products_of_halves(factors[i], others);
      }
    }
  }
  found = tile;
}

// The same for 16 bits and one column of a. Sums of products over the rows of kSteps steps, 1 or 2, must fit in 32
// bits, while those over a block do not: the numbers that are added up are also added up without their lower halves.
struct WideTile {
  static constexpr std::size_t kRows = 1;
  Integers wrapped[kPanelBatches];
  Integers upper[kPanelBatches];
};
template <std::size_t kSteps>
[[gnu::noinline]] void multiply(WideTile& found, const std::uint32_t* a, const std::uint32_t* b) {
  WideTile tile;
#pragma clang loop unroll(full)
  for (std::size_t j = 0; j < kPanelBatches; ++j) tile.wrapped[j] = tile.upper[j] = Integers(0);
#pragma clang loop unroll(disable)
  for (const std::uint32_t* end = a + kKindSize; a != end; a += kSteps * kPanel, b += kSteps * kPanel) {
    Integers factors[kSteps];
#pragma clang loop unroll(full)
    for (std::size_t k = 0; k < kSteps; ++k) factors[k] = Integers(static_cast<std::int32_t>(a[k * kPanel]));
#pragma clang loop unroll(full)
    for (std::size_t j = 0; j < kPanelBatches; ++j) {
      Integers sum = simd::products_of_halves(factors[0], simd::load_integers(b + 4 * j));
      if constexpr (kSteps == 2) {
        sum += simd::products_of_halves(factors[1], simd::load_integers(b + kPanel + 4 * j));
      }
      tile.wrapped[j] += sum;
      tile.upper[j] += sum >> 16;
    }
  }
  found = tile;
}

// Sums of products of 24-bit integers, from those of upper digits, of lower ones and of their sums.
TIED_INLINE inline Doubles combined(const Integers& upper, const Integers& lower, const Integers& sums) {
  const Doubles high = simd::doubles_of(upper);
  const Doubles middle = simd::doubles_of(sums - upper - lower);
  const Doubles low = simd::doubles_of(lower);
  const Batch<double> first(0x1p24);
  const Batch<double> second(0x1p12);
  return {high.low * first + (middle.low * second + low.low), high.high * first + (middle.high * second + low.high)};
}

// Sums of products of 16-bit integers, from their lower 32 bits and from the upper halves of the numbers that were
// added up. The lower halves of these sum to less than 2^23.
TIED_INLINE inline Doubles combined(const Integers& wrapped, const Integers& upper) {
  const Doubles high = simd::doubles_of(upper);
  const Doubles rest = simd::doubles_of(wrapped - (upper << 16));
  const Batch<double> first(0x1p16);
  return {high.low * first + rest.low, high.high * first + rest.high};
}

// out [rows, cols] += a tile, of which only that part lies within out.
struct Place {
  double* out;
  std::size_t stride;
  std::size_t rows;
  std::size_t cols;
};

// Columns of a block, from some column on.
struct Columns {
  const std::uint32_t* digits;
  const double* units;
  std::uint64_t squares;  // the largest of `squares_` for any of them
};

template <std::size_t kRows, class Sums>
void add_tile(const Place& place, const Columns& a, const Columns& b, const Sums& sums_at) {
  const bool is_whole = place.rows == kRows && place.cols == kPanel;
  alignas(kAlignmentBytes) double parts[kRows * kPanel] = {};
  double* out = is_whole ? place.out : parts;
  const std::size_t stride = is_whole ? place.stride : kPanel;
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < kRows; ++i) {
    const Batch<double> unit(a.units[i]);
#pragma clang loop unroll(disable)
    for (std::size_t j = 0; j < kPanelBatches; ++j) {
      const Doubles sums = sums_at(i, j);
      const Doubles units = simd::load_doubles(b.units + 4 * j);
      double* to = out + i * stride + 4 * j;
      simd::store(to, simd::load(to) + sums.low * unit * units.low);
      simd::store(to + 2, simd::load(to + 2) + sums.high * unit * units.high);
    }
  }
  if (is_whole) return;
  for (std::size_t i = 0; i < place.rows; ++i) {
    for (std::size_t j = 0; j < place.cols; ++j) place.out[i * place.stride + j] += parts[i * kPanel + j];
  }
}

void add_tile_24(const Place& place, const Columns& a, const Columns& b) {
  Tile found[kinds_of(FixedBits::k24)];
  for (std::size_t kind = 0; kind < kinds_of(FixedBits::k24); ++kind) {
    multiply(found[kind], a.digits + kind * kKindSize, b.digits + kind * kKindSize);
  }
  add_tile<Tile::kRows>(place, a, b, [&](std::size_t i, std::size_t j) {
    return combined(found[0].sums[i][j], found[1].sums[i][j], found[2].sums[i][j]);
  });
}

void add_tile_16(const Place& place, const Columns& a, const Columns& b) {
  // By the inequality of Cauchy and Schwarz, no sum over four rows reaches 2^31.
  const bool four_rows_fit = a.squares * b.squares < std::uint64_t{1} << 62;
  WideTile found;
  (four_rows_fit ? multiply<2> : multiply<1>)(found, a.digits, b.digits);
  add_tile<WideTile::kRows>(place, a, b,
                            [&](std::size_t, std::size_t j) { return combined(found.wrapped[j], found.upper[j]); });
}

}  // namespace

std::uint64_t fixed_rows_bytes(std::size_t cols, FixedBits bits) {
  const std::uint64_t stride = (cols + kPanel - 1) / kPanel * kPanel;
  return stride * (kFixedRows * sizeof(float) + kinds_of(bits) * kPairs * sizeof(std::uint32_t) + sizeof(double) +
                   sizeof(std::uint32_t));
}

Result<FixedRows> FixedRows::create(std::size_t cols, FixedBits bits) {
  FixedRows made;
  made.bits_ = bits;
  made.cols_ = cols;
  made.stride_ = (cols + kPanel - 1) / kPanel * kPanel;
  const std::uint64_t stride = made.stride_;
  if (Status status = allocate(made.rows_, kFixedRows * stride); !status) return status;
  if (Status status = allocate(made.digits_, kinds_of(bits) * kPairs * stride); !status) return status;
  if (Status status = allocate(made.units_, made.stride_); !status) return status;
  if (Status status = allocate(made.squares_, stride); !status) return status;
  return made;
}

std::size_t FixedRows::panel_size() const { return kinds_of(bits_) * kKindSize; }

const std::uint32_t* FixedRows::digits_of(std::size_t j) const {
  return digits_.data() + j / kPanel * panel_size() + j % kPanel;
}

void FixedRows::pack(std::size_t count, int exponent) {
  TIED_ASSERT(count <= kFixedRows);
  for (std::size_t panel = 0; panel < stride_ / kPanel; ++panel) pack_panel(panel, count, exponent);
}

void FixedRows::pack_panel(std::size_t panel, std::size_t count, int exponent) {
  const float* from = rows_.data() + panel * kPanel;
  float largest[kPanel];
  for (std::size_t j = 0; j < kPanel; j += 4) {
    Batch<float> most(0.0F);
    for (std::size_t i = 0; i < count; ++i) most = xsimd::max(most, xsimd::abs(simd::load(from + i * stride_ + j)));
    simd::store(largest + j, most);
  }
  const bool is_narrow = bits_ == FixedBits::k16;
  // Two factors: one may be out of the range of float.
  Factors factors;
  for (std::size_t j = 0; j < kPanel; ++j) {
    int above = 0;  // largest < 2^above
    const float part = std::frexp(largest[j], &above);
    // Otherwise the largest entry would be rounded to 2^15, which does not fit in 16 bits.
    if (is_narrow && part >= 0x1.FFFEp-1F) ++above;
    const int shift = (is_narrow ? 15 : 23) - above;
    factors.one[j] = std::ldexp(1.0F, shift / 2);
    factors.other[j] = std::ldexp(1.0F, shift - shift / 2);
    units_[panel * kPanel + j] = std::ldexp(1.0, exponent - shift);
  }
  std::uint32_t* to = digits_.data() + panel * panel_size();
  const auto write = is_narrow ? write_digits<FixedBits::k16> : write_digits<FixedBits::k24>;
  write(to, from, stride_, count, factors);
  if (is_narrow) find_squares(squares_.data() + panel * kPanel, to);
}

void FixedRows::add_panels(const MatrixView<double>& out, const FixedRows& a, const FixedRows& b,
                           const PanelShare& share, bool is_lower) {
  const bool is_narrow = a.bits_ == FixedBits::k16;
  const auto add = is_narrow ? add_tile_16 : add_tile_24;
  const std::size_t rows = is_narrow ? WideTile::kRows : Tile::kRows;
  for (std::size_t j = 0; j < b.cols_; j += kPanel) {
    if (!share.has(j / kPanel)) continue;
    const std::uint32_t* squares = b.squares_.data() + j;
    const Columns panel{b.digits_of(j), b.units_.data() + j, *std::max_element(squares, squares + kPanel)};
    for (std::size_t i = is_lower ? j : 0; i < a.cols_; i += rows) {
      add({out.row(i) + j, out.stride, std::min(rows, a.cols_ - i), std::min(kPanel, b.cols_ - j)},
          {a.digits_of(i), a.units_.data() + i, a.squares_[i]}, panel);
    }
  }
}

void add_gram_lower(const MatrixView<double>& out, const FixedRows& a, const PanelShare& share) {
  FixedRows::add_panels(out, a, a, share, true);
}

void add_products(const MatrixView<double>& out, const FixedRows& a, const FixedRows& b, const PanelShare& share) {
  TIED_ASSERT(out.rows == a.cols_ && out.cols == b.cols_ && a.bits_ == b.bits_);
  FixedRows::add_panels(out, a, b, share, false);
}

}  // namespace tied
