// The batches of a training step.
#pragma once

#include <cstdint>

#include "base/aligned_buffer.h"
#include "base/random.h"
#include "model/model.h"

namespace tied {

// The random numbers of a step, from its draw `first` on.
class StepDraws {
 public:
  StepDraws(std::uint64_t seed, std::uint64_t steps_done, std::uint64_t first);

  // Uniform below `bound`, up to a bias below 2^-32.
  std::size_t below(std::uint32_t bound);

 private:
  Random random_;
};

// Draws the batches of any step without those before it. Sequence i of step s starts at a position that depends only on
// (seed, s, i) and the length of the stream. Positions are uniform, with replacement.
// Part p of a step has the sequences p batch_size, p batch_size + 1, ...: n parts of b sequences are together one batch
// of n b, so accumulating gradients does not change the data, and a larger batch starts with the sequences of a smaller
// one. Every model with the same seed gets the same data.
class BatchSampler {
 public:
  BatchSampler() = default;

  // `batch_size` sequences of `context_length` pairs each. Errors: kOutOfMemory.
  Status allocate(std::uint64_t seed, std::size_t batch_size, std::size_t context_length);

  // One batch of the step from `steps_done` to `steps_done + 1`; valid until the next call.
  // n_token_ids > context_length.
  TokenBatch draw(const std::uint32_t* token_ids, std::size_t n_token_ids, std::uint64_t steps_done,
                  std::uint64_t part = 0);
  // The same batch for a model that predicts hidden tokens (model/masking.h): it reads and predicts the targets. What
  // is hidden of a sequence depends on (seed, s, i) only. In masked_batches.cpp.
  TokenBatch draw_hidden(const std::uint32_t* token_ids, std::size_t n_token_ids, std::uint64_t steps_done,
                         std::uint64_t part, const ModelConfig& config);

 private:
  std::uint64_t seed_ = 0;
  std::size_t batch_size_ = 0;
  std::size_t context_length_ = 1;
  AlignedBuffer<std::uint32_t> inputs_;
  AlignedBuffer<std::uint32_t> targets_;
};

// TokenBatch::dropout_key of part `part` of a step: a random number of 64 bits for every step and part, never 0.
std::uint64_t dropout_key(std::uint64_t seed, std::uint64_t steps_done, std::uint64_t part);

}  // namespace tied
