// A norm over rows with given weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/aligned_buffer.h"
#include "linalg/matrix_view.h"

namespace tied {

enum class ReadoutNorm : std::uint8_t { kNone, kRms, kLayer };

// Null for parts that the norm lacks.
struct NormWeights {
  ReadoutNorm norm = ReadoutNorm::kNone;
  const float* weight = nullptr;  // [d]
  const float* bias = nullptr;    // [d]
  double epsilon = 1e-5;
};

// A copy of the weights, and buffers for `max_rows` rows at a time.
class RowNorm {
 public:
  // prefix: the start of names in errors, as in "norm_weight". Errors: kNotFinite; kOutOfMemory.
  static Result<RowNorm> create(std::string_view prefix, const NormWeights& weights, std::size_t width,
                                std::size_t max_rows);

  // out may be x.
  void apply(const MatrixView<float>& out, const Deduced<ConstMatrixView<float>>& x);
  // dx = the gradient of x from that of the last output of `apply`, which was given this x. dx must not overlap dout
  // or x.
  void backward(const MatrixView<float>& dx, const Deduced<ConstMatrixView<float>>& dout,
                const Deduced<ConstMatrixView<float>>& x);

 private:
  ReadoutNorm norm_ = ReadoutNorm::kNone;
  double epsilon_ = 0;
  AlignedBuffer<float> weight_;
  AlignedBuffer<float> bias_;
  AlignedBuffer<float> mean_;
  AlignedBuffer<float> inverse_;
  AlignedBuffer<float> unused_;  // the gradient of the weight
};

// Replaces `to` with a copy of `from` [size]; if `from` is null, it stays empty. Errors: kNotFinite; kOutOfMemory.
Status copy_numbers(AlignedBuffer<float>& to, std::string_view name, const float* from, std::size_t size);
// Null for an empty buffer, as for the norms and biases that a model lacks.
const float* data_or_null(const AlignedBuffer<float>& buffer);

}  // namespace tied
