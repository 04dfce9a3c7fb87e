// Predictions after selected tokens.
#pragma once

#include <cstdint>
#include <span>

#include "model/model.h"

namespace tied {

enum class NextToken { kLogits, kProbabilities };

// [from, to]: row i predicts the token after from[i] as the first token of a sequence, column j is token to[j]; `to`
// empty = all tokens. Probabilities are normalized over all tokens either way. Every id < vocab_size, `from` not empty.
// Errors: kNotFinite if a logit is not finite; kOutOfMemory.
template <class T>
Result<Matrix<T>> next_token(Model<T>& model, std::span<const std::uint32_t> from, std::span<const std::uint32_t> to,
                             NextToken what);

}  // namespace tied
