#include "model/transformer_parameters.h"

#include <cmath>
#include <string>

namespace tied {
namespace {

constexpr const char* kWeight = ".weight";
constexpr const char* kBias = ".bias";

WeightAndBias add_norm(ParameterTable& table, const std::string& name, const ModelConfig& config) {
  WeightAndBias norm;
  norm.weight = table.add_vector(name + kWeight, config.d_model, InitialValue::kOne);
  if (config.norm == Norm::kLayer && config.biases == Biases::kAll) {
    norm.bias = table.add_vector(name + kBias, config.d_model);
  }
  return norm;
}

WeightAndBias add_linear(ParameterTable& table, const std::string& name, std::uint64_t out, std::uint64_t in,
                         double std, bool has_bias) {
  WeightAndBias map;
  map.weight = table.add(
      {.name = name + kWeight, .rows = out, .cols = in, .initial = InitialValue::kNormal, .initial_std = std});
  if (has_bias) map.bias = table.add_vector(name + kBias, out);
  return map;
}

}  // namespace

TransformerTable transformer_parameter_table(const ModelConfig& config) {
  const std::uint64_t d_model = config.d_model;
  const std::uint64_t width = config.feed_forward_width();
  const double std = config.init_std;
  // Each layer adds two branches to the residual stream: this keeps its variance from growing with the depth.
  const double branch_std = std / std::sqrt(2 * static_cast<double>(config.n_layers));
  const bool all = config.biases == Biases::kAll;
  const bool feed_forward = config.biases != Biases::kNone;

  TransformerTable made;
  auto& [table, parameters] = made;
  parameters.ends = add_embeddings(table, config);
  if (config.positions == Positions::kLearned) {
    parameters.positions = table.add({.name = "positions",
                                      .rows = config.context_length,
                                      .cols = d_model,
                                      .embeds = true,
                                      .initial = InitialValue::kNormal,
                                      .initial_std = std});
  }
  parameters.layers.resize(static_cast<std::size_t>(config.n_layers));
  for (std::size_t i = 0; i < parameters.layers.size(); ++i) {
    const std::string prefix = "layers." + text_of(i) + ".";
    LayerParameters& layer = parameters.layers[i];
    layer.attention_norm = add_norm(table, prefix + "attention_norm", config);
    layer.query_key_value =
        add_linear(table, prefix + "attention.query_key_value", config.query_key_value_width(), d_model, std, all);
    layer.attention_output = add_linear(table, prefix + "attention.output", d_model, d_model, branch_std, all);
    layer.feed_forward_norm = add_norm(table, prefix + "feed_forward_norm", config);
    layer.up = add_linear(table, prefix + "feed_forward.up", width, d_model, std, feed_forward);
    if (config.feed_forward == FeedForward::kSwiGlu) {
      layer.gate = add_linear(table, prefix + "feed_forward.gate", width, d_model, std, feed_forward);
    }
    layer.down = add_linear(table, prefix + "feed_forward.down", d_model, width, branch_std, feed_forward);
  }
  if (config.final_norm) parameters.final_norm = add_norm(table, "final_norm", config);
  add_corrections(table, parameters.ends, config);
  return made;
}

}  // namespace tied
