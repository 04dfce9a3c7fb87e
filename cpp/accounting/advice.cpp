#include "accounting/advice.h"

#include <algorithm>

#include "accounting/tensors.h"

namespace tied {
namespace {

// Larger than any size that an architecture can have, so it is refused.
constexpr Whole kTooLarge = std::uint64_t{1} << 53;

// size * numerator / denominator, rounded down; kTooLarge if it does not fit.
std::uint64_t in_proportion(std::uint64_t size, std::uint64_t numerator, std::uint64_t denominator) {
  const Whole rest = Whole(size % denominator) * numerator;
  const Whole scaled = Whole(size / denominator) * numerator + rest.value() / denominator;
  return rest.fits() ? std::min(scaled, kTooLarge).value() : kTooLarge.value();
}

Architecture deeper(Architecture grown, std::uint64_t layers) {
  grown.n_layers += layers;
  if (grown.stack == Stack::kEncoderDecoder) grown.n_encoder_layers += layers;
  return grown;
}

bool heads_share_width(const Architecture& architecture) {
  return Whole(architecture.n_heads) * architecture.d_head == Whole(architecture.d_model);
}

// If the heads together are as wide as the model, a step widens each head by 1; otherwise it widens the model by 1.
Architecture wider(Architecture grown, std::uint64_t steps) {
  const std::uint64_t width = grown.d_model;
  const bool heads = heads_share_width(grown);
  if (heads) grown.d_head += steps;
  grown.d_model = (Whole(steps) * (heads ? grown.n_heads : 1) + width).value();
  // Without layers there is nothing to scale, and the square of the width may overflow.
  if (grown.n_layers + grown.n_encoder_layers == 0) return grown;
  grown.d_feed_forward = in_proportion(grown.d_feed_forward, grown.d_model, width);
  grown.d_dense_feed_forward = in_proportion(grown.d_dense_feed_forward, grown.d_model, width);
  return grown;
}

using Grow = Architecture (*)(Architecture, std::uint64_t);

// Parameters with one table per role.
Whole untied_size(const Architecture& architecture) {
  return stored_parameters(counted_tensors(architecture, TableTying::kUntied));
}

// Size of the output table, with its factor if it has one.
Whole table_size(const Architecture& architecture) {
  const std::uint64_t rank = architecture.table_rank;
  if (rank == 0) return Whole(architecture.output_vocab_size) * architecture.d_model;
  return (Whole(architecture.output_vocab_size) + architecture.d_model) * rank;
}

// Parameters saved by one table for all roles.
Whole spared(const Architecture& architecture) {
  return table_size(architecture) * (architecture.stack == Stack::kEncoderDecoder ? 2 : 1);
}

Whole tied_size(const Architecture& architecture) { return untied_size(architecture) - spared(architecture); }

// Size of the tied model after `steps` steps of growth. Out of line because it has many callers (payload).
[[gnu::noinline]] Whole grown_size(const Architecture& architecture, Grow grow, std::uint64_t steps) {
  return tied_size(grow(architecture, steps));
}

// The largest number of steps at which the tied model has at most `limit` parameters, found bit by bit: the count grows
// with each step. `size` is the size that grows by `step`, and must stay valid.
[[gnu::noinline]] std::uint64_t most_steps(const Architecture& architecture, Grow grow, Whole limit, std::uint64_t size,
                                           std::uint64_t step) {
  std::uint64_t steps = 0;
  for (std::uint64_t bit = kTooLarge.value(); bit != 0; bit /= 2) {
    if (Whole(steps + bit) * step + size < kTooLarge && !(limit < grown_size(architecture, grow, steps + bit))) {
      steps += bit;
    }
  }
  return steps;
}

// The larger divided by the smaller; both above 0.
[[gnu::noinline]] double factor(double a, double b) { return a > b ? a / b : b / a; }

[[gnu::noinline]] void add(Advice& advice, ReasonKind kind, Favours favours, std::uint8_t votes,
                           bool decisive = false) {
  if (favours == Favours::kNeither) votes = 0;
  advice.reasons[advice.n_reasons++] = {kind, favours, decisive, votes};
}

double saved_share(const Advice& advice) {
  return (advice.untied - advice.tied).as_double() / advice.untied.as_double();
}

// One fact, one vote: the saved fraction votes, and the other reasons follow its side without a vote.
void weigh_saving(const Architecture& architecture, Advice& advice) {
  const double share = saved_share(advice);
  const Favours favours = share >= kLargeSaving  ? Favours::kTied
                          : share < kSmallSaving ? Favours::kUntied
                                                 : Favours::kNeither;
  std::uint8_t votes = 1;
  for (const ReasonKind kind : {ReasonKind::kSavedShare, ReasonKind::kDepth, ReasonKind::kWidth, ReasonKind::kMemory}) {
    // Nobody knows how listed tensors grow.
    if (!architecture.listed.empty() && (kind == ReasonKind::kDepth || kind == ReasonKind::kWidth)) continue;
    add(advice, kind, favours, votes);
    votes = 0;
  }

  const Architecture& a = architecture;
  if (!a.listed.empty()) return;
  advice.one_layer = grown_size(a, deeper, 1) - advice.tied;
  advice.more_layers = most_steps(a, deeper, advice.untied, std::max(a.n_layers, a.n_encoder_layers), 1);
  advice.deeper = grown_size(a, deeper, advice.more_layers);
  const std::uint64_t step = heads_share_width(a) ? a.n_heads : 1;
  const std::uint64_t steps = most_steps(a, wider, advice.untied, a.d_model, step);
  advice.wider_d_model = a.d_model + steps * step;
  advice.wider = grown_size(a, wider, steps);
}

// Selection of the nearest models one by one: both lists are short.
void weigh_precedents(std::span<const Precedent> models, Advice& advice) {
  const double untied = advice.untied.as_double();
  const double share = saved_share(advice);
  while (advice.n_nearest < kMaxPrecedents) {
    double least = kNear;
    std::size_t next = models.size();
    for (std::size_t i = 0; i < models.size(); ++i) {
      const Precedent& model = models[i];
      const double away =
          std::max(factor(untied, model.untied), factor(share, (model.untied - model.tied) / model.untied));
      const auto asked = advice.nearest.begin() + static_cast<std::ptrdiff_t>(advice.n_nearest);
      if (!(away <= least) || std::find(advice.nearest.begin(), asked, i) != asked) continue;
      // Ties go to the first.
      if (away == least && next != models.size()) continue;
      least = away;
      next = i;
    }
    if (next == models.size()) break;
    advice.nearest[advice.n_nearest++] = next;
    advice.nearest_that_tie += models[next].ties != 0;
    advice.nearest_within = least;
  }
  Favours favours = Favours::kNeither;
  if (advice.n_nearest >= kMinPrecedents) {
    const auto enough = kAgreement * static_cast<double>(advice.n_nearest);
    if (static_cast<double>(advice.nearest_that_tie) >= enough) favours = Favours::kTied;
    if (static_cast<double>(advice.n_nearest - advice.nearest_that_tie) >= enough) favours = Favours::kUntied;
  }
  add(advice, ReasonKind::kPrecedent, favours, 1);
}

// A measurement of the reader's own model counts twice. A tied model with no higher loss is smaller as well.
void weigh_own_measurement(double difference, Advice& advice) {
  const bool better = difference <= -kNoDifference;
  const Favours favours = better ? Favours::kTied : difference >= kNoDifference ? Favours::kUntied : Favours::kNeither;
  const bool decisive = better || difference >= kLargeDifference;
  add(advice, ReasonKind::kMeasuredLoss, favours, decisive ? 0 : 2, decisive);
}

void weigh_measurements(double vocab_size, std::span<const MeasuredLoss> measured, Advice& advice) {
  Favours favours = Favours::kNeither;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const MeasuredLoss& loss = measured[i];
    const double away = std::max(factor(advice.untied.as_double(), loss.untied), factor(vocab_size, loss.vocab_size));
    if (i > 0 && away >= advice.measurement_within) continue;
    advice.measurement = i;
    advice.measurement_within = away;
    favours = away > kNear    ? Favours::kNeither
              : loss.low > 0  ? Favours::kUntied
              : loss.high < 0 ? Favours::kTied
                              : Favours::kNeither;
  }
  add(advice, ReasonKind::kMeasuredLoss, favours, 1);
}

}  // namespace

Verdict decide(std::span<const Reason> reasons) {
  Verdict verdict;
  bool decisive[2] = {};
  std::size_t votes[2] = {};
  for (const Reason& reason : reasons) {
    if (reason.favours == Favours::kNeither) continue;
    const auto side = static_cast<std::size_t>(reason.favours);
    decisive[side] |= reason.decisive;
    votes[side] += reason.votes;
  }
  verdict.votes_tied = votes[0];
  verdict.votes_untied = votes[1];
  if (decisive[0] && decisive[1]) {
    verdict.decided_by = DecidedBy::kContradiction;
  } else if (decisive[0] || decisive[1]) {
    verdict.decided_by = DecidedBy::kDecisive;
    verdict.tie = decisive[0];
  } else if (votes[0] != votes[1]) {
    verdict.decided_by = DecidedBy::kVotes;
    verdict.tie = votes[0] > votes[1];
  }
  return verdict;
}

Status advise_tying(Advice& advice, const Architecture& architecture, const AdviceContext& context) {
  const bool can_tie = architecture.vocab_size == architecture.output_vocab_size;
  advice.untied = untied_size(architecture);
  advice.tied = can_tie ? advice.untied - spared(architecture) : advice.untied;

  if (!can_tie) {
    add(advice, ReasonKind::kVocabularies, Favours::kUntied, 0, true);
    if (architecture.stack == Stack::kEncoderDecoder) {
      advice.saved_in_decoder = table_size(architecture);
    }
  } else if (context.starts_from == StartsFrom::kTied) {
    // Untied weights can share a table only if one of the two is discarded; a shared table can be copied at any time.
    add(advice, ReasonKind::kStartsFrom, Favours::kTied, 1);
  } else if (context.starts_from == StartsFrom::kUntied) {
    add(advice, ReasonKind::kStartsFrom, Favours::kUntied, 0, true);
  }
  if (context.parameter_budget) {
    const Whole budget = *context.parameter_budget;
    const bool only_tied = budget < advice.untied && !(budget < advice.tied);
    add(advice, ReasonKind::kBudget, only_tied ? Favours::kTied : Favours::kNeither, 0, only_tied);
  }
  if (can_tie) {
    weigh_saving(architecture, advice);
    weigh_precedents(context.precedents, advice);
    if (context.loss_difference) {
      weigh_own_measurement(*context.loss_difference, advice);
    } else {
      weigh_measurements(static_cast<double>(architecture.vocab_size), context.measured, advice);
    }
  }
  // All other counts are parts of these, or no larger.
  if (!(advice.untied + advice.one_layer).fits()) {
    return make_error(ErrorCode::kInvalidArgument, "architecture", "more than 2^64 - 2 parameters",
                      "sizes with at most 2^64 - 2 parameters in total");
  }
  advice.verdict = decide({advice.reasons.data(), advice.n_reasons});
  return {};
}

}  // namespace tied
