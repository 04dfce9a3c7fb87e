// The layers of a transformer, forward and backward, one chunk of tokens at a time.
#pragma once

#include "base/allocate.h"
#include "model/attention.h"
#include "model/chunk.h"
#include "model/feed_forward.h"
#include "model/transformer_layout.h"
#include "model/transformer_parameters.h"

namespace tied {

// With E the embedding, P the position embeddings (if learned), t_i token i of a sequence:
//   x_i = s E[t_i] + P[i],  s = sqrt(d) with config.scales_embedding, else 1; with n-grams, s (E[t_i] + their rows)
//   for each layer:  x += attention(norm(x));  x += feed_forward(norm(x))
//   h = norm(x), or x without a final norm
// A layer with cross-attention has x += cross_attention(norm(x), m) between the two, with queries from x and keys and
// values from the memory m. With value embeddings, attention's values are W_V norm(x_i) + E_V[t_i]. Dropout applies
// after the embedding, to attention's probabilities, and to the output of each branch.
template <class T>
class TransformerLayers {
 public:
  // The workspace has layout.extent elements. All arguments must outlive this object.
  void bind(const ModelConfig& config, const TransformerLayout& layout, const TransformerParameters& weights,
            ParameterStore<T>& parameters, T* workspace);

  // Removes the first token of a decoder's cache, with keys and values of `size` tokens, and moves the others forward
  // by one position. Not for learned positions.
  void remove_first(T* cache, std::size_t size);

  // Returns h [rows, d], which is valid until the next call of forward or backward.
  ConstMatrixView<T> forward(const Chunk<T>& chunk);

  // The buffer for the gradient of h [rows, d], to be filled before `backward`.
  MatrixView<T> output_gradient() { return has_final_norm() ? write(layout_->normed_gradient) : residual_gradient(); }
  // Backward pass of the last forward chunk: adds (+=) the gradients of all parameters used here. Returns the sum of
  // squares of the gradient of each looked-up row of E, of this chunk and those before it in its group. Overwrites what
  // the forward pass stored.
  double backward();

  // Of the last forward chunk: x before layer i, or after the last layer for i = n_layers [rows, d].
  ConstMatrixView<T> residual(std::size_t i) { return read(layout_->residual, i); }
  // Of the last forward chunk: attention's probabilities in layer i for the first sequence, out [n_heads length,
  // length]; of the cross-attention, out [n_heads length, memory length].
  void attention(MatrixView<T> out, std::size_t i) { attention_probabilities(out, sequence_of(i, 0)); }
  void cross_attention(MatrixView<T> out, std::size_t i);

  // Keys and values of the cross-attention of every layer, out [n_layers, memory.states.rows, 2 n_kv_heads head_width].
  void read_memory(T* out, const ConstMatrixView<T>& states) const;

 private:
  using Rows = TransformerLayout::Rows;
  // Where a layer applies dropout; each site has its own random numbers.
  enum class Site : std::uint64_t {
    kAttention,
    kAttentionBranch,
    kFeedForwardBranch,
    kCrossAttention,
    kCrossBranch,
  };

  bool has_final_norm() const { return weights_->final_norm.exists(); }
  // Whether an id stands for a hidden token.
  bool is_mask(std::uint32_t id) const { return id == config_->vocab_size; }

  template <class Visit>
  void for_each_row(Visit visit) const;
  void embed(const MatrixView<T>& out);
  void rotate(const MatrixView<T>& query_key_value, bool backward);
  void add_ngrams_before(std::size_t layer, const MatrixView<T>& x);
  void scatter_ngrams(const ConstMatrixView<T>& gradient);
  void add_value_rows(const MatrixView<T>& query_key_value);
  void scatter_value_rows(const MatrixView<T>& query_key_value_gradient);
  void append_to_cache(const ConstMatrixView<T>& query_key_value, std::size_t layer);
  void attend(const MatrixView<T>& out, std::size_t layer);
  void add_branch(const MatrixView<T>& out, const ConstMatrixView<T>& residual, const ConstMatrixView<T>& x,
                  const WeightAndBias& map, std::size_t layer, Site site);

  // In cross_attention.cpp. Returns the residual stream after the cross-attention of a layer.
  ConstMatrixView<T> add_cross_attention(const ConstMatrixView<T>& x, std::size_t layer);
  void backward_cross_attention(std::size_t layer);
  AttentionSequence<T> cross_sequence_of(std::size_t layer, std::size_t sequence);
  MatrixView<T> memory_rows(const Rows& rows, std::size_t layer) const;
  const T* cross_keys_values(std::size_t layer) const;

  void backward_attention(std::size_t layer);
  void backward_feed_forward(std::size_t layer);
  double backward_embedding();
  ConstMatrixView<T> branch_gradient(std::size_t layer, Site site);

  MatrixView<T> normalize(const ConstMatrixView<T>& x, const WeightAndBias& map);
  void normalize_backward(const ConstMatrixView<T>& x, const WeightAndBias& map);
  void drop(const MatrixView<T>& x, std::uint64_t first_element);
  static std::uint64_t first_element_of(std::size_t layer, Site site);
  AttentionSequence<T> sequence_of(std::size_t layer, std::size_t sequence);
  // Members that do not depend on what is attended to. `cols`: keys of the longest possible sequence.
  AttentionSequence<T> attention_of(const Rows& queries, std::uint64_t probabilities, std::size_t cols,
                                    std::size_t layer, std::size_t sequence, Site site);
  MatrixView<T> cache_rows(std::size_t layer) const;
  FeedForwardRows<T> feed_forward_rows(std::size_t layer);

  T* at(std::uint64_t offset) const {
    TIED_ASSERT(offset % kElementsPerLine == 0);
    return workspace_ + static_cast<std::size_t>(offset);
  }
  // The rows of the chunk.
  MatrixView<T> write(const Rows& rows, std::size_t layer = 0) const;
  ConstMatrixView<T> read(const Rows& rows, std::size_t layer = 0) const { return write(rows, layer); }
  // The same of the one array that has the rows of a whole group.
  MatrixView<T> residual_gradient() const {
    MatrixView<T> rows = write(layout_->residual_gradient);
    rows.data += chunk_.rows_before * rows.cols;
    return rows;
  }

  const ModelConfig* config_ = nullptr;
  const TransformerLayout* layout_ = nullptr;
  const TransformerParameters* weights_ = nullptr;
  ParameterStore<T>* parameters_ = nullptr;
  T* workspace_ = nullptr;
  MatrixView<T> cosines_;
  MatrixView<T> sines_;
  Chunk<T> chunk_;
};

}  // namespace tied
