// How often one token follows another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/record.h"
#include "linalg/matrix_view.h"

namespace tied {

// The largest vocabulary for which the [V, V] table of float counts is formed: 4 V^2 bytes are then 1 GiB.
inline constexpr std::size_t kLargestBigramVocabSize = 16384;
// A float represents every integer up to 2^24, so counts up to there are exact.
inline constexpr std::uint32_t kLargestBigramCount = 1u << 24;

// counts[i, j] = how often j follows i in `ids`; [vocab_size, vocab_size]. They sum to ids.size() - 1.
// Errors: kInvalidArgument for fewer than two ids, for vocab_size < 2, for an id that is not below vocab_size (naming
// its index), and for a pair that occurs more than 2^24 times; kOutOfMemory, also for vocab_size >
// kLargestBigramVocabSize. Sizes are checked before allocating.
Result<Matrix<float>> count_bigrams(std::span<const std::uint32_t> ids, std::size_t vocab_size);

// The same counts for a sequence that arrives in pieces, then their total and asymmetry, row by row.
class BigramCounting {
 public:
  // Errors: as count_bigrams, except those about ids.
  static Result<BigramCounting> create(std::size_t vocab_size);

  // The next ids, all below vocab_size. Errors: kInvalidArgument for a pair that occurs more than 2^24 times.
  Status count(std::span<const std::uint32_t> ids);
  // Once everything is counted: adds up `rows` more rows.
  void sum_up(std::size_t rows);
  bool is_summed_up() const { return row_ == counts_.rows(); }

  const Matrix<float>& counts() const { return counts_; }
  Matrix<float> take_counts() { return std::move(counts_); }
  // The sum of all counts, exact.
  double total() const { return total_; }
  // ||(A - A^T) / 2||_F / ||A||_F in [0, 1] for the table A, accumulated in double; 0 for a table of zeros.
  double asymmetry() const;

  using Answered = Record<&BigramCounting::counts, &BigramCounting::total, &BigramCounting::asymmetry>;

 private:
  explicit BigramCounting(Matrix<float> counts) : counts_(std::move(counts)) {}

  Matrix<float> counts_;
  std::uint32_t last_ = kNoToken;
  std::size_t row_ = 0;
  double total_ = 0;
  double norm_ = 0;
  double skew_ = 0;  // sum over i < j of (a_ij - a_ji)^2, so ||(A - A^T) / 2||^2 is half of it

  static constexpr std::uint32_t kNoToken = 0xFFFFFFFF;
};

}  // namespace tied
