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
constexpr int kDigitBits = 12;
constexpr int kBits = 2 * kDigitBits - 1;  // of the magnitude
// Upper digits, lower digits, and their sums, from whose products follow those of upper with lower ones.
constexpr std::size_t kKinds = 3;
constexpr std::size_t kKindSize = kPairs * kPanel;
constexpr std::size_t kPanelSize = kKinds * kKindSize;

// Digits of one row, and of the next in the upper halves.
TIED_INLINE inline Integers paired(const Integers& first, const Integers& second) {
  return (first & Integers(0xFFFF)) | (second << 16);
}

struct Digits {
  Integers upper;
  Integers lower;
};
TIED_INLINE inline Digits digits_of(const float* from, const Batch<float>& one, const Batch<float>& other) {
  const Integers whole = simd::rounded(simd::load(from) * one * other);
  const Integers upper = (whole + Integers(1 << (kDigitBits - 1))) >> kDigitBits;
  return {upper, whole - (upper << kDigitBits)};
}

// Sums over the rows of a block: kTile columns of a, from `a` on, with a panel of b.
struct Tile {
  Integers left[kTile];
  Integers right[kTile];
};
// Apart, so that engines soon replace their first code for it: for a function with all loops over a block they take a
// second.
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

// upper + cross 2^-12 + lower 2^-24, in units of upper products.
TIED_INLINE inline Doubles combined(const Integers& upper, const Integers& lower, const Integers& sums) {
  const Doubles high = simd::doubles_of(upper);
  const Doubles middle = simd::doubles_of(sums - upper - lower);
  const Doubles low = simd::doubles_of(lower);
  const Batch<double> first(0x1p24);
  const Batch<double> second(0x1p12);
  return {high.low * first + (middle.low * second + low.low), high.high * first + (middle.high * second + low.high)};
}

// out [kTile, kPanel] += the tile, of which `rows` and `cols` are in out.
struct Place {
  double* out;
  std::size_t stride;
  std::size_t rows;
  std::size_t cols;
};
void add_tile(const Place& place, const std::uint32_t* a, const std::uint32_t* b, const double* a_units,
              const double* b_units) {
  Tile upper;
  Tile lower;
  Tile sums;
  multiply(upper, a, b);
  multiply(lower, a + kKindSize, b + kKindSize);
  multiply(sums, a + 2 * kKindSize, b + 2 * kKindSize);
  const bool is_whole = place.rows == kTile && place.cols == kPanel;
  alignas(kAlignmentBytes) double parts[kTile * kPanel] = {};
  double* out = is_whole ? place.out : parts;
  const std::size_t stride = is_whole ? place.stride : kPanel;
  const Doubles left_units = simd::load_doubles(b_units);
  const Doubles right_units = simd::load_doubles(b_units + 4);
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < kTile; ++i) {
    const Batch<double> unit(a_units[i]);
    const Doubles left = combined(upper.left[i], lower.left[i], sums.left[i]);
    const Doubles right = combined(upper.right[i], lower.right[i], sums.right[i]);
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

std::uint64_t fixed_rows_bytes(std::size_t cols) {
  const std::uint64_t stride = (cols + kPanel - 1) / kPanel * kPanel;
  return stride * (kFixedRows * sizeof(float) + kKinds * kPairs * sizeof(std::uint32_t) + sizeof(double));
}

Result<FixedRows> FixedRows::create(std::size_t cols) {
  FixedRows made;
  made.cols_ = cols;
  made.stride_ = (cols + kPanel - 1) / kPanel * kPanel;
  if (Status status = allocate(made.rows_, kFixedRows * made.stride_); !status) return status;
  if (Status status = allocate(made.digits_, kKinds * kPairs * made.stride_); !status) return status;
  if (Status status = allocate(made.units_, made.stride_); !status) return status;
  return made;
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
  // Two factors: one may be out of the range of float.
  float one[kPanel];
  float other[kPanel];
  simd::store(largest, most[0]);
  simd::store(largest + 4, most[1]);
  for (std::size_t j = 0; j < kPanel; ++j) {
    int above = 0;  // largest < 2^above
    std::frexp(largest[j], &above);
    const int shift = kBits - above;
    one[j] = std::ldexp(1.0F, shift / 2);
    other[j] = std::ldexp(1.0F, shift - shift / 2);
    units_[panel * kPanel + j] = std::ldexp(1.0, exponent - shift);
  }
  std::uint32_t* to = digits_.data() + panel * kPanelSize;
  static constexpr float kZeros[kPanel] = {};
  for (std::size_t k = 0; k < kPairs; ++k, to += kPanel) {
    const float* first = 2 * k < count ? from + 2 * k * stride_ : kZeros;
    const float* second = 2 * k + 1 < count ? from + (2 * k + 1) * stride_ : kZeros;
    for (std::size_t j = 0; j < kPanel; j += 4) {
      const Batch<float> factor = simd::load(one + j);
      const Batch<float> rest = simd::load(other + j);
      const Digits a = digits_of(first + j, factor, rest);
      const Digits b = digits_of(second + j, factor, rest);
      simd::store_integers(to + j, paired(a.upper, b.upper));
      simd::store_integers(to + kKindSize + j, paired(a.lower, b.lower));
      simd::store_integers(to + 2 * kKindSize + j, paired(a.upper + a.lower, b.upper + b.lower));
    }
  }
}

void add_gram_lower(const MatrixView<double>& out, const FixedRows& a, const PanelShare& share) {
  for (std::size_t j = 0; j < a.cols_; j += kPanel) {
    if (!share.has(j / kPanel)) continue;
    for (std::size_t i = j; i < a.cols_; i += kTile) {
      add_tile({out.row(i) + j, out.stride, std::min(kTile, a.cols_ - i), std::min(kPanel, a.cols_ - j)},
               a.digits_.data() + i / kPanel * kPanelSize + i % kPanel, a.digits_.data() + j / kPanel * kPanelSize,
               a.units_.data() + i, a.units_.data() + j);
    }
  }
}

void add_products(const MatrixView<double>& out, const FixedRows& a, const FixedRows& b, const PanelShare& share) {
  TIED_ASSERT(out.rows == a.cols_ && out.cols == b.cols_);
  for (std::size_t j = 0; j < b.cols_; j += kPanel) {
    if (!share.has(j / kPanel)) continue;
    for (std::size_t i = 0; i < a.cols_; i += kTile) {
      add_tile({out.row(i) + j, out.stride, std::min(kTile, a.cols_ - i), std::min(kPanel, b.cols_ - j)},
               a.digits_.data() + i / kPanel * kPanelSize + i % kPanel, b.digits_.data() + j / kPanel * kPanelSize,
               a.units_.data() + i, b.units_.data() + j);
    }
  }
}

}  // namespace tied
