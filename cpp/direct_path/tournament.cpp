#include "direct_path/tournament.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/allocate.h"
#include "base/elementary.h"

namespace tied {
namespace {

constexpr int kMaxRounds = 500;
// The iteration ends when no strength changes by more than this, weighted with the frequency of its token.
constexpr double kSmallChange = 1e-13;
// A token that only ever comes first (or second) has no finite strength; this far from 1, the value makes no
// difference.
constexpr double kMaxStrength = 1e12;

bool meet(const Joint& joint, std::size_t i, std::size_t j) { return i != j && (joint(i, j) > 0 || joint(j, i) > 0); }

}  // namespace

Status SymmetricFloor::advance(const Joint& joint, const double* row_sums) {
  if (strengths_.size() == 0) {
    if (Status status = start(joint.size()); !status) return status;
  }
  const std::size_t i = row_;
  switch (stage_) {
    case Stage::kCounting:
      count_matches(joint, i);
      break;
    case Stage::kMatching:
      add_matches(joint, i);
      break;
    case Stage::kRounds:
      play(row_sums, i);
      break;
    case Stage::kFirstLoss:
    case Stage::kLastLoss:
      loss_ += loss_of(joint, row_sums, i);
      break;
    case Stage::kFinished:
      return {};
  }
  return ++row_ == joint.size() ? end_stage() : Status();
}

Status SymmetricFloor::start(std::size_t tokens) {
  if (Status status = allocate(first_, std::uint64_t{tokens} + 1); !status) return status;
  if (Status status = allocate(strengths_, tokens); !status) return status;
  strengths_.fill(1);
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
      stage_ = Stage::kFirstLoss;
      break;
    case Stage::kFirstLoss:
      floor_ = std::exchange(loss_, 0.0);
      stage_ = Stage::kRounds;
      break;
    case Stage::kRounds:
      if (std::exchange(largest_change_, 0.0) <= kSmallChange || ++rounds_ == kMaxRounds) stage_ = Stage::kLastLoss;
      break;
    case Stage::kLastLoss:
      // Some symmetric logits reach each of them.
      floor_ = std::min(floor_, loss_);
      stage_ = Stage::kFinished;
      break;
    case Stage::kFinished:
      break;
  }
  return {};
}

void SymmetricFloor::count_matches(const Joint& joint, std::size_t i) {
  std::uint32_t count = 0;
  for (std::size_t j = 0; j < joint.size(); ++j) count += meet(joint, i, j) ? 1 : 0;
  first_[i + 1] = first_[i] + count;
}

void SymmetricFloor::add_matches(const Joint& joint, std::size_t i) {
  std::size_t next = first_[i];
  for (std::size_t j = 0; j < joint.size(); ++j) {
    if (meet(joint, i, j)) matches_[next++] = {static_cast<std::uint32_t>(j), joint(i, j), joint(j, i)};
  }
}

// A round of all tokens, each using the newest strengths of the others: this is the turn of token i.
void SymmetricFloor::play(const double* row_sums, std::size_t i) {
  double won = 0;
  double lost = 0;
  for (std::size_t m = first_[i]; m < first_[i + 1]; ++m) {
    const Match& match = matches_[m];
    const double other = strengths_[match.other];
    won += match.won * other / (strengths_[i] + other);
    lost += match.lost / (strengths_[i] + other);
  }
  if (won == 0 && lost == 0) return;  // the token has no neighbor but itself
  const double strength = std::clamp(won / lost, 1 / kMaxStrength, kMaxStrength);
  largest_change_ = std::max(largest_change_, row_sums[i] * std::fabs(strength / strengths_[i] - 1));
  strengths_[i] = strength;
}

// Row i of the loss of the logits S_ij = ln((J_ij + J_ji) / (a_i + a_j)):
//   -sum_ij J_ij S_ij + sum_i p_i ln sum_j exp(S_ij)
double SymmetricFloor::loss_of(const Joint& joint, const double* row_sums, std::size_t i) const {
  if (row_sums[i] == 0) return 0;
  const double own = joint(i, i);
  double normalizer = own / strengths_[i];
  double expected = own > 0 ? own * natural_log(own / strengths_[i]) : 0;
  for (std::size_t m = first_[i]; m < first_[i + 1]; ++m) {
    const Match& match = matches_[m];
    const double exp_logit = (match.won + match.lost) / (strengths_[i] + strengths_[match.other]);
    normalizer += exp_logit;
    if (match.won > 0) expected += match.won * natural_log(exp_logit);
  }
  return row_sums[i] * natural_log(normalizer) - expected;
}

}  // namespace tied
