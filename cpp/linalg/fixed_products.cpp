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

constexpr std::size_t kPanel = 8;  // columns of a panel
constexpr std::size_t kTile = 4;   // rows of a tile, half a panel
constexpr std::size_t kPairs = kFixedRows / 2;
constexpr std::size_t kKindSize = kPairs * kPanel;
constexpr int kDigitBits = 12;

// Kinds of digits. For 24 bits: upper ones, lower ones, and their sums, whose products give those of upper with lower
// ones. For 16 bits: upper ones and the whole integers.
constexpr std::size_t kinds_of(FixedBits bits) { return bits == FixedBits::k16 ? 2 : 3; }
// Bits below the upper digit.
constexpr int lower_bits_of(FixedBits bits) { return bits == FixedBits::k16 ? 16 - kDigitBits : kDigitBits; }

// Digits of one row in the lower halves, and of the next row in the upper halves.
TIED_INLINE inline Integers paired(const Integers& first, const Integers& second) {
  return (first & Integers(0xFFFF)) | (second << 16);
}

struct Digits {
  Integers upper;
  Integers lower;
  Integers whole;
};
template <FixedBits kBits>
TIED_INLINE inline Digits split(const float* from, const Batch<float>& one, const Batch<float>& other) {
  constexpr int kLower = lower_bits_of(kBits);
  const Integers whole = simd::rounded(simd::load(from) * one * other);
  const Integers upper = (whole + Integers(1 << (kLower - 1))) >> kLower;
  return {upper, whole - (upper << kLower), whole};
}

// Writes the digits of eight columns of the rows from `from` on, in the units that the factors define.
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
      const Digits a = split<kBits>(first + j, one, other);
      const Digits b = split<kBits>(second + j, one, other);
      simd::store_integers(to + j, paired(a.upper, b.upper));
      if constexpr (kBits == FixedBits::k16) {
        simd::store_integers(to + kKindSize + j, paired(a.whole, b.whole));
      } else {
        simd::store_integers(to + kKindSize + j, paired(a.lower, b.lower));
        simd::store_integers(to + 2 * kKindSize + j, paired(a.upper + a.lower, b.upper + b.lower));
      }
    }
  }
}

// Sums over the rows of a block: kTile columns of a, from `a` on, with a panel of b.
struct Tile {
  Integers left[kTile];
  Integers right[kTile];
};
// A function of its own, so engines soon replace their baseline code for it: for a function with all loops over a block
// that takes a second.
[[gnu::noinline]] void multiply(Tile& found, const std::uint32_t* a, const std::uint32_t* b) {
  Tile sums;
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < kTile; ++i) sums.left[i] = sums.right[i] = Integers(0);
#pragma clang loop unroll(disable)
  for (const std::uint32_t* end = a + kPairs * kPanel; a != end; a += kPanel, b += kPanel) {
    const Integers left = simd::load_integers(b);
    const Integers right = simd::load_integers(b + 4);
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < kTile; ++i) {
      const Integers factor(static_cast<std::int32_t>(a[i]));
      sums.left[i] += simd::products_of_halves(factor, left);
      sums.right[i] += simd::products_of_halves(factor, right);
    }
  }
  found = sums;
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

// Sums of products of 16-bit integers, from those of upper digits and the lower 32 bits of the result.
TIED_INLINE inline Doubles combined(const Integers& upper, const Integers& wrapped) {
  const Doubles high = simd::doubles_of(upper);
  const Doubles rest = simd::doubles_of(wrapped - (upper << 8));
  const Batch<double> first(0x1p8);
  return {high.low * first + rest.low, high.high * first + rest.high};
}

// out [kTile, kPanel] += the tile, of which only `rows` and `cols` lie within out.
struct Place {
  double* out;
  std::size_t stride;
  std::size_t rows;
  std::size_t cols;
};
template <FixedBits kBits>
void add_tile(const Place& place, const std::uint32_t* a, const std::uint32_t* b, const double* a_units,
              const double* b_units) {
  Tile found[kinds_of(kBits)];
  for (std::size_t kind = 0; kind < kinds_of(kBits); ++kind) {
    multiply(found[kind], a + kind * kKindSize, b + kind * kKindSize);
  }
  const bool is_whole = place.rows == kTile && place.cols == kPanel;
  alignas(kAlignmentBytes) double parts[kTile * kPanel] = {};
  double* out = is_whole ? place.out : parts;
  const std::size_t stride = is_whole ? place.stride : kPanel;
  const Doubles left_units = simd::load_doubles(b_units);
  const Doubles right_units = simd::load_doubles(b_units + 4);
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < kTile; ++i) {
    const Batch<double> unit(a_units[i]);
    Doubles left;
    Doubles right;
    if constexpr (kBits == FixedBits::k16) {
      left = combined(found[0].left[i], found[1].left[i]);
      right = combined(found[0].right[i], found[1].right[i]);
    } else {
      left = combined(found[0].left[i], found[1].left[i], found[2].left[i]);
      right = combined(found[0].right[i], found[1].right[i], found[2].right[i]);
    }
    double* to = out + i * stride;
    simd::store(to, simd::load(to) + left.low * unit * left_units.low);
    simd::store(to + 2, simd::load(to + 2) + left.high * unit * left_units.high);
    simd::store(to + 4, simd::load(to + 4) + right.low * unit * right_units.low);
    simd::store(to + 6, simd::load(to + 6) + right.high * unit * right_units.high);
  }
  if (is_whole) return;
  for (std::size_t i = 0; i < place.rows; ++i) {
    for (std::size_t j = 0; j < place.cols; ++j) place.out[i * place.stride + j] += parts[i * kPanel + j];
  }
}

}  // namespace

std::uint64_t fixed_rows_bytes(std::size_t cols, FixedBits bits) {
  const std::uint64_t stride = (cols + kPanel - 1) / kPanel * kPanel;
  return stride * (kFixedRows * sizeof(float) + kinds_of(bits) * kPairs * sizeof(std::uint32_t) + sizeof(double));
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
  Batch<float> most[2] = {Batch<float>(0.0F), Batch<float>(0.0F)};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t half = 0; half < 2; ++half) {
      most[half] = xsimd::max(most[half], xsimd::abs(simd::load(from + i * stride_ + 4 * half)));
    }
  }
  float largest[kPanel];
  simd::store(largest, most[0]);
  simd::store(largest + 4, most[1]);
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
}

void add_gram_lower(const MatrixView<double>& out, const FixedRows& a, const PanelShare& share) {
  const auto add = a.bits_ == FixedBits::k16 ? add_tile<FixedBits::k16> : add_tile<FixedBits::k24>;
  for (std::size_t j = 0; j < a.cols_; j += kPanel) {
    if (!share.has(j / kPanel)) continue;
    for (std::size_t i = j; i < a.cols_; i += kTile) {
      add({out.row(i) + j, out.stride, std::min(kTile, a.cols_ - i), std::min(kPanel, a.cols_ - j)}, a.digits_of(i),
          a.digits_of(j), a.units_.data() + i, a.units_.data() + j);
    }
  }
}

void add_products(const MatrixView<double>& out, const FixedRows& a, const FixedRows& b, const PanelShare& share) {
  TIED_ASSERT(out.rows == a.cols_ && out.cols == b.cols_ && a.bits_ == b.bits_);
  const auto add = a.bits_ == FixedBits::k16 ? add_tile<FixedBits::k16> : add_tile<FixedBits::k24>;
  for (std::size_t j = 0; j < b.cols_; j += kPanel) {
    if (!share.has(j / kPanel)) continue;
    for (std::size_t i = 0; i < a.cols_; i += kTile) {
      add({out.row(i) + j, out.stride, std::min(kTile, a.cols_ - i), std::min(kPanel, b.cols_ - j)}, a.digits_of(i),
          b.digits_of(j), a.units_.data() + i, b.units_.data() + j);
    }
  }
}

}  // namespace tied
