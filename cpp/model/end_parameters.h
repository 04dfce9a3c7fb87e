// The parameters at both ends of every kind of model: what reads tokens in and what writes logits out.
#pragma once

#include "model/config.h"
#include "model/parameter_table.h"

namespace tied {

struct EndParameters {
  ParameterIndex embedding = kNoParameter;    // E [V, d]
  ParameterIndex unembedding = kNoParameter;  // U [V, d]
  // Where the tying has them:
  ParameterIndex between = kNoParameter;     // [d, d]
  ParameterIndex low_rank_a = kNoParameter;  // [V, r]
  ParameterIndex low_rank_b = kNoParameter;  // [d, r]
  // Where config.output_bias:
  ParameterIndex output_bias = kNoParameter;  // [V]
};

// Adds "embedding" and "unembedding": the same matrix, two of them, or two that are joined and split.
EndParameters add_embeddings(ParameterTable& table, const ModelConfig& config);

// Adds "between", "low_rank.a", "low_rank.b" and "output_bias", those that the model has.
void add_corrections(ParameterTable& table, EndParameters& ends, const ModelConfig& config);

}  // namespace tied
