#include "direct_path/bigram_bounds.h"

#include <algorithm>
#include <cmath>

#include "direct_path/checks.h"
#include "direct_path/joint.h"
#include "direct_path/tournament.h"
#include "linalg/stationary_distribution.h"

namespace tied {
namespace {

// Margins whose total difference is below this are equal but for rounding.
constexpr double kEqualMargins = 1e-12;

// What the entries of a table are: counts, or weights of any size.
enum class Entries { kCounts, kWeights };

enum class SymmetricFloor { kFound, kLeftOut };

Result<BigramBounds> bounds_of(Joint joint, Entries entries, SymmetricFloor floor) {
  const bool counts = entries == Entries::kCounts;
  const std::string_view name = counts ? "counts" : "joint";
  const std::size_t n = joint.size();
  auto sums = AlignedBuffer<double>::create(2 * n);
  if (!sums) return sums.failure();
  double* row_sums = sums.value().data();
  double* col_sums = row_sums + n;

  double total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double weight = joint(i, j);
      if (!(weight >= 0) || std::isinf(weight) || (counts && weight != std::floor(weight))) {
        const bool finite = std::isfinite(weight);
        return entry_error(finite ? ErrorCode::kInvalidArgument : ErrorCode::kNotFinite, name, i, j, weight,
                           counts ? "an integer of at least 0" : "a number of at least 0");
      }
      row_sums[i] += weight;
      col_sums[j] += weight;
    }
    total += row_sums[i];
  }
  if (!(total > 0)) {
    return make_error(ErrorCode::kInvalidArgument, name, "all zero", "at least one entry above 0");
  }
  if (std::isinf(total)) return make_error(ErrorCode::kNotFinite, name, total, "a sum within the range of double");
  joint.set_scale(1 / total);

  BigramBounds bounds;
  double margin_difference = 0;
  for (std::size_t i = 0; i < n; ++i) {
    row_sums[i] /= total;
    col_sums[i] /= total;
    bounds.unigram -= weighted_log(col_sums[i], 1);
    margin_difference += std::fabs(row_sums[i] - col_sums[i]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double forward = joint(i, j);
      if (forward == 0) continue;
      bounds.bigram -= weighted_log(forward, row_sums[i]);
      bounds.jensen_shannon += divergence_term(forward, joint(j, i));
    }
  }
  // Rounding may have left the range.
  bounds.bigram = std::max(bounds.bigram, 0.0);
  bounds.jensen_shannon = std::clamp(bounds.jensen_shannon, 0.0, kLn2);
  bounds.symmetric_logits = bounds.bigram + bounds.jensen_shannon;
  if (floor == SymmetricFloor::kFound && margin_difference > kEqualMargins) {
    auto found = symmetric_logit_floor(joint, row_sums);
    if (!found) return found.failure();
    bounds.symmetric_logits = std::max(bounds.bigram, found.value());
  }
  return bounds;
}

}  // namespace

Result<BigramBounds> bigram_bounds(ConstMatrixView<float> counts) {
  if (Status status = check_square("counts", counts.rows, counts.cols, 2); !status) return status;
  return bounds_of(Joint(counts), Entries::kCounts, SymmetricFloor::kFound);
}

Result<BigramEntropies> bigram_entropies(ConstMatrixView<float> counts) {
  if (Status status = check_square("counts", counts.rows, counts.cols, 2); !status) return status;
  auto bounds = bounds_of(Joint(counts), Entries::kCounts, SymmetricFloor::kLeftOut);
  if (!bounds) return bounds.failure();
  return static_cast<BigramEntropies>(bounds.value());
}

Result<BigramBounds> joint_bounds(ConstMatrixView<double> joint) {
  if (Status status = check_square("joint", joint.rows, joint.cols, 2); !status) return status;
  return bounds_of(Joint(joint), Entries::kWeights, SymmetricFloor::kFound);
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
