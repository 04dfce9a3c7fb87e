// How well a model predicts targets, and how many it translates exactly.
#pragma once

#include <cstdint>

#include "base/record.h"
#include "model/model.h"
#include "training/evaluation.h"
#include "training/pairs.h"

namespace tied {

// Sums over pairs, so that parts can be added.
struct PairEvaluation {
  double loss = 0;           // of all target tokens, including the token that ends each, in nats
  std::uint64_t tokens = 0;  // how many they are
  std::uint64_t pairs = 0;
  // For greedy translations, if requested: how many equal their targets; the edits (insertions, deletions,
  // replacements) that turn the others into theirs; and the tokens of all targets.
  std::uint64_t exact = 0;
  std::uint64_t edits = 0;
  std::uint64_t target_tokens = 0;

  using Answered = Record<&PairEvaluation::loss, &PairEvaluation::tokens, &PairEvaluation::exact,
                          &PairEvaluation::edits, &PairEvaluation::target_tokens>;
};

// Evaluates pairs [first, first + count); the results of each do not depend on the others. Errors: kNotFinite if a
// logit is not finite; kOutOfMemory.
template <class T>
Result<PairEvaluation> evaluate_pairs(Model<T>& model, const Pairs& pairs, std::size_t first, std::size_t count,
                                      bool translates);

Evaluation evaluation_of(const PairEvaluation& pairs);

// The least number of insertions, deletions and replacements of single tokens that turn a into b: V. I. Levenshtein,
// "Binary codes capable of correcting deletions, insertions, and reversals", 1966.
std::uint64_t edit_distance(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

}  // namespace tied
