// The read-out: logits from what a model says of each token, and the loss with its gradient, a few rows at a time.
#pragma once

#include <cstdint>

#include "linalg/matrix_view.h"
#include "model/config.h"
#include "model/parameter_store.h"

namespace tied {

// Logits of a row h [d]:
//   tied, untied    z = h U^T + b
//   tied-linear     z = (h M) U^T + b
//   tied-low-rank   z = h U^T + (h B) A^T + b
// with U the unembedding [V, d] (the embedding itself where the two are tied), M = `between` [d, d], A = `low_rank.a`
// [V, r], B = `low_rank.b` [d, r], b = `output_bias` [V], all where the model has them.
//
// Rows are worked on in tiles, so that logits take memory for one tile and never for all tokens.
template <class T>
class Head {
 public:
  // Takes its parameters from the store, and works in head_extent(config, max_rows) numbers at `workspace`.
  void bind(ParameterStore<T>& parameters, T* workspace, const ModelConfig& config, std::uint64_t max_rows);

  // out [rows, V] from h [rows, d].
  void logits(MatrixView<T> out, Deduced<ConstMatrixView<T>> h);

  // weight * (sum over rows of the cross-entropy of row i against targets[i]), in nats. With `backward`: adds (+=) the
  // gradients of the head's parameters, and writes that of h to dh [rows, d], which must not overlap h.
  double loss(Deduced<ConstMatrixView<T>> h, const std::uint32_t* targets, double weight, bool backward,
              MatrixView<T> dh);

 private:
  void forward(MatrixView<T> logits, ConstMatrixView<T> h);
  void backward(ConstMatrixView<T> dlogits, ConstMatrixView<T> h, MatrixView<T> dh);

  ParameterStore<T>* parameters_ = nullptr;
  const Parameter* unembedding_ = nullptr;
  const Parameter* between_ = nullptr;
  const Parameter* low_rank_a_ = nullptr;
  const Parameter* low_rank_b_ = nullptr;
  const Parameter* output_bias_ = nullptr;

  std::size_t tile_rows_ = 0;
  std::size_t middle_cols_ = 0;   // columns of the two below: d with `between`, r with low rank, else 0
  T* logits_ = nullptr;           // z, dz         [tile_rows, V]
  T* middle_ = nullptr;           // h M or h B    [tile_rows, middle_cols]
  T* middle_gradient_ = nullptr;  //               [tile_rows, middle_cols]
};

std::uint64_t head_extent(const ModelConfig& config, std::uint64_t max_rows);

// Adds `between`, `low_rank.a`, `low_rank.b` and `output_bias`, those that the model has. The unembedding follows the
// embedding: see add_unembedding.
void add_head_parameters(ParameterTable& table, const ModelConfig& config);

}  // namespace tied
