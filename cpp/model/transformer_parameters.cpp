#include "model/transformer_parameters.h"

#include <cmath>
#include <string>

#include "model/head.h"

namespace tied {
namespace {

constexpr const char* kWeight = ".weight";
constexpr const char* kBias = ".bias";

std::string layer_prefix(std::uint64_t layer) { return "layers." + text_of(layer) + "."; }

void add_vector(ParameterTable& table, std::string name, std::uint64_t size, InitialValue initial) {
  table.add({.name = std::move(name), .rows = 1, .cols = size, .is_vector = true, .decays = false, .initial = initial});
}

void add_norm(ParameterTable& table, const std::string& name, const ModelConfig& config) {
  add_vector(table, name + kWeight, config.d_model, InitialValue::kOne);
  if (config.norm == Norm::kLayer && config.biases == Biases::kAll) {
    add_vector(table, name + kBias, config.d_model, InitialValue::kZero);
  }
}

void add_linear(ParameterTable& table, const std::string& name, std::uint64_t out, std::uint64_t in, double std,
                bool has_bias) {
  table.add({.name = name + kWeight, .rows = out, .cols = in, .initial = InitialValue::kNormal, .initial_std = std});
  if (has_bias) add_vector(table, name + kBias, out, InitialValue::kZero);
}

// Finds names in the order of the table, so that a thousand layers are not searched thousands of times.
class Finder {
 public:
  explicit Finder(const std::vector<Parameter>& list) : list_(list) {}

  const Parameter* take(const std::string& name) {
    return next_ < list_.size() && list_[next_].name == name ? &list_[next_++] : nullptr;
  }
  WeightAndBias take_both(const std::string& name) {
    WeightAndBias found;
    found.weight = take(name + kWeight);
    found.bias = take(name + kBias);
    return found;
  }

 private:
  const std::vector<Parameter>& list_;
  std::size_t next_ = 0;
};

}  // namespace

ParameterTable transformer_parameter_table(const ModelConfig& config) {
  const std::uint64_t d_model = config.d_model;
  const std::uint64_t width = config.feed_forward_width();
  const double std = config.init_std;
  // Each layer adds two branches to the residual stream: this keeps its variance from growing with the depth.
  const double branch_std = std / std::sqrt(2 * static_cast<double>(config.n_layers));
  const bool all = config.biases == Biases::kAll;
  const bool feed_forward = config.biases != Biases::kNone;

  ParameterTable table;
  table.add({.name = "embedding",
             .rows = config.vocab_size,
             .cols = d_model,
             .role = ParameterRole::kInput,
             .initial = InitialValue::kNormal,
             .initial_std = std});
  add_unembedding(table, config);
  if (config.positions == Positions::kLearned) {
    table.add({.name = "positions",
               .rows = config.context_length,
               .cols = d_model,
               .embeds = true,
               .initial = InitialValue::kNormal,
               .initial_std = std});
  }
  for (std::uint64_t i = 0; i < config.n_layers; ++i) {
    const std::string layer = layer_prefix(i);
    add_norm(table, layer + "attention_norm", config);
    add_linear(table, layer + "attention.query_key_value", config.query_key_value_width(), d_model, std, all);
    add_linear(table, layer + "attention.output", d_model, d_model, branch_std, all);
    add_norm(table, layer + "feed_forward_norm", config);
    add_linear(table, layer + "feed_forward.up", width, d_model, std, feed_forward);
    if (config.feed_forward == FeedForward::kSwiGlu) {
      add_linear(table, layer + "feed_forward.gate", width, d_model, std, feed_forward);
    }
    add_linear(table, layer + "feed_forward.down", d_model, width, branch_std, feed_forward);
  }
  if (config.final_norm) add_norm(table, "final_norm", config);
  add_head_parameters(table, config);
  return table;
}

TransformerParameters find_transformer_parameters(const ParameterTable& table, const ModelConfig& config) {
  Finder finder(table.list());
  TransformerParameters found;
  found.embedding = finder.take("embedding");
  finder.take("unembedding");
  found.positions = finder.take("positions");
  found.layers.resize(static_cast<std::size_t>(config.n_layers));
  for (std::size_t i = 0; i < found.layers.size(); ++i) {
    const std::string prefix = layer_prefix(i);
    LayerParameters& layer = found.layers[i];
    layer.attention_norm = finder.take_both(prefix + "attention_norm");
    layer.query_key_value = finder.take_both(prefix + "attention.query_key_value");
    layer.attention_output = finder.take_both(prefix + "attention.output");
    layer.feed_forward_norm = finder.take_both(prefix + "feed_forward_norm");
    layer.up = finder.take_both(prefix + "feed_forward.up");
    layer.gate = finder.take_both(prefix + "feed_forward.gate");
    layer.down = finder.take_both(prefix + "feed_forward.down");
    TIED_ASSERT(layer.down.weight != nullptr);
  }
  found.final_norm = finder.take_both("final_norm");
  return found;
}

}  // namespace tied
