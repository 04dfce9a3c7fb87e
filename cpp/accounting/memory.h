// Bytes of training and of serving.
#pragma once

#include <vector>

#include "accounting/architecture.h"
#include "accounting/batch.h"
#include "accounting/tensors.h"
#include "accounting/whole.h"
#include "base/record.h"

namespace tied {

//                    float32   bfloat16   mixed
//   weights             4         2       2 + 4   the float32 copy that the optimizer changes
//   gradients           4         2       2
//   optimizer state     4         2       4       per value of the state
//   activations         4         2       2
//   logits              4         2       4
struct Bytes {
  Whole weights;
  Whole gradients;
  Whole optimizer;
  Whole activations;  // activation_values, without the logits
  Whole logits;       // one array [tokens, V'], stored for the backward pass

  using Answered = Record<&Bytes::weights, &Bytes::gradients, &Bytes::optimizer, &Bytes::activations, &Bytes::logits>;

  Whole total() const { return weights + gradients + optimizer + activations + logits; }
};

// `stored`: parameters in memory with this tying.
Bytes count_bytes(const Architecture& architecture, TableTying tying, const Batch& batch, Whole stored);

// Values that a plain implementation stores in the forward pass for the backward pass, without the logits: the input of
// every product, input and statistics of every norm, the attention weights [heads, T, T] of every sequence, and input
// and output of every activation function. An output that is also an input counts once. docs/accounting.md lists them
// by part.
Whole activation_values(const Architecture& architecture, TableTying tying, const Batch& batch);

// Serving: one new token per sequence after `tokens` others, weights in 4 bytes or 2. For an encoder alone, which
// generates nothing, everything but weights and logits is 0.
struct Serving {
  Whole weights;
  Whole cache_per_token;  // keys and values of one token of one sequence in all layers
  Whole cache;            // of the batch; in an encoder-decoder including the encoder's tokens
  Whole logits;           // of one position per sequence
  // Bytes read per step: every matrix that a token uses, and the cache. A lookup reads one row, the encoder has already
  // run, and the experts read are at most as many as the tokens select.
  Whole read_per_token;
  Whole flop_per_token;  // of all sequences together

  using Answered = Record<&Serving::weights, &Serving::cache_per_token, &Serving::cache, &Serving::logits,
                          &Serving::read_per_token, &Serving::flop_per_token>;

  Whole total() const { return weights + cache + logits; }
};

Serving count_serving(const Architecture& architecture, const Batch& batch, const std::vector<CountedTensor>& tensors,
                      Whole stored);

}  // namespace tied
