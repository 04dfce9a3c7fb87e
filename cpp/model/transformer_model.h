// A small GPT: a decoder-only, pre-norm transformer, trained and read in one block of memory.
#pragma once

#include "model/attention.h"
#include "model/feed_forward.h"
#include "model/head.h"
#include "model/model.h"
#include "model/transformer_layout.h"
#include "model/transformer_parameters.h"

namespace tied {

// With E the embedding, P the table of positions (learned only), t_i token i of a sequence:
//   x_i = s E[t_i] + P[i],  s = sqrt(d) with config.scales_embedding, else 1
//   of each layer:  x += attention(norm(x));  x += feed_forward(norm(x))
//   h = norm(x), or x without a final norm;  logits as Head says
// Dropout, while training: after the embedding, on attention's probabilities, on what each branch adds.
// Parameters: see transformer_parameter_table.
//
// A. Radford and others, "Language models are unsupervised multitask learners", 2019 (layer norm, learned positions,
// GELU); H. Touvron and others, "LLaMA: Open and efficient foundation language models", arXiv 2302.13971 (RMS norm,
// rotary positions, SwiGLU).
template <class T>
class TransformerModel final : public Model<T> {
 public:
  // Errors: kOutOfMemory. `config` is valid.
  static Result<std::unique_ptr<Model<T>>> create(const ModelConfig& config, std::uint64_t max_rows);

  std::size_t context_length() const override { return static_cast<std::size_t>(this->config().context_length); }
  double loss(const TokenBatch& batch, Pass pass) override;
  double joint_loss(const JointBatch<T>& batch, Pass pass) override;
  void logits(MatrixView<T> out, const std::uint32_t* inputs, std::size_t n_inputs) override;
  std::size_t n_hidden_states() const override { return weights_.layers.size() + 1; }
  void hidden_states(std::span<const MatrixView<T>> out, const std::uint32_t* inputs, std::size_t n_inputs) override;
  void attention(MatrixView<T> out, const std::uint32_t* inputs, std::size_t n_inputs) override;
  Result<std::unique_ptr<Decoder<T>>> create_decoder() override;

  // Reads n tokens at positions from first_position on, after those whose keys and values are in `cache`, to which
  // theirs are added. cache [n_layers, context_length, 2 n_kv_heads head_width]. logits [vocab_size], or null.
  void append(const std::uint32_t* tokens, std::size_t n, std::size_t first_position, T* cache, T* logits);

 private:
  // Tokens that go through the layers together: whole sequences of `length` tokens each.
  struct Chunk {
    const std::uint32_t* inputs = nullptr;
    std::size_t rows = 0;
    std::size_t length = 0;
    std::size_t first_position = 0;
    T* cache = nullptr;  // see `append`; null: the chunk's own tokens are all that there is
    std::uint64_t dropout_key = 0;
    std::size_t first_row = 0;  // in the batch: which numbers dropout takes does not depend on chunks
  };
  // Who asks for dropout; each has numbers of its own.
  enum class Site : std::uint64_t { kAttention, kAttentionBranch, kFeedForwardBranch };

  explicit TransformerModel(const ModelConfig& config, std::uint64_t max_rows)
      : Model<T>(config), layout_(config, max_rows) {}
  Status allocate();

  void forward(const Chunk& chunk);
  void embed(const Chunk& chunk);
  void forward_attention(std::size_t layer, const Chunk& chunk);
  void forward_feed_forward(std::size_t layer, const Chunk& chunk);
  void add_branch(MatrixView<T> out, ConstMatrixView<T> state, ConstMatrixView<T> x, const WeightAndBias& map,
                  std::uint64_t numbers, const Chunk& chunk);
  ConstMatrixView<T> read_out(ConstMatrixView<T> state);

  void backward(const Chunk& chunk);
  void backward_attention(std::size_t layer, const Chunk& chunk);
  void backward_feed_forward(std::size_t layer, const Chunk& chunk);
  void backward_embedding(const Chunk& chunk);
  ConstMatrixView<T> branch_gradient(std::uint64_t numbers, const Chunk& chunk);

  Chunk one_sequence(const std::uint32_t* inputs, std::size_t n_inputs) const;
  MatrixView<T> cache_rows(std::size_t layer, const Chunk& chunk) const;
  AttentionSequence<T> sequence_of(std::size_t layer, const Chunk& chunk, std::size_t sequence);
  void rotate(MatrixView<T> query_key_value, const Chunk& chunk, bool backward);
  void drop(MatrixView<T> x, std::uint64_t numbers, const Chunk& chunk);
  static std::uint64_t numbers_of(std::size_t layer, Site site);

  T* at(std::uint64_t offset, std::size_t layer = 0) {
    return workspace_.data() + static_cast<std::size_t>(offset + layer * layout_.layer_extent);
  }
  MatrixView<T> view(std::uint64_t offset, std::size_t rows, std::uint64_t cols, std::size_t layer = 0) {
    return {at(offset, layer), rows, static_cast<std::size_t>(cols)};
  }
  MatrixView<T> states(std::uint64_t offset, std::size_t rows, std::size_t layer = 0) {
    return view(offset, rows, this->config().d_model, layer);
  }
  FeedForwardRows<T> feed_forward_rows(std::size_t layer, std::size_t rows);

  TransformerLayout layout_;
  AlignedBuffer<T> workspace_;
  TransformerParameters weights_;
  Head<T> head_;
};

}  // namespace tied
