// Cases of hidden states that are read through a model's head.
#pragma once

#include <vector>

#include "case.h"

namespace tied::bench {

// Of a head of V tokens and width d, for the training lab's default model and for GPT-2 small's head; five states per
// token: "readout/logit-lens/<V>x<d>" and "readout/tuned-lens/...", a step of training: items are tokens.
// "readout/ledger/...": the gradient of the unembedding in two parts, and what reaches the states.
// "readout/ledger-start/...": what it computes once. "readout/losses/...": losses of tokens by frequency.
// "readout/products/...", with the name of a verb before the sizes: only its products with the unembedding.
void add_readouts(std::vector<Case>& cases);

}  // namespace tied::bench
