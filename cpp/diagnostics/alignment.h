// How well one embedding table is a map of another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/random.h"
#include "base/record.h"
#include "linalg/matrix_view.h"
#include "linalg/polar.h"

namespace tied {

enum class AlignmentMethod : std::uint8_t {
  kIdentity,    // W = I
  kOrthogonal,  // the orthogonal W that minimizes ||X W - Y||_F (Procrustes)
  kLinear,      // the W that minimizes ||X W - Y||_F (least squares)
  kRidge,       // the W that minimizes ||X W - Y||_F^2 + penalty ||W||_F^2
};

struct AlignmentOptions {
  AlignmentMethod method = AlignmentMethod::kLinear;
  bool center = true;         // subtract the column means of the fit's rows
  double penalty = 1;         // of kRidge
  double hold_out = 0;        // the fraction of rows that a second fit does not see, in [0, 1)
  std::size_t null_runs = 1;  // fits to a target whose rows are in a random order
  std::uint64_t seed = 0;
};

// Agreement of the rows of X W with those of Y.
struct Agreement {
  double mean_cosine = 0;  // the mean of the cosines of the rows
  double residual = 0;     // ||X W - Y||_F / ||Y||_F
  std::size_t rows = 0;    // whose cosine is defined

  using Answered = Record<&Agreement::mean_cosine, &Agreement::residual, &Agreement::rows>;
};

// Aligns a source X [V, d1] with a target Y [V, d2], a block of rows at a time. Rows that are zero in either table are
// left out of everything.
//
// Time V d1^2 / 2 + 2 V d1 d2 multiply-adds for a linear map, 2 V d1 d2 for each further fit, plus decompositions of
// [d1, d1] matrices; memory of a few of these, nothing of the size of a table. Products of blocks of kRowsPerBlock rows
// are in float and their sums in double, but X^T X is in double throughout.
//
// By chance, with independent normal entries and V >> d, the mean cosine in the rows of the fit is f sqrt(d1 / V) for a
// linear map: a row of X W and its row of Y are pairs of normal numbers with a correlation of sqrt(d1 / V), and f =
// (2 / d2) (Gamma((d2 + 1) / 2) / Gamma(d2 / 2))^2, from 2 / pi for one column to 1 for many (H. Hotelling, 1953). For
// an orthogonal map it is f N / (d sqrt(d V)), where N is the expected sum of the singular values of d x d normal
// entries; 8 / (3 pi) d sqrt(d), its limit for large d, is 6% above it for d = 1 and 5% for d = 2. Real tables differ,
// so `null_cosines` repeats the fit with the rows of the target in a random order.
class Alignment {
 public:
  // The tables must outlive the object.
  // Errors: kShapeMismatch unless the tables have equally many rows and, except for linear and ridge maps, equally many
  // columns; kNotFinite as check_table; kInvalidArgument for options out of range, for too few non-zero rows to
  // determine the map, for a constant column that leaves it undetermined, and for centering a table whose rows are all
  // the same; kOutOfMemory.
  static Result<Alignment> create(ConstMatrixView<float> source, ConstMatrixView<float> target,
                                  const AlignmentOptions& options = {});

  // Works through `blocks` more blocks of rows; a decomposition counts as one.
  // Errors: kInvalidArgument if dependent columns leave the map undetermined, or an orthogonal map of all rows or of
  // those that are not held out. A shuffled target may leave a direction undetermined, which then maps to nothing.
  Status advance(std::size_t blocks);
  // The fraction of the work that has been done.
  double share() const;
  bool finished() const { return fit_ == fits_.size(); }

  // For the rows of the fit.
  const Agreement& agreement() const { return agreements_.front(); }
  // For the rows that were held out, if there are any.
  std::optional<Agreement> held_out() const;
  // Mean cosines of the finished fits to a shuffled target.
  std::vector<double> null_cosines() const;
  // By chance, with the limit above for orthogonal maps; none for ridge maps.
  std::optional<double> theory() const;
  // [V]: the cosine of each row of X W with its row of Y; NaN if the row is left out or has no direction.
  std::span<const float> cosines() const { return {cosines_.data(), cosines_.size()}; }
  // W [d1, d2] of the fit to all rows; empty for kIdentity.
  const Matrix<float>& map() const { return map_; }
  // Rows without a cosine.
  std::size_t left_out() const { return source_.rows - agreements_.front().rows; }

  using Answered = Record<&Alignment::agreement, &Alignment::held_out, &Alignment::null_cosines, &Alignment::theory,
                          &Alignment::cosines, &Alignment::map, &Alignment::left_out>;

 private:
  enum class Stage : std::uint8_t { kBegin, kGram, kCross, kSolve, kScore };

  // The i-th row of a list of source rows is aligned with the i-th row of the list of target rows.
  struct Fit {
    std::span<const std::uint32_t> source;
    std::span<const std::uint32_t> target;
    std::span<const std::uint32_t> scored_source;
    std::span<const std::uint32_t> scored_target;
  };

  Alignment(ConstMatrixView<float> source, ConstMatrixView<float> target, const AlignmentOptions& options);
  Status check_columns();
  Status check_more_columns();
  Status list_fits();
  Status allocate();
  bool is_least_squares() const {
    return options_.method == AlignmentMethod::kLinear || options_.method == AlignmentMethod::kRidge;
  }
  // Whether this fit's source rows, and so its Gram matrix and means, differ from those of the previous fit.
  bool has_new_source() const;
  // Whether this fit is one to a shuffled target.
  bool is_null() const { return fits_[fit_].target.data() == shuffled_.data(); }
  Status work(std::size_t count);
  void begin_fit();
  void add_to_gram(ConstMatrixView<float> table, std::span<const std::uint32_t> rows);
  void add_to_cross(std::size_t count);
  Status solve();
  Status solve_least_squares();
  Status solve_orthogonal();
  void score(std::size_t count);
  void finish_fit();
  std::size_t rows_of_stage() const;

  ConstMatrixView<float> source_;
  ConstMatrixView<float> target_;
  AlignmentOptions options_;
  AlignedBuffer<std::uint32_t> rows_;      // all non-zero rows
  AlignedBuffer<std::uint32_t> split_;     // the same, those to hold out first
  AlignedBuffer<std::uint32_t> shuffled_;  // for the null
  std::vector<Fit> fits_;
  Random null_random_;

  // Before the first fit: how many tables are still to be checked, and after how many rows.
  std::size_t unchecked_ = 0;
  std::size_t next_look_ = 0;

  std::size_t fit_ = 0;
  Stage stage_ = Stage::kBegin;
  std::size_t row_ = 0;  // of the stage
  double rows_done_ = 0;
  double rows_planned_ = 0;

  AlignedBuffer<double> source_means_;
  AlignedBuffer<double> target_means_;
  Matrix<float> source_block_;   // [kRowsPerBlock, d1]
  Matrix<float> target_block_;   // [kRowsPerBlock, d2]
  Matrix<float> mapped_block_;   // [kRowsPerBlock, d2]
  Matrix<double> wide_block_;    // [kRowsPerBlock, d1]
  Matrix<float> block_product_;  // [d1, d2]
  Matrix<double> gram_;          // [d1, d1]: X^T X, then its Cholesky factor; of kOrthogonal, only for checks
  Matrix<double> cross_;         // [d1, d2]: X^T Y, then W
  Matrix<float> fitted_;         // [d1, d2]: W of this fit
  Matrix<float> map_;
  std::optional<PolarSolver<float>> polar_;
  AlignedBuffer<float> cosines_;
  // Of the current scoring.
  double cosine_sum_ = 0;
  double squared_error_ = 0;
  double squared_target_ = 0;
  std::size_t scored_ = 0;
  std::vector<Agreement> agreements_;  // one per finished fit; the first is of all rows
};

}  // namespace tied
