// The parameters of a transformer.
#pragma once

#include <vector>

#include "model/config.h"
#include "model/end_parameters.h"
#include "model/parameter_table.h"

namespace tied {

struct LayerParameters {
  WeightAndBias attention_norm;
  WeightAndBias query_key_value;
  WeightAndBias attention_output;
  // In a decoder that attends to an encoder:
  WeightAndBias cross_norm;
  WeightAndBias cross_query;
  WeightAndBias cross_key_value;
  WeightAndBias cross_output;
  WeightAndBias feed_forward_norm;
  WeightAndBias up;
  WeightAndBias gate;  // SwiGLU only
  WeightAndBias down;
};

struct TransformerParameters {
  EndParameters ends;
  ParameterIndex positions = kNoParameter;  // learned positions only
  std::vector<LayerParameters> layers;
  WeightAndBias final_norm;  // if there is one
};

struct TransformerTable {
  ParameterTable table;
  TransformerParameters parameters;  // their indices in the table
  TransformerParameters encoder;     // encoder-decoder only
};

// The encoder of an encoder-decoder as a stack of its own: its number of layers and its context.
ModelConfig encoder_config(const ModelConfig& config);

// In the order of the table, with weights stored [out, in]:
//   embedding [V, d], unembedding [V, d], positions [T, d] (learned only),
//   for each layer N, after "layers.N.":
//     attention_norm [d], attention.query_key_value [(n_heads + 2 n_kv_heads) head_width, d] (all query heads, then all
//     key heads, then all value heads), attention.output [d, d],
//     feed_forward_norm [d], feed_forward.up [f, d], feed_forward.gate [f, d] (SwiGLU only), feed_forward.down [d, f],
//   final_norm [d] (optional), and the corrections of the tying and the output bias.
// An encoder-decoder has encoder.embedding [V, d] after these two tables, then the encoder's positions, layers and
// final norm, each after "encoder."; the decoder's layers have, between attention and feed-forward,
//     cross_attention_norm [d], cross_attention.query [d, d], cross_attention.key_value [2 n_kv_heads head_width, d],
//     cross_attention.output [d, d].
// Each of these maps and norms has a ".weight" and, depending on config.biases, a ".bias".
TransformerTable transformer_parameter_table(const ModelConfig& config);

}  // namespace tied
