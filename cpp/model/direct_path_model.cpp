#include "model/direct_path_model.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "linalg/activation.h"
#include "linalg/matmul.h"
#include "linalg/reduce.h"
#include "linalg/softmax.h"
#include "model/allocate.h"

namespace tied {
namespace {

// The next token depends on the current one alone: there is nothing to keep.
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
    model_.logits({logits, 1, static_cast<std::size_t>(model_.config().vocab_size)}, tokens + n - 1, 1);
  }

 private:
  DirectPathModel<T>& model_;
  std::size_t size_ = 0;
};

// A tile's logits should stay in the second-level cache while softmax and two products go over them, but few rows would
// make the products read the whole unembedding for little work. Counted in numbers and not in bytes, so that the double
// twin adds in the same order.
constexpr std::uint64_t kTileLogits = 128 * 1024;
constexpr std::uint64_t kMinTileRows = 64;
constexpr std::uint64_t kMaxTileRows = 512;
constexpr std::uint64_t kRowGroup = 8;

std::uint64_t tile_rows_for(const ModelConfig& config, std::uint64_t max_rows) {
  const std::uint64_t wanted = std::clamp(kTileLogits / config.vocab_size, kMinTileRows, kMaxTileRows);
  const std::uint64_t useful = std::min(wanted, std::max<std::uint64_t>(max_rows, 1));
  return (useful + kRowGroup - 1) / kRowGroup * kRowGroup;
}

// Rows of every slice are a whole number of cache lines together, since tile_rows is a multiple of 8 and slices are
// padded to 16 numbers.
std::uint64_t padded(std::uint64_t size) { return (size + 15) / 16 * 16; }

}  // namespace

void add_unembedding(ParameterTable& table, const ModelConfig& config) {
  const bool tied = config.tying != Tying::kUntied;
  if (tied && !config.changes_tying()) {
    table.add_tied("unembedding", "embedding", ParameterRole::kOutput);
    return;
  }
  Parameter unembedding{.name = "unembedding",
                        .rows = config.vocab_size,
                        .cols = config.d_model,
                        .role = ParameterRole::kOutput,
                        .initial = InitialValue::kNormal,
                        .initial_std = config.init_std};
  if (config.changes_tying()) {
    table.add_joinable(std::move(unembedding), "embedding", tied);
  } else {
    table.add(std::move(unembedding));
  }
}

ParameterTable direct_path_parameter_table(const ModelConfig& config) {
  const std::uint64_t vocab_size = config.vocab_size;
  const std::uint64_t d_model = config.d_model;
  ParameterTable table;
  table.add({.name = "embedding",
             .rows = vocab_size,
             .cols = d_model,
             .role = ParameterRole::kInput,
             .initial = InitialValue::kNormal,
             .initial_std = config.init_std});
  add_unembedding(table, config);
  if (config.tying == Tying::kTiedLinear) {
    table.add({.name = "between", .rows = d_model, .cols = d_model, .initial = InitialValue::kIdentity});
  }
  if (config.tying == Tying::kTiedMlp) {
    const std::uint64_t width = config.feed_forward_width();
    table.add({.name = "mlp.up.weight",
               .rows = width,
               .cols = d_model,
               .initial = InitialValue::kNormal,
               .initial_std = 1 / std::sqrt(static_cast<double>(d_model))});
    table.add({.name = "mlp.up.bias", .rows = 1, .cols = width, .is_vector = true, .decays = false});
    table.add({.name = "mlp.down.weight", .rows = d_model, .cols = width});
    table.add({.name = "mlp.down.bias", .rows = 1, .cols = d_model, .is_vector = true, .decays = false});
  }
  if (config.output_bias) {
    table.add({.name = "output_bias", .rows = 1, .cols = vocab_size, .is_vector = true, .decays = false});
  }
  return table;
}

std::uint64_t direct_path_workspace_extent(const ModelConfig& config, std::uint64_t max_rows) {
  const std::uint64_t rows = tile_rows_for(config, max_rows);
  std::uint64_t extent = padded(rows * config.vocab_size) + 2 * padded(rows * config.d_model);
  if (config.tying == Tying::kTiedLinear || config.tying == Tying::kTiedMlp)
    extent += 2 * padded(rows * config.d_model);
  if (config.tying == Tying::kTiedMlp) extent += 3 * padded(rows * config.feed_forward_width());
  return extent;
}

template <class T>
Result<std::unique_ptr<Model<T>>> DirectPathModel<T>::create(const ModelConfig& config, std::uint64_t max_rows) {
  std::unique_ptr<DirectPathModel> model(new DirectPathModel(config));
  if (Status status = model->allocate(max_rows); !status) return status.error();
  return std::unique_ptr<Model<T>>(std::move(model));
}

template <class T>
Status DirectPathModel<T>::allocate(std::uint64_t max_rows) {
  const ModelConfig& config = this->config();
  if (Status status = this->parameters().allocate(direct_path_parameter_table(config)); !status) return status;
  if (Status status = tied::allocate(workspace_, direct_path_workspace_extent(config, max_rows)); !status)
    return status;
  tile_rows_ = static_cast<std::size_t>(tile_rows_for(config, max_rows));

  const ParameterTable& table = this->parameters().table();
  embedding_ = table.find("embedding");
  unembedding_ = table.find("unembedding");
  between_ = table.find("between");
  up_weight_ = table.find("mlp.up.weight");
  up_bias_ = table.find("mlp.up.bias");
  down_weight_ = table.find("mlp.down.weight");
  down_bias_ = table.find("mlp.down.bias");
  output_bias_ = table.find("output_bias");

  std::size_t used = 0;
  const auto take = [&](std::uint64_t cols) {
    T* slice = workspace_.data() + used;
    used += static_cast<std::size_t>(padded(tile_rows_ * cols));
    return slice;
  };
  tile_.logits = take(config.vocab_size);
  tile_.embedded = take(config.d_model);
  tile_.read_out_gradient = take(config.d_model);
  const bool transforms = between_ != nullptr || up_weight_ != nullptr;
  tile_.read_out = transforms ? take(config.d_model) : tile_.embedded;
  tile_.embedded_gradient = transforms ? take(config.d_model) : tile_.read_out_gradient;
  if (up_weight_ != nullptr) {
    tile_.before_activation = take(config.feed_forward_width());
    tile_.activation = take(config.feed_forward_width());
    tile_.hidden_gradient = take(config.feed_forward_width());
  }
  TIED_ASSERT(used == workspace_.size());
  return {};
}

// x and h of the tile's rows.
template <class T>
void DirectPathModel<T>::forward_read_out(const std::uint32_t* inputs, std::size_t rows) {
  const std::uint64_t d_model = this->config().d_model;
  const MatrixView<T> embedding = values(embedding_);
  const MatrixView<T> embedded = view(tile_.embedded, rows, d_model);
  for (std::size_t i = 0; i < rows; ++i) {
    TIED_ASSERT(inputs[i] < embedding.rows);
    std::memcpy(embedded.row(i), embedding.row(inputs[i]), embedding.cols * sizeof(T));
  }
  const MatrixView<T> read_out = view(tile_.read_out, rows, d_model);
  if (between_ != nullptr) matmul_nn(read_out, embedded, values(between_));
  if (up_weight_ != nullptr) {
    const std::uint64_t width = up_weight_->rows;
    const MatrixView<T> before = view(tile_.before_activation, rows, width);
    const MatrixView<T> activation = view(tile_.activation, rows, width);
    matmul_nt(before, embedded, values(up_weight_));
    add_row_to_rows(before, values(up_bias_).data);
    gelu(activation.data, before.data, rows * before.cols);
    std::memcpy(read_out.data, embedded.data, rows * embedded.cols * sizeof(T));
    matmul_nt(read_out, activation, values(down_weight_), Accumulate::kAdd);
    add_row_to_rows(read_out, values(down_bias_).data);
  }
}

// z of the tile's rows, after forward_read_out.
template <class T>
void DirectPathModel<T>::forward_logits(MatrixView<T> logits, std::size_t rows) {
  matmul_nt(logits, view(tile_.read_out, rows, this->config().d_model), values(unembedding_));
  if (output_bias_ != nullptr) add_row_to_rows(logits, values(output_bias_).data);
}

// Gradients from dz, which stands where the tile's logits were.
template <class T>
void DirectPathModel<T>::backward(const std::uint32_t* inputs, std::size_t rows) {
  const std::uint64_t d_model = this->config().d_model;
  const MatrixView<T> logits_gradient = view(tile_.logits, rows, this->config().vocab_size);
  const MatrixView<T> read_out_gradient = view(tile_.read_out_gradient, rows, d_model);
  const MatrixView<T> embedded_gradient = view(tile_.embedded_gradient, rows, d_model);

  matmul_tn(gradient(unembedding_), logits_gradient, view(tile_.read_out, rows, d_model), Accumulate::kAdd);
  if (output_bias_ != nullptr) add_column_sums(gradient(output_bias_).data, logits_gradient);
  matmul_nn(read_out_gradient, logits_gradient, values(unembedding_));

  if (between_ != nullptr) {
    matmul_tn(gradient(between_), view(tile_.embedded, rows, d_model), read_out_gradient, Accumulate::kAdd);
    matmul_nt(embedded_gradient, read_out_gradient, values(between_));
  }
  if (up_weight_ != nullptr) backward_mlp(rows);

  // Scattered in row order: the order of summation for a token that occurs twice is fixed.
  const MatrixView<T> embedding_gradient = gradient(embedding_);
  this->position_gradient_square_ += squared_norm(embedded_gradient.data, rows * embedded_gradient.cols);
  for (std::size_t i = 0; i < rows; ++i) {
    add_scaled(embedding_gradient.row(inputs[i]), embedded_gradient.row(i), embedded_gradient.cols, T{1});
  }
}

// dx = dh + (dh W_down * gelu'(.)) W_up, and the gradients of the four parameters.
template <class T>
void DirectPathModel<T>::backward_mlp(std::size_t rows) {
  const std::uint64_t d_model = this->config().d_model;
  const std::uint64_t width = up_weight_->rows;
  const MatrixView<T> embedded = view(tile_.embedded, rows, d_model);
  const MatrixView<T> read_out_gradient = view(tile_.read_out_gradient, rows, d_model);
  const MatrixView<T> embedded_gradient = view(tile_.embedded_gradient, rows, d_model);
  const MatrixView<T> before = view(tile_.before_activation, rows, width);
  const MatrixView<T> activation = view(tile_.activation, rows, width);
  const MatrixView<T> hidden_gradient = view(tile_.hidden_gradient, rows, width);

  matmul_tn(gradient(down_weight_), read_out_gradient, activation, Accumulate::kAdd);
  add_column_sums(gradient(down_bias_).data, read_out_gradient);
  matmul_nn(hidden_gradient, read_out_gradient, values(down_weight_));
  gelu_backward(hidden_gradient.data, before.data, hidden_gradient.data, rows * before.cols);
  matmul_tn(gradient(up_weight_), hidden_gradient, embedded, Accumulate::kAdd);
  add_column_sums(gradient(up_bias_).data, hidden_gradient);
  std::memcpy(embedded_gradient.data, read_out_gradient.data, rows * embedded.cols * sizeof(T));
  matmul_nn(embedded_gradient, hidden_gradient, values(up_weight_), Accumulate::kAdd);
}

template <class T>
double DirectPathModel<T>::loss(const TokenBatch& batch, Pass pass) {
  const double weight = batch.weight / static_cast<double>(batch.size);
  double loss = 0;
  for (std::size_t first = 0; first < batch.size; first += tile_rows_) {
    const std::size_t rows = std::min(tile_rows_, batch.size - first);
    const MatrixView<T> logits = view(tile_.logits, rows, this->config().vocab_size);
    forward_read_out(batch.inputs + first, rows);
    forward_logits(logits, rows);
    loss += cross_entropy_tokens(logits, batch.targets + first, weight, pass == Pass::kForwardBackward);
    if (pass == Pass::kForwardBackward) backward(batch.inputs + first, rows);
  }
  return loss;
}

template <class T>
double DirectPathModel<T>::joint_loss(const JointBatch<T>& batch, Pass pass) {
  TIED_ASSERT(batch.joint.cols == this->config().vocab_size);
  double loss = 0;
  for (std::size_t first = 0; first < batch.joint.rows; first += tile_rows_) {
    const std::size_t rows = std::min(tile_rows_, batch.joint.rows - first);
    const MatrixView<T> logits = view(tile_.logits, rows, this->config().vocab_size);
    forward_read_out(batch.inputs + first, rows);
    forward_logits(logits, rows);
    loss += cross_entropy_joint(logits, batch.joint.row_block(first, rows), pass == Pass::kForwardBackward);
    if (pass == Pass::kForwardBackward) backward(batch.inputs + first, rows);
  }
  return loss;
}

template <class T>
void DirectPathModel<T>::logits(MatrixView<T> out, const std::uint32_t* inputs, std::size_t n_inputs) {
  TIED_ASSERT(out.rows == n_inputs && out.cols == this->config().vocab_size);
  for (std::size_t first = 0; first < n_inputs; first += tile_rows_) {
    const std::size_t rows = std::min(tile_rows_, n_inputs - first);
    forward_read_out(inputs + first, rows);
    forward_logits(out.row_block(first, rows), rows);
  }
}

template <class T>
void DirectPathModel<T>::hidden_states(std::span<const MatrixView<T>> out, const std::uint32_t* inputs,
                                       std::size_t n_inputs) {
  TIED_ASSERT(out.size() == 1 && out[0].rows == n_inputs && out[0].cols == this->config().d_model);
  const MatrixView<T> embedding = values(embedding_);
  for (std::size_t i = 0; i < n_inputs; ++i) {
    std::memcpy(out[0].row(i), embedding.row(inputs[i]), embedding.cols * sizeof(T));
  }
}

template <class T>
Result<std::unique_ptr<Decoder<T>>> DirectPathModel<T>::create_decoder() {
  return std::unique_ptr<Decoder<T>>(new DirectPathDecoder<T>(*this));
}

template class DirectPathModel<float>;
template class DirectPathModel<double>;

}  // namespace tied
