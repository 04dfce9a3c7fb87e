#include "accounting/memory.h"

#include <algorithm>

#include "accounting/heads.h"

namespace tied {
namespace {

// Sums up the stored activations; docs/accounting.md has the same list. In a valid architecture, widths are below 2^53,
// so sums of a few fit in 64 bits.
class Inventory {
 public:
  explicit Inventory(const Architecture& architecture)
      : a_(architecture),
        norms_(a_.norm == NormKind::kNone ? 0 : a_.norms_per_layer),
        statistics_(a_.norm == NormKind::kLayer ? 2 : 1),
        norm_(a_.norm == NormKind::kNone ? 0 : a_.d_model + statistics_) {}

  // A stack over `tokens` per sequence, with the rows looked up in a factorized table, and the input of the next part.
  // If `encoder_tokens` is not 0, each layer also attends to that many tokens of the encoder.
  void add_stack(std::uint64_t layers, std::uint64_t tokens, std::uint64_t encoder_tokens) {
    // With a single norm, attention and feed-forward part read the same input in parallel.
    const std::uint64_t inputs = a_.d_model * (norms_ == 1 ? 1 : 2);
    Whole layer = norms_ * norm_ + inputs + query_values() + key_values();
    layer += Whole(a_.n_heads) * (tokens + encoder_tokens);
    if (encoder_tokens != 0) layer += (norms_ == 0 ? 0 : norm_) + a_.d_model + query_values();
    const bool mixes = a_.n_experts != 0;
    const std::uint64_t plain = mixes ? std::min(layers, a_.n_dense_layers) : layers;
    // The router's probabilities; for each selected expert also its weight, its input and its output.
    const std::uint64_t expert = hidden(a_.d_feed_forward);
    const Whole mixed =
        Whole(a_.n_active_experts) * (expert + 2 * a_.d_model + 1) + Whole(a_.n_shared_experts) * expert + a_.n_experts;
    Whole token = layer * layers + mixed * (layers - plain);
    token += Whole(hidden(mixes ? a_.d_dense_feed_forward : a_.d_feed_forward)) * plain;
    token += a_.table_rank + a_.d_model + (a_.final_norm ? norm_ : 0) + (a_.embedding_norm ? norm_ : 0);
    values_ += token * tokens + Whole(key_values()) * layers * encoder_tokens;
  }

  // Maps between the last layer and the output table.
  void add_head(TableTying tying, std::uint64_t tokens) {
    std::uint64_t token = a_.table_rank;
    if (a_.head_transform) token += norm_ + 2 * a_.d_model;
    if (tying == TableTying::kTiedLinear) token += a_.d_model;
    if (tying == TableTying::kTiedMlp) token += a_.d_model + 2 * a_.d_feed_forward;
    if (tying == TableTying::kTiedLowRank) token += a_.low_rank;
    values_ += Whole(token) * tokens;
  }

  // Per sequence.
  Whole values() const { return values_; }

 private:
  // Of a token that attends: its queries and its attention output.
  std::uint64_t query_values() const {
    const std::uint64_t queries = a_.n_heads * a_.d_head;
    return 2 * queries + before_norm(queries, a_.n_heads);
  }

  // Of a token that is attended to: its key and value.
  std::uint64_t key_values() const {
    const std::uint64_t keys = a_.n_key_value_heads * a_.d_head;
    return 2 * keys + before_norm(keys, a_.n_key_value_heads);
  }

  // Inputs and statistics of the norms of queries or keys.
  std::uint64_t before_norm(std::uint64_t values, std::uint64_t heads) const {
    if (a_.query_key_norm == QueryKeyNorm::kNone) return 0;
    return values + (a_.query_key_norm == QueryKeyNorm::kHead ? heads : 1) * statistics_;
  }

  // Input and output of the activation function; for a gated part also `up` and the product.
  std::uint64_t hidden(std::uint64_t width) const {
    return width * (a_.feed_forward == FeedForwardKind::kGated ? 4 : 2);
  }

  const Architecture& a_;
  Whole values_;
  std::uint64_t norms_;       // per layer
  std::uint64_t statistics_;  // per norm: mean and deviation, or root mean square
  std::uint64_t norm_;        // input and statistics of one norm; 0 without norms
};

std::uint64_t weight_bytes(Precision precision) { return precision == Precision::kFloat32 ? 4 : 2; }

}  // namespace

Whole activation_values(const Architecture& architecture, TableTying tying, const Batch& batch) {
  Inventory inventory(architecture);
  const bool both = architecture.stack == Stack::kEncoderDecoder;
  if (both) inventory.add_stack(architecture.n_encoder_layers, batch.encoder_tokens, 0);
  inventory.add_stack(architecture.n_layers, batch.tokens, both ? batch.encoder_tokens : 0);
  inventory.add_head(tying, batch.tokens);
  return inventory.values() * batch.sequences;
}

Bytes count_bytes(const Architecture& architecture, TableTying tying, const Batch& batch, Whole stored) {
  const bool mixed = batch.precision == Precision::kMixed;
  const std::uint64_t width = weight_bytes(batch.precision);
  Bytes bytes;
  bytes.weights = stored * (mixed ? 6 : width);
  bytes.gradients = stored * width;
  bytes.optimizer = stored * batch.optimizer_states * (mixed ? 4 : width);
  bytes.activations = activation_values(architecture, tying, batch) * width;
  bytes.logits = Whole(batch.sequences) * batch.tokens * architecture.output_vocab_size * logit_bytes(batch.precision);
  return bytes;
}

Serving count_serving(const Architecture& architecture, const Batch& batch, const std::vector<CountedTensor>& tensors,
                      Whole stored) {
  const Architecture& a = architecture;
  const std::uint64_t width = weight_bytes(batch.precision);
  Serving serving;
  serving.weights = stored * width;
  serving.logits = Whole(batch.sequences) * a.output_vocab_size * logit_bytes(batch.precision);
  if (a.stack == Stack::kEncoder) return serving;

  const std::uint64_t tokens = batch.tokens + (a.stack == Stack::kEncoderDecoder ? batch.encoder_tokens : 0);
  serving.cache_per_token = Whole(2 * width) * a.n_layers * a.n_key_value_heads * a.d_head;
  serving.cache = serving.cache_per_token * tokens * batch.sequences;
  // Each query with each key, and each weight with each value.
  Whole products = Whole(2) * a.n_layers * a.n_heads * a.d_head * tokens * batch.sequences;
  Whole elements;
  for (const CountedTensor& tensor : tensors) {
    if (!multiplies(tensor) || tensor.on_encoder_tokens) continue;
    const Whole at_work = tensor.active_copies * batch.sequences;
    products += at_work * tensor.size();
    elements += (at_work < tensor.copies ? at_work : tensor.copies) * tensor.size();
  }
  serving.read_per_token = elements * width + serving.cache;
  serving.flop_per_token = products * 2;
  return serving;
}

}  // namespace tied
