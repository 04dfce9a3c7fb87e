// Work and memory of one step of training, and of serving: everything that countCompute tells.
#pragma once

#include <array>
#include <bit>

#include "accounting/architecture.h"
#include "accounting/batch.h"
#include "accounting/heads.h"
#include "accounting/memory.h"

namespace tied {

// Multiply-accumulates of matrix products, and of nothing else: norms, activation functions, the softmaxes, biases and
// the optimizer's update are a few operations a number. A lookup reads rows and its gradient is added to them: no
// products. With n tokens, h heads of width w, T tokens a sequence:
//   projections    n times the numbers of all maps to and from queries, keys and values
//   scores         2 n T h w a layer: queries with keys, and weights with values, over all T^2 pairs, as a plain
//                  implementation does; one that leaves out the pairs of the future does about half
//   feed-forward   n times the numbers of its maps; of experts those at work, and the router
//   head           n times the numbers of the table that writes and of all maps before it
// In an encoder-decoder each stack has its own n and T; the decoder's look at the encoder has keys and values of the
// encoder's tokens, and T_encoder keys for each query.
struct ComputeCount {
  Macs projections;
  Macs scores;
  Macs feed_forward;
  Macs head;
  Bytes bytes;
  Bytes untied_bytes;  // what they are with a table for each role
  Serving serving;
  HeadCosts heads;

  Macs all() const { return {projections.forward + scores.forward + feed_forward.forward + head.forward}; }
};

// All of it, in the order of the fields; of work the forward pass.
using ComputeCounts = std::array<Whole, sizeof(ComputeCount) / sizeof(Whole)>;
inline ComputeCounts counts_of(const ComputeCount& count) { return std::bit_cast<ComputeCounts>(count); }

// Architecture, its tying and batch are valid. Errors: those of count_parameters; kInvalidArgument where one of
// counts_of is more than 2^64 - 2.
Result<ComputeCount> count_compute(const Architecture& architecture, const Batch& batch);

}  // namespace tied
