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
};

// In the order of the table, with weights stored [out, in]:
//   embedding [V, d], unembedding [V, d], positions [T, d] (learned only),
//   for each layer N, after "layers.N.":
//     attention_norm [d], attention.query_key_value [(n_heads + 2 n_kv_heads) head_width, d] (all query heads, then all
//     key heads, then all value heads), attention.output [d, d],
//     feed_forward_norm [d], feed_forward.up [f, d], feed_forward.gate [f, d] (SwiGLU only), feed_forward.down [d, f],
//   final_norm [d] (optional), and the corrections of the tying and the output bias.
// Each of these maps and norms has a ".weight" and, depending on config.biases, a ".bias".
TransformerTable transformer_parameter_table(const ModelConfig& config);

}  // namespace tied
