// The scores of some tokens with all others, a block of rows at a time, so that no V x V table is formed.
#pragma once

#include <cstddef>

#include "base/aligned_buffer.h"
#include "linalg/matrix_view.h"

namespace tied {

// Rows of both tables for some tokens, and their products with all rows.
class SampledRows {
 public:
  // input, output [s, d]: e_i and u_i of the tokens; `output` is not read if the tables are tied. Errors: kOutOfMemory.
  static Result<SampledRows> create(const ConstMatrixView<float>& input, const ConstMatrixView<float>& output,
                                    bool tied);

  // Number of products of a row of a table with each token: e_i . u_j, u_i . e_j, e_i . e_j; tied tables have one.
  std::size_t kinds() const { return rows_.rows() == tokens_ ? 1 : 3; }
  std::size_t tokens() const { return tokens_; }

  // products [kinds * s, n] with rows of both tables [n, d], in the order above; `output` is not read for tied tables.
  void multiply(const MatrixView<float>& products, const ConstMatrixView<float>& input,
                const ConstMatrixView<float>& output) const;

 private:
  MatrixView<float> input() { return rows_.view().row_block(rows_.rows() - tokens_, tokens_); }
  ConstMatrixView<float> input() const { return rows_.view().row_block(rows_.rows() - tokens_, tokens_); }

  std::size_t tokens_ = 0;
  Matrix<float> rows_;  // u_i of all tokens, unless tied, then e_i
};

// ln sum_j exp(e_i . u_j) for some tokens i, over rows of U that are added block by block.
class RunningLogSums {
 public:
  // input [s, d]: e_i. Errors: kOutOfMemory.
  static Result<RunningLogSums> create(const ConstMatrixView<float>& input);

  // output [n, d]: the next rows of U. Errors: kOutOfMemory.
  Status add(const ConstMatrixView<float>& output);

  std::size_t size() const { return largest_.size(); }
  // Minus infinity before any row.
  double log_sum(std::size_t token) const;

 private:
  Matrix<float> input_;
  AlignedBuffer<double> largest_;  // logit so far
  AlignedBuffer<double> sums_;     // of e^(logit - largest)
};

}  // namespace tied
