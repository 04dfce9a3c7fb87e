// Parameters of a transformer: counts of published models, names, initial values.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "linalg/reduce.h"
#include "model/transformer_parameters.h"
#include "support.h"

using namespace tied;
using test::small_transformer;

namespace {

ModelConfig gpt2(std::uint64_t d_model, std::uint64_t n_layers, std::uint64_t n_heads) {
  ModelConfig config{.kind = ModelKind::kTransformer, .vocab_size = 50'257, .d_model = d_model};
  config.n_layers = n_layers;
  config.n_heads = n_heads;
  config.context_length = 1'024;
  config.norm = Norm::kLayer;
  config.biases = Biases::kAll;
  return config;
}

std::uint64_t count(const ModelConfig& config) {
  REQUIRE(validate(config).ok());
  return parameter_table(config).parameter_count();
}

std::vector<std::string> names(const ModelConfig& config) {
  std::vector<std::string> found;
  const ParameterTable table = parameter_table(config);
  for (const Parameter& parameter : table.list()) found.push_back(parameter.name);
  return found;
}

}  // namespace

TEST_CASE("the four GPT-2 models have their published parameter counts") {
  CHECK(count(gpt2(768, 12, 12)) == 124'439'808);
  CHECK(count(gpt2(1'024, 24, 16)) == 354'823'168);
  CHECK(count(gpt2(1'280, 36, 20)) == 774'030'080);
  CHECK(count(gpt2(1'600, 48, 25)) == 1'557'611'200);
}

TEST_CASE("the training lab's transformers have the sizes stated on its pages") {
  ModelConfig config{.kind = ModelKind::kTransformer, .vocab_size = 512, .d_model = 64};
  CHECK(count(config) == 235'328);
  config.tying = Tying::kTiedLinear;
  CHECK(count(config) == 235'328 + 64 * 64);
  config.tying = Tying::kTiedLowRank;
  config.low_rank = 8;
  CHECK(count(config) == 235'328 + 8 * (512 + 64));
  config.low_rank = 0;
  config.tying = Tying::kUntied;
  CHECK(count(config) == 268'096);

  config.d_model = 128;
  for (const std::uint64_t n_heads : {4, 8}) {
    config.n_heads = n_heads;
    config.tying = Tying::kTied;
    CHECK(count(config) == 863'872);
    config.tying = Tying::kUntied;
    CHECK(count(config) == 929'408);
  }
}

TEST_CASE("a llama with grouped queries has the parameter count of stories260K") {
  ModelConfig config{.kind = ModelKind::kTransformer, .vocab_size = 512, .d_model = 64};
  config.n_layers = 5;
  config.n_heads = 8;
  config.n_kv_heads = 4;
  config.d_feed_forward = 172;
  config.context_length = 512;
  config.positions = Positions::kRotary;
  config.feed_forward = FeedForward::kSwiGlu;
  config.biases = Biases::kNone;
  // 512 * 64 + 5 (64 + 2 * 64 * 64 + 2 * 32 * 64 + 64 + 3 * 172 * 64) + 64, as counted in the published file.
  CHECK(count(config) == 260'032);
}

TEST_CASE("parameters have a fixed order and fixed names") {
  ModelConfig config = small_transformer(Tying::kTied);
  config.n_layers = 1;
  CHECK(names(config) ==
        std::vector<std::string>{"embedding", "unembedding", "positions", "layers.0.attention_norm.weight",
                                 "layers.0.attention.query_key_value.weight", "layers.0.attention.output.weight",
                                 "layers.0.feed_forward_norm.weight", "layers.0.feed_forward.up.weight",
                                 "layers.0.feed_forward.up.bias", "layers.0.feed_forward.down.weight",
                                 "layers.0.feed_forward.down.bias", "final_norm.weight"});
  config.norm = Norm::kLayer;
  config.biases = Biases::kAll;
  config.feed_forward = FeedForward::kSwiGlu;
  config.positions = Positions::kNone;
  config.tying = Tying::kTiedLowRank;
  config.low_rank = 1;
  config.output_bias = true;
  CHECK(names(config) == std::vector<std::string>{"embedding",
                                                  "unembedding",
                                                  "layers.0.attention_norm.weight",
                                                  "layers.0.attention_norm.bias",
                                                  "layers.0.attention.query_key_value.weight",
                                                  "layers.0.attention.query_key_value.bias",
                                                  "layers.0.attention.output.weight",
                                                  "layers.0.attention.output.bias",
                                                  "layers.0.feed_forward_norm.weight",
                                                  "layers.0.feed_forward_norm.bias",
                                                  "layers.0.feed_forward.up.weight",
                                                  "layers.0.feed_forward.up.bias",
                                                  "layers.0.feed_forward.gate.weight",
                                                  "layers.0.feed_forward.gate.bias",
                                                  "layers.0.feed_forward.down.weight",
                                                  "layers.0.feed_forward.down.bias",
                                                  "final_norm.weight",
                                                  "final_norm.bias",
                                                  "low_rank.a",
                                                  "low_rank.b",
                                                  "output_bias"});
}

TEST_CASE("every index of a transformer's parameters refers to the parameter of that name, and none is left out") {
  for (const Norm norm : {Norm::kRms, Norm::kLayer}) {
    for (const Biases biases : {Biases::kNone, Biases::kFeedForward, Biases::kAll}) {
      for (const FeedForward feed_forward : {FeedForward::kGelu, FeedForward::kSwiGlu}) {
        ModelConfig config = small_transformer(Tying::kUntied);
        config.norm = norm;
        config.biases = biases;
        config.feed_forward = feed_forward;
        const auto [table, parameters, encoder] = transformer_parameter_table(config);
        std::size_t n_found = 0;
        const auto check = [&](ParameterIndex index, const std::string& name) {
          if (index == kNoParameter) return;
          CHECK(table.list()[index].name == name);
          ++n_found;
        };
        const auto check_both = [&](const WeightAndBias& map, const std::string& name) {
          check(map.weight, name + ".weight");
          check(map.bias, name + ".bias");
        };
        check(parameters.ends.embedding, "embedding");
        check(parameters.ends.unembedding, "unembedding");
        check(parameters.positions, "positions");
        check_both(parameters.final_norm, "final_norm");
        for (std::size_t i = 0; i < parameters.layers.size(); ++i) {
          const LayerParameters& layer = parameters.layers[i];
          const std::string prefix = "layers." + text_of(i) + ".";
          check_both(layer.attention_norm, prefix + "attention_norm");
          check_both(layer.query_key_value, prefix + "attention.query_key_value");
          check_both(layer.attention_output, prefix + "attention.output");
          check_both(layer.feed_forward_norm, prefix + "feed_forward_norm");
          check_both(layer.up, prefix + "feed_forward.up");
          check_both(layer.gate, prefix + "feed_forward.gate");
          check_both(layer.down, prefix + "feed_forward.down");
        }
        CHECK(n_found == table.list().size());
      }
    }
  }
}

TEST_CASE("vectors do not decay, matrices do, and positions count as an embedding") {
  ModelConfig config = small_transformer(Tying::kTiedLowRank);
  config.output_bias = true;
  const ParameterTable table = parameter_table(config);
  for (const Parameter& parameter : table.list()) {
    CHECK(parameter.decays == !parameter.is_vector);
    CHECK(parameter.embeds == (parameter.name == "positions"));
    const bool outer = parameter.name == "embedding" || parameter.name == "unembedding";
    CHECK((parameter.role == ParameterRole::kInner) == !outer);
  }
}

TEST_CASE("maps into the residual stream start smaller, norms at one, biases and the correction's A at zero") {
  ModelConfig config{.kind = ModelKind::kTransformer, .vocab_size = 300, .d_model = 64, .tying = Tying::kTiedLowRank};
  config.low_rank = 48;
  config.norm = Norm::kLayer;
  config.biases = Biases::kAll;
  config.output_bias = true;
  config.n_layers = 2;
  auto created = create_model<double>(config, 3, 64);
  REQUIRE(created.ok());
  const ParameterStore<double>& store = created.value()->parameters();
  for (const Parameter& parameter : store.table().list()) {
    const auto values = store.values(parameter);
    const std::size_t size = values.rows * values.cols;
    const double mean_square = squared_norm(values.data, size) / static_cast<double>(size);
    const bool writes =
        parameter.name.ends_with("attention.output.weight") || parameter.name.ends_with("feed_forward.down.weight");
    double expected = 0.02;
    if (writes) expected = 0.02 / 2;  // sqrt(2 * 2 layers)
    if (parameter.name.ends_with("norm.weight")) expected = 1;
    if (parameter.name.ends_with("bias") || parameter.name == "low_rank.a") expected = 0;
    if (parameter.name == "low_rank.b") expected = 1.0 / 8;
    // Of thousands of normal draws: six standard errors of the variance, sqrt(2 / n) each.
    const double tolerance = 6 * std::sqrt(2.0 / static_cast<double>(size));
    if (expected == 0 || expected == 1) {
      CHECK(mean_square == expected);
    } else {
      CHECK(std::fabs(mean_square / (expected * expected) - 1) < tolerance);
    }
  }
}
