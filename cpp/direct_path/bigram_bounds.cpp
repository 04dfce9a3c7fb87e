#include "direct_path/bigram_bounds.h"

#include <algorithm>
#include <cmath>

#include "base/elementary.h"
#include "direct_path/checks.h"
#include "direct_path/tournament.h"
#include "text/markov_chain.h"

namespace tied {
namespace {

// Margins closer than this, in total, are the same but for rounding.
constexpr double kEqualMargins = 1e-12;

constexpr double kLn2 = 0.6931471805599453;

// x ln(x / y), 0 for x = 0.
double weighted_log(double x, double y) { return x > 0 ? x * natural_log(x / y) : 0; }

// `weight(i, j)` are the entries of the joint distribution.
template <class T>
Result<BigramBounds> bounds_of(ConstMatrixView<T> weights, bool whole_numbers) {
  constexpr std::string_view kCounts = "counts";
  constexpr std::string_view kJoint = "joint";
  const std::string_view name = whole_numbers ? kCounts : kJoint;
  if (Status status = check_square(name, weights.rows, weights.cols, 2); !status) return status.error();
  if (Status status = check_finite(name, weights); !status) return status.error();
  const std::size_t n = weights.rows;
  auto row_sums = AlignedBuffer<double>::create(n);
  if (!row_sums) return row_sums.error();
  auto col_sums = AlignedBuffer<double>::create(n);
  if (!col_sums) return col_sums.error();

  double total = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const auto weight = static_cast<double>(weights(i, j));
      if (weight < 0 || (whole_numbers && weight != std::floor(weight))) {
        return entry_error(ErrorCode::kInvalidArgument, name, i, j, weight,
                           whole_numbers ? "a whole number of at least 0" : "a number of at least 0");
      }
      row_sums.value()[i] += weight;
      col_sums.value()[j] += weight;
    }
    total += row_sums.value()[i];
  }
  if (!(total > 0)) {
    return make_error(ErrorCode::kInvalidArgument, name, "all zero", "at least one entry above 0");
  }
  if (std::isinf(total)) return make_error(ErrorCode::kNotFinite, name, total, "a sum within the range of double");

  const double scale = 1 / total;
  BigramBounds bounds;
  double margin_difference = 0;
  for (std::size_t i = 0; i < n; ++i) {
    row_sums.value()[i] *= scale;
    col_sums.value()[i] *= scale;
    bounds.unigram -= weighted_log(col_sums.value()[i], 1);
    margin_difference += std::fabs(row_sums.value()[i] - col_sums.value()[i]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double forward = static_cast<double>(weights(i, j)) * scale;
      if (forward == 0) continue;
      const double backward = static_cast<double>(weights(j, i)) * scale;
      bounds.bigram -= weighted_log(forward, row_sums.value()[i]);
      // Twice the larger of equal numbers is their sum exactly, so that symmetric tables give 0.
      bounds.jensen_shannon += weighted_log(forward, (forward + backward) / 2);
    }
  }
  bounds.jensen_shannon = std::clamp(bounds.jensen_shannon, 0.0, kLn2);
  bounds.symmetric_logits = bounds.bigram + bounds.jensen_shannon;
  if (margin_difference > kEqualMargins) {
    const auto floor = symmetric_logit_floor(weights, row_sums.value().data(), scale);
    if (!floor) return floor.error();
    // Never below what no logits can beat, but for rounding.
    bounds.symmetric_logits = std::max(bounds.bigram, floor.value());
  }
  return bounds;
}

}  // namespace

Result<BigramBounds> bigram_bounds(ConstMatrixView<float> counts) { return bounds_of(counts, true); }

Result<BigramBounds> joint_bounds(ConstMatrixView<double> joint) { return bounds_of(joint, false); }

Result<MarkovBounds> markov_bounds(ConstMatrixView<float> transition) {
  auto stationary = stationary_distribution(transition);
  if (!stationary) return stationary.error();
  const std::size_t n = transition.rows;
  auto joint = Matrix<double>::create(n, n);
  if (!joint) return joint.error();
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += static_cast<double>(transition(i, j));
    // Rows may sum to 1 only roughly; the stationary distribution was made with them scaled as well.
    const double factor = stationary.value()[i] / sum;
    for (std::size_t j = 0; j < n; ++j) joint.value()(i, j) = factor * static_cast<double>(transition(i, j));
  }
  const auto bounds = joint_bounds(ConstMatrixView<double>(joint.value().view()));
  if (!bounds) return bounds.error();
  return MarkovBounds{std::move(stationary).value(), bounds.value()};
}

}  // namespace tied
