// Last hidden states beside the rows of the unembedding: is a state near the word that it predicts?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "linalg/matrix_view.h"

namespace tied {

// What is measured of one hidden state h with target row w = W_U[target]:
//   h = h_par + h_perp,   h_par = (h . w / |w|^2) w
enum class HiddenMeasure : std::uint8_t {
  kParallel,          // h . w / |w|, with its sign
  kOrthogonal,        // |h_perp|
  kRatio,             // |h_perp| / |h_par|
  kMaxOtherCosine,    // the largest |cosine| of h_perp with another row of W_U
  kMaxOtherCentered,  // the same with the rows of W_U minus their mean
  kInputCosine,       // the cosine of h with W_E[target]; NaN without W_E
};
inline constexpr std::size_t kHiddenMeasures = 6;

// A random direction in d dimensions has a ratio of about sqrt(d - 1), `baseline`.
//
// Rows whose measures are NaN: states of zeros, and those whose target row is zero. The largest cosine is NaN where no
// h_perp is left. Time 2 N V d multiply-adds.
class HiddenStates {
 public:
  // hidden [N, d], unembedding [V, d], targets [N]; embedding [V, d] or without data. All but `targets` must outlive
  // the object. Errors: kShapeMismatch unless they fit together; kNotFinite; kInvalidArgument for a target of V or
  // more; kOutOfMemory.
  static Result<HiddenStates> create(ConstMatrixView<float> hidden, ConstMatrixView<float> unembedding,
                                     std::span<const std::uint32_t> targets, ConstMatrixView<float> embedding = {});

  // Works through `blocks` more blocks of hidden states.
  void advance(std::size_t blocks);
  double share() const { return static_cast<double>(done_) / static_cast<double>(hidden_.rows); }
  bool finished() const { return done_ == hidden_.rows; }

  // [kHiddenMeasures, N], one row per measure.
  const Matrix<float>& measures() const { return measures_; }
  double baseline() const;
  // Hidden states without measures.
  std::size_t left_out() const { return left_out_; }

 private:
  void measure(std::size_t first, std::size_t count);
  void find_largest(std::size_t first, std::size_t count, const Matrix<float>& directions, HiddenMeasure which);
  float& at(HiddenMeasure which, std::size_t row) { return measures_(static_cast<std::size_t>(which), row); }

  ConstMatrixView<float> hidden_;
  ConstMatrixView<float> unembedding_;
  ConstMatrixView<float> embedding_;
  AlignedBuffer<std::uint32_t> targets_;
  Matrix<float> directions_;           // rows of W_U at length 1
  Matrix<float> centered_directions_;  // the same minus their mean
  Matrix<float> orthogonal_;           // directions of h_perp of a block
  Matrix<float> cosines_;
  Matrix<float> measures_;
  std::size_t done_ = 0;
  std::size_t left_out_ = 0;
};

}  // namespace tied
