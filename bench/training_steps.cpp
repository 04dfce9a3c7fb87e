#include "training_steps.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "matrix_products.h"
#include "memory.h"
#include "or_exit.h"
#include "training/trainer.h"

namespace tied::bench {
namespace {

constexpr std::size_t kTokensOfText = 50000;

std::vector<std::uint32_t> random_tokens(std::size_t count, std::uint64_t vocab_size) {
  std::vector<std::uint32_t> token_ids(count);
  Random random(7, stream_of("tokens"));
  for (std::uint32_t& id : token_ids) id = random.below(static_cast<std::uint32_t>(vocab_size));
  return token_ids;
}

}  // namespace

Case step_on(std::string id, const ModelConfig& model, std::uint64_t batch_size,
             const std::function<std::vector<std::uint32_t>()>& tokens) {
  Case result;
  result.id = std::move(id);
  result.prepare = [model, batch_size, tokens]() -> std::function<void()> {
    const std::vector<std::uint32_t> token_ids = tokens();
    TrainingConfig training;
    training.learning_rate = 0.001;
    training.batch_size = batch_size;
    training.seed = 1;
    training.init_seed = 1;
    auto data = value_or_exit(
        training_data_from_tokens<float>(token_ids.data(), token_ids.size(), nullptr, 0, model.vocab_size));
    const std::shared_ptr<Trainer<float>> trainer =
        value_or_exit(Trainer<float>::create(model, training, std::move(data)));
    return [trainer] {
      if (const Status status = trainer->step(); !status) std::printf("%s\n", status.error().message().c_str());
    };
  };
  return result;
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

namespace {

Case step_of(std::string id, const ModelConfig& model, std::uint64_t batch_size) {
  const std::uint64_t vocab_size = model.vocab_size;
  return step_on(std::move(id), model, batch_size, [vocab_size] { return random_tokens(kTokensOfText, vocab_size); });
}

Case direct_path_step(std::string id, Tying tying, std::uint64_t vocab_size, std::uint64_t d_model) {
  constexpr std::uint64_t kPairs = 1024;
  ModelConfig model;
  model.vocab_size = vocab_size;
  model.d_model = d_model;
  model.tying = tying;
  Case result = step_of(std::move(id), model, kPairs);
  // The logits and both gradients.
  result.operations = 6.0 * static_cast<double>(kPairs * vocab_size * d_model);
  result.items = static_cast<double>(kPairs);
  result.items_name = "pairs";
  return result;
}

Case transformer_step(std::string id, Tying tying, const TransformerShape& shape) {
  Case result = step_of(std::move(id), transformer_of(tying, shape), shape.batch_size);
  result.operations = operations_of_step(shape);
  result.items = static_cast<double>(shape.tokens());
  result.items_name = "tokens";
  return result;
}

// Token ids start at 2; a target has one token less, to leave space for its end. Sequences have full or random lengths.
Sequences sequences_of(const PairShape& shape, std::size_t count, std::uint64_t less, bool whole, std::uint64_t seed) {
  Random random(seed, stream_of("pairs"));
  const auto most = static_cast<std::uint32_t>(shape.length - less);
  std::vector<std::uint32_t> starts(1);
  for (std::size_t i = 0; i < count; ++i) starts.push_back(starts.back() + (whole ? most : 1 + random.below(most)));
  Sequences made;
  made.starts = value_or_exit(AlignedBuffer<std::uint32_t>::create(starts.size()));
  std::copy(starts.begin(), starts.end(), made.starts.begin());
  made.ids = value_or_exit(AlignedBuffer<std::uint32_t>::create(starts.back()));
  for (std::uint32_t& id : made.ids) id = 2 + random.below(static_cast<std::uint32_t>(shape.vocab_size - 2));
  return made;
}

Case pair_step(std::string id, const PairShape& shape, bool whole) {
  Case result;
  result.id = std::move(id);
  if (whole) result.operations = operations_of_pairs(shape);
  result.items = static_cast<double>(shape.batch_size);
  result.items_name = "pairs";
  result.prepare = [shape, whole]() -> std::function<void()> {
    constexpr std::size_t kPairs = 2000;
    ModelConfig model;
    model.kind = ModelKind::kEncoderDecoder;
    model.vocab_size = shape.vocab_size;
    model.d_model = shape.d_model;
    model.n_layers = shape.n_layers;
    model.n_encoder_layers = shape.n_layers;
    model.n_heads = shape.n_heads;
    model.context_length = shape.length;
    model.source_length = shape.length;
    model.encoder_table = EncoderTable::kEmbedding;
    TrainingConfig training;
    training.learning_rate = 0.001;
    training.batch_size = shape.batch_size;
    training.seed = 1;
    training.init_seed = 1;
    TrainingData<float> data;
    data.vocab_size = shape.vocab_size;
    data.pairs.sources = sequences_of(shape, kPairs, 0, whole, 1);
    data.pairs.targets = sequences_of(shape, kPairs, 1, whole, 2);
    const std::shared_ptr<Trainer<float>> trainer =
        value_or_exit(Trainer<float>::create(model, training, std::move(data)));
    return [trainer] {
      if (const Status status = trainer->step(); !status) std::printf("%s\n", status.error().message().c_str());
    };
  };
  return result;
}

// One token after another, up to the context length.
Case decoding(std::string id, const TransformerShape& shape) {
  // The decoder points into the model and is destroyed first.
  struct Decoding {
    std::unique_ptr<Model<float>> model;
    std::unique_ptr<Decoder<float>> decoder;
    std::vector<std::uint32_t> prompt;
    std::vector<float> logits;
  };
  Case result;
  result.id = std::move(id);
  const std::uint64_t d = shape.d_model;
  const std::uint64_t inner = shape.n_layers * (12 * d * d + d * shape.context_length);
  result.operations = 2.0 * static_cast<double>(shape.context_length * (inner + shape.vocab_size * d));
  result.items = static_cast<double>(shape.context_length);
  result.items_name = "tokens";
  result.prepare = [shape]() -> std::function<void()> {
    auto decoding = std::make_shared<Decoding>();
    decoding->model = value_or_exit(create_model<float>(transformer_of(Tying::kTied, shape), 1, 1));
    decoding->decoder = value_or_exit(decoding->model->create_decoder());
    decoding->prompt = random_tokens(static_cast<std::size_t>(shape.context_length), shape.vocab_size);
    decoding->logits.resize(static_cast<std::size_t>(shape.vocab_size));
    return [decoding] {
      decoding->decoder->reset();
      for (const std::uint32_t& token : decoding->prompt) decoding->decoder->append(&token, 1, decoding->logits.data());
    };
  };
  return result;
}

}  // namespace

void add_training_steps(std::vector<Case>& cases) {
  const auto add_transformer = [&](const std::string& id, const TransformerShape& shape) {
    cases.push_back(transformer_step(id, Tying::kTied, shape));
    cases.push_back(transformer_step(id + "/untied", Tying::kUntied, shape));
  };
  add_transformer("train/A", kTransformerA);
  add_transformer("train/B", kTransformerB);
  cases.push_back(direct_path_step("train/C", Tying::kUntied, 2000, 64));
  cases.push_back(direct_path_step("train/C/tied", Tying::kTied, 2000, 64));
  cases.push_back(direct_path_step("train/little", Tying::kTied, 65, 16));
  add_transformer("train/laboratory", kLab);
  cases.push_back(pair_step("train/pairs", {}, true));
  for (const std::uint64_t width : {128, 256}) {
    PairShape shape;
    shape.d_model = width;
    cases.push_back(pair_step("train/pairs/d" + std::to_string(width), shape, true));
  }
  cases.push_back(pair_step("train/pairs/lengths", {}, false));
  cases.push_back(decoding("decode/laboratory", kLab));

  const auto add_memory = [&](Case step) {
    step.fresh = true;
    step.facts = [] { return std::vector<Fact>{{"megabytes", most_bytes_held() * 1e-6}}; };
    cases.push_back(std::move(step));
  };
  constexpr std::uint64_t kLargeVocabulary = 50257;
  add_memory(transformer_step("memory/train/50257x64", Tying::kUntied,
                              {.vocab_size = kLargeVocabulary, .d_model = 64, .batch_size = 16}));
  add_memory(direct_path_step("memory/train/50257x64/direct-path", Tying::kUntied, kLargeVocabulary, 64));
}

}  // namespace tied::bench
