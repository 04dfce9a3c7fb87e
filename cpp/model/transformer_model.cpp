#include "model/transformer_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/dropout.h"
#include "linalg/reduce.h"
#include "linalg/rotary.h"
#include "model/allocate.h"
#include "model/linear.h"
#include "model/transformer_decoder.h"

namespace tied {
namespace {

// What dropout takes from a key: 2^48 numbers for each place that asks.
constexpr int kNumbersPerSite = 48;
constexpr std::uint64_t kEmbeddingNumbers = 0;

template <class T>
void copy_rows(MatrixView<T> to, Deduced<ConstMatrixView<T>> from) {
  for (std::size_t i = 0; i < to.rows; ++i) std::copy_n(from.row(i), to.cols, to.row(i));
}

// Columns [first, first + cols) of rows [first_row, first_row + rows).
template <class T>
MatrixView<T> part(MatrixView<T> whole, std::size_t first_row, std::size_t rows, std::size_t first, std::size_t cols) {
  TIED_ASSERT(first_row + rows <= whole.rows && first + cols <= whole.cols);
  return {whole.data + first_row * whole.stride + first, rows, cols, whole.stride};
}

}  // namespace

template <class T>
Result<std::unique_ptr<Model<T>>> TransformerModel<T>::create(const ModelConfig& config, std::uint64_t max_rows) {
  std::unique_ptr<TransformerModel> model(new TransformerModel(config, max_rows));
  if (Status status = model->allocate(); !status) return status.error();
  return std::unique_ptr<Model<T>>(std::move(model));
}

template <class T>
Status TransformerModel<T>::allocate() {
  const ModelConfig& config = this->config();
  if (Status status = this->parameters().allocate(transformer_parameter_table(config)); !status) return status;
  if (Status status = tied::allocate(workspace_, layout_.extent); !status) return status;
  weights_ = find_transformer_parameters(this->parameters().table(), config);
  head_.bind(this->parameters(), at(layout_.head), config, layout_.rows);
  if (config.positions == Positions::kRotary) {
    const std::uint64_t pairs = config.head_width() / 2;
    rotary_table(view(layout_.cosines, context_length(), pairs), view(layout_.sines, context_length(), pairs),
                 config.rotary_base);
  }
  return {};
}

template <class T>
std::uint64_t TransformerModel<T>::numbers_of(std::size_t layer, Site site) {
  return (1 + 3 * layer + static_cast<std::uint64_t>(site)) << kNumbersPerSite;
}

template <class T>
void TransformerModel<T>::drop(MatrixView<T> x, std::uint64_t numbers, const Chunk& chunk) {
  if (chunk.dropout_key == 0) return;
  dropout(x.data, x.rows * x.cols, this->config().dropout, chunk.dropout_key, numbers + chunk.first_row * x.cols);
}

template <class T>
FeedForwardRows<T> TransformerModel<T>::feed_forward_rows(std::size_t layer, std::size_t rows) {
  const std::uint64_t width = this->config().feed_forward_width();
  return {view(layout_.up, rows, width, layer), view(layout_.gate, rows, width, layer),
          view(layout_.activation, rows, width, layer)};
}

// Keys and values of the tokens up to the chunk's last.
template <class T>
MatrixView<T> TransformerModel<T>::cache_rows(std::size_t layer, const Chunk& chunk) const {
  const ModelConfig& config = this->config();
  const std::size_t cols = static_cast<std::size_t>(2 * config.key_value_heads() * config.head_width());
  return {chunk.cache + layer * context_length() * cols, chunk.first_position + chunk.rows, cols};
}

template <class T>
AttentionSequence<T> TransformerModel<T>::sequence_of(std::size_t layer, const Chunk& chunk, std::size_t sequence) {
  const ModelConfig& config = this->config();
  const std::size_t n_heads = static_cast<std::size_t>(config.n_heads);
  const std::size_t query_cols = static_cast<std::size_t>(config.d_model);
  const std::size_t key_cols = static_cast<std::size_t>(config.key_value_heads() * config.head_width());
  const std::size_t length = chunk.length;
  const MatrixView<T> rows = view(layout_.query_key_value, chunk.rows, config.query_key_value_width(), layer);
  const std::size_t first_row = sequence * length;

  AttentionSequence<T> found;
  found.n_heads = n_heads;
  found.n_kv_heads = static_cast<std::size_t>(config.key_value_heads());
  found.queries = part(rows, first_row, length, 0, query_cols);
  if (chunk.cache == nullptr) {
    found.keys = part(rows, first_row, length, query_cols, key_cols);
    found.values = part(rows, first_row, length, query_cols + key_cols, key_cols);
  } else {
    const MatrixView<T> cache = cache_rows(layer, chunk);
    found.keys = part(cache, 0, cache.rows, 0, key_cols);
    found.values = part(cache, 0, cache.rows, key_cols, key_cols);
  }
  // A decoder's rows are not read on the way back, and would be longer than the room for them.
  found.kept = layout_.keeps_probabilities && chunk.cache == nullptr;
  const std::size_t square = n_heads * length * length;
  found.probabilities =
      layout_.keeps_probabilities ? at(layout_.probabilities, layer) : at(layout_.block_probabilities);
  if (found.kept) found.probabilities += sequence * square;
  if (chunk.dropout_key != 0) {
    found.dropped = at(layout_.block_dropped);
    found.dropout = {this->config().dropout, chunk.dropout_key,
                     numbers_of(layer, Site::kAttention) + (chunk.first_row / length + sequence) * square};
  }
  return found;
}

template <class T>
void TransformerModel<T>::rotate(MatrixView<T> query_key_value, const Chunk& chunk, bool backward) {
  const ModelConfig& config = this->config();
  if (config.positions != Positions::kRotary) return;
  const std::uint64_t pairs = config.head_width() / 2;
  const std::size_t n_heads = static_cast<std::size_t>(config.n_heads + config.key_value_heads());
  const MatrixView<T> cosines = view(layout_.cosines, context_length(), pairs);
  const MatrixView<T> sines = view(layout_.sines, context_length(), pairs);
  for (std::size_t first = 0; first < chunk.rows; first += chunk.length) {
    rotate_pairs(part(query_key_value, first, chunk.length, 0, n_heads * 2 * cosines.cols), cosines, sines, n_heads,
                 chunk.first_position, backward);
  }
}

// The state before the first layer.
template <class T>
void TransformerModel<T>::embed(const Chunk& chunk) {
  ParameterStore<T>& parameters = this->parameters();
  const MatrixView<T> embedding = parameters.values(*weights_.embedding);
  const MatrixView<T> out = states(layout_.input, chunk.rows);
  for (std::size_t i = 0; i < chunk.rows; ++i) {
    TIED_ASSERT(chunk.inputs[i] < embedding.rows);
    std::copy_n(embedding.row(chunk.inputs[i]), out.cols, out.row(i));
  }
  if (this->config().scales_embedding) {
    scale(out.data, out.rows * out.cols, static_cast<T>(std::sqrt(static_cast<double>(out.cols))));
  }
  if (weights_.positions != nullptr) {
    const MatrixView<T> positions = parameters.values(*weights_.positions);
    for (std::size_t i = 0; i < chunk.rows; ++i) {
      add_scaled(out.row(i), positions.row(chunk.first_position + i % chunk.length), out.cols, T{1});
    }
  }
  drop(out, kEmbeddingNumbers, chunk);
}

// out = state + dropout(x W^T + b).
template <class T>
void TransformerModel<T>::add_branch(MatrixView<T> out, ConstMatrixView<T> state, ConstMatrixView<T> x,
                                     const WeightAndBias& map, std::uint64_t numbers, const Chunk& chunk) {
  copy_rows(out, state);
  if (chunk.dropout_key == 0) {
    linear(out, x, this->parameters(), map, Accumulate::kAdd);
    return;
  }
  const MatrixView<T> branch = states(layout_.branch, chunk.rows);
  linear(branch, x, this->parameters(), map);
  drop(branch, numbers, chunk);
  add_scaled(out.data, branch.data, out.rows * out.cols, T{1});
}

template <class T>
void TransformerModel<T>::forward_attention(std::size_t layer, const Chunk& chunk) {
  const LayerParameters& weights = weights_.layers[layer];
  const MatrixView<T> input = states(layout_.input, chunk.rows, layer);
  const MatrixView<T> normed = states(layout_.normed, chunk.rows);
  const MatrixView<T> rows = view(layout_.query_key_value, chunk.rows, this->config().query_key_value_width(), layer);
  const MatrixView<T> mixed = states(layout_.mixed, chunk.rows, layer);
  norm(normed, at(layout_.statistics), input, this->parameters(), weights.attention_norm, this->config());
  linear(rows, normed, this->parameters(), weights.query_key_value);
  rotate(rows, chunk, false);
  if (chunk.cache != nullptr) {
    const MatrixView<T> cache = cache_rows(layer, chunk);
    copy_rows(cache.row_block(chunk.first_position, chunk.rows),
              part(rows, 0, chunk.rows, rows.cols - cache.cols, cache.cols));
  }
  for (std::size_t i = 0; i < chunk.rows / chunk.length; ++i) {
    attention_forward(mixed.row_block(i * chunk.length, chunk.length), sequence_of(layer, chunk, i));
  }
  add_branch(states(layout_.middle, chunk.rows, layer), input, mixed, weights.attention_output,
             numbers_of(layer, Site::kAttentionBranch), chunk);
}

template <class T>
void TransformerModel<T>::forward_feed_forward(std::size_t layer, const Chunk& chunk) {
  const LayerParameters& weights = weights_.layers[layer];
  const MatrixView<T> middle = states(layout_.middle, chunk.rows, layer);
  const MatrixView<T> normed = states(layout_.normed, chunk.rows);
  const FeedForwardRows<T> rows = feed_forward_rows(layer, chunk.rows);
  norm(normed, at(layout_.statistics), middle, this->parameters(), weights.feed_forward_norm, this->config());
  feed_forward(rows, normed, this->parameters(), weights);
  add_branch(states(layout_.input, chunk.rows, layer + 1), middle, rows.activation, weights.down,
             numbers_of(layer, Site::kFeedForwardBranch), chunk);
}

template <class T>
void TransformerModel<T>::forward(const Chunk& chunk) {
  TIED_ASSERT(chunk.rows <= layout_.rows && chunk.rows % chunk.length == 0);
  TIED_ASSERT(chunk.first_position + chunk.length <= context_length());
  embed(chunk);
  for (std::size_t layer = 0; layer < weights_.layers.size(); ++layer) {
    forward_attention(layer, chunk);
    forward_feed_forward(layer, chunk);
  }
}

// h of rows of the last state.
template <class T>
ConstMatrixView<T> TransformerModel<T>::read_out(ConstMatrixView<T> state) {
  if (weights_.final_norm.weight == nullptr) return state;
  const MatrixView<T> normed = states(layout_.normed, state.rows);
  norm(normed, at(layout_.statistics), state, this->parameters(), weights_.final_norm, this->config());
  return normed;
}

// The gradient of a branch's output: that of the state, less what dropout had dropped.
template <class T>
ConstMatrixView<T> TransformerModel<T>::branch_gradient(std::uint64_t numbers, const Chunk& chunk) {
  const MatrixView<T> gradient = states(layout_.state_gradient, chunk.rows);
  if (chunk.dropout_key == 0) return gradient;
  const MatrixView<T> branch = states(layout_.branch, chunk.rows);
  copy_rows(branch, gradient);
  drop(branch, numbers, chunk);
  return branch;
}

template <class T>
void TransformerModel<T>::backward_feed_forward(std::size_t layer, const Chunk& chunk) {
  ParameterStore<T>& parameters = this->parameters();
  const LayerParameters& weights = weights_.layers[layer];
  const FeedForwardRows<T> rows = feed_forward_rows(layer, chunk.rows);
  const MatrixView<T> middle = states(layout_.middle, chunk.rows, layer);
  const MatrixView<T> normed = states(layout_.normed, chunk.rows);
  const MatrixView<T> normed_gradient = states(layout_.normed_gradient, chunk.rows);
  const MatrixView<T> activation_gradient =
      view(layout_.activation_gradient, chunk.rows, this->config().feed_forward_width());
  linear_backward(activation_gradient, branch_gradient(numbers_of(layer, Site::kFeedForwardBranch), chunk),
                  rows.activation, parameters, weights.down);
  norm(normed, at(layout_.statistics), middle, parameters, weights.feed_forward_norm, this->config());
  feed_forward_backward(normed_gradient, activation_gradient, rows, normed, parameters, weights);
  norm_backward(states(layout_.state_gradient, chunk.rows), normed_gradient, at(layout_.statistics), middle, parameters,
                weights.feed_forward_norm, this->config());
}

template <class T>
void TransformerModel<T>::backward_attention(std::size_t layer, const Chunk& chunk) {
  ParameterStore<T>& parameters = this->parameters();
  const ModelConfig& config = this->config();
  const LayerParameters& weights = weights_.layers[layer];
  const MatrixView<T> input = states(layout_.input, chunk.rows, layer);
  const MatrixView<T> normed = states(layout_.normed, chunk.rows);
  // Of the heads' output first, then of the norm's.
  const MatrixView<T> gradient = states(layout_.normed_gradient, chunk.rows);
  const MatrixView<T> rows_gradient =
      view(layout_.query_key_value_gradient, chunk.rows, config.query_key_value_width());
  linear_backward(gradient, branch_gradient(numbers_of(layer, Site::kAttentionBranch), chunk),
                  states(layout_.mixed, chunk.rows, layer), parameters, weights.attention_output);
  for (std::size_t i = 0; i < chunk.rows / chunk.length; ++i) {
    const AttentionSequence<T> sequence = sequence_of(layer, chunk, i);
    const std::size_t first_row = i * chunk.length;
    const std::size_t query_cols = sequence.queries.cols;
    const std::size_t key_cols = sequence.keys.cols;
    attention_backward(part(rows_gradient, first_row, chunk.length, 0, query_cols),
                       part(rows_gradient, first_row, chunk.length, query_cols, key_cols),
                       part(rows_gradient, first_row, chunk.length, query_cols + key_cols, key_cols),
                       gradient.row_block(first_row, chunk.length), sequence, at(layout_.block_gradient));
  }
  rotate(rows_gradient, chunk, true);
  norm(normed, at(layout_.statistics), input, parameters, weights.attention_norm, config);
  linear_backward(gradient, rows_gradient, normed, parameters, weights.query_key_value);
  norm_backward(states(layout_.state_gradient, chunk.rows), gradient, at(layout_.statistics), input, parameters,
                weights.attention_norm, config);
}

template <class T>
void TransformerModel<T>::backward_embedding(const Chunk& chunk) {
  ParameterStore<T>& parameters = this->parameters();
  const MatrixView<T> gradient = states(layout_.state_gradient, chunk.rows);
  const std::size_t size = gradient.rows * gradient.cols;
  drop(gradient, kEmbeddingNumbers, chunk);
  if (weights_.positions != nullptr) {
    const MatrixView<T> positions_gradient = parameters.gradient(*weights_.positions);
    for (std::size_t i = 0; i < chunk.rows; ++i) {
      add_scaled(positions_gradient.row(i % chunk.length), gradient.row(i), gradient.cols, T{1});
    }
  }
  if (this->config().scales_embedding) {
    scale(gradient.data, size, static_cast<T>(std::sqrt(static_cast<double>(gradient.cols))));
  }
  this->position_gradient_square_ += squared_norm(gradient.data, size);
  // Scattered in row order: the order of summation for a token that occurs twice is fixed.
  const MatrixView<T> embedding_gradient = parameters.gradient(*weights_.embedding);
  for (std::size_t i = 0; i < chunk.rows; ++i) {
    add_scaled(embedding_gradient.row(chunk.inputs[i]), gradient.row(i), gradient.cols, T{1});
  }
}

// From the gradient of the last state.
template <class T>
void TransformerModel<T>::backward(const Chunk& chunk) {
  for (std::size_t layer = weights_.layers.size(); layer-- > 0;) {
    backward_feed_forward(layer, chunk);
    backward_attention(layer, chunk);
  }
  backward_embedding(chunk);
}

template <class T>
double TransformerModel<T>::loss(const TokenBatch& batch, Pass pass) {
  const bool with_gradient = pass == Pass::kForwardBackward;
  const std::size_t length = batch.sequence_length == 0 ? context_length() : batch.sequence_length;
  TIED_ASSERT(length <= context_length() && batch.size % length == 0);
  const std::size_t rows_at_once = static_cast<std::size_t>(layout_.rows) / length * length;
  const double weight = batch.weight / static_cast<double>(batch.size);
  double loss = 0;
  for (std::size_t first = 0; first < batch.size; first += rows_at_once) {
    Chunk chunk;
    chunk.inputs = batch.inputs + first;
    chunk.rows = std::min(rows_at_once, batch.size - first);
    chunk.length = length;
    chunk.dropout_key = this->config().dropout > 0 ? batch.dropout_key : 0;
    chunk.first_row = first;
    forward(chunk);

    const MatrixView<T> state = states(layout_.input, chunk.rows, weights_.layers.size());
    const MatrixView<T> state_gradient = states(layout_.state_gradient, chunk.rows);
    const MatrixView<T> read_gradient =
        weights_.final_norm.weight == nullptr ? state_gradient : states(layout_.normed_gradient, chunk.rows);
    loss += head_.loss(read_out(state), batch.targets + first, weight, with_gradient, read_gradient);
    if (!with_gradient) continue;
    if (weights_.final_norm.weight != nullptr) {
      std::fill_n(state_gradient.data, state_gradient.rows * state_gradient.cols, T{0});
      norm_backward(state_gradient, read_gradient, at(layout_.statistics), state, this->parameters(),
                    weights_.final_norm, this->config());
    }
    backward(chunk);
  }
  return loss;
}

// The next token depends on all those before: a joint table of two does not say it.
template <class T>
double TransformerModel<T>::joint_loss(const JointBatch<T>&, Pass) {
  TIED_ASSERT(this->reads_joint());
  return 0;
}

template <class T>
typename TransformerModel<T>::Chunk TransformerModel<T>::one_sequence(const std::uint32_t* inputs,
                                                                      std::size_t n_inputs) const {
  Chunk chunk;
  chunk.inputs = inputs;
  chunk.rows = n_inputs;
  chunk.length = n_inputs;
  return chunk;
}

template <class T>
void TransformerModel<T>::logits(MatrixView<T> out, const std::uint32_t* inputs, std::size_t n_inputs) {
  TIED_ASSERT(out.rows == n_inputs && out.cols == this->config().vocab_size);
  forward(one_sequence(inputs, n_inputs));
  head_.logits(out, read_out(states(layout_.input, n_inputs, weights_.layers.size())));
}

template <class T>
void TransformerModel<T>::append(const std::uint32_t* tokens, std::size_t n, std::size_t first_position, T* cache,
                                 T* logits) {
  Chunk chunk = one_sequence(tokens, n);
  chunk.first_position = first_position;
  chunk.cache = cache;
  forward(chunk);
  if (logits == nullptr) return;
  const MatrixView<T> state = states(layout_.input, n, weights_.layers.size());
  head_.logits({logits, 1, static_cast<std::size_t>(this->config().vocab_size)}, read_out(state.row_block(n - 1, 1)));
}

template <class T>
void TransformerModel<T>::hidden_states(std::span<const MatrixView<T>> out, const std::uint32_t* inputs,
                                        std::size_t n_inputs) {
  TIED_ASSERT(out.size() == n_hidden_states());
  forward(one_sequence(inputs, n_inputs));
  for (std::size_t i = 0; i < out.size(); ++i) copy_rows(out[i], states(layout_.input, n_inputs, i));
}

template <class T>
void TransformerModel<T>::attention(MatrixView<T> out, const std::uint32_t* inputs, std::size_t n_inputs) {
  const std::size_t rows = static_cast<std::size_t>(this->config().n_heads) * n_inputs;
  TIED_ASSERT(out.rows == weights_.layers.size() * rows && out.cols == n_inputs);
  const Chunk chunk = one_sequence(inputs, n_inputs);
  forward(chunk);
  for (std::size_t layer = 0; layer < weights_.layers.size(); ++layer) {
    attention_probabilities(out.row_block(layer * rows, rows), sequence_of(layer, chunk, 0));
  }
}

template <class T>
Result<std::unique_ptr<Decoder<T>>> TransformerModel<T>::create_decoder() {
  return TransformerDecoder<T>::create(*this);
}

template class TransformerModel<float>;
template class TransformerModel<double>;

}  // namespace tied
