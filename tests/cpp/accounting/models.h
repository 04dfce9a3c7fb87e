// Shared by the tests of accounting: sizes of real models, and random ones.
#pragma once

#include <cstdint>

#include "accounting/architecture.h"
#include "accounting/batch.h"
#include "base/random.h"

namespace tied {

// 12 d² per layer plus the tables, nothing else.
inline Architecture plain_formula(std::uint64_t vocab_size, std::uint64_t d_model, std::uint64_t n_layers) {
  return {.vocab_size = vocab_size,
          .output_vocab_size = vocab_size,
          .d_model = d_model,
          .n_layers = n_layers,
          .n_heads = 1,
          .n_key_value_heads = 1,
          .d_head = d_model,
          .d_feed_forward = 4 * d_model,
          .norm = NormKind::kNone,
          .norms_per_layer = 0,
          .final_norm = false};
}

inline Architecture gpt2() {
  Architecture a = plain_formula(50257, 768, 12);
  a.n_heads = a.n_key_value_heads = 12;
  a.d_head = 64;
  a.positions = PositionKind::kLearned;
  a.context_length = 1024;
  a.norm = NormKind::kLayer;
  a.norm_biases = true;
  a.norms_per_layer = 2;
  a.final_norm = true;
  a.biases = BiasKind::kAll;
  a.fused_query_key_value = true;
  return a;
}

// Llama 3 8B: grouped queries, gated feed-forward parts.
inline Architecture llama3() {
  Architecture a = plain_formula(128256, 4096, 32);
  a.n_heads = 32;
  a.n_key_value_heads = 8;
  a.d_head = 128;
  a.d_feed_forward = 14336;
  a.feed_forward = FeedForwardKind::kGated;
  a.positions = PositionKind::kRotary;
  a.norm = NormKind::kRms;
  a.norms_per_layer = 2;
  a.final_norm = true;
  return a;
}

// Mixtral 8x7B: 2 of 8 experts.
inline Architecture mixtral() {
  Architecture a = llama3();
  a.vocab_size = a.output_vocab_size = 32000;
  a.n_experts = 8;
  a.n_active_experts = 2;
  return a;
}

// T5 small, with one vocabulary.
inline Architecture t5_small() {
  Architecture a = plain_formula(32128, 512, 6);
  a.stack = Stack::kEncoderDecoder;
  a.n_encoder_layers = 6;
  a.n_heads = a.n_key_value_heads = 8;
  a.d_head = 64;
  a.positions = PositionKind::kRelative;
  a.relative_buckets = 32;
  a.norm = NormKind::kRms;
  a.norms_per_layer = 2;
  a.final_norm = true;
  return a;
}

class RandomModels {
 public:
  explicit RandomModels(std::uint64_t seed) : random_(seed, 0) {}

  std::uint64_t between(std::uint64_t lowest, std::uint64_t highest) {
    return lowest + random_.below(static_cast<std::uint32_t>(highest - lowest + 1));
  }
  bool coin() { return between(0, 1) == 1; }

  Architecture architecture() {
    Architecture a = plain_formula(between(2, 300), between(1, 96), between(0, 9));
    a.stack = static_cast<Stack>(between(0, 2));
    if (a.stack == Stack::kEncoderDecoder) a.n_encoder_layers = between(0, 9);
    if (coin()) a.output_vocab_size = between(2, 300);
    a.n_key_value_heads = between(1, 4);
    a.n_heads = a.n_key_value_heads * between(1, 4);
    a.d_head = between(1, 40);
    a.d_feed_forward = between(1, 200);
    a.feed_forward = static_cast<FeedForwardKind>(between(0, 1));
    if (coin()) {
      a.n_experts = between(1, 9);
      a.n_active_experts = between(1, a.n_experts);
      a.n_shared_experts = between(0, 2);
      a.n_dense_layers = between(0, a.n_layers);
      a.d_dense_feed_forward = a.n_dense_layers == 0 ? 0 : between(1, 200);
    }
    a.positions = static_cast<PositionKind>(between(0, 3));
    a.context_length = between(1, 100);
    a.relative_buckets = a.positions == PositionKind::kRelative ? between(1, 32) : 0;
    if (coin()) {
      a.norm = static_cast<NormKind>(between(0, 1));
      a.norm_biases = a.norm == NormKind::kLayer && coin();
      a.norms_per_layer = between(0, 4);
      a.query_key_norm = static_cast<QueryKeyNorm>(between(0, 2));
      a.embedding_norm = coin();
      a.final_norm = coin();
    }
    a.biases = static_cast<BiasKind>(between(0, 3));
    a.fused_query_key_value = coin();
    a.head_transform = coin();
    a.output_bias = coin();
    a.low_rank = between(1, a.d_model);
    if (coin()) a.table_rank = between(1, a.d_model);
    if (coin()) {
      a.ngram_order = between(2, 8);
      a.ngram_rows = between(1, 300);
    }
    return a;
  }

  // A random tying that this architecture allows.
  TableTying tying(const Architecture& a) {
    for (;;) {
      const auto tying = static_cast<TableTying>(between(0, 6));
      if (validate(a, tying).ok()) return tying;
    }
  }

  Batch batch(const Architecture& a) {
    Batch batch;
    batch.sequences = between(1, 20);
    batch.tokens = between(1, 200);
    batch.encoder_tokens = between(1, 200);
    batch.tying = tying(a);
    batch.precision = static_cast<Precision>(between(0, 2));
    batch.optimizer_states = between(0, 2);
    return batch;
  }

 private:
  Random random_;
};

}  // namespace tied
