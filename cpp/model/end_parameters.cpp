#include "model/end_parameters.h"

#include <cmath>
#include <utility>

namespace tied {

EndParameters add_embeddings(ParameterTable& table, const ModelConfig& config) {
  Parameter matrix{.name = "embedding",
                   .rows = config.vocab_size,
                   .cols = config.d_model,
                   .role = ParameterRole::kInput,
                   .sparse = config.has_sparse_updates(),
                   .initial = InitialValue::kNormal,
                   .initial_std = config.init_std};
  EndParameters ends;
  ends.embedding = table.add(matrix);
  const bool begins_tied = config.tying != Tying::kUntied;
  if (begins_tied && !config.changes_tying()) {
    ends.unembedding = table.add_tied("unembedding", ends.embedding, ParameterRole::kOutput);
  } else {
    matrix.name = "unembedding";
    matrix.role = ParameterRole::kOutput;
    ends.unembedding =
        config.changes_tying() ? table.add_joinable(matrix, ends.embedding, begins_tied) : table.add(matrix);
  }
  if (!config.is_encoder_decoder()) return ends;
  constexpr const char* kEncoder = "encoder.embedding";
  if (config.encoder_table == EncoderTable::kOwn) {
    matrix.name = kEncoder;
    matrix.role = ParameterRole::kEncoderInput;
    ends.encoder = table.add(std::move(matrix));
  } else {
    const bool reads = config.encoder_table == EncoderTable::kEmbedding;
    ends.encoder = table.add_tied(kEncoder, reads ? ends.embedding : ends.unembedding, ParameterRole::kEncoderInput);
  }
  return ends;
}

void add_corrections(ParameterTable& table, EndParameters& ends, const ModelConfig& config) {
  const std::uint64_t d_model = config.d_model;
  if (config.tying == Tying::kTiedLinear) {
    ends.between = table.add({.name = "between", .rows = d_model, .cols = d_model, .initial = InitialValue::kIdentity});
  }
  if (config.tying == Tying::kTiedLowRank) {
    ends.low_rank_a = table.add({.name = "low_rank.a", .rows = config.vocab_size, .cols = config.low_rank});
    ends.low_rank_b = table.add({.name = "low_rank.b",
                                 .rows = d_model,
                                 .cols = config.low_rank,
                                 .initial = InitialValue::kNormal,
                                 .initial_std = 1 / std::sqrt(static_cast<double>(d_model))});
  }
  if (config.output_bias) {
    ends.output_bias =
        table.add_vector("output_bias", config.vocab_size, InitialValue::kZero, config.has_sparse_updates());
  }
  if (has_other_heads() && config.head == HeadKind::kClustered) {
    ends.clusters = table.add({.name = "clusters",
                               .rows = config.head_clusters,
                               .cols = d_model,
                               .role = ParameterRole::kOutput,
                               .initial = InitialValue::kNormal,
                               .initial_std = config.init_std});
  }
}

}  // namespace tied
