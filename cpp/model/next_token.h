// What a model predicts, for chosen tokens.
#pragma once

#include <cstdint>
#include <span>

#include "model/model.h"

namespace tied {

enum class NextToken { kLogits, kLogProbabilities, kProbabilities };

// [from, to]: row i tells of the token that follows from[i] alone, the first of its sequence; column j of to[j]; `to`
// empty = all tokens. Probabilities are normalised over all tokens either way. Every id < vocab_size, `from` not empty.
// Errors: kNotFinite where a logit is not; kOutOfMemory.
template <class T>
Result<Matrix<T>> next_token(Model<T>& model, std::span<const std::uint32_t> from, std::span<const std::uint32_t> to,
                             NextToken what);

}  // namespace tied
