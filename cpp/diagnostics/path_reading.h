// The direct path of a model as a predictor of the next token, compared with the bigrams of a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/record.h"
#include "diagnostics/bigram_text.h"
#include "diagnostics/readout.h"

namespace tied {

// With S [V, V] the logits of a path, row i those after token i alone, and P the softmax of its rows.
struct PathSummary {
  // Fraction of the tokens whose own logit is the largest of their row.
  double self_prediction = 0;
  // Fraction of the text's pairs of different tokens i j for which P(j|i) P(i|j) > P(i|i) P(j|j), that is S_ij + S_ji >
  // S_ii + S_jj. 0 for S = E E^T, where the difference is -|e_i - e_j|^2. NaN without such pairs.
  double breaking = 0;
  // Mean of -ln P(next | current) over the pairs of the text, nats per token.
  double loss = 0;
  // Correlation of ln P with ln P of the bigrams, over the pairs of the text; NaN if one does not vary.
  double correlation = 0;

  using Answered =
      Record<&PathSummary::self_prediction, &PathSummary::breaking, &PathSummary::loss, &PathSummary::correlation>;
};

// Some rows of a path.
struct PathRows {
  Matrix<float> read;    // the vectors that are multiplied with the rows of the unembedding [n, d]
  Matrix<float> logits;  // [n, V]; empty if they are measured

  using Answered = Record<&PathRows::read, &PathRows::logits>;
};

// Reads S a block of rows at a time and stores only what the pairs of the text need: O(V + pairs) memory.
class PathReading {
 public:
  // Errors: kShapeMismatch unless the text has the vocabulary of the readout; kOutOfMemory.
  static Result<PathReading> create(const Readout& readout, const BigramText& text);

  // Adds the logits of x [n, d], n <= readout.max_rows(): the states of tokens `first`, `first` + 1, ... Errors: those
  // of check_table; kNotFinite if a logit is not finite.
  Status add(Readout& readout, const BigramText& text, ConstMatrixView<float> x, std::size_t first);

  // To be called after all rows were added.
  PathSummary summarize(const BigramText& text) const;

  // The logits of the last block [n, V].
  ConstMatrixView<float> logits(std::size_t rows) const { return logits_.view().row_block(0, rows); }

 private:
  Matrix<float> logits_;
  Matrix<float> log_probabilities_;      // of one row
  AlignedBuffer<float> own_;             // S_ii [V]
  AlignedBuffer<float> forward_;         // S_ij of each pair, in the order of the text's list
  AlignedBuffer<float> backward_;        // S_ji of each pair, by j and then i
  AlignedBuffer<std::uint32_t> before_;  // the i of each pair, in the latter order
  AlignedBuffer<std::uint32_t> starts_;  // where the pairs of each j start there [V + 1]
  std::size_t self_predicting_ = 0;
  Correlation agreement_;
};

}  // namespace tied
