// The parameters at both ends of every kind of model: input embedding, output embedding, and what depends on the tying.
#pragma once

#include "model/config.h"
#include "model/parameter_table.h"

namespace tied {

struct EndParameters {
  ParameterIndex embedding = kNoParameter;    // E [V, d]
  ParameterIndex unembedding = kNoParameter;  // U [V, d]; of an untied adaptive head [first cutoff, d]
  ParameterIndex encoder = kNoParameter;      // of an encoder's tokens [V, d]; encoder-decoder only
  // Of factorized tables, which are then [V, r]:
  ParameterIndex embedding_factor = kNoParameter;    // [r, d]
  ParameterIndex unembedding_factor = kNoParameter;  // [r, d]
  // If the tying has them:
  ParameterIndex between = kNoParameter;     // [d, d]
  ParameterIndex low_rank_a = kNoParameter;  // [V, r]
  ParameterIndex low_rank_b = kNoParameter;  // [d, r]
  // If config.output_bias:
  ParameterIndex output_bias = kNoParameter;  // [V]
  // Of a clustered or adaptive head:
  ParameterIndex clusters = kNoParameter;    // [clusters, d]
  ParameterIndex first_tail = kNoParameter;  // adaptive: tables of the clusters, if they have them, then their maps
  // If config.has_ngrams(): the tables for n = 2, 3, ..., each [ngram_parts() ngram_rows, d / ngram_parts()]
  ParameterIndex first_ngram = kNoParameter;
  ParameterIndex value = kNoParameter;  // [V, value_width]; if config.has_value_embeddings()
  ParameterIndex mask = kNoParameter;   // [1, d]; if config.is_masked()
};

// Adds "embedding" and "unembedding": one shared matrix, two matrices, or two whose tying changes during training. An
// encoder-decoder also gets "encoder.embedding": a matrix of its own or one of these two. After them, "ngrams.N" for
// each n that the model reads n-grams of, "value_embedding" and "mask_embedding".
EndParameters add_embeddings(ParameterTable& table, const ModelConfig& config);

// Adds those of "between", "low_rank.a", "low_rank.b", "output_bias", "clusters" and "tails.*" that the model
// has.
void add_corrections(ParameterTable& table, EndParameters& ends, const ModelConfig& config);

}  // namespace tied
