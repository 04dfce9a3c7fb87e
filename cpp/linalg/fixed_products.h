// Gram matrices of tall tables at the speed of integers, without rounding of products or of sums over a block.
//
// Of kFixedRows rows, each column becomes integers of 16 or 24 bits, in units that its largest entry decides. What is
// added up is exactly the product of tables whose entries were rounded once, to a 2^-16th or a 2^-24th of the largest
// of their column and block. Sums over blocks are in double.
//
// Of 24 bits, two digits of 12 bits are multiplied in pairs, three products in all, whose sums over a block fit in 32
// bits. Of 16 bits, two products do: the sums of the integers themselves wrap around, so that their lower 32 bits are
// known; the sums of their upper digits of 12 bits, which fit, decide the rest.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/aligned_buffer.h"
#include "linalg/matrix_view.h"

namespace tied {

// Of 256 rows, the sums that are kept stay within 32 bits: 256 products of two digits of at most 2^11 are at most 2^30,
// those of upper with lower digits and of lower with upper ones together at most 2^31. Sums of digits have larger
// products, which may wrap around: only their difference from the other two is used. Sums of products of 16 bits are
// less than 2^28 from 2^8 times those of their upper digits.
inline constexpr std::size_t kFixedRows = 256;

// Of an entry. With 16, rounding changes the entries of a column and block by at most 2.8e-4 of their root mean square,
// a sixth of that as a rule. Storing them has changed them by 1.4e-4 to 2.8e-4 in F16, and eight times as much in BF16.
enum class FixedBits : std::uint8_t { k16, k24 };

// Which panels of columns are multiplied where programs share the work: of each `of`, those from `first` to before
// `end`. All shares together make every product, each as one program alone does.
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

  // Makes integers of the first `count` rows times 2^exponent. The rows stay as they are.
  void pack(std::size_t count, int exponent = 0);

 private:
  friend void add_gram_lower(const MatrixView<double>& out, const FixedRows& a, const PanelShare& share);
  friend void add_products(const MatrixView<double>& out, const FixedRows& a, const FixedRows& b,
                           const PanelShare& share);

  void pack_panel(std::size_t panel, std::size_t count, int exponent);
  std::size_t panel_size() const;
  // Where the digits of column j begin.
  const std::uint32_t* digits_of(std::size_t j) const;

  FixedBits bits_ = FixedBits::k24;
  std::size_t cols_ = 0;
  std::size_t stride_ = 0;               // a multiple of the columns of a panel; what is beyond `cols` is 0
  AlignedBuffer<float> rows_;            // [kFixedRows, stride]
  AlignedBuffer<std::uint32_t> digits_;  // [panel, kind, pair of rows, column of the panel]
  AlignedBuffer<double> units_;          // [stride]
};

std::uint64_t fixed_rows_bytes(std::size_t cols, FixedBits bits);

// out += a^T a, the lower triangle and the rest of the blocks on the diagonal.
void add_gram_lower(const MatrixView<double>& out, const FixedRows& a, const PanelShare& share = {});
// out += a^T b, of the same bits an entry.
void add_products(const MatrixView<double>& out, const FixedRows& a, const FixedRows& b, const PanelShare& share = {});

}  // namespace tied
