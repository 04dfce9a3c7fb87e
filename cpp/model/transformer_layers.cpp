#include "model/transformer_layers.h"

#include <algorithm>
#include <cmath>

#include "linalg/blocks.h"
#include "linalg/dropout.h"
#include "linalg/reduce.h"
#include "linalg/rotary.h"
#include "model/factorized_table.h"
#include "model/linear.h"
#include "model/ngrams.h"

namespace tied {
namespace {

// Each dropout site has 2^48 element numbers under a key.
constexpr int kElementsPerSite = 48;
constexpr std::uint64_t kEmbeddingElements = 0;

}  // namespace

template <class T>
void TransformerLayers<T>::bind(const ModelConfig& config, const TransformerLayout& layout,
                                const TransformerParameters& weights, ParameterStore<T>& parameters, T* workspace) {
  config_ = &config;
  layout_ = &layout;
  weights_ = &weights;
  parameters_ = &parameters;
  workspace_ = workspace;
  if (config.positions == Positions::kRotary) {
    const auto positions = static_cast<std::size_t>(config.context_length);
    const auto pairs = static_cast<std::size_t>(config.head_width() / 2);
    cosines_ = {at(layout.cosines), positions, pairs};
    sines_ = {at(layout.sines), positions, pairs};
    rotary_table(cosines_, sines_, config.rotary_base);
  }
}

template <class T>
MatrixView<T> TransformerLayers<T>::write(const Rows& rows, std::size_t layer) const {
  return {at(rows.offset + layer * layout_->layer_extent), chunk_.rows, static_cast<std::size_t>(rows.cols)};
}

template <class T>
FeedForwardRows<T> TransformerLayers<T>::feed_forward_rows(std::size_t layer) {
  return {write(layout_->up, layer), write(layout_->gate, layer), write(layout_->activation, layer)};
}

// Calls visit(row, its position in its sequence).
template <class T>
template <class Visit>
void TransformerLayers<T>::for_each_row(Visit visit) const {
  const SequenceRows& sequences = chunk_.sequences;
  for (std::size_t i = 0; i < sequences.count; ++i) {
    const std::size_t first = sequences.first(i);
    for (std::size_t k = 0; k < sequences.size(i); ++k) visit(first + k, k);
  }
}

// Keys and values of the tokens up to the chunk's last.
template <class T>
MatrixView<T> TransformerLayers<T>::cache_rows(std::size_t layer) const {
  const auto cols = static_cast<std::size_t>(2 * config_->key_value_heads() * config_->head_width());
  const auto context = static_cast<std::size_t>(config_->context_length);
  return {chunk_.cache + layer * context * cols, chunk_.first_position + chunk_.rows, cols};
}

template <class T>
AttentionSequence<T> TransformerLayers<T>::attention_of(const Rows& queries, std::uint64_t probabilities,
                                                        std::size_t cols, std::size_t layer, std::size_t sequence,
                                                        Site site) {
  AttentionSequence<T> found;
  found.n_heads = static_cast<std::size_t>(config_->n_heads);
  found.n_kv_heads = static_cast<std::size_t>(config_->key_value_heads());
  const std::size_t first = chunk_.sequences.first(sequence);
  found.queries = block_of(write(queries, layer), first, 0, chunk_.sequences.size(sequence),
                           static_cast<std::size_t>(config_->d_model));

  // A decoder has no backward pass, and its rows can be too long for the buffer of stored probabilities.
  const std::size_t per_row = found.n_heads * cols;
  found.stored = layout_->stores_probabilities && chunk_.cache == nullptr;
  found.probabilities = at(probabilities);
  if (found.stored) found.probabilities += static_cast<std::size_t>(layer * layout_->layer_extent) + first * per_row;
  if (chunk_.dropout_key != 0) {
    found.dropped = at(layout_->block_dropped);
    // In 64 bits, since numbers of elements can exceed 32 bits where addresses cannot.
    const std::uint64_t row = chunk_.first_row + first;
    found.dropout = {config_->dropout, chunk_.dropout_key, first_element_of(layer, site) + row * per_row};
  }
  return found;
}

template <class T>
AttentionSequence<T> TransformerLayers<T>::sequence_of(std::size_t layer, std::size_t sequence) {
  const auto query_cols = static_cast<std::size_t>(config_->d_model);
  const auto key_cols = static_cast<std::size_t>(config_->key_value_heads() * config_->head_width());
  AttentionSequence<T> found = attention_of(layout_->query_key_value, layout_->probabilities, chunk_.sequences.length,
                                            layer, sequence, Site::kAttention);
  found.mask = layout_->mask;
  const MatrixView<T> keys_values =
      chunk_.cache != nullptr ? cache_rows(layer)
                              : block_of(write(layout_->query_key_value, layer), chunk_.sequences.first(sequence),
                                         query_cols, found.queries.rows, 2 * key_cols);
  found.keys = columns(keys_values, 0, key_cols);
  found.values = columns(keys_values, key_cols, key_cols);
  if (chunk_.cache != nullptr && chunk_.rows == 1) {
    // Free, since there is no backward pass, and larger.
    found.row_scores = at(layout_->query_key_value_gradient.offset);
    found.readable_keys = static_cast<std::size_t>(config_->context_length);
  }
  return found;
}

template <class T>
std::uint64_t TransformerLayers<T>::first_element_of(std::size_t layer, Site site) {
  // Two more sites were added later, after the sites of the maximum number of layers.
  const auto number = static_cast<std::uint64_t>(site);
  const std::uint64_t before = number < 3 ? 1 + 3 * layer : 1 + 3 * (kMaxLayers - 1) + 2 * layer;
  return (before + number) << kElementsPerSite;
}

template <class T>
void TransformerLayers<T>::drop(const MatrixView<T>& x, std::uint64_t first_element) {
  if (chunk_.dropout_key == 0) return;
  const std::uint64_t before = std::uint64_t{chunk_.first_row} * x.cols;
  dropout(x.data, x.rows * x.cols, config_->dropout, chunk_.dropout_key, first_element + before);
}

template <class T>
void TransformerLayers<T>::rotate(const MatrixView<T>& query_key_value, bool backward) {
  if (cosines_.data == nullptr) return;
  const auto n_heads = static_cast<std::size_t>(config_->n_heads + config_->key_value_heads());
  const SequenceRows& sequences = chunk_.sequences;
  for (std::size_t i = 0; i < sequences.count; ++i) {
    rotate_pairs(block_of(query_key_value, sequences.first(i), 0, sequences.size(i), n_heads * 2 * cosines_.cols),
                 cosines_, sines_, n_heads, chunk_.first_position, backward);
  }
}

// The normalized rows, valid until the next call.
template <class T>
MatrixView<T> TransformerLayers<T>::normalize(const ConstMatrixView<T>& x, const WeightAndBias& map) {
  const MatrixView<T> out = write(layout_->normed);
  norm(out, at(layout_->statistics), x, *parameters_, map, *config_);
  return out;
}

// Backward pass from normed_gradient to residual_gradient, after `normalize` of the same rows.
template <class T>
void TransformerLayers<T>::normalize_backward(const ConstMatrixView<T>& x, const WeightAndBias& map) {
  norm_backward(residual_gradient(), read(layout_->normed_gradient), at(layout_->statistics), x, *parameters_, map,
                *config_);
}

template <class T>
void TransformerLayers<T>::embed(const MatrixView<T>& out) {
  const MatrixView<T> embedding = parameters_->values(weights_->ends.embedding);
  if (is_factorized(weights_->ends)) {
    look_up_factorized(out, chunk_.inputs, *parameters_, weights_->ends, at(layout_->normed.offset));
  } else {
    for (std::size_t i = 0; i < chunk_.rows; ++i) {
      const std::uint32_t id = chunk_.inputs[i];
      TIED_ASSERT(id < config_->readable_ids());
      const T* row = is_mask(id) ? parameters_->values(weights_->ends.mask).data : embedding.row(id);
      std::copy_n(row, out.cols, out.row(i));
    }
  }
  if (config_->has_ngrams()) add_ngram_rows(out, chunk_, *parameters_, weights_->ends.first_ngram, *config_);
  if (config_->scales_embedding) {
    scale(out.data, out.rows * out.cols, static_cast<T>(std::sqrt(static_cast<double>(out.cols))));
  }
  if (weights_->positions != kNoParameter) {
    const MatrixView<T> positions = parameters_->values(weights_->positions);
    for_each_row([&](std::size_t row, std::size_t position) {
      add_scaled(out.row(row), positions.row(chunk_.first_position + position), out.cols, T{1});
    });
  }
  drop(out, kEmbeddingElements);
}

// Adds the rows of n-grams to the residual stream before a layer, if they are added there: neither scaled nor dropped.
template <class T>
void TransformerLayers<T>::add_ngrams_before(std::size_t layer, const MatrixView<T>& x) {
  if (!config_->has_ngrams_before(layer)) return;
  add_ngram_rows(x, chunk_, *parameters_, weights_->ends.first_ngram, *config_);
}

// The reverse, from the gradient of that stream, in row order.
template <class T>
void TransformerLayers<T>::scatter_ngrams(const ConstMatrixView<T>& gradient) {
  scatter_ngram_rows(gradient, chunk_, *parameters_, weights_->ends.first_ngram, *config_);
}

// Adds the row of each token to its values.
template <class T>
void TransformerLayers<T>::add_value_rows(const MatrixView<T>& query_key_value) {
  if (weights_->ends.value == kNoParameter) return;
  const MatrixView<T> table = parameters_->values(weights_->ends.value);
  const MatrixView<T> values = columns(query_key_value, query_key_value.cols - table.cols, table.cols);
  for (std::size_t i = 0; i < chunk_.rows; ++i) {
    add_scaled(values.row(i), table.row(chunk_.inputs[i]), table.cols, T{1});
  }
}

// The reverse, in row order.
template <class T>
void TransformerLayers<T>::scatter_value_rows(const MatrixView<T>& query_key_value_gradient) {
  if (weights_->ends.value == kNoParameter) return;
  const MatrixView<T> table = parameters_->gradient(weights_->ends.value);
  const MatrixView<T> values =
      columns(query_key_value_gradient, query_key_value_gradient.cols - table.cols, table.cols);
  for (std::size_t i = 0; i < chunk_.rows; ++i) {
    parameters_->touch(weights_->ends.value, chunk_.inputs[i]);
    add_scaled(table.row(chunk_.inputs[i]), values.row(i), table.cols, T{1});
  }
}

// Adds the chunk's keys and values to a decoder's cache.
template <class T>
void TransformerLayers<T>::append_to_cache(const ConstMatrixView<T>& query_key_value, std::size_t layer) {
  if (chunk_.cache == nullptr) return;
  const MatrixView<T> cache = cache_rows(layer);
  for (std::size_t i = 0; i < chunk_.rows; ++i) {
    std::copy_n(query_key_value.row(i) + query_key_value.cols - cache.cols, cache.cols,
                cache.row(chunk_.first_position + i));
  }
}

// Angles are differences of positions: if keys move forward by one, they turn back by one position.
template <class T>
void TransformerLayers<T>::remove_first(T* cache, std::size_t size) {
  const auto heads = static_cast<std::size_t>(config_->key_value_heads());
  const auto key_cols = heads * static_cast<std::size_t>(config_->head_width());
  const auto context = static_cast<std::size_t>(config_->context_length);
  for (std::size_t layer = 0; layer < weights_->layers.size(); ++layer, cache += context * 2 * key_cols) {
    std::copy(cache + 2 * key_cols, cache + size * 2 * key_cols, cache);
    for (std::size_t i = 0; cosines_.data != nullptr && i + 1 < size; ++i) {
      rotate_pairs(MatrixView<T>(cache + i * 2 * key_cols, 1, key_cols), cosines_, sines_, heads, 1, true);
    }
  }
}

template <class T>
void TransformerLayers<T>::attend(const MatrixView<T>& out, std::size_t layer) {
  const SequenceRows& sequences = chunk_.sequences;
  for (std::size_t i = 0; i < sequences.count; ++i) {
    attention_forward(out.row_block(sequences.first(i), sequences.size(i)), sequence_of(layer, i));
  }
}

// out = residual + dropout(x W^T + b).
template <class T>
void TransformerLayers<T>::add_branch(const MatrixView<T>& out, const ConstMatrixView<T>& residual,
                                      const ConstMatrixView<T>& x, const WeightAndBias& map, std::size_t layer,
                                      Site site) {
  const std::size_t size = out.rows * out.cols;
  std::copy_n(residual.data, size, out.data);
  if (chunk_.dropout_key == 0) {
    linear(out, x, *parameters_, map, Accumulate::kAdd);
    return;
  }
  const MatrixView<T> branch = write(layout_->branch);
  linear(branch, x, *parameters_, map);
  drop(branch, first_element_of(layer, site));
  add_scaled(out.data, branch.data, size, T{1});
}

template <class T>
ConstMatrixView<T> TransformerLayers<T>::forward(const Chunk<T>& chunk) {
  TIED_ASSERT(chunk.rows <= layout_->rows && chunk.rows == chunk.sequences.rows());
  TIED_ASSERT(chunk.rows_before + chunk.rows <= layout_->group_rows);
  TIED_ASSERT(chunk.first_position + chunk.sequences.length <= config_->context_length);
  TIED_ASSERT(chunk.cache == nullptr || chunk.sequences.count == 1);
  TIED_ASSERT(chunk.left_out == kNoLayer || (chunk.cache == nullptr && !chunk.stores_for_backward));
  chunk_ = chunk;
  const std::size_t n_layers = weights_->layers.size();
  TIED_ASSERT(!chunk.resumes || chunk.left_out < n_layers);
  if (!chunk.resumes) embed(write(layout_->residual));
  for (std::size_t i = chunk.resumes ? chunk.left_out : 0; i < n_layers; ++i) {
    const MatrixView<T> after = write(layout_->residual, i + 1);
    if (i == chunk.left_out) {
      std::copy_n(residual(i).data, chunk.rows * residual(i).cols, after.data);
      add_ngrams_before(i + 1, after);
      continue;
    }
    const LayerParameters& layer = weights_->layers[i];
    const MatrixView<T> query_key_value = write(layout_->query_key_value, i);
    const MatrixView<T> attended = write(layout_->attended, i);
    const MatrixView<T> after_attention = write(layout_->after_attention, i);
    const FeedForwardRows<T> hidden = feed_forward_rows(i);

    linear(query_key_value, normalize(residual(i), layer.attention_norm), *parameters_, layer.query_key_value);
    rotate(query_key_value, false);
    add_value_rows(query_key_value);
    append_to_cache(query_key_value, i);
    attend(attended, i);
    add_branch(after_attention, residual(i), attended, layer.attention_output, i, Site::kAttentionBranch);

    const ConstMatrixView<T> x =
        layer.cross_query.exists() ? add_cross_attention(after_attention, i) : ConstMatrixView<T>(after_attention);
    feed_forward(hidden, normalize(x, layer.feed_forward_norm), *parameters_, layer, chunk.stores_for_backward);
    add_branch(after, x, hidden.activation, layer.down, i, Site::kFeedForwardBranch);
    add_ngrams_before(i + 1, after);
  }
  if (!has_final_norm()) return residual(n_layers);
  return normalize(residual(n_layers), weights_->final_norm);
}

// The gradient of a branch's output: that of the residual stream with the branch's dropout.
template <class T>
ConstMatrixView<T> TransformerLayers<T>::branch_gradient(std::size_t layer, Site site) {
  const MatrixView<T> gradient = residual_gradient();
  if (chunk_.dropout_key == 0) return gradient;
  const MatrixView<T> branch = write(layout_->branch);
  std::copy_n(gradient.data, gradient.rows * gradient.cols, branch.data);
  drop(branch, first_element_of(layer, site));
  return branch;
}

template <class T>
void TransformerLayers<T>::backward_feed_forward(std::size_t i) {
  const LayerParameters& layer = weights_->layers[i];
  const ConstMatrixView<T> x = read(layer.cross_query.exists() ? layout_->after_cross : layout_->after_attention, i);
  const MatrixView<T> activation_gradient = write(layout_->activation_gradient);
  linear_backward(activation_gradient, branch_gradient(i, Site::kFeedForwardBranch), read(layout_->activation, i),
                  *parameters_, layer.down);
  const MatrixView<T> normed = normalize(x, layer.feed_forward_norm);
  feed_forward_backward(write(layout_->normed_gradient), activation_gradient, feed_forward_rows(i), normed,
                        *parameters_, layer);
  normalize_backward(x, layer.feed_forward_norm);
}

template <class T>
void TransformerLayers<T>::backward_attention(std::size_t i) {
  const LayerParameters& layer = weights_->layers[i];
  // First of the heads' output, then of the norm's output.
  const MatrixView<T> gradient = write(layout_->normed_gradient);
  const MatrixView<T> query_key_value_gradient = write(layout_->query_key_value_gradient);
  linear_backward(gradient, branch_gradient(i, Site::kAttentionBranch), read(layout_->attended, i), *parameters_,
                  layer.attention_output);
  for (std::size_t k = 0; k < chunk_.sequences.count; ++k) {
    const std::size_t first = chunk_.sequences.first(k);
    const AttentionSequence<T> sequence = sequence_of(i, k);
    const MatrixView<T> rows = query_key_value_gradient.row_block(first, sequence.queries.rows);
    const std::size_t query_cols = sequence.queries.cols;
    const std::size_t key_cols = sequence.keys.cols;
    attention_backward({columns(rows, 0, query_cols), columns(rows, query_cols, key_cols),
                        columns(rows, query_cols + key_cols, key_cols)},
                       gradient.row_block(first, rows.rows), sequence, at(layout_->block_gradient));
  }
  scatter_value_rows(query_key_value_gradient);
  rotate(query_key_value_gradient, true);
  const MatrixView<T> normed = normalize(residual(i), layer.attention_norm);
  linear_backward(gradient, query_key_value_gradient, normed, *parameters_, layer.query_key_value);
  normalize_backward(residual(i), layer.attention_norm);
}

template <class T>
double TransformerLayers<T>::backward_embedding() {
  const MatrixView<T> gradient = residual_gradient();
  const std::size_t size = gradient.rows * gradient.cols;
  drop(gradient, kEmbeddingElements);
  if (weights_->positions != kNoParameter) {
    const MatrixView<T> positions_gradient = parameters_->gradient(weights_->positions);
    for_each_row([&](std::size_t row, std::size_t position) {
      add_scaled(positions_gradient.row(position), gradient.row(row), gradient.cols, T{1});
    });
  }
  if (config_->scales_embedding) {
    scale(gradient.data, size, static_cast<T>(std::sqrt(static_cast<double>(gradient.cols))));
  }
  if (is_factorized(weights_->ends)) {
    scatter_factorized(gradient, chunk_.inputs, *parameters_, weights_->ends, at(layout_->normed.offset),
                       at(layout_->normed_gradient.offset));
  } else {
    // Scattered in row order, which fixes the order of summation for a repeated token.
    const MatrixView<T> embedding_gradient = parameters_->gradient(weights_->ends.embedding);
    for (std::size_t i = 0; i < chunk_.rows; ++i) {
      const std::uint32_t id = chunk_.inputs[i];
      const bool hidden = is_mask(id);
      parameters_->touch(hidden ? weights_->ends.mask : weights_->ends.embedding, hidden ? 0 : id);
      T* row = hidden ? parameters_->gradient(weights_->ends.mask).data : embedding_gradient.row(id);
      add_scaled(row, gradient.row(i), gradient.cols, T{1});
    }
  }
  if (config_->has_ngrams()) scatter_ngrams(gradient);
  return squared_norm(at(layout_->residual_gradient.offset), (chunk_.rows_before + chunk_.rows) * gradient.cols);
}

template <class T>
double TransformerLayers<T>::backward() {
  const std::size_t n_layers = weights_->layers.size();
  if (has_final_norm()) {
    const MatrixView<T> gradient = residual_gradient();
    std::fill_n(gradient.data, gradient.rows * gradient.cols, T{0});
    normalize_backward(residual(n_layers), weights_->final_norm);
  }
  for (std::size_t i = n_layers; i-- > 0;) {
    backward_feed_forward(i);
    if (weights_->layers[i].cross_query.exists()) backward_cross_attention(i);
    backward_attention(i);
    if (config_->has_ngrams_before(i)) scatter_ngrams(residual_gradient());
  }
  return backward_embedding();
}

template class TransformerLayers<float>;
template class TransformerLayers<double>;

}  // namespace tied
