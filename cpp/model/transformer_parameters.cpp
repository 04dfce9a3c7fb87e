#include "model/transformer_parameters.h"

#include <cmath>
#include <initializer_list>
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

// `outs`: the widths of up to three outputs of maps that are stored as one.
WeightAndBias add_linear(ParameterTable& table, const std::string& name, std::initializer_list<std::uint64_t> outs,
                         std::uint64_t in, double std, bool has_bias) {
  Parameter weight{.name = name + kWeight, .cols = in, .initial = InitialValue::kNormal, .initial_std = std};
  std::uint64_t* end = weight.part_ends;
  for (const std::uint64_t out : outs) *end++ = weight.rows += out;
  WeightAndBias map;
  map.weight = table.add(weight);
  if (has_bias) map.bias = table.add_vector(name + kBias, weight.rows);
  return map;
}

enum class Cross : bool { kNo, kYes };

LayerParameters add_layer(ParameterTable& table, const std::string& prefix, const ModelConfig& config, Cross cross) {
  const std::uint64_t d_model = config.d_model;
  const std::uint64_t width = config.feed_forward_width();
  const double std = config.init_std;
  // Each layer adds two or three branches to the residual stream: this keeps its variance from growing with the depth.
  const double branches = cross == Cross::kYes ? 3 : 2;
  const double branch_std = std / std::sqrt(branches * static_cast<double>(config.n_layers));
  const bool all = config.biases == Biases::kAll;
  const bool feed_forward = config.biases != Biases::kNone;
  LayerParameters layer;
  layer.attention_norm = add_norm(table, prefix + "attention_norm", config);
  layer.query_key_value = add_linear(table, prefix + "attention.query_key_value",
                                     {d_model, config.value_width(), config.value_width()}, d_model, std, all);
  layer.attention_output = add_linear(table, prefix + "attention.output", {d_model}, d_model, branch_std, all);
  if (cross == Cross::kYes) {
    const std::string name = prefix + "cross_attention";
    layer.cross_norm = add_norm(table, name + "_norm", config);
    layer.cross_query = add_linear(table, name + ".query", {d_model}, d_model, std, all);
    layer.cross_key_value =
        add_linear(table, name + ".key_value", {config.value_width(), config.value_width()}, d_model, std, all);
    layer.cross_output = add_linear(table, name + ".output", {d_model}, d_model, branch_std, all);
  }
  layer.feed_forward_norm = add_norm(table, prefix + "feed_forward_norm", config);
  layer.up = add_linear(table, prefix + "feed_forward.up", {width}, d_model, std, feed_forward);
  if (config.feed_forward == FeedForward::kSwiGlu) {
    layer.gate = add_linear(table, prefix + "feed_forward.gate", {width}, d_model, std, feed_forward);
  }
  layer.down = add_linear(table, prefix + "feed_forward.down", {d_model}, width, branch_std, feed_forward);
  return layer;
}

// Everything between embedding and unembedding.
void add_stack(ParameterTable& table, TransformerParameters& parameters, const std::string& prefix,
               const ModelConfig& config, Cross cross) {
  if (config.positions == Positions::kLearned) {
    parameters.positions = table.add({.name = prefix + "positions",
                                      .rows = config.context_length,
                                      .cols = config.d_model,
                                      .embeds = true,
                                      .initial = InitialValue::kNormal,
                                      .initial_std = config.init_std});
  }
  parameters.layers.resize(static_cast<std::size_t>(config.n_layers));
  for (std::size_t i = 0; i < parameters.layers.size(); ++i) {
    parameters.layers[i] = add_layer(table, prefix + "layers." + text_of(i) + ".", config, cross);
  }
  if (config.final_norm) parameters.final_norm = add_norm(table, prefix + "final_norm", config);
}

}  // namespace

ModelConfig encoder_config(const ModelConfig& config) {
  ModelConfig encoder = config;
  encoder.n_layers = config.n_encoder_layers;
  encoder.context_length = config.source_length;
  return encoder;
}

TransformerTable transformer_parameter_table(const ModelConfig& config) {
  TransformerTable made;
  EndParameters& ends = made.parameters.ends;
  ends = add_embeddings(made.table, config);
  if (config.is_encoder_decoder()) {
    made.encoder.ends.embedding = ends.encoder;
    add_stack(made.table, made.encoder, "encoder.", encoder_config(config), Cross::kNo);
  }
  add_stack(made.table, made.parameters, "", config, config.is_encoder_decoder() ? Cross::kYes : Cross::kNo);
  add_corrections(made.table, ends, config);
  return made;
}

}  // namespace tied
