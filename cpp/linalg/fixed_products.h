// Gram matrices of tall tables at the speed of integers, without rounding of products or of sums over a block.
//
// Of kFixedRows rows, each column becomes integers of 24 bits, in units that its largest entry decides, and these two
// digits of 12 bits. Digits are multiplied in pairs, and their sums over a block fit in 32 bits. What is added up is so
// exactly the product of tables whose entries were rounded once, to a 2^-24th of the largest of their column and block:
// as a rule less than what storing them in 16 bits has cost. Sums over blocks are in double.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/aligned_buffer.h"
#include "linalg/matrix_view.h"

namespace tied {

// Of 256 rows, the sums that are kept stay within 32 bits: 256 products of two digits of at most 2^11 are at most 2^30,
// those of upper with lower digits and of lower with upper ones together at most 2^31. Sums of digits have larger
// products, which may wrap around: only their difference from the other two is used.
inline constexpr std::size_t kFixedRows = 256;

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
  static Result<FixedRows> create(std::size_t cols);

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

  std::size_t cols_ = 0;
  std::size_t stride_ = 0;               // a multiple of the columns of a panel; what is beyond `cols` is 0
  AlignedBuffer<float> rows_;            // [kFixedRows, stride]
  AlignedBuffer<std::uint32_t> digits_;  // [panel, kind, pair of rows, column of the panel]
  AlignedBuffer<double> units_;          // [stride]
};

std::uint64_t fixed_rows_bytes(std::size_t cols);

// out += a^T a, the lower triangle and the rest of the blocks on the diagonal.
void add_gram_lower(const MatrixView<double>& out, const FixedRows& a, const PanelShare& share = {});
// out += a^T b
void add_products(const MatrixView<double>& out, const FixedRows& a, const FixedRows& b, const PanelShare& share = {});

}  // namespace tied
