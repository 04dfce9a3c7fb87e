#include "diagnostics/alignment.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "base/allocate.h"
#include "diagnostics/alignment_checks.h"
#include "diagnostics/tables.h"
#include "linalg/blocks.h"
#include "linalg/checks.h"
#include "linalg/cholesky.h"
#include "linalg/matmul.h"
#include "linalg/reduce.h"

namespace tied {
namespace {

// Rows per column that are read before the first check whether columns are independent.
constexpr std::size_t kRowsPerColumn = 2;
// Expected fraction of a table's rows that this reads: usually a few rows are enough.
constexpr double kColumnsShare = 1.0 / 16;

// The mean length of a vector of `size` independent standard normal numbers: sqrt(2 / pi) for one, and the product of
// those of two successive sizes is the smaller size.
double mean_length(std::size_t size) {
  double length = std::sqrt(2 / std::numbers::pi);
  for (std::size_t n = 1; n < size; ++n) length = static_cast<double>(n) / length;
  return length;
}

}  // namespace

Alignment::Alignment(ConstMatrixView<float> source, ConstMatrixView<float> target, const AlignmentOptions& options)
    : source_(source),
      target_(target),
      options_(options),
      null_random_(options.seed, stream_of("diagnostics:alignment:null")) {}

Result<Alignment> Alignment::create(ConstMatrixView<float> source, ConstMatrixView<float> target,
                                    const AlignmentOptions& options) {
  if (Status status = check_alignment_options(options); !status) return status;
  if (Status status = check_alignment_tables(source, target, options.method); !status) return status;
  Alignment made(source, target, options);
  auto rows = nonzero_rows({source, target});
  if (!rows) return rows.failure();
  made.rows_ = std::move(rows).value();
  if (Status status = made.list_fits(); !status) return status;
  if (Status status = made.check_columns(); !status) return status;
  if (Status status = made.allocate(); !status) return status;
  return made;
}

Status Alignment::list_fits() {
  auto split = rows_.clone();
  if (!split) return split.failure();
  split_ = std::move(split).value();
  auto shuffled = rows_.clone();
  if (!shuffled) return shuffled.failure();
  shuffled_ = std::move(shuffled).value();

  const std::span<const std::uint32_t> all(rows_.data(), rows_.size());
  const auto held = static_cast<std::size_t>(options_.hold_out * static_cast<double>(all.size()));
  // The fewest rows that determine the map, with one more for the means.
  const bool fits = options_.method == AlignmentMethod::kLinear || options_.method == AlignmentMethod::kOrthogonal;
  const std::size_t least = std::max<std::size_t>(2, (fits ? source_.cols : 0) + (options_.center ? 1 : 0));
  const std::size_t fitted = all.size() - held;
  if (fitted < least) {
    const std::string rows = text_of(source_.rows);
    return make_error(ErrorCode::kInvalidArgument, "source.rows",
                      fitted == source_.rows ? rows : joined({rows, ", of which ", text_of(fitted), " are fitted"}),
                      joined({"at least ", text_of(least), " rows to fit that are not zero"}));
  }
  fits_.push_back({all, all, all, all});
  for (std::size_t i = 0; i < options_.null_runs; ++i) {
    const std::span<const std::uint32_t> shuffled_rows(shuffled_.data(), shuffled_.size());
    fits_.push_back({all, shuffled_rows, all, shuffled_rows});
  }
  if (options_.hold_out > 0) {
    if (held == 0) {
      return make_error(ErrorCode::kInvalidArgument, "hold_out", options_.hold_out,
                        "a fraction that is at least one row");
    }
    Random random(options_.seed, stream_of("diagnostics:alignment:held-out"));
    shuffle({split_.data(), split_.size()}, random);
    const std::span<const std::uint32_t> order(split_.data(), split_.size());
    fits_.push_back({order.subspan(held), order.subspan(held), order.first(held), order.first(held)});
  }
  for (stage_ = Stage::kBegin; fit_ < fits_.size();) {
    rows_planned_ += static_cast<double>(rows_of_stage());
    if (stage_ == Stage::kScore) {
      ++fit_;
      stage_ = Stage::kBegin;
    } else {
      stage_ = static_cast<Stage>(static_cast<int>(stage_) + 1);
    }
  }
  fit_ = 0;
  return {};
}

// Checks for columns that leave the map undetermined, in the rows of the last fit, which all other fits include.
Status Alignment::check_columns() {
  const std::span<const std::uint32_t> rows = fits_.back().source;
  const std::span<const std::uint32_t> all = fits_.front().source;
  const bool orthogonal = options_.method == AlignmentMethod::kOrthogonal;
  const auto check = [&](std::string_view name, ConstMatrixView<float> table, bool is_fitted) -> Status {
    if (!options_.center) return {};
    return is_fitted ? check_not_constant(name, table, rows, all) : check_rows_differ(name, table, rows);
  };
  if (Status status = check("source", source_, orthogonal || options_.method == AlignmentMethod::kLinear); !status) {
    return status;
  }
  if (Status status = check("target", target_, orthogonal); !status) return status;
  if (orthogonal) {
    unchecked_ = 2;
    rows_planned_ += 2 * kColumnsShare * static_cast<double>(rows.size());
  }
  return {};
}

// An orthogonal map needs independent columns in both tables. Columns that are independent in some rows are independent
// in all, so no more rows are read than necessary.
Status Alignment::check_more_columns() {
  const bool is_source = unchecked_ == 2;
  const ConstMatrixView<float> table = is_source ? source_ : target_;
  const std::span<const std::uint32_t> rows = fits_.back().source;
  if (row_ == 0) {
    next_look_ = kRowsPerColumn * table.cols;
    column_means(source_means_.data(), table, rows);
    std::fill_n(gram_.data(), gram_.rows() * gram_.cols(), 0.0);
  }
  const std::size_t count = std::min(kRowsPerBlock, rows.size() - row_);
  add_to_gram(table, rows.subspan(row_, count));
  row_ += count;
  std::size_t done = count;
  if (row_ >= std::min(next_look_, rows.size())) {
    next_look_ = 2 * row_;
    std::copy_n(gram_.data(), gram_.rows() * gram_.cols(), cross_.data());
    const std::size_t column = cholesky(cross_.view(), kDependentColumn);
    if (column == kIndependent) {
      done += rows.size() - row_;
      row_ = 0;
      --unchecked_;
    } else if (row_ == rows.size()) {
      return dependent_column_error(is_source ? "source" : "target", column);
    }
  }
  rows_done_ += kColumnsShare * static_cast<double>(done);
  return {};
}

Status Alignment::allocate() {
  const std::size_t width = source_.cols;
  const std::size_t target_width = target_.cols;
  if (Status status = tied::allocate(source_means_, width); !status) return status;
  if (Status status = tied::allocate(target_means_, target_width); !status) return status;
  if (Status status = tied::allocate(cosines_, source_.rows); !status) return status;
  cosines_.fill(std::numeric_limits<float>::quiet_NaN());
  if (Status status = make_zeros(source_block_, kRowsPerBlock, width); !status) return status;
  if (Status status = make_zeros(target_block_, kRowsPerBlock, target_width); !status) return status;
  if (options_.method == AlignmentMethod::kIdentity) return {};
  if (Status status = make_zeros(mapped_block_, kRowsPerBlock, target_width); !status) return status;
  if (Status status = make_zeros(block_product_, width, target_width); !status) return status;
  if (Status status = make_zeros(cross_, width, target_width); !status) return status;
  if (Status status = make_zeros(fitted_, width, target_width); !status) return status;
  if (Status status = make_zeros(map_, width, target_width); !status) return status;
  if (Status status = make_zeros(wide_block_, kRowsPerBlock, width); !status) return status;
  if (Status status = make_zeros(gram_, width, width); !status) return status;
  if (is_least_squares()) return {};
  auto polar = PolarSolver<float>::create(width, width);
  if (!polar) return polar.failure();
  polar_ = std::move(polar).value();
  return {};
}

bool Alignment::has_new_source() const {
  return fit_ == 0 || fits_[fit_].source.data() != fits_[fit_ - 1].source.data();
}

std::size_t Alignment::rows_of_stage() const {
  const Fit& fit = fits_[fit_];
  const bool maps = options_.method != AlignmentMethod::kIdentity;
  switch (stage_) {
    case Stage::kGram:
      return is_least_squares() && has_new_source() ? fit.source.size() : 0;
    case Stage::kCross:
      return maps ? fit.source.size() : 0;
    case Stage::kSolve:
      return maps ? source_.cols : 0;
    case Stage::kScore:
      return fit.scored_source.size();
    case Stage::kBegin:
      break;
  }
  return 0;
}

Status Alignment::advance(std::size_t blocks) {
  for (; unchecked_ > 0 && blocks > 0; --blocks) {
    if (Status status = check_more_columns(); !status) return status;
  }
  while (!finished() && blocks > 0) {
    const std::size_t size = rows_of_stage();
    const std::size_t count = stage_ == Stage::kSolve ? size : std::min(kRowsPerBlock, size - row_);
    if (count > 0 || stage_ == Stage::kBegin) {
      if (Status status = work(count); !status) return status;
    }
    if (count > 0) --blocks;
    row_ += count;
    rows_done_ += static_cast<double>(count);
    if (row_ < size) continue;
    row_ = 0;
    if (stage_ == Stage::kScore) {
      finish_fit();
      ++fit_;
      stage_ = Stage::kBegin;
    } else {
      stage_ = static_cast<Stage>(static_cast<int>(stage_) + 1);
    }
  }
  return {};
}

Status Alignment::work(std::size_t count) {
  switch (stage_) {
    case Stage::kBegin:
      begin_fit();
      break;
    case Stage::kGram:
      add_to_gram(source_, fits_[fit_].source.subspan(row_, count));
      break;
    case Stage::kCross:
      add_to_cross(count);
      break;
    case Stage::kSolve:
      return solve();
    case Stage::kScore:
      score(count);
      break;
  }
  return {};
}

double Alignment::share() const { return finished() ? 1 : rows_done_ / rows_planned_; }

void Alignment::begin_fit() {
  const Fit& fit = fits_[fit_];
  if (is_null()) shuffle({shuffled_.data(), shuffled_.size()}, null_random_);
  if (has_new_source()) {
    column_means(source_means_.data(), source_, fit.source);
    column_means(target_means_.data(), target_, fit.target);
    std::fill_n(gram_.data(), gram_.rows() * gram_.cols(), 0.0);
  }
  std::fill_n(cross_.data(), cross_.rows() * cross_.cols(), 0.0);
  cosine_sum_ = squared_error_ = squared_target_ = 0;
  scored_ = 0;
}

void Alignment::add_to_gram(ConstMatrixView<float> table, std::span<const std::uint32_t> rows) {
  const auto block = source_block_.view().row_block(0, rows.size());
  gather_rows<float>(block, table, rows, options_.center ? source_means_.data() : nullptr);
  const auto wide = wide_block_.view().row_block(0, rows.size());
  convert(wide, block);
  gram_lower(gram_.view(), wide, Accumulate::kAdd);
}

void Alignment::add_to_cross(std::size_t count) {
  const Fit& fit = fits_[fit_];
  const auto source = source_block_.view().row_block(0, count);
  const auto target = target_block_.view().row_block(0, count);
  gather_rows<float>(source, source_, fit.source.subspan(row_, count),
                     options_.center ? source_means_.data() : nullptr);
  gather_rows<float>(target, target_, fit.target.subspan(row_, count),
                     options_.center ? target_means_.data() : nullptr);
  matmul_tn<float>(block_product_.view(), source, target);
  const float* product = block_product_.data();
  double* sum = cross_.data();
  for (std::size_t i = 0; i < cross_.rows() * cross_.cols(); ++i) sum[i] += static_cast<double>(product[i]);
}

Status Alignment::solve() {
  if (Status status = is_least_squares() ? solve_least_squares() : solve_orthogonal(); !status) return status;
  if (fit_ == 0) convert(map_.view(), fitted_.view());
  return {};
}

Status Alignment::solve_least_squares() {
  if (has_new_source()) {
    const bool ridge = options_.method == AlignmentMethod::kRidge;
    for (std::size_t i = 0; ridge && i < gram_.rows(); ++i) gram_(i, i) += options_.penalty;
    const std::size_t column = cholesky(gram_.view(), ridge ? 0 : kDependentColumn);
    if (column != kIndependent) return dependent_column_error("source", column);
  }
  cholesky_solve(cross_.view(), gram_.view());
  convert(fitted_.view(), cross_.view());
  return {};
}

Status Alignment::solve_orthogonal() {
  convert(fitted_.view(), cross_.view());
  if (Status status = polar_->factor(fitted_.view(), fitted_.view()); !status) return status;
  // The squares of d1 orthonormal columns sum to d1; if directions have no counterpart, the sum is smaller.
  const double rank = squared_norm<float>(fitted_.view());
  const auto width = static_cast<double>(source_.cols);
  // Shuffled rows are meant to be unrelated: a direction without a counterpart adds next to nothing to their cosines.
  if (rank > width - 0.01 || is_null()) return {};
  return make_error(ErrorCode::kInvalidArgument, "target",
                    fit_ == 0 ? "unrelated to source in some direction"
                              : "unrelated to source in some direction of the rows that are not held out",
                    joined({"source^T target of rank ", text_of(source_.cols), "; a linear map takes any"}));
}

void Alignment::score(std::size_t count) {
  const Fit& fit = fits_[fit_];
  const auto rows = fit.scored_source.subspan(row_, count);
  const auto source = source_block_.view().row_block(0, count);
  const auto target = target_block_.view().row_block(0, count);
  gather_rows<float>(source, source_, rows, options_.center ? source_means_.data() : nullptr);
  gather_rows<float>(target, target_, fit.scored_target.subspan(row_, count),
                     options_.center ? target_means_.data() : nullptr);
  const bool maps = options_.method != AlignmentMethod::kIdentity;
  const auto mapped = maps ? mapped_block_.view().row_block(0, count) : source;
  if (maps) matmul_nn<float>(mapped, source, fitted_.view());
  const std::size_t width = target_.cols;
  for (std::size_t i = 0; i < count; ++i) {
    const double square = squared_norm(mapped.row(i), width);
    const double target_square = squared_norm(target.row(i), width);
    const double product = dot(mapped.row(i), target.row(i), width);
    add_scaled(mapped.row(i), target.row(i), width, -1.0F);
    squared_error_ += squared_norm(mapped.row(i), width);
    squared_target_ += target_square;
    // No direction: a row equal to the mean.
    if (square == 0 || target_square == 0) continue;
    const double cosine = std::clamp(product / std::sqrt(square * target_square), -1.0, 1.0);
    cosine_sum_ += cosine;
    ++scored_;
    if (fit_ == 0) cosines_[rows[i]] = static_cast<float>(cosine);
  }
}

void Alignment::finish_fit() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  agreements_.push_back({scored_ > 0 ? cosine_sum_ / static_cast<double>(scored_) : nan,
                         squared_target_ > 0 ? std::sqrt(squared_error_ / squared_target_) : nan, scored_});
}

std::optional<Agreement> Alignment::held_out() const {
  if (options_.hold_out == 0 || !finished()) return std::nullopt;
  return agreements_.back();
}

std::vector<double> Alignment::null_cosines() const {
  std::vector<double> cosines;
  for (std::size_t i = 1; i < agreements_.size() && i <= options_.null_runs; ++i) {
    cosines.push_back(agreements_[i].mean_cosine);
  }
  return cosines;
}

std::optional<double> Alignment::theory() const {
  const double share = mean_length(target_.cols) * mean_length(target_.cols) / static_cast<double>(target_.cols) *
                       std::sqrt(static_cast<double>(source_.cols) / static_cast<double>(rows_.size()));
  switch (options_.method) {
    case AlignmentMethod::kIdentity:
      return 0;
    case AlignmentMethod::kOrthogonal:
      return 8 / (3 * std::numbers::pi) * share;
    case AlignmentMethod::kLinear:
      return share;
    case AlignmentMethod::kRidge:
      break;
  }
  return std::nullopt;
}

}  // namespace tied
