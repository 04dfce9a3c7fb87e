#include "model/transformer_layers.h"

#include <algorithm>
#include <cmath>

#include "linalg/dropout.h"
#include "linalg/reduce.h"
#include "linalg/rotary.h"
#include "model/linear.h"

namespace tied {
namespace {

// What dropout takes from a key: 2^48 numbers for each place that asks.
constexpr int kNumbersPerSite = 48;
constexpr std::uint64_t kEmbeddingNumbers = 0;

// Columns [first, first + cols) of rows [first_row, first_row + rows).
template <class T>
MatrixView<T> part(const MatrixView<T>& whole, std::size_t first_row, std::size_t rows, std::size_t first,
                   std::size_t cols) {
  TIED_ASSERT(first_row + rows <= whole.rows && first + cols <= whole.cols);
  return {whole.data + first_row * whole.stride + first, rows, cols, whole.stride};
}

}  // namespace

template <class T>
void TransformerLayers<T>::bind(const ModelConfig& config, const TransformerLayout& layout,
                                ParameterStore<T>& parameters, T* workspace) {
  config_ = &config;
  layout_ = &layout;
  parameters_ = &parameters;
  workspace_ = workspace;
  weights_ = find_transformer_parameters(parameters.table(), config);
  if (config.positions == Positions::kRotary) {
    const auto positions = static_cast<std::size_t>(config.context_length);
    const auto pairs = static_cast<std::size_t>(config.head_width() / 2);
    cosines_ = {at(layout.cosines), positions, pairs};
    sines_ = {at(layout.sines), positions, pairs};
    rotary_table(cosines_, sines_, config.rotary_base);
  }
}

// Rows of the chunk.
template <class T>
MatrixView<T> TransformerLayers<T>::write(Rows rows, std::size_t layer) const {
  const TransformerLayout::Place& place = layout_->places[static_cast<std::size_t>(rows)];
  return {at(place.offset + layer * layout_->layer_extent), chunk_.rows, static_cast<std::size_t>(place.cols)};
}

template <class T>
FeedForwardRows<T> TransformerLayers<T>::feed_forward_rows(std::size_t layer) {
  return {write(Rows::kUp, layer), write(Rows::kGate, layer), write(Rows::kActivation, layer)};
}

// Keys and values of the tokens up to the chunk's last.
template <class T>
MatrixView<T> TransformerLayers<T>::cache_rows(std::size_t layer) const {
  const auto cols = static_cast<std::size_t>(2 * config_->key_value_heads() * config_->head_width());
  const auto context = static_cast<std::size_t>(config_->context_length);
  return {chunk_.cache + layer * context * cols, chunk_.first_position + chunk_.rows, cols};
}

template <class T>
AttentionSequence<T> TransformerLayers<T>::sequence_of(std::size_t layer, std::size_t sequence) {
  const auto query_cols = static_cast<std::size_t>(config_->d_model);
  const auto key_cols = static_cast<std::size_t>(config_->key_value_heads() * config_->head_width());
  const std::size_t length = chunk_.length;
  const MatrixView<T> rows = write(Rows::kQueryKeyValue, layer);

  AttentionSequence<T> found;
  found.n_heads = static_cast<std::size_t>(config_->n_heads);
  found.n_kv_heads = static_cast<std::size_t>(config_->key_value_heads());
  found.queries = part(rows, sequence * length, length, 0, query_cols);
  const bool decodes = chunk_.cache != nullptr;
  const MatrixView<T> keys_values =
      decodes ? cache_rows(layer) : part(rows, sequence * length, length, query_cols, 2 * key_cols);
  found.keys = part(keys_values, 0, keys_values.rows, 0, key_cols);
  found.values = part(keys_values, 0, keys_values.rows, key_cols, key_cols);

  // A decoder goes no way back, and its rows may be too long for the room of those that are kept.
  const std::size_t square = found.n_heads * length * length;
  found.kept = layout_->keeps_probabilities && !decodes;
  found.probabilities = at(layout_->probabilities);
  if (found.kept) found.probabilities += static_cast<std::size_t>(layer * layout_->layer_extent) + sequence * square;
  if (chunk_.dropout_key != 0) {
    found.dropped = at(layout_->block_dropped);
    found.dropout = {config_->dropout, chunk_.dropout_key,
                     numbers_of(layer, Site::kAttention) + (chunk_.first_row / length + sequence) * square};
  }
  return found;
}

template <class T>
std::uint64_t TransformerLayers<T>::numbers_of(std::size_t layer, Site site) {
  return (1 + 3 * layer + static_cast<std::uint64_t>(site)) << kNumbersPerSite;
}

template <class T>
void TransformerLayers<T>::drop(const MatrixView<T>& x, std::uint64_t numbers) {
  if (chunk_.dropout_key == 0) return;
  dropout(x.data, x.rows * x.cols, config_->dropout, chunk_.dropout_key, numbers + chunk_.first_row * x.cols);
}

template <class T>
void TransformerLayers<T>::rotate(const MatrixView<T>& query_key_value, bool backward) {
  if (cosines_.data == nullptr) return;
  const auto n_heads = static_cast<std::size_t>(config_->n_heads + config_->key_value_heads());
  for (std::size_t first = 0; first < chunk_.rows; first += chunk_.length) {
    rotate_pairs(part(query_key_value, first, chunk_.length, 0, n_heads * 2 * cosines_.cols), cosines_, sines_, n_heads,
                 chunk_.first_position, backward);
  }
}

// Into kNormed.
template <class T>
void TransformerLayers<T>::normalize(Rows x, std::size_t layer, const WeightAndBias& map) {
  norm(write(Rows::kNormed), at(layout_->statistics), read(x, layer), *parameters_, map, *config_);
}

// From kNormedGradient into kStateGradient, after `normalize` of the same rows.
template <class T>
void TransformerLayers<T>::normalize_backward(Rows x, std::size_t layer, const WeightAndBias& map) {
  norm_backward(write(Rows::kStateGradient), read(Rows::kNormedGradient), at(layout_->statistics), read(x, layer),
                *parameters_, map, *config_);
}

// The state before the first layer.
template <class T>
void TransformerLayers<T>::embed() {
  const MatrixView<T> embedding = parameters_->values(*weights_.embedding);
  const MatrixView<T> out = write(Rows::kState);
  for (std::size_t i = 0; i < chunk_.rows; ++i) {
    TIED_ASSERT(chunk_.inputs[i] < embedding.rows);
    std::copy_n(embedding.row(chunk_.inputs[i]), out.cols, out.row(i));
  }
  if (config_->scales_embedding) {
    scale(out.data, out.rows * out.cols, static_cast<T>(std::sqrt(static_cast<double>(out.cols))));
  }
  if (weights_.positions != nullptr) {
    const MatrixView<T> positions = parameters_->values(*weights_.positions);
    for (std::size_t i = 0; i < chunk_.rows; ++i) {
      add_scaled(out.row(i), positions.row(chunk_.first_position + i % chunk_.length), out.cols, T{1});
    }
  }
  drop(out, kEmbeddingNumbers);
}

// out = state + dropout(x W^T + b).
template <class T>
void TransformerLayers<T>::add_branch(Rows out, std::size_t out_layer, Rows state, Rows x, std::size_t layer,
                                      const WeightAndBias& map, Site site) {
  const MatrixView<T> sum = write(out, out_layer);
  const std::size_t size = sum.rows * sum.cols;
  std::copy_n(read(state, layer).data, size, sum.data);
  if (chunk_.dropout_key == 0) {
    linear(sum, read(x, layer), *parameters_, map, Accumulate::kAdd);
    return;
  }
  const MatrixView<T> branch = write(Rows::kBranch);
  linear(branch, read(x, layer), *parameters_, map);
  drop(branch, numbers_of(layer, site));
  add_scaled(sum.data, branch.data, size, T{1});
}

template <class T>
void TransformerLayers<T>::forward_attention(std::size_t layer) {
  const LayerParameters& weights = weights_.layers[layer];
  const MatrixView<T> rows = write(Rows::kQueryKeyValue, layer);
  const MatrixView<T> mixed = write(Rows::kMixed, layer);
  normalize(Rows::kState, layer, weights.attention_norm);
  linear(rows, read(Rows::kNormed), *parameters_, weights.query_key_value);
  rotate(rows, false);
  if (chunk_.cache != nullptr) {
    const MatrixView<T> cache = cache_rows(layer);
    for (std::size_t i = 0; i < chunk_.rows; ++i) {
      std::copy_n(rows.row(i) + rows.cols - cache.cols, cache.cols, cache.row(chunk_.first_position + i));
    }
  }
  for (std::size_t i = 0; i < chunk_.rows / chunk_.length; ++i) {
    attention_forward(mixed.row_block(i * chunk_.length, chunk_.length), sequence_of(layer, i));
  }
  add_branch(Rows::kMiddle, layer, Rows::kState, Rows::kMixed, layer, weights.attention_output, Site::kAttentionBranch);
}

template <class T>
void TransformerLayers<T>::forward_feed_forward(std::size_t layer) {
  const LayerParameters& weights = weights_.layers[layer];
  normalize(Rows::kMiddle, layer, weights.feed_forward_norm);
  feed_forward(feed_forward_rows(layer), read(Rows::kNormed), *parameters_, weights, chunk_.goes_back);
  add_branch(Rows::kState, layer + 1, Rows::kMiddle, Rows::kActivation, layer, weights.down, Site::kFeedForwardBranch);
}

template <class T>
void TransformerLayers<T>::forward(const Chunk<T>& chunk) {
  TIED_ASSERT(chunk.rows <= layout_->rows && chunk.rows % chunk.length == 0);
  TIED_ASSERT(chunk.first_position + chunk.length <= config_->context_length);
  TIED_ASSERT(chunk.cache == nullptr || chunk.rows == chunk.length);
  chunk_ = chunk;
  embed();
  for (std::size_t layer = 0; layer < n_layers(); ++layer) {
    forward_attention(layer);
    forward_feed_forward(layer);
  }
}

template <class T>
ConstMatrixView<T> TransformerLayers<T>::read_out() {
  if (!has_final_norm()) return state(n_layers());
  normalize(Rows::kState, n_layers(), weights_.final_norm);
  return read(Rows::kNormed);
}

// The gradient of a branch's output: that of the state, less what dropout had dropped.
template <class T>
ConstMatrixView<T> TransformerLayers<T>::branch_gradient(std::size_t layer, Site site) {
  const MatrixView<T> gradient = write(Rows::kStateGradient);
  if (chunk_.dropout_key == 0) return gradient;
  const MatrixView<T> branch = write(Rows::kBranch);
  std::copy_n(gradient.data, gradient.rows * gradient.cols, branch.data);
  drop(branch, numbers_of(layer, site));
  return branch;
}

template <class T>
void TransformerLayers<T>::backward_feed_forward(std::size_t layer) {
  const LayerParameters& weights = weights_.layers[layer];
  const MatrixView<T> activation_gradient = write(Rows::kActivationGradient);
  linear_backward(activation_gradient, branch_gradient(layer, Site::kFeedForwardBranch), read(Rows::kActivation, layer),
                  *parameters_, weights.down);
  normalize(Rows::kMiddle, layer, weights.feed_forward_norm);
  feed_forward_backward(write(Rows::kNormedGradient), activation_gradient, feed_forward_rows(layer),
                        read(Rows::kNormed), *parameters_, weights);
  normalize_backward(Rows::kMiddle, layer, weights.feed_forward_norm);
}

template <class T>
void TransformerLayers<T>::backward_attention(std::size_t layer) {
  const LayerParameters& weights = weights_.layers[layer];
  // Of the heads' output first, then of the norm's.
  const MatrixView<T> gradient = write(Rows::kNormedGradient);
  const MatrixView<T> rows_gradient = write(Rows::kQueryKeyValueGradient);
  linear_backward(gradient, branch_gradient(layer, Site::kAttentionBranch), read(Rows::kMixed, layer), *parameters_,
                  weights.attention_output);
  for (std::size_t i = 0; i < chunk_.rows / chunk_.length; ++i) {
    attention_backward(rows_gradient.row_block(i * chunk_.length, chunk_.length),
                       gradient.row_block(i * chunk_.length, chunk_.length), sequence_of(layer, i),
                       at(layout_->block_gradient));
  }
  rotate(rows_gradient, true);
  normalize(Rows::kState, layer, weights.attention_norm);
  linear_backward(gradient, read(Rows::kQueryKeyValueGradient), read(Rows::kNormed), *parameters_,
                  weights.query_key_value);
  normalize_backward(Rows::kState, layer, weights.attention_norm);
}

template <class T>
double TransformerLayers<T>::backward_embedding() {
  const MatrixView<T> gradient = write(Rows::kStateGradient);
  const std::size_t size = gradient.rows * gradient.cols;
  drop(gradient, kEmbeddingNumbers);
  if (weights_.positions != nullptr) {
    const MatrixView<T> positions_gradient = parameters_->gradient(*weights_.positions);
    for (std::size_t i = 0; i < chunk_.rows; ++i) {
      add_scaled(positions_gradient.row(i % chunk_.length), gradient.row(i), gradient.cols, T{1});
    }
  }
  if (config_->scales_embedding) {
    scale(gradient.data, size, static_cast<T>(std::sqrt(static_cast<double>(gradient.cols))));
  }
  // Scattered in row order: the order of summation for a token that occurs twice is fixed.
  const MatrixView<T> embedding_gradient = parameters_->gradient(*weights_.embedding);
  for (std::size_t i = 0; i < chunk_.rows; ++i) {
    add_scaled(embedding_gradient.row(chunk_.inputs[i]), gradient.row(i), gradient.cols, T{1});
  }
  return squared_norm(gradient.data, size);
}

template <class T>
double TransformerLayers<T>::backward() {
  if (has_final_norm()) {
    const MatrixView<T> gradient = write(Rows::kStateGradient);
    std::fill_n(gradient.data, gradient.rows * gradient.cols, T{0});
    normalize_backward(Rows::kState, n_layers(), weights_.final_norm);
  }
  for (std::size_t layer = n_layers(); layer-- > 0;) {
    backward_feed_forward(layer);
    backward_attention(layer);
  }
  return backward_embedding();
}

template class TransformerLayers<float>;
template class TransformerLayers<double>;

}  // namespace tied
