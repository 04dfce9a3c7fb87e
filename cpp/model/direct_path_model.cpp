#include "model/direct_path_model.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/allocate.h"
#include "linalg/activation.h"
#include "linalg/reduce.h"
#include "model/factorized_table.h"
#include "model/linear.h"

namespace tied {
namespace {

// The next token depends on the current one alone: there is no cache.
template <class T>
class DirectPathDecoder final : public Decoder<T> {
 public:
  explicit DirectPathDecoder(DirectPathModel<T>& model) : model_(model) {}

  std::size_t capacity() const override { return ~std::size_t{0}; }
  std::size_t size() const override { return size_; }
  void reset() override { size_ = 0; }
  void append(const std::uint32_t* tokens, std::size_t n, T* logits) override {
    size_ += n;
    if (logits == nullptr) return;
    model_.logits({logits, 1, static_cast<std::size_t>(model_.config().vocab_size)}, tokens + n - 1, 1, kNoLayer,
                  false);
  }

 private:
  DirectPathModel<T>& model_;
  std::size_t size_ = 0;
};

}  // namespace

DirectPathTable direct_path_parameter_table(const ModelConfig& config) {
  DirectPathTable made;
  auto& [table, parameters] = made;
  parameters.ends = add_embeddings(table, config);
  if (config.tying == Tying::kTiedMlp) {
    const std::uint64_t d_model = config.d_model;
    const std::uint64_t width = config.feed_forward_width();
    parameters.up.weight = table.add({.name = "mlp.up.weight",
                                      .rows = width,
                                      .cols = d_model,
                                      .initial = InitialValue::kNormal,
                                      .initial_std = 1 / std::sqrt(static_cast<double>(d_model))});
    parameters.up.bias = table.add_vector("mlp.up.bias", width);
    parameters.down.weight = table.add({.name = "mlp.down.weight", .rows = d_model, .cols = width});
    parameters.down.bias = table.add_vector("mlp.down.bias", d_model);
  }
  add_corrections(table, parameters.ends, config);
  return made;
}

std::uint64_t direct_path_workspace_extent(const ModelConfig& config, std::uint64_t max_rows) {
  const std::uint64_t rows = head_tile_rows(config, max_rows);
  std::uint64_t extent = head_extent(config, max_rows) + 2 * padded(rows * config.d_model);
  if (config.is_factorized()) extent += 2 * padded(rows * config.table_rank);
  if (config.tying == Tying::kTiedMlp) {
    extent += 2 * padded(rows * config.d_model) + 3 * padded(rows * config.feed_forward_width());
  }
  return extent;
}

template <class T>
Result<std::unique_ptr<Model<T>>> DirectPathModel<T>::create(const ModelConfig& config, std::uint64_t max_rows,
                                                             const HeadTokens& tokens) {
  std::unique_ptr<DirectPathModel> model(new DirectPathModel(config));
  if (Status status = model->allocate(max_rows, tokens); !status) return status;
  return std::unique_ptr<Model<T>>(std::move(model));
}

template <class T>
Status DirectPathModel<T>::allocate(std::uint64_t max_rows, const HeadTokens& tokens) {
  const ModelConfig& config = this->config();
  auto [table, places] = direct_path_parameter_table(config);
  places_ = places;
  if (Status status = this->parameters().allocate(std::move(table)); !status) return status;
  if (Status status = tied::allocate(workspace_, direct_path_workspace_extent(config, max_rows)); !status)
    return status;

  this->head_ = create_head<T>(config.head);
  if (Status status = this->head_->bind(places_.ends, this->parameters(), workspace_.data(), config, max_rows, tokens);
      !status) {
    return status;
  }

  auto used = static_cast<std::size_t>(head_extent(config, max_rows));
  const auto take = [&](std::uint64_t cols) {
    T* slice = workspace_.data() + used;
    used += static_cast<std::size_t>(padded(this->head_->tile_rows() * cols));
    return slice;
  };
  tile_.embedded = take(config.d_model);
  tile_.read_out_gradient = take(config.d_model);
  tile_.read_out = tile_.embedded;
  tile_.embedded_gradient = tile_.read_out_gradient;
  if (config.is_factorized()) {
    tile_.rows = take(config.table_rank);
    tile_.rows_gradient = take(config.table_rank);
  }
  if (places_.up.exists()) {
    tile_.read_out = take(config.d_model);
    tile_.embedded_gradient = take(config.d_model);
    tile_.activation_slope = take(config.feed_forward_width());
    tile_.activation = take(config.feed_forward_width());
    tile_.hidden_gradient = take(config.feed_forward_width());
  }
  TIED_ASSERT(used == workspace_.size());
  return {};
}

// The factor of looked-up rows; 1 = none.
template <class T>
T DirectPathModel<T>::row_scale() const {
  const ModelConfig& config = this->config();
  return config.scales_embedding ? static_cast<T>(std::sqrt(static_cast<double>(config.d_model))) : T{1};
}

// The input of the head for a tile's rows.
template <class T>
ConstMatrixView<T> DirectPathModel<T>::read_out(const std::uint32_t* inputs, std::size_t rows) {
  const ParameterStore<T>& parameters = this->parameters();
  const ConstMatrixView<T> embedding = parameters.values(places_.ends.embedding);
  const MatrixView<T> embedded = states(tile_.embedded, rows);
  if (is_factorized(places_.ends)) {
    look_up_factorized(embedded, inputs, this->parameters(), places_.ends, tile_.rows);
    return embedded;
  }
  for (std::size_t i = 0; i < rows; ++i) {
    TIED_ASSERT(inputs[i] < embedding.rows);
    std::memcpy(embedded.row(i), embedding.row(inputs[i]), embedding.cols * sizeof(T));
  }
  const MatrixView<T> read_out = states(tile_.read_out, rows);
  if (places_.up.exists()) {
    const MatrixView<T> before = view(tile_.activation_slope, rows, this->config().feed_forward_width());
    const MatrixView<T> activation = view(tile_.activation, rows, this->config().feed_forward_width());
    if (row_scale() != T{1}) scale(embedded.data, rows * embedded.cols, row_scale());
    linear(before, embedded, parameters, places_.up);
    gelu(activation.data, before.data, before.data, rows * before.cols);
    std::memcpy(read_out.data, embedded.data, rows * embedded.cols * sizeof(T));
    linear(read_out, activation, parameters, places_.down, Accumulate::kAdd);
  }
  return read_out;
}

// Backward pass from the gradient of the head's input.
template <class T>
void DirectPathModel<T>::backward(const std::uint32_t* inputs, std::size_t rows) {
  if (places_.up.exists()) backward_mlp(rows);
  // Scattered in row order, which fixes the order of summation for a repeated token.
  const MatrixView<T> embedded_gradient = states(tile_.embedded_gradient, rows);
  const MatrixView<T> embedding_gradient = this->parameters().gradient(places_.ends.embedding);
  this->parameters().add_position_square(squared_norm(embedded_gradient.data, rows * embedded_gradient.cols));
  if (is_factorized(places_.ends)) {
    scatter_factorized(embedded_gradient, inputs, this->parameters(), places_.ends, tile_.rows, tile_.rows_gradient);
    return;
  }
  for (std::size_t i = 0; i < rows; ++i) {
    this->parameters().touch(places_.ends.embedding, inputs[i]);
    add_scaled(embedding_gradient.row(inputs[i]), embedded_gradient.row(i), embedded_gradient.cols, T{1});
  }
}

// dx = dh + (dh W_down * gelu'(.)) W_up, times the scale of the rows, and the gradients of the four parameters.
template <class T>
void DirectPathModel<T>::backward_mlp(std::size_t rows) {
  const std::uint64_t width = this->config().feed_forward_width();
  const MatrixView<T> read_out_gradient = states(tile_.read_out_gradient, rows);
  const MatrixView<T> embedded_gradient = states(tile_.embedded_gradient, rows);
  const MatrixView<T> hidden_gradient = view(tile_.hidden_gradient, rows, width);
  linear_backward(hidden_gradient, read_out_gradient, view(tile_.activation, rows, width), this->parameters(),
                  places_.down);
  multiply(hidden_gradient.data, tile_.activation_slope, rows * hidden_gradient.cols);
  std::memcpy(embedded_gradient.data, read_out_gradient.data, rows * embedded_gradient.cols * sizeof(T));
  linear_backward(embedded_gradient, hidden_gradient, states(tile_.embedded, rows), this->parameters(), places_.up,
                  Accumulate::kAdd);
  if (row_scale() != T{1}) scale(embedded_gradient.data, rows * embedded_gradient.cols, row_scale());
}

template <class T>
double DirectPathModel<T>::loss_of(const std::uint32_t* inputs, std::size_t n_inputs, const Targets<T>& targets,
                                   Pass pass) {
  const bool with_gradient = pass == Pass::kForwardBackward;
  double loss = 0;
  for (std::size_t first = 0; first < n_inputs; first += this->head_->tile_rows()) {
    const std::size_t rows = std::min(this->head_->tile_rows(), n_inputs - first);
    loss += this->head_->loss(read_out(inputs + first, rows), targets.rows(first, rows), with_gradient,
                              states(tile_.read_out_gradient, rows));
    if (with_gradient) backward(inputs + first, rows);
  }
  return loss;
}

template <class T>
double DirectPathModel<T>::loss(const TokenBatch& batch, Pass pass) {
  this->head_->begin(batch);
  const std::size_t first = batch.shard.first(batch.size);
  const Targets<T> targets{batch.targets + first, this->weight_of(batch), {}, batch.label_smoothing};
  return loss_of(batch.inputs + first, batch.shard.end(batch.size) - first, targets, pass);
}

template <class T>
double DirectPathModel<T>::joint_loss(const JointBatch<T>& batch, Pass pass) {
  TIED_ASSERT(batch.joint.cols == this->config().vocab_size);
  return loss_of(batch.inputs, batch.joint.rows, {nullptr, 1, batch.joint, batch.label_smoothing}, pass);
}

template <class T>
void DirectPathModel<T>::logits(MatrixView<T> out, const std::uint32_t* inputs, std::size_t n_inputs,
                                [[maybe_unused]] std::size_t left_out, bool) {
  TIED_ASSERT(left_out == kNoLayer);
  TIED_ASSERT(out.rows == n_inputs && out.cols == this->config().vocab_size);
  for (std::size_t first = 0; first < n_inputs; first += this->head_->tile_rows()) {
    const std::size_t rows = std::min(this->head_->tile_rows(), n_inputs - first);
    this->head_->logits(out.row_block(first, rows), read_out(inputs + first, rows));
  }
}

template <class T>
void DirectPathModel<T>::hidden_states(std::span<const MatrixView<T>> out, const std::uint32_t* inputs,
                                       std::size_t n_inputs) {
  TIED_ASSERT(out.size() == 1 || out.size() == 2);
  TIED_ASSERT(out[0].rows == n_inputs && out[0].cols == this->config().d_model);
  const MatrixView<T> embedding = this->parameters().values(places_.ends.embedding);
  for (std::size_t i = 0; i < n_inputs; ++i) {
    if (is_factorized(places_.ends)) {
      look_up_factorized(out[0].row_block(i, 1), inputs + i, this->parameters(), places_.ends, tile_.rows);
    } else {
      std::memcpy(out[0].row(i), embedding.row(inputs[i]), embedding.cols * sizeof(T));
    }
    if (row_scale() != T{1}) scale(out[0].row(i), out[0].cols, row_scale());
  }
  if (out.size() == 1) return;
  for (std::size_t first = 0; first < n_inputs; first += this->head_->tile_rows()) {
    const std::size_t rows = std::min(this->head_->tile_rows(), n_inputs - first);
    // Without an MLP, the head scales its logits instead of the rows.
    const ConstMatrixView<T> tile =
        places_.up.exists() ? read_out(inputs + first, rows) : ConstMatrixView<T>(out[0].row_block(first, rows));
    for (std::size_t i = 0; i < rows; ++i) std::copy_n(tile.row(i), tile.cols, out[1].row(first + i));
  }
}

template <class T>
Result<std::unique_ptr<Decoder<T>>> DirectPathModel<T>::create_decoder() {
  return std::unique_ptr<Decoder<T>>(new DirectPathDecoder<T>(*this));
}

template class DirectPathModel<float>;
template class DirectPathModel<double>;

}  // namespace tied
