// Whether the rows of an embedding table point equally in all directions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/aligned_buffer.h"
#include "base/record.h"
#include "diagnostics/alignment.h"
#include "diagnostics/spectrum.h"
#include "linalg/decompositions.h"
#include "linalg/matrix_view.h"

namespace tied {

// In a table of independent normal entries the cosines are about 0, and IsoScore and `partition` about 1. A quantity
// that is not defined is NaN, as with a single row.
struct IsotropyMeasures {
  // Mean cosine of all pairs of different rows; likewise after subtracting the mean row, and after removing each row's
  // component along the mean row.
  double mean_cosine = 0;
  double centered_mean_cosine = 0;
  double projected_mean_cosine = 0;
  // IsoScore (Rudman, Gillman, Rayne and Eickhoff, 2022), from the eigenvalues l of the covariance, scaled to the norm
  // of a vector of ones:
  //   d = ||l - 1|| / sqrt(2 (n - sqrt n)),   ((n - d^2 (n - sqrt n))^2 - n) / (n (n - 1)),   n columns
  double iso_score = 0;
  // min Z(c) / max Z(c) with Z(c) = sum_i e^(c . e_i), over both directions c of each eigenvector of E^T E (Mu and
  // Viswanath, 2018, who leave the sign to the decomposition).
  double partition = 0;
  // The same for the rows minus the mean row, over the eigenvectors of their covariance; NaN if all rows are the same.
  double centered_partition = 0;
  // Of the centered table.
  Dimensions dimensions;
  // IsoScore, partition and dimensions after removing each row's component along the mean row, in the remaining d - 1
  // dimensions; if the mean row is 0, in all d, since nothing is removed then.
  double projected_iso_score = 0;
  double projected_partition = 0;
  Dimensions projected_dimensions;
  // The mean square of what remains of the rows' entries, over those dimensions; NaN if there are none.
  double projected_mean_square = 0;
  // The length of the mean row divided by the root mean square of the lengths of the rows.
  double mean_share = 0;
  std::size_t left_out = 0;  // rows of zeros
  // R^2 of log10(1 + count) as a linear function of a row, over the rows whose tokens occur: in the rows of the fit,
  // and in a fifth of the rows after a fit to the others. Absent without counts, and if rows and counts do not
  // determine the function.
  std::optional<double> frequency_r2;
  std::optional<double> held_out_frequency_r2;

  using Answered = Record<
      &IsotropyMeasures::mean_cosine, &IsotropyMeasures::centered_mean_cosine, &IsotropyMeasures::projected_mean_cosine,
      &IsotropyMeasures::iso_score, &IsotropyMeasures::partition, &IsotropyMeasures::centered_partition,
      &IsotropyMeasures::dimensions, &IsotropyMeasures::projected_iso_score, &IsotropyMeasures::projected_partition,
      &IsotropyMeasures::projected_dimensions, &IsotropyMeasures::projected_mean_square, &IsotropyMeasures::mean_share,
      &IsotropyMeasures::left_out, &IsotropyMeasures::frequency_r2, &IsotropyMeasures::held_out_frequency_r2>;
};

// A block of rows at a time. Time V d^2 / 2 multiply-adds in double and 3 V d^2 in float, and three decompositions of
// [d, d].
class Isotropy {
 public:
  // `counts` [V] or empty: how often each row's token occurs; `seed` chooses the rows that are held out. The table must
  // outlive the object.
  // Errors: those of check_table; kShapeMismatch unless there are as many counts as rows; kInvalidArgument if all rows
  // are zero; kOutOfMemory.
  static Result<Isotropy> create(ConstMatrixView<float> table, std::span<const std::uint32_t> counts = {},
                                 std::uint64_t seed = 0);

  // Works through `blocks` more blocks of rows. Errors: kNotFinite, kOutOfMemory.
  Status advance(std::size_t blocks);
  double share() const;
  bool finished() const { return row_ == 2 * rows_.size() && !regression_; }
  const IsotropyMeasures& measures() const { return measures_; }

  using Answered = Record<&Isotropy::measures>;

 private:
  void add_rows(std::span<const std::uint32_t> rows);
  Status start_regression(std::span<const std::uint32_t> counts, std::uint64_t seed);
  Status advance_regression(std::size_t blocks);
  Status decompose();
  void measure_rows(std::span<const std::uint32_t> rows);
  void finish();

  // Z for both directions of each eigenvector.
  struct Partition {
    Matrix<float> directions;  // eigenvectors, one per column
    std::size_t count = 0;     // how many of them count, from the first on
    // Of each direction, then of the opposites, both padded: the largest exponent so far, and the sum of
    // e^(exponent - largest).
    AlignedBuffer<float> largest;
    AlignedBuffer<double> sums;
  };
  Status decompose_into(Partition& partition, std::size_t count, bool varies, double& score, Dimensions& dimensions);
  // min Z / max Z for the rows minus `shift`, which are added unshifted; NaN without directions.
  static double ratio_of(const Partition& partition, const double* shift);

  ConstMatrixView<float> table_;
  AlignedBuffer<std::uint32_t> rows_;
  std::size_t row_ = 0;  // of two passes
  AlignedBuffer<double> means_;
  AlignedBuffer<double> direction_;  // of the mean row, of length 1; zeros if the mean is 0
  Matrix<float> block_;
  Matrix<double> wide_;
  Matrix<double> gram_;
  // Sums of the rows at length 1: as they are, centered, projected. [3, d]
  Matrix<double> unit_sums_;
  std::size_t unit_counts_[3] = {0, 0, 0};
  Matrix<float> projections_;            // its rows padded with zeros
  Partition partitions_[3];              // of E^T E; of the covariance; of that without the mean's direction
  Matrix<float> log_counts_;             // [V, 1]
  std::optional<Alignment> regression_;  // of the counts on the rows, until it is finished
  IsotropyMeasures measures_;
};

}  // namespace tied
