#include "training_steps.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "matrix_products.h"
#include "memory.h"
#include "model/config.h"
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

// By Zipf's law, nearly: the token of id i with probability log(1 + 1 / (i + 1)) / log(V + 1).
std::vector<std::uint32_t> frequent_tokens(std::size_t count, std::uint64_t vocab_size) {
  std::vector<std::uint32_t> token_ids(count);
  Random random(7, stream_of("tokens"));
  for (std::uint32_t& id : token_ids) {
    const double end = std::exp(random.uniform_double() * std::log(static_cast<double>(vocab_size) + 1));
    id = std::min(static_cast<std::uint32_t>(end), static_cast<std::uint32_t>(vocab_size)) - 1;
  }
  return token_ids;
}

Case step_of(std::string id, const ModelConfig& model, std::uint64_t batch_size) {
  Case result;
  result.id = std::move(id);
  result.prepare = [model, batch_size]() -> std::function<void()> {
    constexpr std::size_t kTokens = 50000;
    // The work of an adaptive head depends on how often tokens occur.
    const std::vector<std::uint32_t> token_ids = model.head == HeadKind::kAdaptive
                                                     ? frequent_tokens(kTokens, model.vocab_size)
                                                     : random_tokens(kTokens, model.vocab_size);
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

struct PairShape {
  std::uint64_t vocab_size = 128;
  std::uint64_t d_model = 64;
  std::uint64_t n_layers = 2;  // of each stack
  std::uint64_t n_heads = 4;
  std::uint64_t length = 32;  // of sources, and of targets with their end
  std::uint64_t batch_size = 32;
};

// Of whole squares of attention, masked or not, as for transformers.
double operations_of_pairs(const PairShape& shape) {
  const std::uint64_t d = shape.d_model;
  const std::uint64_t attention = 2 * shape.length * d;
  const std::uint64_t feed_forward = 8 * d * d;
  const std::uint64_t encoder = 4 * d * d + attention + feed_forward;
  // The keys and values of the cross-attention are of the encoder's rows, which are as many.
  const std::uint64_t decoder = 2 * (4 * d * d + attention) + feed_forward;
  const std::uint64_t rows = shape.length * shape.batch_size;
  // Forward, gradients of inputs and of weights, two operations each.
  return 6.0 * static_cast<double>(rows * (shape.n_layers * (encoder + decoder) + shape.vocab_size * d));
}

// Tokens from 2 on; a target has one less, for its end. All sequences are whole, or of random lengths.
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

Case pair_step(std::string id, bool whole) {
  const PairShape shape;
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

// Multiply-accumulates of a head's table per token, as cpp/accounting/heads.h counts them, as a shape whose vocabulary
// has as many rows.
Case head_step(const std::string& name, const TransformerShape& shape, std::uint64_t rows_per_token,
               const std::function<void(ModelConfig&)>& choose) {
  ModelConfig model = transformer_of(Tying::kUntied, shape);
  choose(model);
  Case result = step_of("train/50257x64/" + name, model, shape.batch_size);
  TransformerShape counted = shape;
  counted.vocab_size = rows_per_token;
  result.operations = operations_of_step(counted);
  result.items = static_cast<double>(shape.tokens());
  result.items_name = "tokens";
  return result;
}

// Multiply-accumulates of an adaptive head per token of frequent_tokens, divided by d.
std::uint64_t adaptive_rows(const ModelConfig& model) {
  double rows = static_cast<double>(model.head_cutoffs[0] + model.tails());
  for (std::size_t k = 0; k < model.tails(); ++k) {
    const auto begin = static_cast<double>(model.tail_begin(k));
    const auto end = static_cast<double>(model.tail_begin(k + 1));
    const double share = std::log((end + 1) / (begin + 1)) / std::log(static_cast<double>(model.vocab_size) + 1);
    const auto width = static_cast<double>(model.tail_width(k));
    rows += share * width * (1 + (end - begin) / static_cast<double>(model.d_model));
  }
  return static_cast<std::uint64_t>(std::llround(rows));
}

// Every head of a large vocabulary.
void add_head_steps(std::vector<Case>& cases) {
  constexpr TransformerShape kShape{.vocab_size = 50257, .d_model = 64, .batch_size = 16};
  constexpr std::uint64_t kSamples = 1024;
  constexpr std::uint64_t kClusters = 224;
  constexpr std::uint64_t kKept = 4096;
  cases.push_back(head_step("full", kShape, kShape.vocab_size, [](ModelConfig&) {}));
  cases.push_back(head_step("sampled", kShape, kSamples + 1, [](ModelConfig& model) {
    model.head = HeadKind::kSampled;
    model.head_samples = kSamples;
  }));
  cases.push_back(
      head_step("clustered", kShape, kClusters + (kShape.vocab_size - 1) / kClusters + 1, [](ModelConfig& model) {
        model.head = HeadKind::kClustered;
        model.head_clusters = kClusters;
      }));
  ModelConfig split = transformer_of(Tying::kUntied, kShape);
  const auto split_up = [](ModelConfig& model) {
    model.head = HeadKind::kAdaptive;
    model.head_divisor = 4;
    model.head_cutoffs[0] = 2000;
    model.head_cutoffs[1] = 10000;
  };
  split_up(split);
  cases.push_back(head_step("adaptive", kShape, adaptive_rows(split), split_up));
  cases.push_back(head_step("culled", kShape, kKept, [](ModelConfig& model) {
    model.head = HeadKind::kCulled;
    model.head_kept = kKept;
  }));
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
  add_transformer("train/laboratory", kLaboratory);
  cases.push_back(pair_step("train/pairs", true));
  cases.push_back(pair_step("train/pairs/lengths", false));
  add_head_steps(cases);
  cases.push_back(decoding("decode/laboratory", kLaboratory));

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
