// Advice on tying: reasons for and against one token table, in numbers, and the one rule that turns them into a
// verdict.
//
// docs/decisions/0014-how-advice-is-made.md has the rule and its thresholds. web/core turns the numbers into sentences.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "accounting/architecture.h"
#include "accounting/whole.h"
#include "base/error.h"
#include "base/record.h"

namespace tied {

enum class ReasonKind : std::uint8_t {
  kVocabularies,
  kStartsFrom,
  kBudget,
  kSavedShare,
  kDepth,
  kWidth,
  kMemory,
  kPrecedent,
  kMeasuredLoss
};
enum class Favours : std::uint8_t { kTied, kUntied, kNeither };

struct Reason {
  ReasonKind kind = ReasonKind::kSavedShare;
  Favours favours = Favours::kNeither;
  bool decisive = false;   // decides alone, unless a decisive reason on the other side contradicts it
  std::uint8_t votes = 0;  // counted if no reason is decisive; 0 if decisive or neutral

  using Answered = Record<&Reason::kind, &Reason::favours, &Reason::decisive, &Reason::votes>;
};

// kContradiction: decisive reasons on both sides. kBalance: equal votes on both sides, or none.
enum class DecidedBy : std::uint8_t { kDecisive, kContradiction, kVotes, kBalance };

struct Verdict {
  std::optional<bool> tie;
  DecidedBy decided_by = DecidedBy::kBalance;
  std::size_t votes_tied = 0;
  std::size_t votes_untied = 0;

  using Answered = Record<&Verdict::tie, &Verdict::decided_by, &Verdict::votes_tied, &Verdict::votes_untied>;
};

// Decisive reasons decide if they agree; if they disagree, there is no verdict. Without any, the majority of votes
// decides.
Verdict decide(std::span<const Reason> reasons);

// Saved parameters as a fraction of the untied model: at least kLargeSaving favors tying; below kSmallSaving the
// saving is not worth a constraint.
inline constexpr double kLargeSaving = 0.10;
inline constexpr double kSmallSaving = 0.05;
// Models within this factor are near: real models in size and saved fraction, measured ones in size and vocabulary.
inline constexpr double kNear = 4;
// Up to kMaxPrecedents of the nearest real models vote if at least kMinPrecedents are near; the fraction kAgreement of
// them must agree.
inline constexpr std::size_t kMaxPrecedents = 5;
inline constexpr std::size_t kMinPrecedents = 3;
inline constexpr double kAgreement = 0.8;
// A reader's measured differences of the loss, in nats per token: 0.01 is about 1 % of perplexity.
inline constexpr double kNoDifference = 0.01;
inline constexpr double kLargeDifference = 0.1;

enum class StartsFrom : std::uint8_t { kScratch, kTied, kUntied };

// A real model of the same stack: its size with all tables shared and with none shared, and whether its output table is
// shared.
struct Precedent {
  double tied = 0;
  double untied = 0;
  double ties = 0;  // 1 or 0

  using Given = Record<&Precedent::tied, &Precedent::untied, &Precedent::ties>;
};

// Loss of a tied model minus that of an untied one, as a 95 % interval, and the measured model.
struct MeasuredLoss {
  double untied = 0;
  double vocab_size = 0;
  double low = 0;
  double high = 0;

  using Given = Record<&MeasuredLoss::untied, &MeasuredLoss::vocab_size, &MeasuredLoss::low, &MeasuredLoss::high>;
};

// If the vocabularies differ, there is no shared table, and only the budget counts.
struct AdviceContext {
  StartsFrom starts_from = StartsFrom::kScratch;
  std::optional<std::uint64_t> parameter_budget;
  std::optional<double> loss_difference;
  std::span<const Precedent> precedents;
  std::span<const MeasuredLoss> measured;

  using Given = Record<&AdviceContext::starts_from, &AdviceContext::parameter_budget, &AdviceContext::loss_difference,
                       &AdviceContext::precedents, &AdviceContext::measured>;
};

inline constexpr std::size_t kMaxReasons = 9;

// Plain arrays, since code that builds lists is payload.
struct Advice {
  Verdict verdict;
  std::array<Reason, kMaxReasons> reasons;
  std::size_t n_reasons = 0;

  // Equal if the vocabularies differ.
  Whole tied;
  Whole untied;
  // If the vocabularies differ: what an encoder-decoder saves by sharing its decoder's two tables. Otherwise 0.
  Whole saved_in_decoder;

  // The most that the saved parameters buy without exceeding the size of the untied model. A layer of an
  // encoder-decoder is one layer in each stack.
  Whole one_layer;
  std::uint64_t more_layers = 0;
  Whole deeper;
  // With the same number of layers. Heads widen if they divide the width among them; feed-forward parts widen in
  // proportion.
  std::uint64_t wider_d_model = 0;
  Whole wider;

  // Indices of the nearest real models, nearest first; how many of them tie; the factor to the last of them.
  std::array<std::size_t, kMaxPrecedents> nearest{};
  std::size_t n_nearest = 0;
  std::size_t nearest_that_tie = 0;
  double nearest_within = 0;

  // Index of the nearest measurement and the factor to it, 0 if there is none.
  std::size_t measurement = 0;
  double measurement_within = 0;

  std::span<const Reason> listed_reasons() const { return {reasons.data(), n_reasons}; }
  std::span<const std::size_t> nearest_models() const { return {nearest.data(), n_nearest}; }

  using Answered = Record<&Advice::verdict, &Advice::listed_reasons, &Advice::tied, &Advice::untied,
                          &Advice::saved_in_decoder, &Advice::one_layer, &Advice::more_layers, &Advice::deeper,
                          &Advice::wider_d_model, &Advice::wider, &Advice::nearest_models, &Advice::nearest_that_tie,
                          &Advice::nearest_within, &Advice::measurement, &Advice::measurement_within>;
};

// Fills a newly constructed `advice`. `architecture` must be valid. Errors: kInvalidArgument if the model with one more
// layer has more than 2^64 - 2 parameters.
Status advise_tying(Advice& advice, const Architecture& architecture, const AdviceContext& context);

}  // namespace tied
