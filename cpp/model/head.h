// The head of every kind of model: logits from hidden states, and the loss with its gradient, in tiles of rows.
#pragma once

#include <cstdint>

#include "linalg/matrix_view.h"
#include "model/config.h"
#include "model/end_parameters.h"
#include "model/parameter_store.h"

namespace tied {

// Targets of the rows: one token each, or one row of a joint distribution each.
template <class T>
struct Targets {
  const std::uint32_t* tokens = nullptr;  // [rows], or null
  double weight = 1;                      // of each token
  ConstMatrixView<T> joint;               // [rows, V]; used if there are no tokens

  Targets rows(std::size_t first, std::size_t count) const {
    if (tokens != nullptr) return {tokens + first, weight, {}};
    return {nullptr, weight, joint.row_block(first, count)};
  }
};

// Logits of a row h [d]:
//   tied, untied    z = s (h U^T) + b              tied-mlp too: its MLP is the model's
//   tied-linear     z = s ((h M) U^T) + b
//   tied-low-rank   z = h U^T + (h B) A^T + b
// with U the unembedding [V, d] (the embedding itself if tied), M = `between` [d, d], A = `low_rank.a` [V, r], B =
// `low_rank.b` [d, r], b = `output_bias` [V], each if the model has it, and s = logit_scale(config).
//
// Rows are processed in tiles, so logits take memory for one tile, never for all tokens. Each logit sums its products
// in the same order everywhere.
template <class T>
class Head {
 public:
  // Uses head_extent(config, max_rows) elements at `workspace`.
  void bind(const EndParameters& ends, ParameterStore<T>& parameters, T* workspace, const ModelConfig& config,
            std::uint64_t max_rows);

  // out [rows, V] from h [rows, d].
  void logits(const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& h);

  // Cross-entropy against targets, summed over rows, in nats: see linalg/softmax.h. With `with_gradient`: adds (+=) the
  // gradients of the head's parameters and writes that of h to dh [rows, d], which must not overlap h.
  double loss(const ConstMatrixView<T>& h, const Targets<T>& targets, bool with_gradient, const MatrixView<T>& dh);

  // Rows per tile.
  std::size_t tile_rows() const { return tile_rows_; }

 private:
  void forward(const MatrixView<T>& logits, const ConstMatrixView<T>& h);
  // Overwrites dlogits.
  void backward(const MatrixView<T>& dlogits, const ConstMatrixView<T>& h, const MatrixView<T>& dh);

  ParameterStore<T>* parameters_ = nullptr;
  EndParameters ends_;

  T scale_ = 1;
  std::size_t tile_rows_ = 0;
  std::size_t inner_cols_ = 0;   // columns of the two below: d with `between`, r with low rank, otherwise 0
  T* logits_ = nullptr;          // z, dz         [tile_rows, V]
  T* inner_ = nullptr;           // h M or h B    [tile_rows, inner_cols]
  T* inner_gradient_ = nullptr;  //               [tile_rows, inner_cols]
};

// With config.scales_embedding, the factor sqrt(d) of a direct path without an MLP. Such a path is linear in the
// looked-up row; scaling its logits instead of the row keeps the tied one symmetric to the last bit, which rounded
// products s e_ik e_jk would not be. With config.scales_logits, the factor 1 / sqrt(d) of an encoder-decoder. 1 for
// every other model.
double logit_scale(const ModelConfig& config);

// Rows per tile for batches of at most max_rows, and the workspace in elements.
std::uint64_t head_tile_rows(const ModelConfig& config, std::uint64_t max_rows);
std::uint64_t head_extent(const ModelConfig& config, std::uint64_t max_rows);

}  // namespace tied
