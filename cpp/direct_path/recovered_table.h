// What the logits of a direct path tell of its tables.
#pragma once

#include <cstddef>
#include <span>

#include "base/aligned_buffer.h"
#include "base/record.h"
#include "linalg/matrix_view.h"

namespace tied {

struct RecoveryOptions {
  std::size_t width = 0;  // of the recovered table; 0 = as many directions as are above the tolerance
  double tolerance = 0;   // singular values up to it are rounding; 0 = what single precision leaves
};

// The largest V: three decompositions take O(V^3) time and V^2 numbers each.
inline constexpr std::size_t kLargestRecovery = 2048;

// Logits, or log-probabilities, A_ij + b_j + c_i of a direct path are known up to the c_i, which the softmax ignores.
// With the means of rows and of columns subtracted, biases vanish as well, and what is left is the product of the
// tables without their mean rows, B = E~ U~^T. So
// - its rank is the width, where the width is below V and columns do not depend on each other;
// - its column space is that of E~, its row space that of U~: E~ M and U~ M^-T have the same product for each M;
// - if U = E, it is a Gram matrix, and E~ is known up to a rotation: its eigenvectors, times the roots of its
// eigenvalues.
//   The mean row follows from the means of the columns, which without an output bias are E~ mean.
class RecoveredTable {
 public:
  // logits [V, V]: row i are those after token i. Errors: kShapeMismatch unless square with at least two rows;
  // kNotFinite; kInvalidArgument for a width above V; kOutOfMemory, also for more than kLargestRecovery rows.
  static Result<RecoveredTable> create(ConstMatrixView<float> logits, const RecoveryOptions& options);

  // Some of the three decompositions. Errors: kNotFinite if one does not converge; kOutOfMemory.
  Status advance(std::size_t decompositions);
  double share() const { return static_cast<double>(done_) / 3; }

  // Of B, descending [V]. From eigenvalues of B B^T, so those below about 1e-8 of the largest are noise.
  std::span<const double> singular_values() const { return {singular_values_.data(), singular_values_.size()}; }
  double tolerance() const { return options_.tolerance; }
  double rank() const { return static_cast<double>(rank_); }
  // |B - B^T|_F / (2 |B|_F); 0 if B is 0.
  double asymmetry() const { return asymmetry_; }
  // Of the symmetric part of B, the smallest and the largest eigenvalue.
  double least_eigenvalue() const { return eigenvalues_[0]; }
  double largest_eigenvalue() const { return eigenvalues_[eigenvalues_.size() - 1]; }
  // [V, width], columns by descending eigenvalue; columns of eigenvalues not above the tolerance are 0.
  const Matrix<float>& table() const { return table_; }
  // The mean row in the coordinates of `table` [width], and which part of the columns' means it does not explain.
  const Matrix<float>& mean() const { return mean_; }
  double mean_residual() const { return mean_residual_; }
  // Orthonormal bases of the column and the row space of B [V, width].
  const Matrix<float>& reading() const { return reading_; }
  const Matrix<float>& writing() const { return writing_; }

  using Answered = Record<&RecoveredTable::singular_values, &RecoveredTable::tolerance, &RecoveredTable::rank,
                          &RecoveredTable::asymmetry, &RecoveredTable::least_eigenvalue,
                          &RecoveredTable::largest_eigenvalue, &RecoveredTable::table, &RecoveredTable::mean,
                          &RecoveredTable::mean_residual, &RecoveredTable::reading, &RecoveredTable::writing>;

 private:
  RecoveredTable() = default;

  Status read_spaces(bool writing);
  Status read_table();

  RecoveryOptions options_;
  std::size_t done_ = 0;
  std::size_t rank_ = 0;
  Matrix<double> centered_;  // B
  AlignedBuffer<double> column_means_;
  AlignedBuffer<double> singular_values_;
  AlignedBuffer<double> eigenvalues_;
  double asymmetry_ = 0;
  double mean_residual_ = 0;
  Matrix<float> table_;
  Matrix<float> mean_;
  Matrix<float> reading_;
  Matrix<float> writing_;
};

}  // namespace tied
