// What speaks for one table of tokens and what against it, in numbers, and the one rule by which a verdict follows.
//
// The rule and its thresholds: docs/decisions/0014-how-advice-is-made.md. Sentences are made in web/core from these
// numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "accounting/architecture.h"
#include "accounting/whole.h"
#include "base/error.h"

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
  bool decisive = false;   // settles the matter, unless another one settles it otherwise
  std::uint8_t votes = 0;  // counted where none is decisive; 0 of a decisive one and of one that favours neither
};

// kContradiction: decisive reasons on both sides. kBalance: as many votes on one side as on the other, or none.
enum class DecidedBy : std::uint8_t { kDecisive, kContradiction, kVotes, kBalance };

struct Verdict {
  std::optional<bool> tie;
  DecidedBy decided_by = DecidedBy::kBalance;
  std::size_t votes_tied = 0;
  std::size_t votes_untied = 0;
};

// Decisive reasons that agree decide; where they do not, nothing does. Without any, the side with more votes does.
Verdict decide(std::span<const Reason> reasons);

// At least this share of the untied model: the saving favours tying. Below the other: it does not pay for a constraint.
inline constexpr double kLargeSaving = 0.10;
inline constexpr double kSmallSaving = 0.05;
// What is within this factor is near: real models in size and in share saved, measured ones in size and in vocabulary.
inline constexpr double kNear = 4;
// So many of the nearest real models are asked, if there are at least so many near ones, and so large a part of them
// must agree.
inline constexpr std::size_t kMostPrecedents = 5;
inline constexpr std::size_t kLeastPrecedents = 3;
inline constexpr double kAgreement = 0.8;
// Differences of the loss in nats per token that a reader measured: a hundredth is about 1 % of perplexity.
inline constexpr double kNoDifference = 0.01;
inline constexpr double kLargeDifference = 0.1;

enum class StartsFrom : std::uint8_t { kScratch, kTied, kUntied };

// A real model of the same stack: its size with all tables shared and with none, and whether it shares what writes.
struct Precedent {
  double tied = 0;
  double untied = 0;
  double ties = 0;  // 1 or 0
};

// Loss of a tied model minus that of an untied one, with its 95 % interval, and what was measured.
struct MeasuredLoss {
  double untied = 0;
  double vocab_size = 0;
  double low = 0;
  double high = 0;
};

// Where vocabularies differ, and there is no one table, the budget alone is looked at.
struct AdviceContext {
  StartsFrom starts_from = StartsFrom::kScratch;
  std::optional<std::uint64_t> parameter_budget;
  std::optional<double> loss_difference;
  std::span<const Precedent> precedents;
  std::span<const MeasuredLoss> measured;
};

inline constexpr std::size_t kMostReasons = 9;

// Plain arrays: code that makes lists is payload.
struct Advice {
  Verdict verdict;
  std::array<Reason, kMostReasons> reasons;
  std::size_t n_reasons = 0;

  // Both the same where there is no one table.
  Whole tied;
  Whole untied;
  // With vocabularies that differ: what an encoder-decoder saves by sharing its decoder's two tables; else zero.
  Whole saved_in_decoder;

  // What the parameters that tying frees buy at most, the size of the untied model not exceeded. A layer of an
  // encoder-decoder is one of each stack.
  Whole one_layer;
  std::uint64_t more_layers = 0;
  Whole deeper;
  // The same number of layers; heads become wider where they share the width among them, and the feed-forward parts in
  // proportion.
  std::uint64_t wider_d_model = 0;
  Whole wider;

  // Indices of the nearest real models, nearest first; how many of them tie; the factor that the last of them is away.
  std::array<std::size_t, kMostPrecedents> nearest{};
  std::size_t n_nearest = 0;
  std::size_t nearest_that_tie = 0;
  double nearest_within = 0;

  // Of the nearest measurement, and the factor that it is away: 0 where there is none.
  std::size_t measurement = 0;
  double measurement_within = 0;
};

// `advice` is as it was made; `architecture` is valid. Errors: kInvalidArgument where the model with one more layer has
// more parameters than can be counted.
Status advise_tying(Advice& advice, const Architecture& architecture, const AdviceContext& context);

}  // namespace tied
