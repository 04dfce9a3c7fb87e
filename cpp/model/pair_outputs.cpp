#include "model/pair_outputs.h"

#include <string>
#include <utility>
#include <vector>

#include "base/token_ids.h"
#include "model/sequence_outputs.h"

namespace tied {
namespace {

using Ids = std::span<const std::uint32_t>;

Status check_ids(const char* name, Ids ids, std::uint64_t most, const char* of_model, std::uint64_t vocab_size) {
  if (ids.size() > most) {
    return make_error(ErrorCode::kInvalidArgument, std::string(name) + ".length", ids.size(), of_model + text_of(most));
  }
  return check_token_ids(name, ids, vocab_size);
}

Status check_pair(const ModelConfig& config, Ids source, Ids target) {
  if (!config.is_encoder_decoder()) {
    return make_error(ErrorCode::kUnsupported, "model", "a model that continues a text",
                      "an encoder-decoder, which reads pairs");
  }
  if (source.empty()) return make_error(ErrorCode::kInvalidArgument, "source.length", 0, "at least one token");
  if (Status status = check_ids("source", source, config.source_length, "at most the source_length of the model, ",
                                config.vocab_size);
      !status) {
    return status;
  }
  return check_ids("target", target, config.context_length - 1, "at most the context_length of the model minus 1, ",
                   config.vocab_size);
}

// The tokens that the decoder reads.
std::vector<std::uint32_t> with_start(const ModelConfig& config, Ids target) {
  std::vector<std::uint32_t> inputs{static_cast<std::uint32_t>(config.start_token)};
  inputs.insert(inputs.end(), target.begin(), target.end());
  return inputs;
}

}  // namespace

template <class T>
Result<Matrix<T>> pair_logits(Model<T>& model, Ids source, Ids target) {
  const ModelConfig& config = model.config();
  if (Status status = check_pair(config, source, target); !status) return status;
  const std::vector<std::uint32_t> inputs = with_start(config, target);
  auto logits = Matrix<T>::create(inputs.size(), static_cast<std::size_t>(config.vocab_size));
  if (!logits) return logits;
  model.pairs()->logits(logits.value().view(), {source, inputs});
  if (Status status = check_outputs_finite("logit", logits.value()); !status) return status;
  return logits;
}

template <class T>
Result<PairWeights<T>> pair_attention(Model<T>& model, Ids source, Ids target) {
  const ModelConfig& config = model.config();
  if (Status status = check_pair(config, source, target); !status) return status;
  const std::vector<std::uint32_t> inputs = with_start(config, target);
  PairWeights<T> weights;
  const auto make = [&](Matrix<T>& matrix, std::uint64_t layers, std::size_t from, std::size_t to) -> Status {
    auto made = Matrix<T>::create(static_cast<std::size_t>(layers * config.n_heads) * from, to);
    if (!made) return made.failure();
    matrix = std::move(made).value();
    return {};
  };
  if (Status status = make(weights.encoder, config.n_encoder_layers, source.size(), source.size()); !status) {
    return status;
  }
  if (Status status = make(weights.decoder, config.n_layers, inputs.size(), inputs.size()); !status) return status;
  if (Status status = make(weights.cross, config.n_layers, inputs.size(), source.size()); !status) return status;
  model.pairs()->attention({weights.encoder.view(), weights.decoder.view(), weights.cross.view()}, {source, inputs});
  for (const Matrix<T>* matrix : {&weights.encoder, &weights.decoder, &weights.cross}) {
    if (Status status = check_outputs_finite("attention", *matrix); !status) return status;
  }
  return weights;
}

template Result<Matrix<float>> pair_logits(Model<float>&, Ids, Ids);
template Result<Matrix<double>> pair_logits(Model<double>&, Ids, Ids);
template Result<PairWeights<float>> pair_attention(Model<float>&, Ids, Ids);
template Result<PairWeights<double>> pair_attention(Model<double>&, Ids, Ids);

}  // namespace tied
