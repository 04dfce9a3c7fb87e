// Work and memory of one training step, and of serving: everything that countCompute returns.
#pragma once

#include <array>
#include <bit>

#include "accounting/architecture.h"
#include "accounting/batch.h"
#include "accounting/heads.h"
#include "accounting/memory.h"
#include "base/record.h"

namespace tied {

// Multiply-accumulates of matrix products only. Norms, activation functions, softmaxes, biases and the optimizer take a
// few operations per element; a lookup copies rows, and its gradient is added to them. With n tokens, h heads of width
// w, T tokens per sequence:
//   lookup         0; of factorized tables n times the elements of the factors of those that read
//   projections    n times the elements of all maps to and from queries, keys and values
//   scores         2 n T h w per layer: queries with keys, and weights with values, over all T^2 pairs, as in a plain
//                  implementation; one that skips masked pairs takes about half
//   feed-forward   n times the elements of its maps; of experts, the active ones and the router
//   head           n times the elements of the output table and of all maps before it
// In an encoder-decoder each stack has its own n and T. In cross-attention, keys and values come from the encoder's
// tokens, and each query has T_encoder keys.
struct ComputeCount {
  Macs lookup;
  Macs projections;
  Macs scores;
  Macs feed_forward;
  Macs head;
  Bytes bytes;
  Bytes untied_bytes;  // `bytes` with one table per role
  Serving serving;
  HeadCosts heads;

  using Answered = Record<&ComputeCount::lookup, &ComputeCount::projections, &ComputeCount::scores,
                          &ComputeCount::feed_forward, &ComputeCount::head, &ComputeCount::bytes,
                          &ComputeCount::untied_bytes, &ComputeCount::serving, &ComputeCount::heads>;

  Macs all() const {
    return {lookup.forward + projections.forward + scores.forward + feed_forward.forward + head.forward};
  }
};

// All counts in the order of the fields; of the work, the forward pass.
using ComputeCounts = std::array<Whole, sizeof(ComputeCount) / sizeof(Whole)>;
inline ComputeCounts counts_of(const ComputeCount& count) { return std::bit_cast<ComputeCounts>(count); }

// Architecture, tying and batch must be valid. Errors: those of count_parameters; kInvalidArgument if one of counts_of
// is above 2^64 - 2.
Result<ComputeCount> count_compute(const Architecture& architecture, const Batch& batch);

}  // namespace tied
