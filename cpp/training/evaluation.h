// How well a model predicts a text.
#pragma once

#include <cstdint>

#include "base/record.h"
#include "model/model.h"
#include "training/data.h"

namespace tied {

struct Evaluation {
  double loss = 0;  // nats per token
  double perplexity = 0;
  std::uint64_t tokens = 0;  // number of pairs behind the mean
  std::uint64_t lost = 0;    // pairs whose second token the head cannot predict: not in the mean

  using Answered = Record<&Evaluation::loss, &Evaluation::perplexity, &Evaluation::tokens, &Evaluation::lost>;
};

// Evaluates every pair of a stream once; ids < vocab_size, n_token_ids >= 2. A model with a context reads consecutive
// sequences of that length (the last one may be shorter), and each token attends to the earlier ones of its sequence.
// If the next token depends on the current one alone, each distinct token is computed once, so a long text costs little
// more than a short one.
template <class T>
Evaluation evaluate_stream(Model<T>& model, const std::uint32_t* token_ids, std::size_t n_token_ids);

// The same for a model that predicts hidden tokens (model/masking.h): it reads and predicts all tokens but the first,
// those that another model predicts. What is hidden of a sequence depends on its tokens only. Each sequence counts as
// many times as it has tokens. Errors: kOutOfMemory.
template <class T>
Result<Evaluation> evaluate_hidden(Model<T>& model, const std::uint32_t* token_ids, std::size_t n_token_ids);

// The expected loss over a table.
template <class T>
Evaluation evaluate_table(Model<T>& model, const JointTable<T>& table);

}  // namespace tied
