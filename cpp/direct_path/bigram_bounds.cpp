#include "direct_path/bigram_bounds.h"

#include <algorithm>
#include <cmath>

#include "base/allocate.h"
#include "linalg/checks.h"
#include "linalg/stationary_distribution.h"

namespace tied {
namespace {

// Margins whose total difference is below this are equal but for rounding.
constexpr double kEqualMargins = 1e-12;

using Entries = BoundsSearch::Entries;
using Floor = BoundsSearch::Floor;

Result<BigramBounds> bounds_of(const Joint& joint, Entries entries, Floor symmetric) {
  BoundsSearch search(joint, entries, symmetric);
  while (!search.finished()) {
    if (Status status = search.advance(joint.size()); !status) return status;
  }
  return search.bounds();
}

}  // namespace

Status BoundsSearch::advance(std::size_t rows) {
  for (std::size_t i = 0; i < rows && !finished(); ++i) {
    if (Status status = row(); !status) return status;
  }
  return {};
}

Status BoundsSearch::row() {
  const std::size_t i = row_;
  if (stage_ == Stage::kSymmetricFloor) {
    if (Status status = floor_.advance(joint_); !status) return status;
    if (floor_.finished()) {
      bounds_.symmetric_logits = bounds_.bigram + floor_.excess();
      bounds_.symmetric_logits_gap = floor_.gap();
      stage_ = Stage::kFinished;
    }
    return {};
  }
  row_ = i + 1 == joint_.size() ? 0 : i + 1;
  if (stage_ == Stage::kEntropies) {
    add_entropies(i);
    if (row_ == 0) end_entropies();
    return {};
  }
  if (Status status = add_sums(i); !status) return status;
  return row_ == 0 ? end_sums() : Status();
}

Status BoundsSearch::add_sums(std::size_t i) {
  if (row_sums_.size() == 0) {
    if (Status status = allocate(row_sums_, joint_.size()); !status) return status;
    if (Status status = allocate(col_sums_, joint_.size()); !status) return status;
  }
  const bool counts = entries_ == Entries::kCounts;
  for (std::size_t j = 0; j < joint_.size(); ++j) {
    const double weight = joint_(i, j);
    if (!(weight >= 0) || std::isinf(weight) || (counts && weight != std::floor(weight))) {
      const bool finite = std::isfinite(weight);
      return entry_error(finite ? ErrorCode::kInvalidArgument : ErrorCode::kNotFinite, counts ? "counts" : "joint", i,
                         j, weight, counts ? "an integer of at least 0" : "a number of at least 0");
    }
    row_sums_[i] += weight;
    col_sums_[j] += weight;
  }
  total_ += row_sums_[i];
  return {};
}

Status BoundsSearch::end_sums() {
  const std::string_view name = entries_ == Entries::kCounts ? "counts" : "joint";
  if (!(total_ > 0)) {
    return make_error(ErrorCode::kInvalidArgument, name, "all zero", "at least one entry above 0");
  }
  if (std::isinf(total_)) return make_error(ErrorCode::kNotFinite, name, total_, "a sum within the range of double");
  joint_.set_scale(1 / total_);
  for (std::size_t i = 0; i < joint_.size(); ++i) {
    row_sums_[i] /= total_;
    col_sums_[i] /= total_;
    bounds_.unigram -= weighted_log(col_sums_[i], 1);
    margin_difference_ += std::fabs(row_sums_[i] - col_sums_[i]);
  }
  stage_ = Stage::kEntropies;
  return {};
}

void BoundsSearch::add_entropies(std::size_t i) {
  for (std::size_t j = 0; j < joint_.size(); ++j) {
    const double forward = joint_(i, j);
    if (forward == 0) continue;
    bounds_.bigram -= weighted_log(forward, row_sums_[i]);
    bounds_.jensen_shannon += divergence_term(forward, joint_(j, i));
  }
}

void BoundsSearch::end_entropies() {
  // Rounding may have led out of the range.
  bounds_.bigram = std::max(bounds_.bigram, 0.0);
  bounds_.jensen_shannon = std::clamp(bounds_.jensen_shannon, 0.0, kLn2);
  bounds_.symmetric_logits = bounds_.bigram + bounds_.jensen_shannon;
  const bool searches = symmetric_ == Floor::kFound && margin_difference_ > kEqualMargins;
  stage_ = searches ? Stage::kSymmetricFloor : Stage::kFinished;
}

Result<BigramBounds> bigram_bounds(ConstMatrixView<float> counts) {
  if (Status status = check_square("counts", counts.rows, counts.cols, 2); !status) return status;
  return bounds_of(Joint(counts), Entries::kCounts, Floor::kFound);
}

Result<BigramEntropies> bigram_entropies(ConstMatrixView<float> counts) {
  if (Status status = check_square("counts", counts.rows, counts.cols, 2); !status) return status;
  auto bounds = bounds_of(Joint(counts), Entries::kCounts, Floor::kLeftOut);
  if (!bounds) return bounds.failure();
  return static_cast<BigramEntropies>(bounds.value());
}

Result<BigramBounds> joint_bounds(ConstMatrixView<double> joint) {
  if (Status status = check_square("joint", joint.rows, joint.cols, 2); !status) return status;
  return bounds_of(Joint(joint), Entries::kWeights, Floor::kFound);
}

Result<MarkovBounds> markov_bounds(ConstMatrixView<float> transition) {
  auto stationary = stationary_distribution(transition);
  if (!stationary) return stationary.failure();
  const std::size_t n = transition.rows;
  auto joint = Matrix<double>::create(n, n);
  if (!joint) return joint.failure();
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += static_cast<double>(transition(i, j));
    // Rows may sum to 1 only roughly; stationary_distribution scales them in the same way.
    const double factor = stationary.value()[i] / sum;
    for (std::size_t j = 0; j < n; ++j) joint.value()(i, j) = factor * static_cast<double>(transition(i, j));
  }
  auto bounds = joint_bounds(ConstMatrixView<double>(joint.value().view()));
  if (!bounds) return bounds.failure();
  return MarkovBounds{std::move(stationary).value(), bounds.value()};
}

}  // namespace tied
