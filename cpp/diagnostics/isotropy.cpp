#include "diagnostics/isotropy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "base/allocate.h"
#include "base/elementary.h"
#include "diagnostics/directions.h"
#include "diagnostics/tables.h"
#include "linalg/blocks.h"
#include "linalg/checks.h"
#include "linalg/column_exponentials.h"
#include "linalg/matmul.h"
#include "linalg/reduce.h"

namespace tied {
namespace {

// The square of what rounding leaves of a row of which nothing should remain, relative to the square of its length.
constexpr double kNoVariance = 1e-24;

// sum += x / |x|, unless x is only the rounding error of a row whose squared length was `square`. Returns whether it
// was added.
bool add_direction(double* sum, const double* x, std::size_t size, double square) {
  const double left = squared_norm(x, size);
  if (left <= kNoVariance * square) return false;
  add_scaled(sum, x, size, 1 / std::sqrt(left));
  return true;
}

}  // namespace

Result<Isotropy> Isotropy::create(ConstMatrixView<float> table, std::span<const std::uint32_t> counts,
                                  std::uint64_t seed) {
  if (Status status = check_some_rows("table", table); !status) return status;
  Isotropy made;
  made.table_ = table;
  auto rows = nonzero_rows({table});
  if (!rows) return rows.failure();
  made.rows_ = std::move(rows).value();
  made.measures_.left_out = table.rows - made.rows_.size();
  const std::size_t width = table.cols;
  const std::size_t padded_width = (width + kExponentialColumns - 1) / kExponentialColumns * kExponentialColumns;
  for (auto* buffer : {&made.means_, &made.direction_}) {
    if (Status status = allocate(*buffer, width); !status) return status;
  }
  for (Partition& partition : made.partitions_) {
    if (Status status = allocate(partition.largest, 2 * padded_width); !status) return status;
    if (Status status = allocate(partition.sums, 2 * padded_width); !status) return status;
    partition.largest.fill(-std::numeric_limits<float>::infinity());
    if (Status status = make_zeros(partition.directions, width, width); !status) return status;
  }
  if (Status status = make_zeros(made.block_, kRowsPerBlock, width); !status) return status;
  if (Status status = make_zeros(made.projections_, kRowsPerBlock, padded_width); !status) return status;
  if (Status status = make_zeros(made.wide_, kRowsPerBlock, width); !status) return status;
  if (Status status = make_zeros(made.gram_, width, width); !status) return status;
  if (Status status = make_zeros(made.unit_sums_, 3, width); !status) return status;
  column_means(made.means_.data(), table, {made.rows_.data(), made.rows_.size()});
  std::copy_n(made.means_.data(), width, made.direction_.data());
  const double length = std::sqrt(squared_norm(made.means_.data(), width));
  if (length > 0) scale(made.direction_.data(), width, 1 / length);
  if (Status status = made.start_regression(counts, seed); !status) return status;
  return made;
}

Status Isotropy::advance(std::size_t blocks) {
  const std::size_t size = rows_.size();
  for (; blocks > 0 && row_ < 2 * size; --blocks) {
    const bool first_pass = row_ < size;
    const std::size_t begin = first_pass ? row_ : row_ - size;
    const std::span<const std::uint32_t> rows(rows_.data() + begin, std::min(kRowsPerBlock, size - begin));
    if (first_pass) {
      add_rows(rows);
    } else {
      measure_rows(rows);
    }
    row_ += rows.size();
    if (row_ == size) {
      if (Status status = decompose(); !status) return status;
    }
    if (row_ == 2 * size) finish();
  }
  return regression_ && blocks > 0 ? advance_regression(blocks) : Status();
}

double Isotropy::share() const {
  const double passes = static_cast<double>(row_) / static_cast<double>(2 * rows_.size());
  if (log_counts_.rows() == 0) return passes;
  // The regression is about as much work as both passes.
  return (passes + (regression_ ? regression_->share() : 1)) / 2;
}

// A row whose token does not occur has the target 0 and is therefore left out.
Status Isotropy::start_regression(std::span<const std::uint32_t> counts, std::uint64_t seed) {
  if (counts.empty()) return {};
  if (counts.size() != table_.rows) {
    return make_error(ErrorCode::kShapeMismatch, "counts.length", counts.size(),
                      joined({"as many as the table has rows, ", text_of(table_.rows)}));
  }
  if (Status status = make_zeros(log_counts_, table_.rows, 1); !status) return status;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    log_counts_(i, 0) = static_cast<float>(natural_log(1 + static_cast<double>(counts[i])) / std::numbers::ln10);
  }
  AlignmentOptions options;
  options.hold_out = 0.2;
  options.null_runs = 0;
  options.seed = seed;
  auto regression = Alignment::create(table_, log_counts_.view(), options);
  // Too few rows or a constant column: there is no such function.
  if (!regression) return regression.error().code == ErrorCode::kOutOfMemory ? regression.failure() : Status();
  regression_ = std::move(regression).value();
  return {};
}

Status Isotropy::advance_regression(std::size_t blocks) {
  Status status = regression_->advance(blocks);
  if (!status && status.error().code == ErrorCode::kOutOfMemory) return status;
  if (status && !regression_->finished()) return {};
  if (status) {
    const auto explained = [](const Agreement& agreement) { return 1 - agreement.residual * agreement.residual; };
    measures_.frequency_r2 = explained(regression_->agreement());
    measures_.held_out_frequency_r2 = explained(regression_->held_out().value());
  }
  regression_.reset();
  return {};
}

void Isotropy::add_rows(std::span<const std::uint32_t> rows) {
  const std::size_t width = table_.cols;
  const auto wide = wide_.view().row_block(0, rows.size());
  gather_rows<double>(wide, table_, rows, nullptr);
  gram_lower(gram_.view(), wide, Accumulate::kAdd);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double* row = wide.row(i);
    const double square = squared_norm(row, width);
    const auto add = [&](std::size_t kind) {
      unit_counts_[kind] += add_direction(unit_sums_.view().row(kind), row, width, square) ? 1 : 0;
    };
    add(0);
    add_scaled(row, means_.data(), width, -1.0);
    add(1);
    gather_rows<double>(wide.row_block(i, 1), table_, rows.subspan(i, 1), nullptr);
    add_scaled(row, direction_.data(), width, -dot(row, direction_.data(), width));
    add(2);
  }
}

Status Isotropy::decompose() {
  const std::size_t width = table_.cols;
  Dimensions of_all;
  double score = 0;
  if (Status status = decompose_into(partitions_[0], width, true, score, of_all); !status) return status;
  // The covariance times the number of rows.
  const auto n = static_cast<double>(rows_.size());
  double square = 0;
  for (std::size_t i = 0; i < width; ++i) {
    square += gram_(i, i);
    for (std::size_t j = 0; j <= i; ++j) gram_(i, j) -= n * means_[i] * means_[j];
  }
  measures_.mean_share = std::sqrt(squared_norm(means_.data(), width) * (n / square));
  // If all rows are the same, what rounding leaves of them is no direction.
  const bool differ = static_cast<bool>(check_rows_differ("table", table_, {rows_.data(), rows_.size()}));
  Status status = decompose_into(partitions_[1], width, differ, measures_.iso_score, measures_.dimensions);
  if (!status) return status;
  // With twice the variance of all others together, the mean's direction is the last eigenvector.
  const Traces traces = project_out(gram_.view(), direction_.data(), 2, wide_.view().row(0));
  const std::size_t left = squared_norm(direction_.data(), width) > 0 ? width - 1 : width;
  // Without a dimension left, what rounding leaves of the trace is nothing to average.
  measures_.projected_mean_square =
      left == 0 ? std::numeric_limits<double>::quiet_NaN() : traces.left / (n * static_cast<double>(left));
  return decompose_into(partitions_[2], left, differ && traces.varies(), measures_.projected_iso_score,
                        measures_.projected_dimensions);
}

// The first `count` eigenvectors of `gram_`, and the measures of their eigenvalues; nothing if there is no variance.
Status Isotropy::decompose_into(Partition& partition, std::size_t count, bool varies, double& score,
                                Dimensions& dimensions) {
  auto eigen = symmetric_eigen(gram_.view());
  if (!eigen) return eigen.failure();
  convert(partition.directions.view(), eigen.value().vectors.view());
  partition.count = varies ? count : 0;
  const std::span<double> variances(eigen.value().values.data(), partition.count);
  for (double& variance : variances) variance = std::max(variance, 0.0);
  score = iso_score(variances);
  dimensions = dimensions_of(variances);
  return {};
}

void Isotropy::measure_rows(std::span<const std::uint32_t> rows) {
  const auto block = block_.view().row_block(0, rows.size());
  const auto padded = projections_.view().row_block(0, rows.size());
  const MatrixView<float> projections(padded.data, padded.rows, table_.cols, padded.stride);
  gather_rows<float>(block, table_, rows, nullptr);
  for (Partition& partition : partitions_) {
    matmul_nn<float>(projections, block, partition.directions.view());
    for (std::size_t side = 0; side < 2; ++side) {
      const std::size_t begin = side * padded.cols;
      add_column_exponentials(padded, side == 0 ? 1.0F : -1.0F, partition.largest.data() + begin,
                              partition.sums.data() + begin);
    }
  }
}

double Isotropy::ratio_of(const Partition& partition, const double* shift) {
  if (partition.count == 0) return std::numeric_limits<double>::quiet_NaN();
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  const std::size_t width = partition.directions.cols();
  const std::size_t opposites = partition.largest.size() / 2;
  for (std::size_t k = 0; k < partition.count; ++k) {
    double along = 0;
    for (std::size_t j = 0; shift && j < width; ++j) {
      along += shift[j] * static_cast<double>(partition.directions(j, k));
    }
    for (const std::size_t at : {k, k + opposites}) {
      const double log_sum =
          static_cast<double>(partition.largest[at]) + natural_log(partition.sums[at]) - (at == k ? along : -along);
      least = std::min(least, log_sum);
      most = std::max(most, log_sum);
    }
  }
  return exponential(least - most);
}

void Isotropy::finish() {
  const std::size_t width = table_.cols;
  double* const cosines[3] = {&measures_.mean_cosine, &measures_.centered_mean_cosine,
                              &measures_.projected_mean_cosine};
  for (std::size_t kind = 0; kind < 3; ++kind) {
    *cosines[kind] = mean_cosine(unit_sums_.view().row(kind), width, unit_counts_[kind]);
  }
  measures_.partition = ratio_of(partitions_[0], nullptr);
  measures_.centered_partition = ratio_of(partitions_[1], means_.data());
  // These directions are orthogonal to the mean row, so components along it do not affect the exponents.
  measures_.projected_partition = ratio_of(partitions_[2], nullptr);
}

}  // namespace tied
