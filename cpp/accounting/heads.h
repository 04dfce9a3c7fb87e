// Cost of output heads: the full softmax over the vocabulary, and its alternatives.
#pragma once

#include <cstdint>
#include <vector>

#include "accounting/architecture.h"
#include "accounting/batch.h"
#include "accounting/tensors.h"
#include "accounting/whole.h"
#include "base/record.h"

namespace tied {

// Multiply-accumulates; one is two FLOP. Each gradient of a product Y = X W, dX = dY W^T and dW = X^T dY, takes as many
// as the product itself. The same holds for the two products of attention.
struct Macs {
  Whole forward;

  using Answered = Record<&Macs::forward>;

  Whole backward() const { return forward * 2; }
  Whole total() const { return forward * 3; }
};

// Cost of one training step over all n tokens of the batch. V is the output vocabulary, d the width. Maps between the
// last layer and the table (a transform, M of tied-linear, ...) are included in every head.
//   full       n d V
//   sampled    n d (S + 1)                       S tokens drawn once for the batch, and each token's target
//                                                (Jean et al. 2015)
//   adaptive   n d (c_0 + m) + sum_i n_i (d w_i + w_i v_i)
//              m clusters after the head of c_0 tokens; cluster i has v_i tokens, vectors of w_i = floor(d / divisor^i)
//              and n_i of the batch's tokens: n times its probability under Zipf's law, p(r) ~ 1 / r for the token of
//              id r - 1, rounded to an integer (Grave et al. 2017; parameters as in PyTorch's
//              AdaptiveLogSoftmaxWithLoss: the maps into the clusters have no biases). With an output bias every token
//              has one, but no cluster does
//   culled     n d V'
//   clustered  n d (K + ceil(V / K))             K clusters of one size (Goodman 2001)
struct HeadCost {
  Macs macs;
  Macs at_most;      // adaptive: with every cluster computed for every token, n_i = n; otherwise equal to macs
  Whole parameters;  // parameters that the head uses, shared with the input table or not
  Whole logits;      // logits in memory during the step
  Whole logits_bytes;

  using Answered =
      Record<&HeadCost::macs, &HeadCost::at_most, &HeadCost::parameters, &HeadCost::logits, &HeadCost::logits_bytes>;
};

// 0 for heads that were not requested.
struct HeadCosts {
  HeadCost full;
  HeadCost sampled;
  HeadCost adaptive;
  HeadCost culled;
  HeadCost clustered;

  using Answered =
      Record<&HeadCosts::full, &HeadCosts::sampled, &HeadCosts::adaptive, &HeadCosts::culled, &HeadCosts::clustered>;
};

// `tensors` belong to the architecture; `batch` is valid.
HeadCosts count_heads(const Architecture& architecture, const Batch& batch, const std::vector<CountedTensor>& tensors);

// Whether a token's vector is multiplied with this tensor: true for maps, false for vectors and input-only tables.
bool multiplies(const CountedTensor& tensor);

// Bytes of one logit: 4, or 2 in pure bfloat16. A sum of exponentials over a vocabulary needs float32.
std::uint64_t logit_bytes(Precision precision);

}  // namespace tied
