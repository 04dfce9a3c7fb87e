#include "accounting/tensors.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tied {
namespace {

// Builds the rows in order.
class TensorList {
 public:
  explicit TensorList(const Architecture& architecture) : a_(architecture) {}

  void tables(TableTying tying);
  // One of each role: all tables, or all their factors.
  void role_tensors(TableTying tying, const char* suffix, std::uint64_t rows, std::uint64_t output_rows,
                    std::uint64_t cols);
  void stack(const char* name, std::uint64_t layers, bool is_encoder, bool has_cross_attention);
  void head(TableTying tying);
  void listed();
  std::vector<CountedTensor> take() { return std::move(list_); }

 private:
  void add(const char* name, const char* suffix, std::uint64_t rows, std::uint64_t cols);
  void linear(const char* name, std::uint64_t out, std::uint64_t in, bool has_bias);
  void norm(const char* name, std::uint64_t size);
  void model_norm(const char* name, bool has_it);
  void attention(const char* of, bool crosses);
  void feed_forward(const char* of, std::uint64_t width, std::uint64_t layers, std::uint64_t experts,
                    std::uint64_t active);
  void copies(std::uint64_t layers, std::uint64_t experts, std::uint64_t active);

  // The next row, except for its name and shape.
  CountedTensor next_{.name_parts = {"", "", "", "", ""}};
  const Architecture& a_;
  std::vector<CountedTensor> list_;
};

void TensorList::copies(std::uint64_t layers, std::uint64_t experts, std::uint64_t active) {
  next_.copies = Whole(layers) * experts;
  next_.active_copies = Whole(layers) * active;
}

// rows = 0 adds a vector.
void TensorList::add(const char* name, const char* suffix, std::uint64_t rows, std::uint64_t cols) {
  if (next_.copies.is_zero()) return;
  next_.name_parts[3] = name;
  next_.name_parts[4] = suffix;
  next_.is_vector = rows == 0;
  next_.rows = rows == 0 ? 1 : rows;
  next_.cols = cols;
  list_.push_back(next_);
}

void TensorList::linear(const char* name, std::uint64_t out, std::uint64_t in, bool has_bias) {
  add(name, ".weight", out, in);
  if (has_bias) add(name, ".bias", 0, out);
}

void TensorList::norm(const char* name, std::uint64_t size) {
  add(name, ".weight", 0, size);
  if (a_.norm == NormKind::kLayer && a_.norm_biases) add(name, ".bias", 0, size);
}

void TensorList::model_norm(const char* name, bool has_it) {
  if (has_it && a_.norm != NormKind::kNone) norm(name, a_.d_model);
}

void TensorList::tables(TableTying tying) {
  const bool factorized = a_.table_rank != 0;
  const std::uint64_t width = factorized ? a_.table_rank : a_.d_model;
  role_tensors(tying, "", a_.vocab_size, a_.output_vocab_size, width);
  if (factorized) {
    next_.is_factor = true;
    role_tensors(tying, ".factor", width, width, a_.d_model);
    next_.is_factor = false;
  }
  constexpr const char* kNames[] = {"ngrams.2", "ngrams.3", "ngrams.4", "ngrams.5", "ngrams.6", "ngrams.7", "ngrams.8"};
  static_assert(std::size(kNames) == kMaxCountedOrder - 1);
  for (std::uint64_t n = 2; n <= a_.ngram_order; ++n) {
    add(kNames[n - 2], "", a_.ngram_rows, a_.d_model);
    list_.back().is_additional = true;
  }
  if (a_.value_embeddings == ValueTable::kNone) return;
  add("value_embedding", "", a_.vocab_size, a_.n_key_value_heads * a_.d_head);
  list_.back().is_additional = true;
  if (a_.value_embeddings == ValueTable::kTied) list_.back().tied_to = 0;
}

void TensorList::role_tensors(TableTying tying, const char* suffix, std::uint64_t rows, std::uint64_t output_rows,
                              std::uint64_t cols) {
  const bool ties = tying != TableTying::kUntied;
  const bool both = a_.stack == Stack::kEncoderDecoder;
  const std::size_t first = list_.size();
  std::size_t owner = first;  // of the output's storage
  add("embedding", suffix, rows, cols);
  list_.back().on_encoder_tokens = both && next_.is_factor;
  if (both) {
    add("decoder_embedding", suffix, output_rows, cols);
    if (tying == TableTying::kTiedDecoder) {
      owner = first + 1;
    } else if (ties) {
      list_.back().tied_to = first;
    }
  }
  add("unembedding", suffix, output_rows, cols);
  list_.back().writes = true;
  if (ties && tying != TableTying::kTiedInputs) list_.back().tied_to = owner;
}

void TensorList::attention(const char* of, bool crosses) {
  const std::uint64_t queries = a_.n_heads * a_.d_head;
  const std::uint64_t keys = a_.n_key_value_heads * a_.d_head;
  const bool all = a_.biases == BiasKind::kAll;
  const bool has_biases = all || a_.biases == BiasKind::kQueryKeyValue;
  const bool attends_from_encoder = next_.on_encoder_tokens;
  next_.group = TensorGroup::kAttention;
  next_.name_parts[2] = of;
  // In cross-attention, queries and keys come from different tokens: one product cannot make both.
  if (a_.fused_query_key_value && !crosses) {
    linear("query_key_value", queries + 2 * keys, a_.d_model, has_biases);
  } else {
    linear("query", queries, a_.d_model, has_biases);
    next_.on_encoder_tokens |= crosses;
    linear("key", keys, a_.d_model, has_biases);
    linear("value", keys, a_.d_model, has_biases);
    next_.on_encoder_tokens = attends_from_encoder;
  }
  linear("output", a_.d_model, queries, all);
  next_.group = TensorGroup::kNorms;
  if (a_.query_key_norm != QueryKeyNorm::kNone) {
    const bool full = a_.query_key_norm == QueryKeyNorm::kFull;
    norm("query_norm", full ? queries : a_.d_head);
    next_.on_encoder_tokens |= crosses;
    norm("key_norm", full ? keys : a_.d_head);
    next_.on_encoder_tokens = attends_from_encoder;
  }
  next_.name_parts[2] = "";
}

void TensorList::feed_forward(const char* of, std::uint64_t width, std::uint64_t layers, std::uint64_t experts,
                              std::uint64_t active) {
  const bool has_biases = a_.biases == BiasKind::kAll || a_.biases == BiasKind::kFeedForward;
  next_.name_parts[2] = of;
  copies(layers, experts, active);
  linear("up", width, a_.d_model, has_biases);
  if (a_.feed_forward == FeedForwardKind::kGated) linear("gate", width, a_.d_model, has_biases);
  linear("down", a_.d_model, width, has_biases);
}

void TensorList::stack(const char* name, std::uint64_t layers, bool is_encoder, bool has_cross_attention) {
  next_.name_parts[0] = name;
  next_.on_encoder_tokens = is_encoder;
  next_.group = TensorGroup::kPositions;
  if (a_.positions == PositionKind::kLearned) add("positions", "", a_.context_length, a_.d_model);
  if (a_.positions == PositionKind::kRelative) add("relative_positions", "", a_.relative_buckets, a_.n_heads);
  if (a_.n_segments != 0 && !has_cross_attention) add("segments", "", a_.n_segments, a_.d_model);
  next_.group = TensorGroup::kNorms;
  model_norm("embedding_norm", a_.embedding_norm);

  next_.name_parts[1] = "layers.*.";
  copies(layers, 1, 1);
  model_norm("attention_norm", a_.norms_per_layer > 0);
  attention("attention.", false);
  model_norm("attention_output_norm", a_.norms_per_layer > 2);
  if (has_cross_attention) {
    model_norm("cross_attention_norm", true);
    attention("cross_attention.", true);
  }
  model_norm("feed_forward_norm", a_.norms_per_layer > 1);

  next_.group = TensorGroup::kFeedForward;
  const bool mixes = a_.n_experts != 0;
  const std::uint64_t plain = mixes ? std::min(layers, a_.n_dense_layers) : layers;
  feed_forward("feed_forward.", mixes ? a_.d_dense_feed_forward : a_.d_feed_forward, plain, 1, 1);
  const std::uint64_t mixed = layers - plain;
  copies(mixed, 1, 1);
  linear("router", a_.n_experts, a_.d_model, a_.biases == BiasKind::kAll);
  feed_forward("feed_forward.experts.*.", a_.d_feed_forward, mixed, a_.n_experts, a_.n_active_experts);
  feed_forward("feed_forward.shared_experts.*.", a_.d_feed_forward, mixed, a_.n_shared_experts, a_.n_shared_experts);
  next_.group = TensorGroup::kNorms;
  next_.name_parts[2] = "";
  copies(layers, 1, 1);
  model_norm("feed_forward_output_norm", a_.norms_per_layer > 3);

  next_.name_parts[1] = "";
  copies(1, 1, 1);
  model_norm("final_norm", a_.final_norm);
}

// Names are left to the caller, who knows them.
void TensorList::listed() {
  for (const ListedTensor& tensor : a_.listed) {
    next_.group = static_cast<TensorGroup>(tensor.group);
    copies(tensor.copies, 1, 1);
    next_.active_copies = tensor.active_copies;
    add("", "", tensor.rows, tensor.cols);
    list_.back().is_additional = next_.group == TensorGroup::kTables;
  }
  copies(1, 1, 1);
}

void TensorList::head(TableTying tying) {
  next_.name_parts[0] = "";
  next_.group = TensorGroup::kHead;
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

std::string CountedTensor::name() const {
  std::string name;
  for (const char* part : name_parts) name += part;
  return name;
}

std::vector<CountedTensor> counted_tensors(const Architecture& architecture, TableTying tying) {
  TensorList rows(architecture);
  rows.tables(tying);
  const bool both = architecture.stack == Stack::kEncoderDecoder;
  if (architecture.listed.empty()) {
    if (both) rows.stack("encoder.", architecture.n_encoder_layers, true, false);
    rows.stack(both ? "decoder." : "", architecture.n_layers, false, both);
  } else {
    rows.listed();
  }
  rows.head(tying);
  return rows.take();
}

Whole stored_parameters(const std::vector<CountedTensor>& tensors) {
  Whole stored;
  for (const CountedTensor& tensor : tensors) {
    if (tensor.owns_storage()) stored += tensor.count();
  }
  return stored;
}

}  // namespace tied
