#include "accounting/advice.h"

#include <algorithm>
#include <utility>

#include "accounting/memory.h"
#include "accounting/parameters.h"

namespace tied {
namespace {

// The largest that an architecture may have, and one more: what is larger is refused all the same.
constexpr std::uint64_t kTooLarge = std::uint64_t{1} << 53;

// size * numerator / denominator, rounded down, or too large.
std::uint64_t in_proportion(std::uint64_t size, std::uint64_t numerator, std::uint64_t denominator) {
  std::uint64_t whole = 0;
  std::uint64_t rest = 0;
  if (__builtin_mul_overflow(size / denominator, numerator, &whole)) return kTooLarge;
  if (__builtin_mul_overflow(size % denominator, numerator, &rest)) return kTooLarge;
  return std::min(kTooLarge, whole) + std::min(kTooLarge, rest / denominator);
}

Architecture deeper(Architecture grown, std::uint64_t layers) {
  grown.n_layers += layers;
  if (grown.stack == Stack::kEncoderDecoder) grown.n_encoder_layers += layers;
  return grown;
}

// Where all heads together are as wide as the model, a step is one number more in each; otherwise one in the model.
Architecture wider(Architecture grown, std::uint64_t steps) {
  const std::uint64_t width = grown.d_model;
  if (Whole(grown.n_heads) * grown.d_head == Whole(width)) {
    grown.d_head += steps;
    grown.d_model += steps * grown.n_heads;
  } else {
    grown.d_model += steps;
  }
  // Without layers there is nothing to keep in proportion, and the width may be beyond what squares can be taken of.
  if (grown.n_layers + grown.n_encoder_layers == 0) return grown;
  grown.d_feed_forward = in_proportion(grown.d_feed_forward, grown.d_model, width);
  grown.d_dense_feed_forward = in_proportion(grown.d_dense_feed_forward, grown.d_model, width);
  return grown;
}

using Grow = Architecture (*)(Architecture, std::uint64_t);

// Parameters with one table; none where that is no model or more than can be counted.
std::optional<Whole> tied_size(const Architecture& architecture) {
  const auto count = count_parameters(architecture, TableTying::kTied);
  if (!count) return std::nullopt;
  return count.value().stored;
}

// The most steps of growth at which the tied model is no larger than `limit`. Its size grows with each step.
std::uint64_t most_steps(const Architecture& architecture, Grow grow, Whole limit) {
  const auto fits = [&](std::uint64_t steps) {
    const auto size = tied_size(grow(architecture, steps));
    return size && !(limit < *size);
  };
  std::uint64_t few = 0;
  std::uint64_t many = 1;
  // Ends, since sizes of 2^53 are refused; nothing wraps, since no size is doubled that was refused.
  while (fits(many)) {
    few = many;
    many *= 2;
  }
  while (many - few > 1) {
    const std::uint64_t middle = few + (many - few) / 2;
    (fits(middle) ? few : many) = middle;
  }
  return few;
}

// How many times the larger is as large as the smaller; both above 0.
double factor(double a, double b) { return a > b ? a / b : b / a; }

Reason reason_of(ReasonKind kind, Favours favours, std::uint8_t votes) {
  return {kind, favours, false, favours == Favours::kNeither ? std::uint8_t{0} : votes};
}
Reason decisive_reason(ReasonKind kind, Favours favours) { return {kind, favours, true, 0}; }

Reason starting_point(StartsFrom from) {
  // Untied weights can share a table only if one of them is given up; a shared table can be copied at any time.
  return from == StartsFrom::kUntied ? decisive_reason(ReasonKind::kStartsFrom, Favours::kUntied)
                                     : reason_of(ReasonKind::kStartsFrom, Favours::kTied, 1);
}

Reason within_budget(Whole budget, const Advice& sizes) {
  const bool only_tied = budget < sizes.untied && !(budget < sizes.tied);
  return only_tied ? decisive_reason(ReasonKind::kBudget, Favours::kTied)
                   : reason_of(ReasonKind::kBudget, Favours::kNeither, 0);
}

// One fact: its share has the vote, and what else it amounts to is on the same side.
Status weigh_saving(const Architecture& architecture, const Batch& batch, Advice& advice) {
  const double share = (advice.untied - advice.tied).as_double() / advice.untied.as_double();
  const Favours favours = share >= kLargeSaving  ? Favours::kTied
                          : share < kSmallSaving ? Favours::kUntied
                                                 : Favours::kNeither;
  advice.reasons.push_back(reason_of(ReasonKind::kSavedShare, favours, 1));
  for (const ReasonKind kind : {ReasonKind::kDepth, ReasonKind::kWidth, ReasonKind::kMemory}) {
    advice.reasons.push_back(reason_of(kind, favours, 0));
  }

  const Bytes bytes = count_bytes(architecture, TableTying::kTied, batch, advice.untied - advice.tied);
  advice.weight_bytes = bytes.weights;
  advice.gradient_bytes = bytes.gradients;
  advice.optimizer_bytes = bytes.optimizer;
  if (!(bytes.weights + bytes.gradients + bytes.optimizer).fits()) {
    return make_error(ErrorCode::kInvalidArgument, "bytes that tying saves", "too large", "fewer than can be counted");
  }

  // A model at the edge of what can be counted has none that is larger.
  advice.one_layer = tied_size(deeper(architecture, 1)).value_or(advice.tied) - advice.tied;
  advice.more_layers = most_steps(architecture, deeper, advice.untied);
  advice.deeper = tied_size(deeper(architecture, advice.more_layers)).value_or(advice.tied);
  const Architecture widest = wider(architecture, most_steps(architecture, wider, advice.untied));
  advice.wider_d_model = widest.d_model;
  advice.wider = tied_size(widest).value_or(advice.tied);
  return {};
}

void weigh_precedents(std::span<const Precedent> models, Advice& advice) {
  const double untied = advice.untied.as_double();
  const double share = (advice.untied - advice.tied).as_double() / untied;
  const auto away = [&](std::size_t index) {
    const Precedent& model = models[index];
    return std::max(factor(untied, model.untied), factor(share, (model.untied - model.tied) / model.untied));
  };
  std::vector<std::size_t>& nearest = advice.nearest;
  // Few are asked of few: insertion in order.
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (!(away(i) <= kNear)) continue;
    std::size_t at = nearest.size();
    while (at > 0 && away(i) < away(nearest[at - 1])) --at;
    nearest.insert(nearest.begin() + static_cast<std::ptrdiff_t>(at), i);
    if (nearest.size() > kMostPrecedents) nearest.pop_back();
  }
  for (const std::size_t index : nearest) {
    advice.nearest_that_tie += models[index].ties != 0 ? 1 : 0;
    advice.nearest_within = away(index);
  }
  Favours favours = Favours::kNeither;
  if (nearest.size() >= kLeastPrecedents) {
    const auto all = static_cast<double>(nearest.size());
    const auto tie = static_cast<double>(advice.nearest_that_tie);
    if (tie >= kAgreement * all) favours = Favours::kTied;
    if (all - tie >= kAgreement * all) favours = Favours::kUntied;
  }
  advice.reasons.push_back(reason_of(ReasonKind::kPrecedent, favours, 1));
}

// What a reader measured is about this very model, and counts twice. A tied model that is no worse is smaller besides.
Reason own_measurement(double difference) {
  constexpr ReasonKind kKind = ReasonKind::kMeasuredLoss;
  if (difference <= -kNoDifference) return decisive_reason(kKind, Favours::kTied);
  if (difference < kNoDifference) return reason_of(kKind, Favours::kNeither, 0);
  return difference >= kLargeDifference ? decisive_reason(kKind, Favours::kUntied)
                                        : reason_of(kKind, Favours::kUntied, 2);
}

void weigh_measurements(const Architecture& architecture, std::span<const MeasuredLoss> measured, Advice& advice) {
  advice.measurement = measured.size();
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const double away = std::max(factor(advice.untied.as_double(), measured[i].untied),
                                 factor(static_cast<double>(architecture.vocab_size), measured[i].vocab_size));
    if (advice.measurement < measured.size() && away >= advice.measurement_within) continue;
    advice.measurement = i;
    advice.measurement_within = away;
  }
  Favours favours = Favours::kNeither;
  if (advice.measurement < measured.size() && advice.measurement_within <= kNear) {
    const MeasuredLoss& nearest = measured[advice.measurement];
    favours = nearest.low > 0 ? Favours::kUntied : nearest.high < 0 ? Favours::kTied : Favours::kNeither;
  }
  advice.reasons.push_back(reason_of(ReasonKind::kMeasuredLoss, favours, 1));
}

}  // namespace

Verdict decide(std::span<const Reason> reasons) {
  Verdict verdict;
  bool decisive[2] = {false, false};
  std::size_t votes[2] = {0, 0};
  for (const Reason& reason : reasons) {
    if (reason.favours == Favours::kNeither) continue;
    const auto side = static_cast<std::size_t>(reason.favours);
    decisive[side] = decisive[side] || reason.decisive;
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

Result<Advice> advise_tying(const Architecture& architecture, const AdviceContext& context) {
  auto counted = count_parameters(architecture, TableTying::kUntied);
  if (!counted) return counted.failure();
  const ParameterCount& count = counted.value();
  Advice advice;
  advice.untied = count.untied;
  advice.tied = count.tied.value_or(count.untied);
  advice.measurement = context.measured.size();

  if (!count.tied) {
    advice.reasons.push_back(decisive_reason(ReasonKind::kVocabularies, Favours::kUntied));
    const auto shared = count_parameters(architecture, TableTying::kTiedDecoder);
    if (shared) advice.saved_in_decoder = count.untied - shared.value().stored;
  }
  if (count.tied && context.starts_from != StartsFrom::kScratch)
    advice.reasons.push_back(starting_point(context.starts_from));
  if (context.parameter_budget) advice.reasons.push_back(within_budget(*context.parameter_budget, advice));
  if (count.tied) {
    if (auto weighed = weigh_saving(architecture, context.batch, advice); !weighed) return weighed;
    weigh_precedents(context.precedents, advice);
    if (context.loss_difference) {
      advice.reasons.push_back(own_measurement(*context.loss_difference));
    } else {
      weigh_measurements(architecture, context.measured, advice);
    }
  }
  advice.verdict = decide(advice.reasons);
  return advice;
}

}  // namespace tied
