// A language model that consists of its direct path: the next token from the current one, through W_E and W_U.
#pragma once

#include "model/head.h"
#include "model/model.h"

namespace tied {

// Indices in the model's table.
struct DirectPathParameters {
  EndParameters ends;
  WeightAndBias up;  // tied-mlp only, as `down`
  WeightAndBias down;
};

struct DirectPathTable {
  ParameterTable table;
  DirectPathParameters parameters;
};

// Logits of a current token, where x [d] is its embedding row, times sqrt(d) if config.scales_embedding, and h [d] the
// input of the head:
//   tied         z = h E^T + b,  h = x
//   untied       z = h U^T + b,  h = x
//   tied-linear  z = h E^T + b,  h = x M
//   tied-mlp     z = h E^T + b,  h = x + W_down gelu(W_up x + b_up) + b_down
//
// Parameters (name, shape, initial value):
//   embedding        E       [V, d]  normal(0, init_std)
//   unembedding      U       [V, d]  normal(0, init_std); tied to `embedding` unless untied
//   between          M       [d, d]  identity; stored as in the formula: row = from, column = to
//   mlp.up.weight    W_up    [f, d]  normal(0, 1 / sqrt(d)), stored [out, in]
//   mlp.up.bias      b_up    [f]     0
//   mlp.down.weight  W_down  [d, f]  0, stored [out, in], so that the MLP has no effect initially
//   mlp.down.bias    b_down  [d]     0
//   output_bias      b       [V]     0; only if config.output_bias
//
// Rows are processed in the head's tiles, so nothing takes memory for the whole batch. Each logit sums its d products
// in the same order everywhere: the tied direct path is symmetric to the last bit, scaled or not (the head scales its
// logits, see logit_scale).
template <class T>
class DirectPathModel final : public Model<T> {
 public:
  // Errors: kOutOfMemory. `config` must be valid.
  static Result<std::unique_ptr<Model<T>>> create(const ModelConfig& config, std::uint64_t max_rows,
                                                  const HeadTokens& tokens);

  double loss(const TokenBatch& batch, Pass pass) override;
  bool reads_joint() const override { return true; }
  double joint_loss(const JointBatch<T>& batch, Pass pass) override;
  void logits(MatrixView<T> out, const std::uint32_t* inputs, std::size_t n_inputs, std::size_t left_out,
              bool resumes) override;
  void hidden_states(std::span<const MatrixView<T>> out, const std::uint32_t* inputs, std::size_t n_inputs) override;
  void attention(MatrixView<T>, const std::uint32_t*, std::size_t) override {}
  Result<std::unique_ptr<Decoder<T>>> create_decoder() override;

 private:
  // Buffers of one row tile, slices of `workspace`. Null if the tying needs none.
  struct Tile {
    T* embedded = nullptr;           // x           [tile_rows, d]; without an MLP, the head scales its logits instead
    T* read_out = nullptr;           // x + mlp(x)  [tile_rows, d]; x itself without an MLP
    T* activation_slope = nullptr;   //             [tile_rows, f]; first holds the input of the activation
    T* activation = nullptr;         //             [tile_rows, f]
    T* read_out_gradient = nullptr;  //             [tile_rows, d]
    T* embedded_gradient = nullptr;  // dx          [tile_rows, d]; read_out_gradient itself without an MLP
    T* hidden_gradient = nullptr;    //             [tile_rows, f]
    T* rows = nullptr;               // of a factorized table: looked-up rows [tile_rows, r]
    T* rows_gradient = nullptr;      //             [tile_rows, r]
  };

  explicit DirectPathModel(const ModelConfig& config) : Model<T>(config) {}

  Status allocate(std::uint64_t max_rows, const HeadTokens& tokens);
  double loss_of(const std::uint32_t* inputs, std::size_t n_inputs, const Targets<T>& targets, Pass pass);
  ConstMatrixView<T> read_out(const std::uint32_t* inputs, std::size_t rows);
  void backward(const std::uint32_t* inputs, std::size_t rows);
  void backward_mlp(std::size_t rows);
  T row_scale() const;

  MatrixView<T> view(T* data, std::size_t rows, std::uint64_t cols) const {
    return {data, rows, static_cast<std::size_t>(cols)};
  }
  MatrixView<T> states(T* data, std::size_t rows) const { return view(data, rows, this->config().d_model); }

  AlignedBuffer<T> workspace_;
  Tile tile_;

  DirectPathParameters places_;
};

// `parameter_table` and `workspace_extent` of a direct-path model.
DirectPathTable direct_path_parameter_table(const ModelConfig& config);
std::uint64_t direct_path_workspace_extent(const ModelConfig& config, std::uint64_t max_rows);

}  // namespace tied
