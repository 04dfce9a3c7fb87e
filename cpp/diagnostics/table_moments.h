// Sums over the rows of two tables, which are read once and in step: all that the diagnostics of moment_readings.h
// need.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/aligned_buffer.h"
#include "linalg/fixed_products.h"
#include "linalg/matrix_view.h"

namespace tied {

// Which of the two tables.
enum class TableRole : std::uint8_t { kInput, kOutput };

// E^T E, D^T D and D^T E below; tied tables have the first.
enum class MomentProduct : std::uint8_t { kGram, kDifferenceGram, kCross };

// Sums over the rows of one table.
struct RowSums {
  AlignedBuffer<double> rows;        // [d]
  AlignedBuffer<double> directions;  // [d], of rows scaled to length 1
  std::uint64_t nonzero = 0;         // rows that are not all zeros
};

// With E the input table, U the output table, s a power of two and D = U / s - E. Stored as products of E and D: U^T U
// and E^T U follow from them, and quantities that depend on D alone, such as the asymmetry of E U^T, do not cancel if
// the tables are close. s is 1 unless the rows of U in the first block are far shorter than those of E: then U would
// drown in the rounding of D. Tied tables have no U, and D = 0.
//
// Rows are collected in blocks of kFixedRows, so the bits do not depend on how many are added at a time. Products are
// the exact products of E and D with entries rounded to 2^-16 or 2^-24 of the largest of their column and block:
// singular values and everything else are those of such tables, up to sums in double. Time V d^2 / 2 products of such
// integers for tied tables, 2 V d^2 for others; memory table_moments_bytes, whatever V is.
class TableMoments {
 public:
  // `norm` [d], or null for ones: the weight of a final norm, by which U is multiplied in results called folded.
  // `bits` per entry in products: 16 for tables whose elements are stored in 16 bits or fewer.
  // `share`: the part of the products that is computed here; `join` adds the rest, with the same bits as in a single
  // program.
  // Errors: kShapeMismatch without columns; kNotFinite for a norm; kOutOfMemory.
  static Result<TableMoments> create(std::size_t width, bool tied, FixedBits bits, const float* norm,
                                     const PanelShare& share = {});

  // Adds rows of both tables; `output` is not read if they are tied. Writes to `readings` [5, n], for each row, the
  // lengths |e| and |u|, the product e . u, the folded product and the distance |u - e|.
  // Errors: kNotFinite, naming the first such entry by its row in the table; nothing is added then.
  Status add(const ConstMatrixView<float>& input, const ConstMatrixView<float>& output,
             const MatrixView<float>& readings);
  // Adds the rows of the last, incomplete block. To be called before results are read; more rows may follow, but the
  // bits are then not those of adding all rows first.
  void flush();
  // Adds a product [d, d] of the same rows that another share has made and flushed.
  void join(MomentProduct which, const double* other);

  std::size_t width() const { return norm_.size(); }
  bool tied() const { return tied_; }
  const double* norm() const { return norm_.data(); }
  // Rows so far, and those that are not zero in both tables.
  std::uint64_t rows() const { return rows_; }
  std::uint64_t nonzero_rows() const { return nonzero_; }
  const RowSums& sums(TableRole role) const { return sums_[tied_ ? 0 : static_cast<std::size_t>(role)]; }

  // s
  double output_scale() const { return output_scale_; }
  // E^T E, and D^T D: their lower triangles.
  ConstMatrixView<double> gram() const { return gram_.view(); }
  ConstMatrixView<double> difference_gram() const { return difference_gram_.view(); }
  // D^T E
  ConstMatrixView<double> cross() const { return cross_.view(); }
  ConstMatrixView<double> product(MomentProduct which) const;

 private:
  // A few rows of one block.
  void add_rows(const ConstMatrixView<float>& input, const ConstMatrixView<float>& output,
                const MatrixView<float>& readings);
  void choose_output_scale();

  bool tied_ = true;
  PanelShare share_;
  AlignedBuffer<double> norm_;
  std::uint64_t rows_ = 0;
  std::uint64_t nonzero_ = 0;
  RowSums sums_[2];
  double output_scale_ = 1;
  bool scale_is_chosen_ = false;
  std::size_t pending_ = 0;  // rows in the current block
  FixedRows input_block_;
  Matrix<double> gram_;
  // Empty for tied tables. Holds the rows of U, and half of D once the block is complete: where s is 1, D could leave
  // the range of float.
  FixedRows half_difference_block_;
  Matrix<double> difference_gram_;
  Matrix<double> cross_;
};

// Memory of the sums, in bytes.
std::uint64_t table_moments_bytes(std::size_t width, bool tied, FixedBits bits);

}  // namespace tied
