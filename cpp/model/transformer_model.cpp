#include "model/transformer_model.h"

#include <algorithm>
#include <utility>

#include "base/allocate.h"
#include "model/masking.h"
#include "model/transformer_decoder.h"

namespace tied {
namespace {

template <class T>
Chunk<T> sequence_chunk(const std::uint32_t* inputs, std::size_t n_inputs) {
  Chunk<T> chunk;
  chunk.inputs = inputs;
  chunk.rows = n_inputs;
  chunk.sequences = {n_inputs, 1};
  return chunk;
}

}  // namespace

template <class T>
Result<std::unique_ptr<Model<T>>> TransformerModel<T>::create(const ModelConfig& config, std::uint64_t max_rows,
                                                              const HeadTokens& tokens) {
  std::unique_ptr<TransformerModel> model(new TransformerModel(config, max_rows));
  if (Status status = model->allocate(tokens); !status) return status;
  return std::unique_ptr<Model<T>>(std::move(model));
}

template <class T>
Status TransformerModel<T>::allocate(const HeadTokens& tokens) {
  ParameterStore<T>& parameters = this->parameters();
  auto [table, places, encoder] = transformer_parameter_table(this->config());
  places_ = std::move(places);
  if (Status status = parameters.allocate(std::move(table)); !status) return status;
  if (Status status = tied::allocate(workspace_, layout_.extent); !status) return status;
  if (this->config().is_masked()) {
    if (Status status = tied::allocate(predicted_tokens_, layout_.rows); !status) return status;
  }
  layers_.bind(this->config(), layout_, places_, parameters, workspace_.data());
  this->head_ = create_head<T>(this->config().head);
  return this->head_->bind(places_.ends, parameters, workspace_.data() + static_cast<std::size_t>(layout_.head),
                           this->config(), layout_.rows, tokens);
}

template <class T>
double TransformerModel<T>::loss(const TokenBatch& batch, Pass pass) {
  if (this->config().is_masked()) return masked_loss(batch, pass);
  const bool with_gradient = pass == Pass::kForwardBackward;
  const std::size_t length = batch.sequence_length == 0 ? context_length() : batch.sequence_length;
  TIED_ASSERT(length <= context_length() && batch.size % length == 0);
  const std::size_t rows_at_once = static_cast<std::size_t>(layout_.rows) / length * length;
  const std::size_t group_rows = static_cast<std::size_t>(layout_.group_rows) / length * length;
  const double weight = this->weight_of(batch);
  this->head_->begin(batch);
  const std::size_t end = batch.shard.end(batch.size / length) * length;
  double loss = 0;
  for (std::size_t group = batch.shard.first(batch.size / length) * length; group < end; group += group_rows) {
    const std::size_t group_end = std::min(group + group_rows, end);
    double group_loss = 0;
    double group_square = 0;
    for (std::size_t first = group; first < group_end; first += rows_at_once) {
      Chunk<T> chunk;
      chunk.inputs = batch.inputs + first;
      chunk.rows = std::min(rows_at_once, group_end - first);
      chunk.sequences = {length, chunk.rows / length};
      chunk.dropout_key = this->config().dropout > 0 ? batch.dropout_key : 0;
      chunk.stores_for_backward = with_gradient;
      chunk.first_row = first;
      chunk.rows_before = first - group;
      const ConstMatrixView<T> h = layers_.forward(chunk);
      const Targets<T> targets{batch.targets + first, weight, {}, batch.label_smoothing, group_loss};
      group_loss = this->head_->loss(h, targets, with_gradient, layers_.output_gradient());
      if (with_gradient) group_square = layers_.backward();
    }
    loss += group_loss;
    if (with_gradient) this->parameters().add_position_square(group_square);
  }
  return loss;
}

// The next token depends on all earlier ones, which a joint table of pairs cannot express.
template <class T>
double TransformerModel<T>::joint_loss(const JointBatch<T>&, Pass) {
  TIED_ASSERT(this->reads_joint());
  return 0;
}

template <class T>
ConstMatrixView<T> TransformerModel<T>::forward_sequence(const std::uint32_t* inputs, std::size_t n_inputs,
                                                         std::size_t first_position, T* cache) {
  Chunk<T> chunk = sequence_chunk<T>(inputs, n_inputs);
  chunk.first_position = first_position;
  chunk.cache = cache;
  return layers_.forward(chunk);
}

template <class T>
void TransformerModel<T>::logits(MatrixView<T> out, const std::uint32_t* inputs, std::size_t n_inputs,
                                 std::size_t left_out, bool resumes) {
  TIED_ASSERT(out.rows == n_inputs && out.cols == this->config().vocab_size);
  Chunk<T> chunk = sequence_chunk<T>(inputs, n_inputs);
  chunk.left_out = left_out;
  chunk.resumes = resumes;
  this->head_->logits(out, layers_.forward(chunk));
}

template <class T>
void TransformerModel<T>::append(const std::uint32_t* tokens, std::size_t n, std::size_t first_position, T* cache,
                                 T* logits) {
  const ConstMatrixView<T> h = forward_sequence(tokens, n, first_position, cache);
  if (logits == nullptr) return;
  this->head_->logits({logits, 1, static_cast<std::size_t>(this->config().vocab_size)}, h.row_block(n - 1, 1));
}

template <class T>
void TransformerModel<T>::hidden_states(std::span<const MatrixView<T>> out, const std::uint32_t* inputs,
                                        std::size_t n_inputs) {
  TIED_ASSERT(out.size() == n_hidden_states() || out.size() == n_hidden_states() + 1);
  const ConstMatrixView<T> head_input = forward_sequence(inputs, n_inputs);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const ConstMatrixView<T> state = i < n_hidden_states() ? layers_.residual(i) : head_input;
    for (std::size_t row = 0; row < n_inputs; ++row) std::copy_n(state.row(row), state.cols, out[i].row(row));
  }
}

template <class T>
void TransformerModel<T>::attention(MatrixView<T> out, const std::uint32_t* inputs, std::size_t n_inputs) {
  const std::size_t rows = static_cast<std::size_t>(this->config().n_heads) * n_inputs;
  TIED_ASSERT(out.rows == places_.layers.size() * rows && out.cols == n_inputs);
  forward_sequence(inputs, n_inputs);
  for (std::size_t i = 0; i < places_.layers.size(); ++i) layers_.attention(out.row_block(i * rows, rows), i);
}

template <class T>
Result<std::unique_ptr<Decoder<T>>> TransformerModel<T>::create_decoder() {
  if (this->config().is_masked()) return reads_both_sides();
  return TransformerDecoder<T>::create(*this);
}

template class TransformerModel<float>;
template class TransformerModel<double>;

}  // namespace tied
