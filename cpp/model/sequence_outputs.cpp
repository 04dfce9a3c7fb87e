#include "model/sequence_outputs.h"

#include <string>
#include <utility>

#include "base/token_ids.h"
#include "linalg/reduce.h"

namespace tied {

template <class T>
Status check_outputs_finite(std::string_view what, const Matrix<T>& matrix) {
  const std::size_t size = matrix.rows() * matrix.cols();
  const std::size_t i = first_not_finite(matrix.data(), size);
  if (i == size) return {};
  return make_error(ErrorCode::kNotFinite, what, static_cast<double>(matrix.data()[i]),
                    "a finite number: smaller values in the matrices");
}

template <class T>
Status check_sequence(const Model<T>& model, std::string_view argument, std::span<const std::uint32_t> token_ids) {
  if (model.reads_pairs()) {
    return make_error(ErrorCode::kUnsupported, "model", "an encoder-decoder", "a model that continues a text");
  }
  const std::string length = std::string(argument) + ".length";
  if (token_ids.empty()) return make_error(ErrorCode::kInvalidArgument, length, 0, "at least one token");
  if (!model.reads_joint() && token_ids.size() > model.context_length()) {
    return make_error(ErrorCode::kInvalidArgument, length, token_ids.size(),
                      "at most the context_length of the model, " + text_of(model.context_length()));
  }
  return check_token_ids(argument, token_ids, model.config().readable_ids());
}

template <class T>
Result<Matrix<T>> sequence_logits(Model<T>& model, std::span<const std::uint32_t> token_ids, std::size_t left_out,
                                  bool resumes) {
  if (Status status = check_sequence(model, "token_ids", token_ids); !status) return status;
  if (const std::size_t layers = model.n_hidden_states() - 1; left_out != kNoLayer && left_out >= layers) {
    return make_error(ErrorCode::kInvalidArgument, "left_out", left_out, "a layer below " + text_of(layers));
  }
  auto logits = Matrix<T>::create(token_ids.size(), static_cast<std::size_t>(model.config().vocab_size));
  if (!logits) return logits;
  model.logits(logits.value().view(), token_ids.data(), token_ids.size(), left_out, resumes);
  if (Status status = check_outputs_finite("logit", logits.value()); !status) return status;
  return logits;
}

template <class T>
Result<std::vector<Matrix<T>>> hidden_states(Model<T>& model, std::span<const std::uint32_t> token_ids,
                                             HeadInput head_input) {
  if (Status status = check_sequence(model, "token_ids", token_ids); !status) return status;
  std::vector<Matrix<T>> states;
  std::vector<MatrixView<T>> views;
  const std::size_t count = model.n_hidden_states() + (head_input == HeadInput::kAdd ? 1 : 0);
  for (std::size_t i = 0; i < count; ++i) {
    auto state = Matrix<T>::create(token_ids.size(), static_cast<std::size_t>(model.config().d_model));
    if (!state) return state.failure();
    states.push_back(std::move(state).value());
    views.push_back(states.back().view());
  }
  model.hidden_states(views, token_ids.data(), token_ids.size());
  for (const Matrix<T>& state : states) {
    if (Status status = check_outputs_finite("hidden_state", state); !status) return status;
  }
  return states;
}

template <class T>
Result<Matrix<T>> attention(Model<T>& model, std::span<const std::uint32_t> token_ids) {
  if (Status status = check_sequence(model, "token_ids", token_ids); !status) return status;
  if (model.reads_joint()) return Matrix<T>();
  const ModelConfig& config = model.config();
  const std::size_t n = token_ids.size();
  auto weights = Matrix<T>::create(static_cast<std::size_t>(config.n_layers * config.n_heads * n), n);
  if (!weights) return weights;
  model.attention(weights.value().view(), token_ids.data(), n);
  if (Status status = check_outputs_finite("attention", weights.value()); !status) return status;
  return weights;
}

template Status check_sequence(const Model<float>&, std::string_view, std::span<const std::uint32_t>);
template Status check_sequence(const Model<double>&, std::string_view, std::span<const std::uint32_t>);
template Status check_outputs_finite(std::string_view, const Matrix<float>&);
template Status check_outputs_finite(std::string_view, const Matrix<double>&);
template Result<Matrix<float>> sequence_logits(Model<float>&, std::span<const std::uint32_t>, std::size_t, bool);
template Result<Matrix<double>> sequence_logits(Model<double>&, std::span<const std::uint32_t>, std::size_t, bool);
template Result<std::vector<Matrix<float>>> hidden_states(Model<float>&, std::span<const std::uint32_t>, HeadInput);
template Result<std::vector<Matrix<double>>> hidden_states(Model<double>&, std::span<const std::uint32_t>, HeadInput);
template Result<Matrix<float>> attention(Model<float>&, std::span<const std::uint32_t>);
template Result<Matrix<double>> attention(Model<double>&, std::span<const std::uint32_t>);

}  // namespace tied
