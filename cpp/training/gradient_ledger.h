// The gradient of the embedding, told apart by what the embedding does: reading tokens in and writing logits out.
#pragma once

#include <cstddef>

#include "model/model.h"

namespace tied {

// total = input_gradient_scale * input + output where one matrix has both roles, input_gradient_scale * input
// elsewhere.
template <class T>
struct GradientLedger {
  Matrix<T> input;             // [V, d]
  Matrix<T> output;            // [V, d]
  Matrix<T> total;             // [V, d], what the embedding's optimizer receives
  std::size_t input_rows = 0;  // rows that are not all zero
  std::size_t output_rows = 0;
};

// The batch as the model takes it: sequences of `sequence_length` tokens, or, where that is 0, of the model's context,
// or one of all tokens where they are fewer.
// Errors: kInvalidArgument for an empty batch, sequences longer than the context or not whole, an id out of range.
template <class T>
Result<TokenBatch> checked_batch(const Model<T>& model, const TokenBatch& batch);

// Of the gradients by role that `parameters` holds, after a backward pass and before they are combined. Combines them.
// Errors: kOutOfMemory.
template <class T>
Result<GradientLedger<T>> gradient_ledger(ParameterStore<T>& parameters, double input_gradient_scale);

}  // namespace tied
