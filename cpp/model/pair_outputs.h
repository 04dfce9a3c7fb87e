// Outputs of a model that reads pairs, for one pair, in matrices that the caller owns.
#pragma once

#include <cstdint>
#include <span>

#include "base/record.h"
#include "model/model.h"
#include "model/pair_model.h"

namespace tied {

// `target` does not include the tokens that start and end it, and may be empty. Row i of a result belongs to the start
// token and the first i tokens of the target. Errors: kUnsupported for a model that reads no pairs; kInvalidArgument
// for a source that is empty, one that is too long, and an id out of range; kNotFinite; kOutOfMemory.

// [target + 1, vocab_size]: logits of the token that follows.
template <class T>
Result<Matrix<T>> pair_logits(Model<T>& model, std::span<const std::uint32_t> source,
                              std::span<const std::uint32_t> target);

// See PairAttention.
template <class T>
struct PairWeights {
  Matrix<T> encoder;
  Matrix<T> decoder;
  Matrix<T> cross;

  using Answered = Record<&PairWeights::encoder, &PairWeights::decoder, &PairWeights::cross>;
};

template <class T>
Result<PairWeights<T>> pair_attention(Model<T>& model, std::span<const std::uint32_t> source,
                                      std::span<const std::uint32_t> target);

}  // namespace tied
