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
  bool keeps_for_backward = false;
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
  // The workspace has layout.extent elements. All of them outlive this.
  void bind(const ModelConfig& config, const TransformerLayout& layout, const TransformerParameters& weights,
            ParameterStore<T>& parameters, T* workspace);

  // h [rows, d]. It stands until the next call of forward or backward.
  ConstMatrixView<T> forward(const Chunk<T>& chunk);

  // Where the gradient of h is written before `backward` [rows, d].
  MatrixView<T> output_gradient() {
    return write(has_final_norm() ? layout_->normed_gradient : layout_->residual_gradient);
  }
  // Of the chunk that went forward last: adds (+=) the gradients of all parameters that are in use here. Returns the
  // sum of squares of the gradient of each looked-up row of E. What was kept of the chunk is used up.
  double backward();

  // Of the chunk that went forward last: x before layer i, or after all for i = n_layers [rows, d].
  ConstMatrixView<T> residual(std::size_t i) { return read(layout_->residual, i); }
  // The same: attention's probabilities of layer i and the first sequence: out [n_heads length, length].
  void attention(MatrixView<T> out, std::size_t i) { attention_probabilities(out, sequence_of(i, 0)); }

 private:
  using Rows = TransformerLayout::Rows;
  // Where a layer drops elements; each site has random numbers of its own.
  enum class Site : std::uint64_t { kAttention, kAttentionBranch, kFeedForwardBranch };

  bool has_final_norm() const { return weights_->final_norm.exists(); }

  void embed(const MatrixView<T>& out);
  void rotate(const MatrixView<T>& query_key_value, bool backward);
  void remember(const ConstMatrixView<T>& query_key_value, std::size_t layer);
  void attend(const MatrixView<T>& out, std::size_t layer);
  void add_branch(const MatrixView<T>& out, const ConstMatrixView<T>& residual, const ConstMatrixView<T>& x,
                  const WeightAndBias& map, std::size_t layer, Site site);

  void backward_attention(std::size_t layer);
  void backward_feed_forward(std::size_t layer);
  double backward_embedding();
  ConstMatrixView<T> branch_gradient(std::size_t layer, Site site);

  MatrixView<T> normalize(const ConstMatrixView<T>& x, const WeightAndBias& map);
  void normalize_backward(const ConstMatrixView<T>& x, const WeightAndBias& map);
  void drop(const MatrixView<T>& x, std::uint64_t numbers);
  static std::uint64_t numbers_of(std::size_t layer, Site site);
  AttentionSequence<T> sequence_of(std::size_t layer, std::size_t sequence);
  MatrixView<T> cache_rows(std::size_t layer) const;
  FeedForwardRows<T> feed_forward_rows(std::size_t layer);

  T* at(std::uint64_t offset) const {
    TIED_ASSERT(offset % kElementsPerLine == 0);
    return workspace_ + static_cast<std::size_t>(offset);
  }
  // The rows of the chunk.
  MatrixView<T> write(const Rows& rows, std::size_t layer = 0) const;
  ConstMatrixView<T> read(const Rows& rows, std::size_t layer = 0) const { return write(rows, layer); }

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
