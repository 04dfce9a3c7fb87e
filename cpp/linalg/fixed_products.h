// Gram matrices of tall tables at the speed of integer arithmetic, without rounding products or sums over a block.
//
// A block is kFixedRows rows. Each of its columns is converted to integers of 16 or 24 bits, in units set by the
// column's largest entry. The result is the exact product of tables whose entries were rounded once, to 2^-16 or 2^-24
// of the largest entry of their column and block. Blocks are summed in double.
//
// Integers of 24 bits are split into two digits of 12 bits. Three products of digits are enough, and their sums over a
// block fit in 32 bits. For 16 bits, one product is enough: sums of products over two rows, and over four rows in
// most tables, fit in 32 bits. Their sums over a block wrap around, which leaves their lower 32 bits; sums of their
// upper halves, which fit, determine the rest.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/aligned_buffer.h"
#include "linalg/matrix_view.h"

namespace tied {

// With 256 rows, all sums that are used fit in 32 bits: 256 products of two digits of at most 2^11 sum to at most 2^30,
// and the products of upper with lower and of lower with upper digits together to at most 2^31. Sums of two digits have
// larger products, which may wrap around: only their difference from the other two is used. The upper halves of 128
// sums of products of 16-bit integers sum to at most 2^22.
inline constexpr std::size_t kFixedRows = 256;

// Bits per entry. With 16, rounding changes the entries of a column and block by at most 2.8e-4 of their root mean
// square, typically by a sixth of that. For comparison, storing them in F16 has already changed them by 1.4e-4 to
// 2.8e-4, and in BF16 by eight times as much.
enum class FixedBits : std::uint8_t { k16, k24 };

// Which panels of columns to multiply when several programs share the work: of every `of` panels, those from `first` up
// to but not including `end`. All shares together compute every product, each exactly as a single program does.
struct PanelShare {
  std::size_t first = 0;
  std::size_t end = 1;
  std::size_t of = 1;

  bool has(std::size_t panel) const { return panel % of >= first && panel % of < end; }
};

class FixedRows {
 public:
  // Errors: kOutOfMemory.
  static Result<FixedRows> create(std::size_t cols, FixedBits bits);

  std::size_t cols() const { return cols_; }
  // Row i < kFixedRows [cols], to be written before `pack`. Entries must be finite.
  float* row(std::size_t i) { return rows_.data() + i * stride_; }

  // Converts the first `count` rows times 2^exponent to integers. The rows themselves don't change.
  void pack(std::size_t count, int exponent = 0);

 private:
  friend void add_gram_lower(const MatrixView<double>& out, const FixedRows& a, const PanelShare& share);
  friend void add_products(const MatrixView<double>& out, const FixedRows& a, const FixedRows& b,
                           const PanelShare& share);

  // Of the panels of b that belong to the share, all products with a or, in the lower triangle, those from the diagonal
  // on.
  static void add_panels(const MatrixView<double>& out, const FixedRows& a, const FixedRows& b, const PanelShare& share,
                         bool is_lower);
  void pack_panel(std::size_t panel, std::size_t count, int exponent);
  std::size_t panel_size() const;
  // Where the digits of column j begin.
  const std::uint32_t* digits_of(std::size_t j) const;

  FixedBits bits_ = FixedBits::k24;
  std::size_t cols_ = 0;
  std::size_t stride_ = 0;                // a multiple of the columns of a panel; columns beyond `cols` are 0
  AlignedBuffer<float> rows_;             // [kFixedRows, stride]
  AlignedBuffer<std::uint32_t> digits_;   // [panel, kind, pair of rows, column of the panel]
  AlignedBuffer<double> units_;           // [stride]
  AlignedBuffer<std::uint32_t> squares_;  // [stride], for 16 bits: the largest sum of squares of four rows
};

std::uint64_t fixed_rows_bytes(std::size_t cols, FixedBits bits);

// out += a^T a, the lower triangle and the rest of the blocks on the diagonal.
void add_gram_lower(const MatrixView<double>& out, const FixedRows& a, const PanelShare& share = {});
// out += a^T b; both must have the same bits per entry.
void add_products(const MatrixView<double>& out, const FixedRows& a, const FixedRows& b, const PanelShare& share = {});

}  // namespace tied
