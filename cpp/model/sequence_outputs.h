// Outputs of a model for one sequence of tokens, whose ids are checked here.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace tied {

// Errors: kInvalidArgument, with `argument` as the name of the ids, if there are none, more than the model's context (a
// direct path has no limit), or one that the model cannot read: a token, or the mask of a model that predicts hidden
// tokens, whose logits are then those of each place, given all that is visible.
template <class T>
Status check_sequence(const Model<T>& model, std::string_view argument, std::span<const std::uint32_t> token_ids);

// Errors: kNotFinite, with `what` as the name of a value that is not.
template <class T>
Status check_outputs_finite(std::string_view what, const Matrix<T>& matrix);

// All three have the errors of check_sequence, with the argument "token_ids"; kNotFinite if a result is not finite;
// kOutOfMemory.

// [n, V]: row i has the logits of the token after token_ids[i], given all tokens up to it. Layer `left_out`, if any,
// adds nothing to the residual stream; kInvalidArgument, "left_out", if the model has no such layer. `resumes`: see
// Model::logits.
template <class T>
Result<Matrix<T>> sequence_logits(Model<T>& model, std::span<const std::uint32_t> token_ids,
                                  std::size_t left_out = kNoLayer, bool resumes = false);

enum class HeadInput { kLeaveOut, kAdd };

// The residual stream, each [n, d]: before the first layer and after each layer; before the final norm. With
// HeadInput::kAdd, one more: what the head reads, after the final norm.
template <class T>
Result<std::vector<Matrix<T>>> hidden_states(Model<T>& model, std::span<const std::uint32_t> token_ids,
                                             HeadInput head_input = HeadInput::kLeaveOut);

// [n_layers * n_heads * n, n], rows in the order (layer, head, from); no rows for a model without attention.
template <class T>
Result<Matrix<T>> attention(Model<T>& model, std::span<const std::uint32_t> token_ids);

}  // namespace tied
