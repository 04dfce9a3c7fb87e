// How a model reads its logits from a hidden state: final norm, unembedding and corrections, as given matrices.
#pragma once

#include <cstddef>

#include "base/aligned_buffer.h"
#include "diagnostics/row_norm.h"
#include "linalg/matrix_view.h"

namespace tied {

// The logits of a hidden state h:   z = (norm(h) M) (U + A B^T)^T + b
// For parts that a model lacks, the view has no data or the pointer is null.
struct ReadoutWeights {
  ConstMatrixView<float> unembedding;  // U [V, d]
  ConstMatrixView<float> between;      // M [d, d]
  ConstMatrixView<float> low_rank_a;   // A [V, r]
  ConstMatrixView<float> low_rank_b;   // B [d, r]
  const float* output_bias = nullptr;  // b [V]
  ReadoutNorm norm = ReadoutNorm::kNone;
  const float* norm_weight = nullptr;  // [d]
  const float* norm_bias = nullptr;    // [d]
  double norm_epsilon = 1e-5;
};

// A copy of the weights, and buffers for `max_rows` rows at a time. Reads are not thread-safe: they share the buffers.
class Readout {
 public:
  // Errors: those of check_table for the matrices; kShapeMismatch unless they fit together; kOutOfMemory.
  static Result<Readout> create(const ReadoutWeights& weights, std::size_t max_rows);

  std::size_t vocab_size() const { return unembedding_.rows(); }
  std::size_t width() const { return unembedding_.cols(); }
  std::size_t max_rows() const { return read_.rows(); }
  // U + A B^T [V, d].
  const Matrix<float>& unembedding() const { return unembedding_; }

  // logits [n, V] of h [n, d], n <= max_rows.
  void logits(const MatrixView<float>& logits, const Deduced<ConstMatrixView<float>>& h);
  // norm(h) M of the last call of `logits` [n, d], which is multiplied with the rows of the unembedding.
  ConstMatrixView<float> read() const;
  // The gradient of h from that of its logits, for the h of the last call of `logits`. dh must not overlap h.
  void backward(const MatrixView<float>& dh, const Deduced<ConstMatrixView<float>>& dlogits,
                const Deduced<ConstMatrixView<float>>& h);

 private:
  Matrix<float> unembedding_;
  Matrix<float> between_;
  AlignedBuffer<float> output_bias_;
  RowNorm norm_;

  std::size_t rows_ = 0;    // of the last call of `logits`
  Matrix<float> normed_;    // norm(h); only with `between`
  Matrix<float> read_;      // norm(h) M
  Matrix<float> gradient_;  // of norm(h) M
};

}  // namespace tied
