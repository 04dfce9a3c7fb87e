#include "accounting/memory.h"

#include <algorithm>

#include "accounting/heads.h"

namespace tied {
namespace {

// What one stack keeps. Names of members are those of docs/accounting.md.
class Inventory {
 public:
  explicit Inventory(const Architecture& architecture)
      : a_(architecture),
        queries_(Whole(a_.n_heads) * a_.d_head),
        keys_(Whole(a_.n_key_value_heads) * a_.d_head),
        norms_(a_.norm == NormKind::kNone ? 0 : a_.norms_per_layer),
        statistics_(a_.norm == NormKind::kLayer ? 2 : 1) {}

  // All values of a stack of `layers` over `sequences` of `tokens`, the input of what comes after it included. Where
  // `encoder_tokens` is not 0, each layer looks at so many as well.
  Whole stack(std::uint64_t layers, std::uint64_t sequences, std::uint64_t tokens, std::uint64_t encoder_tokens) const {
    const std::uint64_t plain = a_.n_experts == 0 ? layers : std::min(layers, a_.n_dense_layers);
    const std::uint64_t width = a_.n_experts == 0 ? a_.d_feed_forward : a_.d_dense_feed_forward;
    // A single norm is read by attention and feed-forward part side by side.
    Whole layer = norm() * norms_ + Whole(a_.d_model) * (norms_ == 1 ? 1 : 2) + looking(tokens) + looked_at();
    if (encoder_tokens != 0) {
      layer += (norms_ != 0 ? norm() : Whole()) + a_.d_model + looking(encoder_tokens);
    }
    Whole token = layer * layers + hidden(width) * plain + experts() * (layers - plain) + a_.d_model;
    if (a_.final_norm) token += norm();
    if (a_.embedding_norm) token += norm();
    return (token * tokens + looked_at() * layers * encoder_tokens) * sequences;
  }

  // Between the last layer and the table that writes, a token.
  Whole head(TableTying tying) const {
    const Whole d = a_.d_model;
    Whole token = 0;
    if (a_.head_transform) token += norm() + d * 2;
    if (tying == TableTying::kTiedLinear) token += d;
    if (tying == TableTying::kTiedMlp) token += d + Whole(a_.d_feed_forward) * 2;
    if (tying == TableTying::kTiedLowRank) token += a_.low_rank;
    return token;
  }

 private:
  // What a norm read, and its mean and deviation, or root mean square.
  Whole norm() const { return a_.norm == NormKind::kNone ? Whole() : Whole(a_.d_model) + statistics_; }

  // Of a token that looks at `others`: its queries and what attention gave it, and a weight of each head for each
  // other.
  Whole looking(std::uint64_t others) const {
    return queries_ * 2 + Whole(a_.n_heads) * others + before_norm(queries_, a_.n_heads);
  }

  // Of a token that is looked at: key and value.
  Whole looked_at() const { return keys_ * 2 + before_norm(keys_, a_.n_key_value_heads); }

  // What a norm of queries or keys read.
  Whole before_norm(Whole values, std::uint64_t heads) const {
    if (a_.query_key_norm == QueryKeyNorm::kNone) return 0;
    return values + (a_.query_key_norm == QueryKeyNorm::kHead ? Whole(heads) : Whole(1)) * statistics_;
  }

  // Both sides of the activation function; of a gated part, `up` and the product of the two as well.
  Whole hidden(std::uint64_t width) const {
    return Whole(width) * (a_.feed_forward == FeedForwardKind::kGated ? 4 : 2);
  }

  // The router's probabilities and the weights of those that it took, each with a copy of the token before it and one
  // vector after it; and those that every token takes.
  Whole experts() const {
    const Whole active = a_.n_active_experts;
    return active * (hidden(a_.d_feed_forward) + Whole(a_.d_model) * 2 + 1) + a_.n_experts +
           hidden(a_.d_feed_forward) * a_.n_shared_experts;
  }

  const Architecture& a_;
  Whole queries_;
  Whole keys_;
  std::uint64_t norms_;
  std::uint64_t statistics_;
};

std::uint64_t weight_bytes(Precision precision) { return precision == Precision::kFloat32 ? 4 : 2; }

}  // namespace

Whole activation_values(const Architecture& architecture, TableTying tying, const Batch& batch) {
  const Inventory inventory(architecture);
  const bool both = architecture.stack == Stack::kEncoderDecoder;
  Whole values = inventory.stack(architecture.n_layers, batch.sequences, batch.tokens, both ? batch.encoder_tokens : 0);
  if (both) values += inventory.stack(architecture.n_encoder_layers, batch.sequences, batch.encoder_tokens, 0);
  return values + inventory.head(tying) * batch.sequences * batch.tokens;
}

Bytes count_bytes(const Architecture& architecture, TableTying tying, const Batch& batch, Whole stored) {
  const bool mixed = batch.precision == Precision::kMixed;
  const std::uint64_t width = weight_bytes(batch.precision);
  Bytes bytes;
  bytes.weights = stored * (mixed ? 6 : width);
  bytes.gradients = stored * width;
  bytes.optimizer = stored * batch.optimizer_numbers * (mixed ? 4 : width);
  bytes.activations = activation_values(architecture, tying, batch) * width;
  bytes.logits = Whole(batch.sequences) * batch.tokens * architecture.output_vocab_size * logit_bytes(batch.precision);
  bytes.total = bytes.weights + bytes.gradients + bytes.optimizer + bytes.activations + bytes.logits;
  return bytes;
}

Serving count_serving(const Architecture& architecture, const Batch& batch, const std::vector<CountedTensor>& tensors,
                      Whole stored) {
  const Architecture& a = architecture;
  const std::uint64_t width = weight_bytes(batch.precision);
  Serving serving;
  serving.weights = stored * width;
  serving.logits = Whole(batch.sequences) * a.output_vocab_size * logit_bytes(batch.precision);
  if (a.stack != Stack::kEncoder) {
    const Whole tokens = Whole(batch.tokens) + (a.stack == Stack::kEncoderDecoder ? batch.encoder_tokens : 0);
    serving.cache_per_token = Whole(a.n_layers) * a.n_key_value_heads * a.d_head * (2 * width);
    serving.cache = serving.cache_per_token * tokens * batch.sequences;
    Whole products = Whole(a.n_layers) * a.n_heads * a.d_head * 2 * tokens;
    Whole numbers;
    for (const CountedTensor& tensor : tensors) {
      if (!multiplies(tensor) || tensor.on_encoder_tokens) continue;
      products += tensor.size() * tensor.active_copies;
      const Whole asked = tensor.active_copies * batch.sequences;
      numbers += tensor.size() * (asked < tensor.copies ? asked : tensor.copies);
    }
    serving.read_per_token = numbers * width + serving.cache;
    serving.flop_per_token = products * batch.sequences * 2;
  }
  serving.total = serving.weights + serving.cache + serving.logits;
  return serving;
}

}  // namespace tied
