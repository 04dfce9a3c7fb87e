// Which parameters a transformer has, and where they are.
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
  ParameterIndex positions = kNoParameter;  // learned ones only
  std::vector<LayerParameters> layers;
  WeightAndBias final_norm;  // where there is one
};

struct TransformerTable {
  ParameterTable table;
  TransformerParameters parameters;  // their places in the table
};

// In the order of the table; weights are stored [out, in]:
//   embedding [V, d], unembedding [V, d], positions [T, d] (learned only),
//   of each layer N, after "layers.N.":
//     attention_norm [d], attention.query_key_value [(n_heads + 2 n_kv_heads) head_width, d] (rows of all heads of
//     queries, then keys, then values), attention.output [d, d],
//     feed_forward_norm [d], feed_forward.up [f, d], feed_forward.gate [f, d] (SwiGLU only), feed_forward.down [d, f],
//   final_norm [d] (optional), and the corrections of the tying and the output bias.
// Each of these maps and norms has a ".weight" and, as config.biases says, a ".bias".
TransformerTable transformer_parameter_table(const ModelConfig& config);

}  // namespace tied
