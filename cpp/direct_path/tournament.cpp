#include "direct_path/tournament.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/elementary.h"

namespace tied {
namespace {

// A pair of neighbouring tokens, seen from one of them.
struct Match {
  std::uint32_t other;
  double won;   // J(i, other): i comes first
  double lost;  // J(other, i)
};

// All matches, grouped by token: those of token i are matches[first[i]] to matches[first[i + 1] - 1].
struct Tournament {
  AlignedBuffer<std::size_t> first;
  AlignedBuffer<Match> matches;
};

constexpr int kMaxRounds = 500;
// The iteration ends when no strength changes by more than this, weighted with the frequency of its token.
constexpr double kSmallChange = 1e-13;
// A token that only ever comes first (or second) has no finite strength; this far from 1, the value makes no
// difference.
constexpr double kMaxStrength = 1e12;

Result<Tournament> tournament_of(const Joint& joint) {
  const std::size_t n = joint.size();
  auto first = AlignedBuffer<std::size_t>::create(n + 1);
  if (!first) return first.failure();
  const auto meet = [&](std::size_t i, std::size_t j) { return i != j && (joint(i, j) > 0 || joint(j, i) > 0); };
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t count = 0;
    for (std::size_t j = 0; j < n; ++j) count += meet(i, j) ? 1 : 0;
    first.value()[i + 1] = first.value()[i] + count;
  }
  auto matches = AlignedBuffer<Match>::create(first.value()[n]);
  if (!matches) return matches.failure();
  std::size_t next = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (!meet(i, j)) continue;
      matches.value()[next++] = {static_cast<std::uint32_t>(j), joint(i, j), joint(j, i)};
    }
  }
  return Tournament{std::move(first).value(), std::move(matches).value()};
}

// One round over all tokens, each using the newest strengths of the others. Returns the largest weighted relative
// change.
double play_round(double* strengths, const Tournament& tournament, const double* row_sums) {
  double largest_change = 0;
  for (std::size_t i = 0; i + 1 < tournament.first.size(); ++i) {
    double won = 0;
    double lost = 0;
    for (std::size_t m = tournament.first[i]; m < tournament.first[i + 1]; ++m) {
      const Match& match = tournament.matches[m];
      const double other = strengths[match.other];
      won += match.won * other / (strengths[i] + other);
      lost += match.lost / (strengths[i] + other);
    }
    if (won == 0 && lost == 0) continue;  // the token has no neighbour but itself
    const double strength = std::clamp(won / lost, 1 / kMaxStrength, kMaxStrength);
    largest_change = std::max(largest_change, row_sums[i] * std::fabs(strength / strengths[i] - 1));
    strengths[i] = strength;
  }
  return largest_change;
}

// Loss of the logits S_ij = ln((J_ij + J_ji) / (a_i + a_j)):
//   -sum_ij J_ij S_ij + sum_i p_i ln sum_j exp(S_ij)
double loss_of(const double* strengths, const Tournament& tournament, const Joint& joint, const double* row_sums) {
  double loss = 0;
  for (std::size_t i = 0; i + 1 < tournament.first.size(); ++i) {
    if (row_sums[i] == 0) continue;
    const double own = joint(i, i);
    double normalizer = own / strengths[i];
    double expected = own > 0 ? own * natural_log(own / strengths[i]) : 0;
    for (std::size_t m = tournament.first[i]; m < tournament.first[i + 1]; ++m) {
      const Match& match = tournament.matches[m];
      const double exp_logit = (match.won + match.lost) / (strengths[i] + strengths[match.other]);
      normalizer += exp_logit;
      if (match.won > 0) expected += match.won * natural_log(exp_logit);
    }
    loss += row_sums[i] * natural_log(normalizer) - expected;
  }
  return loss;
}

}  // namespace

Result<double> symmetric_logit_floor(const Joint& joint, const double* row_sums) {
  auto tournament = tournament_of(joint);
  if (!tournament) return tournament.failure();
  auto strengths = AlignedBuffer<double>::create(joint.size());
  if (!strengths) return strengths.failure();
  double* a = strengths.value().data();
  strengths.value().fill(1);
  const double start = loss_of(a, tournament.value(), joint, row_sums);
  for (int round = 0; round < kMaxRounds; ++round) {
    if (play_round(a, tournament.value(), row_sums) <= kSmallChange) break;
  }
  // Some symmetric logits reach each of them.
  return std::min(start, loss_of(a, tournament.value(), joint, row_sums));
}

}  // namespace tied
