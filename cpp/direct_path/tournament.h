// The best symmetric logits of a bigram table whose row sums and column sums differ.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/aligned_buffer.h"
#include "direct_path/joint.h"

namespace tied {

// The lowest cross-entropy of any symmetric matrix of logits, in nats per token, found row by row. bigram_bounds.h
// describes the method. Every call gets the same J [n, n] and its row sums [n].
class SymmetricFloor {
 public:
  bool finished() const { return stage_ == Stage::kFinished; }
  // Works on the next row of the table. Errors: kOutOfMemory.
  Status advance(const Joint& joint, const double* row_sums);
  // Once finished.
  double floor() const { return floor_; }

 private:
  enum class Stage : std::uint8_t { kCounting, kMatching, kFirstLoss, kRounds, kLastLoss, kFinished };

  // A pair of neighboring tokens, seen from one of them.
  struct Match {
    std::uint32_t other;
    double won;   // J(i, other): i comes first
    double lost;  // J(other, i)
  };

  Status start(std::size_t tokens);
  Status end_stage();
  void count_matches(const Joint& joint, std::size_t i);
  void add_matches(const Joint& joint, std::size_t i);
  void play(const double* row_sums, std::size_t i);
  double loss_of(const Joint& joint, const double* row_sums, std::size_t i) const;

  Stage stage_ = Stage::kCounting;
  std::size_t row_ = 0;
  int rounds_ = 0;
  double largest_change_ = 0;  // of this round
  double loss_ = 0;            // of the rows so far
  double floor_ = 0;
  AlignedBuffer<double> strengths_;
  // Those of token i are matches_[first_[i]] to matches_[first_[i + 1] - 1].
  AlignedBuffer<std::uint32_t> first_;
  AlignedBuffer<Match> matches_;
};

}  // namespace tied
