#include "accounting/tensors.h"

#include <algorithm>
#include <utility>

namespace tied {
namespace {

// Makes the rows in their order. What the first five members say holds for all rows that are added after.
class Rows {
 public:
  explicit Rows(const Architecture& architecture) : a_(architecture) {}

  void tables(TableTying tying);
  void stack(const char* name, std::uint64_t layers, bool is_encoder, bool looks_at_encoder);
  void head(TableTying tying);
  std::vector<CountedTensor> take() { return std::move(list_); }

 private:
  void add(const char* name, const char* suffix, std::uint64_t rows, std::uint64_t cols);
  void linear(const char* name, std::uint64_t out, std::uint64_t in, bool has_bias);
  void norm(const char* name, std::uint64_t size);
  void model_norm(const char* name, bool has_it);
  void attention(bool crosses);
  void experts(const char* of, std::uint64_t layers, std::uint64_t experts, std::uint64_t active);
  void feed_forward(std::uint64_t width);

  TensorGroup group_ = TensorGroup::kTables;
  std::string prefix_;
  Whole copies_ = 1;
  Whole active_copies_ = 1;
  bool on_encoder_tokens_ = false;

  const Architecture& a_;
  std::vector<CountedTensor> list_;
};

// A vector has no rows.
void Rows::add(const char* name, const char* suffix, std::uint64_t rows, std::uint64_t cols) {
  if (copies_.is_zero()) return;
  CountedTensor& row = list_.emplace_back();
  row.name = prefix_ + name + suffix;
  row.rows = rows == 0 ? 1 : rows;
  row.cols = cols;
  row.is_vector = rows == 0;
  row.on_encoder_tokens = on_encoder_tokens_;
  row.group = group_;
  row.copies = copies_;
  row.active_copies = active_copies_;
}

void Rows::linear(const char* name, std::uint64_t out, std::uint64_t in, bool has_bias) {
  add(name, ".weight", out, in);
  if (has_bias) add(name, ".bias", 0, out);
}

void Rows::norm(const char* name, std::uint64_t size) {
  const TensorGroup group = group_;
  if (group != TensorGroup::kHead) group_ = TensorGroup::kNorms;
  add(name, ".weight", 0, size);
  if (a_.norm == NormKind::kLayer && a_.norm_biases) add(name, ".bias", 0, size);
  group_ = group;
}

void Rows::model_norm(const char* name, bool has_it) {
  if (has_it && a_.norm != NormKind::kNone) norm(name, a_.d_model);
}

void Rows::tables(TableTying tying) {
  add("embedding", "", a_.vocab_size, a_.d_model);
  const bool output_ties = tying != TableTying::kUntied && tying != TableTying::kTiedInputs;
  std::size_t output_owner = 0;
  if (a_.stack == Stack::kEncoderDecoder) {
    add("decoder_embedding", "", a_.output_vocab_size, a_.d_model);
    if (tying == TableTying::kTiedDecoder) {
      output_owner = 1;
    } else if (tying != TableTying::kUntied) {
      list_.back().tied_to = 0;
    }
  }
  add("unembedding", "", a_.output_vocab_size, a_.d_model);
  if (output_ties) list_.back().tied_to = output_owner;
}

void Rows::attention(bool crosses) {
  const std::uint64_t queries = a_.n_heads * a_.d_head;
  const std::uint64_t keys = a_.n_key_value_heads * a_.d_head;
  const bool all = a_.biases == BiasKind::kAll;
  const bool has_biases = all || a_.biases == BiasKind::kQueryKeyValue;
  const bool works_on_encoder_tokens = on_encoder_tokens_;
  std::string outside = prefix_;
  model_norm(crosses ? "cross_attention_norm" : "attention_norm", crosses || a_.norms_per_layer > 0);
  group_ = TensorGroup::kAttention;
  prefix_ += crosses ? "cross_attention." : "attention.";
  // A look at the encoder has queries of other tokens than keys and values: they cannot be one product.
  if (a_.fused_query_key_value && !crosses) {
    linear("query_key_value", queries + 2 * keys, a_.d_model, has_biases);
  } else {
    linear("query", queries, a_.d_model, has_biases);
    on_encoder_tokens_ = works_on_encoder_tokens || crosses;
    linear("key", keys, a_.d_model, has_biases);
    linear("value", keys, a_.d_model, has_biases);
  }
  if (a_.query_key_norm != QueryKeyNorm::kNone) {
    const bool full = a_.query_key_norm == QueryKeyNorm::kFull;
    on_encoder_tokens_ = works_on_encoder_tokens;
    norm("query_norm", full ? queries : a_.d_head);
    on_encoder_tokens_ = works_on_encoder_tokens || crosses;
    norm("key_norm", full ? keys : a_.d_head);
  }
  on_encoder_tokens_ = works_on_encoder_tokens;
  linear("output", a_.d_model, queries, all);
  prefix_ = std::move(outside);
}

void Rows::feed_forward(std::uint64_t width) {
  const bool has_biases = a_.biases == BiasKind::kAll || a_.biases == BiasKind::kFeedForward;
  linear("up", width, a_.d_model, has_biases);
  if (a_.feed_forward == FeedForwardKind::kGated) linear("gate", width, a_.d_model, has_biases);
  linear("down", a_.d_model, width, has_biases);
}

void Rows::experts(const char* of, std::uint64_t layers, std::uint64_t experts, std::uint64_t active) {
  std::string outside = prefix_;
  prefix_ += of;
  copies_ = Whole(layers) * experts;
  active_copies_ = Whole(layers) * active;
  feed_forward(a_.d_feed_forward);
  prefix_ = std::move(outside);
}

void Rows::stack(const char* name, std::uint64_t layers, bool is_encoder, bool looks_at_encoder) {
  prefix_ = name;
  on_encoder_tokens_ = is_encoder;
  group_ = TensorGroup::kPositions;
  if (a_.positions == PositionKind::kLearned) add("positions", "", a_.context_length, a_.d_model);
  if (a_.positions == PositionKind::kRelative) add("relative_positions", "", a_.relative_buckets, a_.n_heads);
  if (a_.n_segments != 0 && !looks_at_encoder) add("segments", "", a_.n_segments, a_.d_model);
  model_norm("embedding_norm", a_.embedding_norm);

  prefix_ += "layers.*.";
  copies_ = active_copies_ = layers;
  attention(false);
  model_norm("attention_output_norm", a_.norms_per_layer > 2);
  if (looks_at_encoder) attention(true);
  model_norm("feed_forward_norm", a_.norms_per_layer > 1);

  group_ = TensorGroup::kFeedForward;
  std::string layer = prefix_;
  prefix_ += "feed_forward.";
  if (a_.n_experts == 0) {
    feed_forward(a_.d_feed_forward);
  } else {
    const std::uint64_t dense = std::min(layers, a_.n_dense_layers);
    const std::uint64_t mixed = layers - dense;
    copies_ = active_copies_ = dense;
    feed_forward(a_.d_dense_feed_forward);
    copies_ = active_copies_ = mixed;
    linear("router", a_.n_experts, a_.d_model, a_.biases == BiasKind::kAll);
    experts("experts.*.", mixed, a_.n_experts, a_.n_active_experts);
    experts("shared_experts.*.", mixed, a_.n_shared_experts, a_.n_shared_experts);
  }
  prefix_ = std::move(layer);
  copies_ = active_copies_ = layers;
  model_norm("feed_forward_output_norm", a_.norms_per_layer > 3);

  prefix_ = name;
  copies_ = active_copies_ = 1;
  model_norm("final_norm", a_.final_norm);
}

void Rows::head(TableTying tying) {
  prefix_.clear();
  group_ = TensorGroup::kHead;
  const std::uint64_t d_model = a_.d_model;
  if (a_.head_transform) {
    linear("head_transform", d_model, d_model, true);
    model_norm("head_transform_norm", true);
  }
  if (tying == TableTying::kTiedLinear) add("between", "", d_model, d_model);
  if (tying == TableTying::kTiedMlp) {
    linear("mlp.up", a_.d_feed_forward, d_model, true);
    linear("mlp.down", d_model, a_.d_feed_forward, true);
  }
  if (tying == TableTying::kTiedLowRank) {
    add("low_rank.a", "", a_.output_vocab_size, a_.low_rank);
    add("low_rank.b", "", d_model, a_.low_rank);
  }
  if (a_.output_bias) add("output_bias", "", 0, a_.output_vocab_size);
}

}  // namespace

std::vector<CountedTensor> counted_tensors(const Architecture& architecture, TableTying tying) {
  Rows rows(architecture);
  rows.tables(tying);
  const bool both = architecture.stack == Stack::kEncoderDecoder;
  if (both) rows.stack("encoder.", architecture.n_encoder_layers, true, false);
  rows.stack(both ? "decoder." : "", architecture.n_layers, false, both);
  rows.head(tying);
  return rows.take();
}

}  // namespace tied
