#include "model/end_parameters.h"

#include <cmath>
#include <string>
#include <utility>

namespace tied {
namespace {

// The product of a row and its factor starts with the variance of a row of an unfactorized table.
void add_factors(ParameterTable& table, EndParameters& ends, const ModelConfig& config) {
  Parameter factor{.name = "embedding.factor",
                   .rows = config.table_rank,
                   .cols = config.d_model,
                   .role = ParameterRole::kInput,
                   .is_factor = true,
                   .initial = InitialValue::kNormal,
                   .initial_std = 1 / std::sqrt(static_cast<double>(config.table_rank))};
  constexpr const char* kOutput = "unembedding.factor";
  ends.embedding_factor = table.add(factor);
  if (config.tying == Tying::kTied) {
    ends.unembedding_factor = table.add_tied(kOutput, ends.embedding_factor, ParameterRole::kOutput);
    return;
  }
  factor.name = kOutput;
  factor.role = ParameterRole::kOutput;
  ends.unembedding_factor = table.add(std::move(factor));
}

void add_clusters(ParameterTable& table, EndParameters& ends, const ModelConfig& config) {
  const bool adaptive = config.head == HeadKind::kAdaptive;
  if (!adaptive && config.head != HeadKind::kClustered) return;
  Parameter matrix{.name = "",
                   .rows = adaptive ? config.tails() : config.head_clusters,
                   .cols = config.table_width(),
                   .role = ParameterRole::kOutput,
                   .initial = InitialValue::kNormal,
                   .initial_std = config.init_std};
  const auto add = [&](std::string name) {
    matrix.name = std::move(name);
    return table.add(matrix);
  };
  const auto name_of = [](std::size_t k, const char* part) { return "tails." + text_of(k) + part; };
  ends.clusters = add("clusters");
  if (!adaptive) return;
  ends.first_tail = ends.clusters + 1;
  const std::size_t tails = config.tails();
  for (std::size_t k = 0; config.has_tail_tables() && k < tails; ++k) {
    matrix.rows = config.tail_begin(k + 1) - config.tail_begin(k);
    matrix.cols = config.tail_width(k);
    matrix.sparse = true;
    add(name_of(k, ".table"));
  }
  matrix.cols = config.d_model;
  matrix.sparse = false;
  matrix.role = ParameterRole::kInner;
  matrix.initial_std = 1 / std::sqrt(static_cast<double>(config.d_model));
  for (std::size_t k = 0; k < tails; ++k) {
    matrix.rows = config.tail_width(k);
    add(name_of(k, ".map"));
  }
}

// They have the role of the embedding, which comes first, so the rates and the decay of input tables apply to them.
void add_ngrams(ParameterTable& table, EndParameters& ends, const ModelConfig& config) {
  ends.first_ngram = table.list().size();
  for (std::uint64_t n = 2; n <= config.ngram_order; ++n) {
    table.add({.name = "ngrams." + text_of(n),
               .rows = config.ngram_parts() * config.ngram_rows,
               .cols = config.d_model / config.ngram_parts(),
               .role = ParameterRole::kInput,
               .sparse = true,
               .initial = InitialValue::kNormal,
               .initial_std = config.init_std});
  }
}

void add_value_embedding(ParameterTable& table, EndParameters& ends, const ModelConfig& config) {
  constexpr const char* kName = "value_embedding";
  if (config.value_embeddings == ValueEmbeddings::kTied) {
    ends.value = table.add_tied(kName, ends.embedding, ParameterRole::kValue);
    return;
  }
  ends.value = table.add({.name = kName,
                          .rows = config.vocab_size,
                          .cols = config.value_width(),
                          .role = ParameterRole::kValue,
                          .sparse = config.has_sparse_updates(),
                          .initial = InitialValue::kNormal,
                          .initial_std = config.init_std});
}

}  // namespace

EndParameters add_embeddings(ParameterTable& table, const ModelConfig& config) {
  Parameter matrix{.name = "embedding",
                   .rows = config.vocab_size,
                   .cols = config.table_width(),
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
    if (config.has_tail_tables()) matrix.rows = config.tail_begin(0);
    ends.unembedding =
        config.changes_tying() ? table.add_joinable(matrix, ends.embedding, begins_tied) : table.add(matrix);
  }
  if (config.is_factorized()) add_factors(table, ends, config);
  if (config.has_ngrams()) add_ngrams(table, ends, config);
  if (config.has_value_embeddings()) add_value_embedding(table, ends, config);
  if (config.is_masked()) {
    ends.mask = table.add({.name = "mask_embedding",
                           .rows = 1,
                           .cols = config.d_model,
                           .role = ParameterRole::kInput,
                           .initial = InitialValue::kNormal,
                           .initial_std = config.init_std});
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
  add_clusters(table, ends, config);
}

}  // namespace tied
