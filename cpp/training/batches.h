// Which pairs a step learns from.
#pragma once

#include <cstdint>

#include "base/aligned_buffer.h"
#include "model/model.h"

namespace tied {

// Draws the batches of any step without those before it: sequence i of step s starts at a position that depends on
// (seed, s, i) and the length of the stream alone. Positions are uniform, with replacement.
// Part p of a step has the sequences p batch_size, p batch_size + 1, ...: n parts of b sequences together are those of
// one batch of n b, so that accumulating gradients changes no data, and a larger batch begins with the smaller one's
// sequences. Every model of the same seed sees the same data.
class BatchSampler {
 public:
  BatchSampler() = default;

  // `batch_size` sequences of `context_length` pairs each. Errors: kOutOfMemory.
  Status allocate(std::uint64_t seed, std::size_t batch_size, std::size_t context_length);

  // A part of the update that takes `steps_done` to `steps_done + 1`; valid until the next call.
  // n_token_ids > context_length.
  TokenBatch draw(const std::uint32_t* token_ids, std::size_t n_token_ids, std::uint64_t steps_done,
                  std::uint64_t part = 0);

 private:
  std::uint64_t seed_ = 0;
  std::size_t batch_size_ = 0;
  std::size_t context_length_ = 1;
  AlignedBuffer<std::uint32_t> inputs_;
  AlignedBuffer<std::uint32_t> targets_;
};

// What TokenBatch::dropout_key is in part `part` of a step: of every step and part another one, never 0.
std::uint64_t dropout_key(std::uint64_t seed, std::uint64_t steps_done, std::uint64_t part);

}  // namespace tied
