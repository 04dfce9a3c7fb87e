// The gradient of the embedding, split by role: as input embedding and as output embedding, and in a third role if the
// model has one: in an encoder-decoder, as input embedding of the encoder.
#pragma once

#include <cstddef>

#include "base/record.h"
#include "model/model.h"

namespace tied {

// total = input_scale * input + output_scale * output if one matrix has both roles, otherwise input_scale * input.
// + input_scale * third, if the matrix has that role as well.
template <class T>
struct GradientLedger {
  Matrix<T> input;   // [V, d]
  Matrix<T> output;  // [V, d]
  Matrix<T> third;   // [V, d]; without such a role, empty
  Matrix<T> total;   // [V, d], as the embedding's optimizer receives it
  // Of factorized tables, whose parts above are [V, r]: the factor's input, output and total [r, d], one below the
  // other.
  Matrix<T> factor;
  std::size_t input_rows = 0;  // non-zero rows
  std::size_t output_rows = 0;
  std::size_t third_rows = 0;
  // Norm of the input part before scattering, [tokens, d]: positions of the same token are not summed.
  double input_position_norm = 0;

  using Answered =
      Record<&GradientLedger::input, &GradientLedger::output, &GradientLedger::third, &GradientLedger::total,
             &GradientLedger::factor, &GradientLedger::input_rows, &GradientLedger::output_rows,
             &GradientLedger::third_rows, &GradientLedger::input_position_norm>;
};

// The batch in the form that the model requires: sequences of `sequence_length` tokens; 0 means the model's context, or
// one sequence if the batch is shorter.
// Errors: kInvalidArgument for an empty batch, sequences longer than the context or incomplete, and ids out of range.
template <class T>
Result<TokenBatch> checked_batch(const Model<T>& model, const TokenBatch& batch);

// Splits and combines the gradients by role in `parameters`, after a backward pass and before they are combined.
// Errors: kOutOfMemory.
template <class T>
Result<GradientLedger<T>> gradient_ledger(ParameterStore<T>& parameters, double input_scale, double output_scale);

}  // namespace tied
