// How well a model predicts a text.
#pragma once

#include <cstdint>

#include "model/model.h"
#include "training/data.h"

namespace tied {

struct Evaluation {
  double loss = 0;  // nats per token
  double perplexity = 0;
  std::uint64_t tokens = 0;  // pairs that the loss is the mean of
};

// Every pair of a stream once; ids < vocab_size, n_token_ids >= 2. A model with a context reads the stream as sequences
// of that length, one after the other, the last of them as long as what is left; each token sees those before it in its
// own sequence. Where the next token depends on the current one alone, each token that occurs is looked at once, so
// that a long text costs little more than a short one.
template <class T>
Evaluation evaluate_stream(Model<T>& model, const std::uint32_t* token_ids, std::size_t n_token_ids);

// The expected loss over a table.
template <class T>
Evaluation evaluate_table(Model<T>& model, const JointTable<T>& table);

}  // namespace tied
