// The read-out of every kind of model: logits from what a model says of each token, and the loss with its gradient, a
// few rows at a time.
#pragma once

#include <cstdint>

#include "linalg/matrix_view.h"
#include "model/config.h"
#include "model/end_parameters.h"
#include "model/parameter_store.h"

namespace tied {

// What rows are compared with: a token each, or each a row of a joint distribution.
template <class T>
struct Targets {
  const std::uint32_t* tokens = nullptr;  // [rows], or null
  double weight = 1;                      // of each token
  ConstMatrixView<T> joint;               // [rows, V]; read where there are no tokens

  Targets rows(std::size_t first, std::size_t count) const {
    if (tokens != nullptr) return {tokens + first, weight, {}};
    return {nullptr, weight, joint.row_block(first, count)};
  }
};

// Logits of a row h [d]:
//   tied, untied    z = s (h U^T) + b              tied-mlp too: its MLP is the model's
//   tied-linear     z = s ((h M) U^T) + b
//   tied-low-rank   z = h U^T + (h B) A^T + b
// with U the unembedding [V, d] (the embedding itself where the two are tied), M = `between` [d, d], A = `low_rank.a`
// [V, r], B = `low_rank.b` [d, r], b = `output_bias` [V], all where the model has them, and s = logit_scale(config).
//
// Rows are worked on in tiles, so that logits take memory for one tile and never for all tokens. Each logit sums its
// products in one fixed order wherever it stands.
template <class T>
class Head {
 public:
  // Works in head_extent(config, max_rows) elements at `workspace`.
  void bind(const EndParameters& ends, ParameterStore<T>& parameters, T* workspace, const ModelConfig& config,
            std::uint64_t max_rows);

  // out [rows, V] from h [rows, d].
  void logits(const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& h);

  // The sum over rows of the cross-entropy against targets, in nats: see linalg/softmax.h. With `with_gradient`: adds
  // (+=) the gradients of the head's parameters, and writes that of h to dh [rows, d], which must not overlap h.
  double loss(const ConstMatrixView<T>& h, const Targets<T>& targets, bool with_gradient, const MatrixView<T>& dh);

  // Rows that are worked on together.
  std::size_t tile_rows() const { return tile_rows_; }

 private:
  void forward(const MatrixView<T>& logits, const ConstMatrixView<T>& h);
  // Overwrites dlogits.
  void backward(const MatrixView<T>& dlogits, const ConstMatrixView<T>& h, const MatrixView<T>& dh);

  ParameterStore<T>* parameters_ = nullptr;
  EndParameters ends_;

  T scale_ = 1;
  std::size_t tile_rows_ = 0;
  std::size_t inner_cols_ = 0;   // columns of the two below: d with `between`, r with low rank, else 0
  T* logits_ = nullptr;          // z, dz         [tile_rows, V]
  T* inner_ = nullptr;           // h M or h B    [tile_rows, inner_cols]
  T* inner_gradient_ = nullptr;  //               [tile_rows, inner_cols]
};

// The factor of a looked-up row, where config.scales_embedding, on its way through a direct path without an MLP:
// sqrt(d). Such a path is linear in the row, and its logits are scaled instead of its rows, which keeps the tied one
// symmetric to the last bit: rounded products s e_ik e_jk would not be. 1 for every other model.
double logit_scale(const ModelConfig& config);

// Rows that are worked on together, for batches of at most max_rows, and the working memory for them.
std::uint64_t head_tile_rows(const ModelConfig& config, std::uint64_t max_rows);
std::uint64_t head_extent(const ModelConfig& config, std::uint64_t max_rows);

}  // namespace tied
