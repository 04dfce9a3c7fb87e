#include "training_steps.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "base/random.h"
#include "training/trainer.h"

namespace tied::bench {
namespace {

template <class Value>
Value value_or_exit(Result<Value> result) {
  if (!result) {
    std::printf("%s\n", result.error().message().c_str());
    std::exit(1);
  }
  return std::move(result).value();
}

std::vector<std::uint32_t> random_tokens(std::size_t count, std::uint64_t vocab_size) {
  std::vector<std::uint32_t> token_ids(count);
  Random random(7, stream_of("tokens"));
  for (std::uint32_t& id : token_ids) id = random.below(static_cast<std::uint32_t>(vocab_size));
  return token_ids;
}

Benchmark step_of(std::string name, const ModelConfig& model, std::uint64_t batch_size) {
  constexpr std::size_t kTokens = 50000;
  const std::vector<std::uint32_t> token_ids = random_tokens(kTokens, model.vocab_size);
  TrainingConfig training;
  training.learning_rate = 0.001;
  training.batch_size = batch_size;
  training.seed = 1;
  training.init_seed = 1;
  auto data =
      value_or_exit(training_data_from_tokens<float>(token_ids.data(), token_ids.size(), nullptr, 0, model.vocab_size));
  const std::shared_ptr<Trainer<float>> trainer =
      value_or_exit(Trainer<float>::create(model, training, std::move(data)));
  Benchmark benchmark;
  benchmark.name = std::move(name);
  benchmark.run = [trainer] {
    if (const Status status = trainer->step(); !status) std::printf("%s\n", status.error().message().c_str());
  };
  return benchmark;
}

ModelConfig transformer_of(Tying tying, const TransformerShape& shape) {
  ModelConfig model;
  model.kind = ModelKind::kTransformer;
  model.vocab_size = shape.vocab_size;
  model.d_model = shape.d_model;
  model.n_layers = shape.n_layers;
  model.n_heads = shape.n_heads;
  model.context_length = shape.context_length;
  model.tying = tying;
  return model;
}

}  // namespace

Benchmark direct_path_step(Tying tying, std::uint64_t vocab_size, std::uint64_t d_model, std::uint64_t pairs) {
  ModelConfig model;
  model.vocab_size = vocab_size;
  model.d_model = d_model;
  model.tying = tying;
  const std::string name = std::string("direct path, ") + std::string(tying_name(tying)) + ", V " +
                           std::to_string(vocab_size) + ", d " + std::to_string(d_model) + ", " +
                           std::to_string(pairs) + " pairs";
  Benchmark benchmark = step_of(name, model, pairs);
  benchmark.operations = 6.0 * static_cast<double>(pairs * vocab_size * d_model);
  benchmark.items = static_cast<double>(pairs);
  return benchmark;
}

Benchmark transformer_step(const std::string& name, Tying tying, const TransformerShape& shape) {
  Benchmark benchmark = step_of(name, transformer_of(tying, shape), shape.batch_size);
  benchmark.items = static_cast<double>(shape.tokens());
  return benchmark;
}

Benchmark decoding_step(const std::string& name, const TransformerShape& shape) {
  // The decoder points into the model, and is let go first.
  struct Decoding {
    std::unique_ptr<Model<float>> model;
    std::unique_ptr<Decoder<float>> decoder;
    std::vector<std::uint32_t> prompt;
    std::vector<float> logits;
  };
  auto decoding = std::make_shared<Decoding>();
  decoding->model = value_or_exit(create_model<float>(transformer_of(Tying::kTied, shape), 1, 1));
  decoding->decoder = value_or_exit(decoding->model->create_decoder());
  decoding->prompt = random_tokens(static_cast<std::size_t>(shape.context_length), shape.vocab_size);
  decoding->logits.resize(static_cast<std::size_t>(shape.vocab_size));
  Benchmark benchmark;
  benchmark.name = name;
  benchmark.items = static_cast<double>(shape.context_length);
  const std::uint64_t d = shape.d_model;
  const std::uint64_t inner = shape.n_layers * (12 * d * d + d * shape.context_length);
  benchmark.operations = 2.0 * static_cast<double>(shape.context_length * (inner + shape.vocab_size * d));
  benchmark.run = [decoding] {
    decoding->decoder->reset();
    for (const std::uint32_t& token : decoding->prompt) decoding->decoder->append(&token, 1, decoding->logits.data());
  };
  return benchmark;
}

}  // namespace tied::bench
