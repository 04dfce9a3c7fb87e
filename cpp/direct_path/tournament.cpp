#include "direct_path/tournament.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/allocate.h"
#include "base/elementary.h"

namespace tied {
namespace {

// The search ends when the infimum is known to this many nats. Rounding of the sums is some 1e-15.
constexpr double kTolerance = 1e-9;
// A difference of two excesses below this may be rounding.
constexpr double kRounding = 1e-14;
constexpr int kMaxSteps = 200;
constexpr double kSmallestFraction = 1e-9;
// A step must gain this fraction of what its slope promises.
constexpr double kLeastGain = 1e-4;
// A step is exact enough if this fraction of the slopes is left, or their square root where that is less.
constexpr double kLeftOver = 0.1;
// Conjugate gradients need at most as many products as there are tokens, and some more because of rounding.
constexpr std::size_t kMoreProducts = 50;

double dot(const AlignedBuffer<double>& a, const AlignedBuffer<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double sum_of_magnitudes(const AlignedBuffer<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::fabs(value);
  return sum;
}

}  // namespace

Status SymmetricFloor::advance(const Joint& joint) {
  if (first_.size() == 0) {
    if (Status status = start(joint.size()); !status) return status;
  }
  const std::size_t i = row_;
  switch (stage_) {
    case Stage::kComponents:
      if (Status status = components_.advance(joint, joint.size()); !status) return status;
      if (components_.finished()) stage_ = Stage::kCounting;
      return {};
    case Stage::kCounting:
      count_matches(joint, i);
      break;
    case Stage::kMatching:
      add_matches(joint, i);
      break;
    case Stage::kSlopes:
      add_slopes(i);
      break;
    case Stage::kProducts:
      add_products(i);
      break;
    case Stage::kFinished:
      return {};
  }
  return ++row_ == joint.size() ? end_stage() : Status();
}

Status SymmetricFloor::start(std::size_t tokens) {
  if (Status status = allocate(first_, std::uint64_t{tokens} + 1); !status) return status;
  for (auto* buffer : {&strengths_, &tried_, &slopes_, &diagonal_, &step_, &residual_, &direction_, &product_}) {
    if (Status status = allocate(*buffer, tokens); !status) return status;
  }
  return {};
}

Status SymmetricFloor::end_stage() {
  row_ = 0;
  switch (stage_) {
    case Stage::kCounting:
      if (auto matches = AlignedBuffer<Match>::create(first_[first_.size() - 1]); matches.ok()) {
        matches_ = std::move(matches).value();
      } else {
        return matches.failure();
      }
      stage_ = Stage::kMatching;
      break;
    case Stage::kMatching:
      // Let D be the distance between two strengths that follow each other in order, at the minimum. The tokens above
      // lose to those below as often as in the table, at least `smallest_`, and at most e^-D of all pairs.
      farthest_ = -natural_log(smallest_) * static_cast<double>(components_.largest() - 1) / 2;
      stage_ = Stage::kSlopes;
      break;
    case Stage::kSlopes:
      end_slopes();
      break;
    case Stage::kProducts:
      end_products();
      break;
    case Stage::kComponents:
    case Stage::kFinished:
      break;
  }
  return {};
}

void SymmetricFloor::count_matches(const Joint& joint, std::size_t i) {
  std::uint32_t count = 0;
  for (std::size_t j = 0; j < i; ++j) {
    const bool meet = joint(i, j) > 0 || joint(j, i) > 0;
    count += meet && components_.component(i) == components_.component(j) ? 1 : 0;
  }
  first_[i + 1] = first_[i] + count;
}

void SymmetricFloor::add_matches(const Joint& joint, std::size_t i) {
  std::size_t next = first_[i];
  for (std::size_t j = 0; j < i; ++j) {
    const double won = joint(i, j);
    const double lost = joint(j, i);
    if (!(won > 0 || lost > 0) || components_.component(i) != components_.component(j)) continue;
    matches_[next++] = {static_cast<std::uint32_t>(j), won, lost, 0};
    constant_ += weighted_log(won, won + lost) + weighted_log(lost, won + lost);
    if (won > 0) smallest_ = std::min(smallest_, won);
    if (lost > 0) smallest_ = std::min(smallest_, lost);
  }
}

// The matches of token i with smaller ones, at the strengths that are tried.
void SymmetricFloor::add_slopes(std::size_t i) {
  if (i == 0) {
    excess_ = constant_;
    slopes_.fill(0);
    diagonal_.fill(0);
  }
  for (std::size_t m = first_[i]; m < first_[i + 1]; ++m) {
    Match& match = matches_[m];
    const double lead = tried_[i] - tried_[match.other];
    const double ratio = exponential(-std::fabs(lead));  // of the weaker to the stronger: never overflows
    const double likelier = 1 / (1 + ratio);
    const double both = match.won + match.lost;
    excess_ += both * natural_log(1 + ratio) + (lead < 0 ? match.won : match.lost) * std::fabs(lead);
    const double slope = both * (lead < 0 ? ratio * likelier : likelier) - match.won;
    slopes_[i] += slope;
    slopes_[match.other] -= slope;
    match.curvature = both * ratio * likelier * likelier;
    diagonal_[i] += match.curvature;
    diagonal_[match.other] += match.curvature;
  }
}

void SymmetricFloor::end_slopes() {
  // Newton's step is halved until it descends as much as its slope promises.
  if (excess_ > accepted_ - kLeastGain * fraction_ * promise_ + kRounding && steps_ > 0 &&
      fraction_ > kSmallestFraction) {
    fraction_ /= 2;
    try_step();
    return;
  }
  accept();
  if (stage_ != Stage::kFinished) begin_step();
}

// Accepts the step, and bounds the infimum from both sides.
void SymmetricFloor::accept() {
  const double sum = sum_of_magnitudes(slopes_);
  double largest = 0;
  for (const double strength : tried_) largest = std::max(largest, std::fabs(strength));
  // A convex function lies above its tangents, also at the best strengths. The slopes of a component add up to 0, so
  // the middle of the range of its best strengths may be taken to be 0.
  const double below = excess_ - sum * (largest + farthest_);
  upper_ = std::max(steps_ == 0 ? excess_ : std::min(upper_, excess_), 0.0);
  lower_ = std::min(std::max(lower_, below), upper_);
  const bool no_gain = accepted_ - excess_ < kRounding && sum > slope_sum_ / 2;
  const bool is_stuck = steps_ > 0 && (fraction_ <= kSmallestFraction || no_gain);
  accepted_ = excess_;
  slope_sum_ = sum;
  std::copy_n(tried_.data(), tried_.size(), strengths_.data());
  if (upper_ - lower_ <= kTolerance || is_stuck || ++steps_ > kMaxSteps) stage_ = Stage::kFinished;
}

// Newton's step solves (matrix of curvatures) step = -slopes, by conjugate gradients with the diagonal as
// preconditioner.
void SymmetricFloor::begin_step() {
  for (std::size_t i = 0; i < slopes_.size(); ++i) residual_[i] = -slopes_[i];
  step_.fill(0);
  direction_.fill(0);
  squares_ = 0;
  products_ = 0;
  turn();
}

void SymmetricFloor::turn() {
  const double before = squares_;
  squares_ = 0;
  for (std::size_t i = 0; i < residual_.size(); ++i) {
    if (diagonal_[i] > 0) squares_ += residual_[i] * residual_[i] / diagonal_[i];
  }
  const double ratio = before > 0 ? squares_ / before : 0;
  for (std::size_t i = 0; i < residual_.size(); ++i) {
    direction_[i] = (diagonal_[i] > 0 ? residual_[i] / diagonal_[i] : 0) + ratio * direction_[i];
  }
  product_.fill(0);
  stage_ = Stage::kProducts;
}

void SymmetricFloor::add_products(std::size_t i) {
  for (std::size_t m = first_[i]; m < first_[i + 1]; ++m) {
    const Match& match = matches_[m];
    const double flow = match.curvature * (direction_[i] - direction_[match.other]);
    product_[i] += flow;
    product_[match.other] -= flow;
  }
}

void SymmetricFloor::end_products() {
  const double curvature = dot(direction_, product_);
  if (curvature > 0) {
    const double length = squares_ / curvature;
    for (std::size_t i = 0; i < step_.size(); ++i) {
      step_[i] += length * direction_[i];
      residual_[i] -= length * product_[i];
    }
    ++products_;
    const double left = std::min(kLeftOver, std::sqrt(slope_sum_)) * slope_sum_;
    if (sum_of_magnitudes(residual_) > left && products_ < step_.size() + kMoreProducts) {
      turn();
      return;
    }
  }
  promise_ = -dot(slopes_, step_);
  fraction_ = 1;
  try_step();
}

void SymmetricFloor::try_step() {
  for (std::size_t i = 0; i < tried_.size(); ++i) tried_[i] = strengths_[i] + fraction_ * step_[i];
  stage_ = Stage::kSlopes;
}

}  // namespace tied
