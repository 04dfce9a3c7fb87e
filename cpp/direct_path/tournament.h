// The best symmetric logits of a bigram table whose row sums and column sums differ.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/aligned_buffer.h"
#include "direct_path/joint.h"
#include "direct_path/strong_components.h"

namespace tied {

// How far the lowest cross-entropy of symmetric logits is above the bigram entropy, in nats per token, found a row at a
// time. bigram_bounds.h derives the method. Every call gets the same J [n, n].
class SymmetricFloor {
 public:
  bool finished() const { return stage_ == Stage::kFinished; }
  // Works on the next row of the table. Errors: kOutOfMemory.
  Status advance(const Joint& joint);
  // Once finished: the infimum is at most `excess` and at least `excess` - `gap`, at least 0.
  double excess() const { return upper_; }
  double gap() const { return upper_ - lower_; }

 private:
  enum class Stage : std::uint8_t { kComponents, kCounting, kMatching, kSlopes, kProducts, kFinished };

  // A pair of different tokens of one component, i and a smaller one.
  struct Match {
    std::uint32_t other;
    double won;        // J(i, other): i comes first
    double lost;       // J(other, i)
    double curvature;  // of the excess, in the difference of their strengths
  };

  Status start(std::size_t tokens);
  Status end_stage();
  void count_matches(const Joint& joint, std::size_t i);
  void add_matches(const Joint& joint, std::size_t i);
  void add_slopes(std::size_t i);
  void add_products(std::size_t i);
  void end_slopes();
  void end_products();
  void accept();
  void begin_step();
  void turn();
  void try_step();

  Stage stage_ = Stage::kComponents;
  std::size_t row_ = 0;
  StrongComponents components_;
  // Those of token i with smaller tokens are matches_[first_[i]] to matches_[first_[i + 1] - 1].
  AlignedBuffer<std::uint32_t> first_;
  AlignedBuffer<Match> matches_;
  double smallest_ = 1;  // the smallest positive won or lost
  double constant_ = 0;  // the part of the excess that does not depend on the strengths
  double farthest_ = 0;  // bound of the best strengths' distance from the middle of their range

  // Strengths (logarithms) of the last accepted step and of the one that is tried, and the excess, the slopes and the
  // sums of curvatures there.
  AlignedBuffer<double> strengths_;
  AlignedBuffer<double> tried_;
  AlignedBuffer<double> slopes_;
  AlignedBuffer<double> diagonal_;
  double accepted_ = 0;
  double excess_ = 0;
  double slope_sum_ = 0;  // of magnitudes, at the last accepted step
  double upper_ = 0;
  double lower_ = 0;
  int steps_ = 0;
  // The step, by conjugate gradients: so far, what is left of the equations, the direction and the matrix times it.
  AlignedBuffer<double> step_;
  AlignedBuffer<double> residual_;
  AlignedBuffer<double> direction_;
  AlignedBuffer<double> product_;
  double squares_ = 0;  // residual times preconditioned residual
  std::size_t products_ = 0;
  double promise_ = 0;   // what the step would gain if the excess were linear
  double fraction_ = 1;  // of the step that is tried
};

}  // namespace tied
