// What heads cost: the full softmax over the vocabulary, and what others put in its place.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "accounting/architecture.h"
#include "accounting/batch.h"
#include "accounting/tensors.h"
#include "accounting/whole.h"

namespace tied {

// Multiply-accumulates; one is two FLOP. A product Y = X W takes as many for each of its two gradients, dX = dY W^T and
// dW = X^T dY, as it takes itself. The same holds for the two products of attention.
struct Macs {
  Whole forward;

  Whole backward() const { return forward * 2; }
  Whole total() const { return forward * 3; }
};

enum HeadKind : std::uint8_t { kFullHead, kSampledHead, kAdaptiveHead, kCulledHead, kClusteredHead, kHeadKinds };

// Of one step of training over all n tokens of the batch. With V the tokens written, d the width; whatever the model
// has between its last layer and the table (a transform, M of tied-linear, ...) is in all of them.
//   full       n d V
//   sampled    n d (S + 1)                       S tokens drawn once for the batch, and each token's target
//                                                (Jean et al. 2015)
//   adaptive   n d (c_0 + m) + sum_i n_i (d w_i + w_i v_i)
//              m clusters after the head of c_0 tokens; cluster i has v_i tokens, vectors of w_i = floor(d / divisor^i)
//              and n_i of the batch's tokens in it: n times its share under Zipf's law, p(r) ~ 1 / r for the token of
//              id r - 1, to the nearest whole token (Grave et al. 2017; parameters as PyTorch's
//              AdaptiveLogSoftmaxWithLoss: the maps into the clusters have no biases)
//   culled     n d V'
//   clustered  n d (K + ceil(V / K))             K clusters of one size (Goodman 2001)
struct HeadCost {
  Macs macs;
  Macs at_most;      // adaptive: with every cluster worked out for every token, n_i = n; else the same as macs
  Whole parameters;  // numbers that the head uses, whether a table that reads shares them or not
  Whole logits;      // values that the step holds
  Whole logits_bytes;
};

// By HeadKind; of those not asked for 0. `tensors` are the architecture's, `batch` is valid.
using HeadCosts = std::array<HeadCost, kHeadKinds>;
HeadCosts count_heads(const Architecture& architecture, const Batch& batch, const std::vector<CountedTensor>& tensors);

// Whether this is a map whose product with each token's vector is work: no vector, and no table that only reads.
bool multiplies(const CountedTensor& tensor);

// Bytes of one logit: float32 but in bfloat16 alone, since a sum of exponentials over a vocabulary needs it.
std::uint64_t logit_bytes(Precision precision);

}  // namespace tied
