// Where the loss moves the rows of the unembedding: toward the states before their token (pull), and away from all
// others (push).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/record.h"
#include "diagnostics/frequency_bands.h"
#include "diagnostics/readout.h"

namespace tied {

// Norms of the gradient's parts over the rows of a band, and of all rows.
struct LedgerPart {
  double input = 0;
  double output = 0;
  double pull = 0;
  double push = 0;

  using Answered = Record<&LedgerPart::input, &LedgerPart::output, &LedgerPart::pull, &LedgerPart::push>;
};

struct LedgerBand {
  BandLimits limits;
  std::size_t rows = 0;
  LedgerPart norms;
  // Rows that the step moves away from the mean of the states that they are multiplied with: sum_i dz_iv > 0.
  std::size_t pushed_rows = 0;

  using Answered = Record<&LedgerBand::limits, &LedgerBand::rows, &LedgerBand::norms, &LedgerBand::pushed_rows>;
};

struct LedgerSummary {
  LedgerPart norms;
  std::vector<LedgerBand> bands;  // ascending; those that have rows
  // |P g| / |g|, root mean squares over tokens: g the gradient of the logits, P the projection onto the columns of the
  // unembedding, through which alone a loss reaches the hidden state. NaN if its columns are dependent or g is zero.
  double reach = 0;
  // The same for a random g: sqrt(d / V).
  double reach_by_chance = 0;
  // The largest difference between pull + push and the given gradient, divided by the gradient's largest entry; NaN
  // without one.
  double difference = 0;
  // Between the input and the output part; 0 if one is zero.
  double cosine = 0;

  using Answered = Record<&LedgerSummary::norms, &LedgerSummary::bands, &LedgerSummary::reach,
                          &LedgerSummary::reach_by_chance, &LedgerSummary::difference, &LedgerSummary::cosine>;
};

// Some rows of the parts of a gradient.
struct GradientRows {
  ConstMatrixView<float> input;
  ConstMatrixView<float> output;

  using Answered = Record<&GradientRows::input, &GradientRows::output>;
};

// The gradient of U for the mean loss of n tokens, divided in two. With y_i = norm(h_i) M, p_i the probabilities and
// t_i the target of token i:
//   dU_v = 1/n sum_i (p_iv - [v = t_i]) y_i = pull_v + push_v
//   pull_v = 1/n sum over t_i = v  of (p_iv - 1) y_i      push_v = 1/n sum over t_i != v  of p_iv y_i
class OutputLedger {
 public:
  // Errors: kOutOfMemory.
  static Result<OutputLedger> create(const Readout& readout);

  // Works through `rows` more rows of U^T U, which `add` needs; V d^2 / 2 multiply-adds in all. `add` does the rest.
  // Errors: kOutOfMemory.
  Status prepare(const Readout& readout, std::size_t rows);

  // hidden [n, d]: states after the last layer, before the final norm; targets [n]. Errors: those of check_table;
  // kShapeMismatch; kInvalidArgument for a target of V or more; kNotFinite if a logit is not finite; kOutOfMemory.
  Status add(Readout& readout, ConstMatrixView<float> hidden, std::span<const std::uint32_t> targets);

  // input, output: the parts of the embedding's gradient by role [V, d], for the same mean loss. counts [V]: how often
  // each token occurs. Errors: kInvalidArgument before any token was added; kShapeMismatch; kNotFinite; kOutOfMemory.
  Result<LedgerSummary> summarize(const Readout& readout, ConstMatrixView<float> input, ConstMatrixView<float> output,
                                  std::span<const std::uint32_t> counts) const;

  std::size_t tokens() const { return tokens_; }

 private:
  Matrix<float> pull_;  // sums over tokens [V, d]
  Matrix<float> push_;
  Matrix<double> gram_;          // U^T U [d, d]; once prepared its Cholesky factor
  std::size_t prepared_ = 0;     // rows of U in it
  bool has_projection_ = false;  // whether the columns of U are independent
  AlignedBuffer<double> net_;    // sum_i dz_iv [V]
  Matrix<float> logits_;         // of a tile
  double logit_square_ = 0;      // sum of |g|^2
  double projected_square_ = 0;  // sum of |P g|^2
  std::size_t tokens_ = 0;
};

}  // namespace tied
