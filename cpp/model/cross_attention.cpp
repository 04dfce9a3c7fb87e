// The part of TransformerLayers in which a decoder's layers attend to an encoder. core.wasm is linked without it: see
// encoder_decoder.h.
#include "linalg/blocks.h"
#include "model/linear.h"
#include "model/transformer_layers.h"

namespace tied {

// A buffer with one row per token of the memory.
template <class T>
MatrixView<T> TransformerLayers<T>::memory_rows(const Rows& rows, std::size_t layer) const {
  return {at(rows.offset + layer * layout_->layer_extent), chunk_.memory->sequences.rows(),
          static_cast<std::size_t>(rows.cols)};
}

template <class T>
const T* TransformerLayers<T>::cross_keys_values(std::size_t layer) const {
  const MatrixView<T> rows = memory_rows(layout_->cross_key_value, layer);
  const T* const kept = chunk_.memory->keys_values;
  return kept == nullptr ? rows.data : kept + layer * rows.rows * rows.cols;
}

template <class T>
AttentionSequence<T> TransformerLayers<T>::cross_sequence_of(std::size_t layer, std::size_t sequence) {
  const SequenceRows& memory = chunk_.memory->sequences;
  const auto key_cols = static_cast<std::size_t>(layout_->cross_key_value.cols / 2);
  AttentionSequence<T> found = attention_of(layout_->cross_query, layout_->cross_probabilities, memory.length, layer,
                                            sequence, Site::kCrossAttention);
  found.mask = AttentionMask::kNone;
  const ConstMatrixView<T> all(cross_keys_values(layer), memory.rows(), 2 * key_cols);
  const ConstMatrixView<T> rows = block_of(all, memory.first(sequence), 0, memory.size(sequence), 2 * key_cols);
  found.keys = columns(rows, 0, key_cols);
  found.values = columns(rows, key_cols, key_cols);
  return found;
}

template <class T>
void TransformerLayers<T>::read_memory(T* out, const ConstMatrixView<T>& states) const {
  const auto cols = static_cast<std::size_t>(layout_->cross_key_value.cols);
  for (const LayerParameters& layer : weights_->layers) {
    linear<T>({out, states.rows, cols}, states, *parameters_, layer.cross_key_value);
    out += states.rows * cols;
  }
}

template <class T>
ConstMatrixView<T> TransformerLayers<T>::add_cross_attention(const ConstMatrixView<T>& x, std::size_t i) {
  TIED_ASSERT(chunk_.memory != nullptr && chunk_.memory->sequences.count == chunk_.sequences.count);
  const LayerParameters& layer = weights_->layers[i];
  const Memory<T>& memory = *chunk_.memory;
  linear(write(layout_->cross_query, i), normalize(x, layer.cross_norm), *parameters_, layer.cross_query);
  if (memory.keys_values == nullptr) {
    linear(memory_rows(layout_->cross_key_value, i), memory.states, *parameters_, layer.cross_key_value);
  }
  const MatrixView<T> attended = write(layout_->cross_attended, i);
  for (std::size_t k = 0; k < chunk_.sequences.count; ++k) {
    const AttentionSequence<T> sequence = cross_sequence_of(i, k);
    attention_forward(attended.row_block(chunk_.sequences.first(k), sequence.queries.rows), sequence);
  }
  const MatrixView<T> out = write(layout_->after_cross, i);
  add_branch(out, x, attended, layer.cross_output, i, Site::kCrossBranch);
  return out;
}

template <class T>
void TransformerLayers<T>::backward_cross_attention(std::size_t i) {
  const LayerParameters& layer = weights_->layers[i];
  const Memory<T>& memory = *chunk_.memory;
  const ConstMatrixView<T> x = read(layout_->after_attention, i);
  // First of the heads' output, then of the norm's output.
  const MatrixView<T> gradient = write(layout_->normed_gradient);
  const MatrixView<T> query_gradient = write(layout_->cross_query_gradient);
  const MatrixView<T> key_value_gradient = memory_rows(layout_->cross_key_value_gradient, 0);
  linear_backward(gradient, branch_gradient(i, Site::kCrossBranch), read(layout_->cross_attended, i), *parameters_,
                  layer.cross_output);
  for (std::size_t k = 0; k < chunk_.sequences.count; ++k) {
    const AttentionSequence<T> sequence = cross_sequence_of(i, k);
    const std::size_t first = chunk_.sequences.first(k);
    const std::size_t key_cols = sequence.keys.cols;
    const MatrixView<T> rows = key_value_gradient.row_block(memory.sequences.first(k), sequence.keys.rows);
    attention_backward({query_gradient.row_block(first, sequence.queries.rows), columns(rows, 0, key_cols),
                        columns(rows, key_cols, key_cols)},
                       gradient.row_block(first, sequence.queries.rows), sequence, at(layout_->block_gradient));
  }
  linear_backward(memory.gradient, key_value_gradient, memory.states, *parameters_, layer.cross_key_value,
                  Accumulate::kAdd);
  const MatrixView<T> normed = normalize(x, layer.cross_norm);
  linear_backward(gradient, query_gradient, normed, *parameters_, layer.cross_query);
  normalize_backward(x, layer.cross_norm);
}

template <class T>
void TransformerLayers<T>::cross_attention(MatrixView<T> out, std::size_t i) {
  attention_probabilities(out, cross_sequence_of(i, 0));
}

#define TIED_INSTANTIATE(T)                                                                                      \
  template void TransformerLayers<T>::cross_attention(MatrixView<T>, std::size_t);                               \
  template void TransformerLayers<T>::read_memory(T*, const ConstMatrixView<T>&) const;                          \
  template ConstMatrixView<T> TransformerLayers<T>::add_cross_attention(const ConstMatrixView<T>&, std::size_t); \
  template void TransformerLayers<T>::backward_cross_attention(std::size_t)
TIED_INSTANTIATE(float);
TIED_INSTANTIATE(double);
#undef TIED_INSTANTIATE

}  // namespace tied
