// The feed-forward part of a layer, as given matrices.
#pragma once

#include <cstddef>

#include "diagnostics/row_norm.h"

namespace tied {

//   x + W_down activation(norm(x)) + b_down
//   activation(y) = gelu(W_up y + b_up), or with a gate silu(W_gate y + b_gate) * (W_up y + b_up)
// For parts that a model lacks, the pointer or the view's data is null.
struct FeedForwardWeights {
  NormWeights norm;
  ConstMatrixView<float> up;  // [f, d]
  const float* up_bias = nullptr;
  ConstMatrixView<float> gate;  // [f, d]
  const float* gate_bias = nullptr;
  ConstMatrixView<float> down;  // [d, f]
  const float* down_bias = nullptr;
};

// A copy of the weights, and buffers for `max_rows` rows at a time.
class FeedForwardMap {
 public:
  // Errors: those of check_table for the matrices; kShapeMismatch unless they fit together; kOutOfMemory.
  static Result<FeedForwardMap> create(const FeedForwardWeights& weights, std::size_t width, std::size_t max_rows);

  // out [n, d], n <= max_rows. out may be x [n, d].
  void apply(const MatrixView<float>& out, const Deduced<ConstMatrixView<float>>& x);

 private:
  struct Map {
    Matrix<float> weight;
    AlignedBuffer<float> bias;
  };
  static Status copy(Map& to, std::string_view name, const ConstMatrixView<float>& weight, const float* bias);

  RowNorm norm_;
  Map up_;
  Map gate_;
  Map down_;
  Matrix<float> normed_;
  Matrix<float> raised_;
  Matrix<float> gates_;
};

}  // namespace tied
