// Last hidden states compared with the rows of the unembedding: is a state near the token that it predicts?
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "base/random.h"
#include "base/record.h"
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
  kShuffledRatio,     // kRatio with the row of another state's target
  kShuffledInput,     // kInputCosine with that same target's row
};
inline constexpr std::size_t kHiddenMeasures = 8;

// Of random directions in d dimensions, `baseline`, sqrt(d - 1), is the root mean square of the orthogonal part over
// that of the parallel part. Targets in a random order give the ratio and
// the input cosine of states that have nothing to do with their targets; random directions give the largest cosine by
// chance.
//
// All measures are NaN for states of zeros and for states whose target row is zero. The largest cosine is NaN if h_perp
// is zero up to rounding. Time 2 N V d multiply-adds.
class HiddenStates {
 public:
  // hidden [N, d], unembedding [V, d], targets [N]; embedding [V, d] or without data. All but `targets` must outlive
  // the object. seed: for the order of the targets and for random directions. Errors: kShapeMismatch unless they fit
  // together; kNotFinite; kInvalidArgument for a target of V or more; kOutOfMemory.
  static Result<HiddenStates> create(ConstMatrixView<float> hidden, ConstMatrixView<float> unembedding,
                                     std::span<const std::uint32_t> targets, ConstMatrixView<float> embedding = {},
                                     std::uint64_t seed = 0);

  // Works through `blocks` more blocks of hidden states or random directions.
  void advance(std::size_t blocks);
  double share() const { return static_cast<double>(done_) / static_cast<double>(size()); }
  bool finished() const { return done_ == size(); }

  // [kHiddenMeasures, N], one row per measure.
  const Matrix<float>& measures() const { return measures_; }
  // [2, min(N, 256)]: kMaxOtherCosine and kMaxOtherCentered of random directions.
  const Matrix<float>& by_chance() const { return by_chance_; }
  double baseline() const;
  // Hidden states without measures.
  std::size_t left_out() const { return left_out_; }

  using Answered =
      Record<&HiddenStates::measures, &HiddenStates::by_chance, &HiddenStates::baseline, &HiddenStates::left_out>;

 private:
  std::size_t size() const { return hidden_.rows + by_chance_.cols(); }
  void measure(std::size_t first, std::size_t count);
  void draw(std::size_t count);
  // largest [count]: of each direction in `orthogonal_` with the rows of `directions`, except its own target's row.
  void find_largest(float* largest, std::size_t first, std::size_t count, const Matrix<float>& directions);
  float& at(HiddenMeasure which, std::size_t row) { return measures_(static_cast<std::size_t>(which), row); }

  ConstMatrixView<float> hidden_;
  ConstMatrixView<float> unembedding_;
  ConstMatrixView<float> embedding_;
  Random random_ = Random(0, 0);
  AlignedBuffer<std::uint32_t> targets_;
  AlignedBuffer<std::uint32_t> shuffled_;
  Matrix<float> directions_;           // rows of W_U at length 1
  Matrix<float> centered_directions_;  // the same minus their mean
  Matrix<float> orthogonal_;           // directions of h_perp of a block, or random ones
  Matrix<float> cosines_;
  Matrix<float> measures_;
  Matrix<float> by_chance_;
  std::size_t done_ = 0;
  std::size_t left_out_ = 0;
};

}  // namespace tied
