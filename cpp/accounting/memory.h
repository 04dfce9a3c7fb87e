// Bytes of training and of serving.
#pragma once

#include <vector>

#include "accounting/architecture.h"
#include "accounting/batch.h"
#include "accounting/tensors.h"
#include "accounting/whole.h"

namespace tied {

//                    float32   bfloat16   mixed
//   weights             4         2       2 + 4   the float32 copy that the optimizer changes
//   gradients           4         2       2
//   optimizer state     4         2       4       of each number of it
//   activations         4         2       2
//   logits              4         2       4
struct Bytes {
  Whole weights;
  Whole gradients;
  Whole optimizer;
  Whole activations;  // activation_values, without the logits
  Whole logits;       // one array [tokens, V'], as kept for the backward pass

  Whole total() const { return weights + gradients + optimizer + activations + logits; }
};

// `stored`: numbers that the model keeps with this tying.
Bytes count_bytes(const Architecture& architecture, TableTying tying, const Batch& batch, Whole stored);

// How many values a plain implementation keeps from the forward pass for the backward one, logits apart: the input of
// every product, what every norm read with its statistics, the weights of attention [heads, T, T] of every sequence,
// and both sides of every activation function. Whatever is both the one's output and the other's input counts once. The
// table by parts is in docs/accounting.md.
Whole activation_values(const Architecture& architecture, TableTying tying, const Batch& batch);

// Writing one new token a sequence after `tokens` others, weights in 4 bytes or 2. Zero, but weights and logits, for an
// encoder alone, which writes none.
struct Serving {
  Whole weights;
  Whole cache_per_token;  // keys and values of one token of one sequence in all layers
  Whole cache;            // of the batch; of an encoder-decoder also those of the encoder's tokens
  Whole logits;           // of one position a sequence
  // Bytes that must be read: every matrix that works on one of the tokens, and the cache. A lookup reads a row, the
  // encoder is done, and of experts there are at most as many at work as the tokens ask for.
  Whole read_per_token;
  Whole flop_per_token;  // of all sequences together

  Whole total() const { return weights + cache + logits; }
};

Serving count_serving(const Architecture& architecture, const Batch& batch, const std::vector<CountedTensor>& tensors,
                      Whole stored);

}  // namespace tied
