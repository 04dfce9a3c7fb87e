// A batch of tokens and the tokens that follow them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tied {

// Part `index` of `of` of a batch: consecutive sequences, as many as whole ones allow.
struct Shard {
  std::uint64_t index = 0;
  std::uint64_t of = 1;

  // The first of the batch's sequences that is in it, and the first after it.
  std::size_t first(std::uint64_t sequences) const { return static_cast<std::size_t>(index * sequences / of); }
  std::size_t end(std::uint64_t sequences) const { return static_cast<std::size_t>((index + 1) * sequences / of); }
};

// In place of a target: the position is not predicted.
inline constexpr std::uint32_t kNotPredicted = 0xFFFFFFFFu;

// targets[i] follows inputs[i]; every id < vocab_size. A model with a context reads `size` tokens as consecutive
// sequences of `sequence_length` tokens each. For a model that predicts hidden tokens: see model/masking.h.
struct TokenBatch {
  const std::uint32_t* inputs = nullptr;   // [size]
  const std::uint32_t* targets = nullptr;  // [size]
  std::size_t size = 0;
  // At most the model's context_length; 0 = exactly that. Divides size.
  std::size_t sequence_length = 0;
  // Multiplies loss and gradient: this batch's fraction of a step that consists of several batches.
  double weight = 1;
  // Selects the random numbers of dropout, differently for each batch of each step; 0 = no dropout.
  std::uint64_t dropout_key = 0;
  // Selects the tokens that a sampled head draws, differently for each batch of each step; 0 = the full softmax.
  std::uint64_t sample_key = 0;
  // See Targets.
  double label_smoothing = 0;
  // The part that a pass reads, with the weights and the random numbers that it has in the whole batch.
  Shard shard = {};
};

}  // namespace tied
