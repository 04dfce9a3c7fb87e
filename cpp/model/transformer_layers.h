// The layers of a transformer, forward and backward, for a chunk of tokens at a time.
#pragma once

#include "base/allocate.h"
#include "model/attention.h"
#include "model/feed_forward.h"
#include "model/transformer_layout.h"
#include "model/transformer_parameters.h"

namespace tied {

// Tokens that go through the layers together: whole sequences of `length` tokens each.
template <class T>
struct Chunk {
  const std::uint32_t* inputs = nullptr;  // [rows]
  std::size_t rows = 0;
  std::size_t length = 0;
  // Of a decoder: keys and values of the tokens before, to which those of this chunk, one sequence, are added.
  std::size_t first_position = 0;
  T* cache = nullptr;  // [n_layers, context_length, 2 n_kv_heads head_width]; null: there are no tokens before
  // 0: nothing is dropped.
  std::uint64_t dropout_key = 0;
  // Whether `backward` will follow.
  bool goes_back = false;
  // Of the chunk in its batch: which numbers dropout takes does not depend on chunks.
  std::size_t first_row = 0;
};

// With E the embedding, P the table of positions (learned only), t_i token i of a sequence:
//   x_i = s E[t_i] + P[i],  s = sqrt(d) with config.scales_embedding, else 1
//   of each layer:  x += attention(norm(x));  x += feed_forward(norm(x))
//   h = norm(x), or x without a final norm
// Dropout: after the embedding, on attention's probabilities, on what each branch adds.
template <class T>
class TransformerLayers {
 public:
  // The workspace has layout.extent numbers. All four outlive this.
  void bind(const ModelConfig& config, const TransformerLayout& layout, ParameterStore<T>& parameters, T* workspace);

  std::size_t n_layers() const { return weights_.layers.size(); }

  void forward(const Chunk<T>& chunk);

  // Of the chunk that went forward last:
  // x before layer i, or after all for i = n_layers [rows, d].
  ConstMatrixView<T> state(std::size_t i) { return read(Rows::kState, i); }
  // h [rows, d]. Nothing else may be asked for between this and `backward`.
  ConstMatrixView<T> read_out();
  // Attention's probabilities of layer i and the first sequence: out [n_heads length, length].
  void attention(MatrixView<T> out, std::size_t i) { attention_probabilities(out, sequence_of(i, 0)); }
  // Where the gradient of h is written before `backward` [rows, d].
  MatrixView<T> read_out_gradient() { return write(has_final_norm() ? Rows::kNormedGradient : Rows::kStateGradient); }
  // Adds (+=) the gradients of all parameters that are in use here. Returns the sum of squares of the gradient of each
  // looked-up row of E. What was kept of the chunk is used up.
  double backward();

 private:
  // Who asks for dropout in a layer; each has numbers of its own.
  enum class Site : std::uint64_t { kAttention, kAttentionBranch, kFeedForwardBranch };

  bool has_final_norm() const { return weights_.final_norm.weight != nullptr; }
  void embed();
  void forward_attention(std::size_t layer);
  void forward_feed_forward(std::size_t layer);
  void add_branch(Rows out, std::size_t out_layer, Rows state, Rows x, std::size_t layer, const WeightAndBias& map,
                  Site site);

  void backward_attention(std::size_t layer);
  void backward_feed_forward(std::size_t layer);
  double backward_embedding();
  ConstMatrixView<T> branch_gradient(std::size_t layer, Site site);

  void normalize(Rows x, std::size_t layer, const WeightAndBias& map);
  void normalize_backward(Rows x, std::size_t layer, const WeightAndBias& map);
  void rotate(const MatrixView<T>& query_key_value, bool backward);
  void drop(const MatrixView<T>& x, std::uint64_t numbers);
  static std::uint64_t numbers_of(std::size_t layer, Site site);
  AttentionSequence<T> sequence_of(std::size_t layer, std::size_t sequence);
  MatrixView<T> cache_rows(std::size_t layer) const;
  FeedForwardRows<T> feed_forward_rows(std::size_t layer);

  T* at(std::uint64_t offset) const {
    TIED_ASSERT(offset % kElementsPerLine == 0);
    return workspace_ + static_cast<std::size_t>(offset);
  }
  MatrixView<T> write(Rows rows, std::size_t layer = 0) const;
  ConstMatrixView<T> read(Rows rows, std::size_t layer = 0) const { return write(rows, layer); }

  const ModelConfig* config_ = nullptr;
  const TransformerLayout* layout_ = nullptr;
  ParameterStore<T>* parameters_ = nullptr;
  T* workspace_ = nullptr;
  TransformerParameters weights_;
  MatrixView<T> cosines_;
  MatrixView<T> sines_;
  Chunk<T> chunk_;
};

}  // namespace tied
