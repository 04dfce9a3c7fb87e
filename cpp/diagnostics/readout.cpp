#include "diagnostics/readout.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/allocate.h"
#include "diagnostics/tables.h"
#include "linalg/checks.h"
#include "linalg/matmul.h"
#include "linalg/reduce.h"

namespace tied {
namespace {

Status check_shape(std::string_view name, ConstMatrixView<float> m, std::size_t rows, std::size_t cols) {
  if (Status status = check_table(name, m); !status) return status;
  if (m.rows != rows) return rows_error(name, m.rows, text_of(rows));
  if (m.cols != cols) return cols_error(name, m.cols, text_of(cols));
  return {};
}

Status check(const ReadoutWeights& weights) {
  const ConstMatrixView<float>& u = weights.unembedding;
  if (Status status = check_table("unembedding", u); !status) return status;
  if (weights.between.data != nullptr) {
    if (Status status = check_shape("between", weights.between, u.cols, u.cols); !status) return status;
  }
  if (weights.low_rank_a.data != nullptr) {
    const std::size_t rank = weights.low_rank_a.cols;
    if (Status status = check_shape("low_rank_a", weights.low_rank_a, u.rows, rank); !status) return status;
    if (Status status = check_shape("low_rank_b", weights.low_rank_b, u.cols, rank); !status) return status;
  }
  return {};
}

Status copy(Matrix<float>& to, ConstMatrixView<float> from) {
  if (from.data == nullptr) return {};
  if (Status status = make_zeros(to, from.rows, from.cols); !status) return status;
  std::copy_n(from.data, from.rows * from.cols, to.data());
  return {};
}

}  // namespace

Result<Readout> Readout::create(const ReadoutWeights& weights, std::size_t max_rows) {
  TIED_ASSERT(max_rows > 0);
  if (Status status = check(weights); !status) return status;
  const std::size_t width = weights.unembedding.cols;
  Readout made;
  if (Status status = copy(made.unembedding_, weights.unembedding); !status) return status;
  if (Status status = copy(made.between_, weights.between); !status) return status;
  if (Status status = copy_numbers(made.output_bias_, "output_bias", weights.output_bias, weights.unembedding.rows);
      !status) {
    return status;
  }
  auto norm = RowNorm::create("norm", {weights.norm, weights.norm_weight, weights.norm_bias, weights.norm_epsilon},
                              width, max_rows);
  if (!norm) return norm.failure();
  made.norm_ = std::move(norm).value();
  if (weights.low_rank_a.data != nullptr) {
    matmul_nt<float>(made.unembedding_.view(), weights.low_rank_a, weights.low_rank_b, Accumulate::kAdd);
  }
  if (made.between_.rows() > 0) {
    if (Status status = make_zeros(made.normed_, max_rows, width); !status) return status;
  }
  if (Status status = make_zeros(made.read_, max_rows, width); !status) return status;
  if (Status status = make_zeros(made.gradient_, 2 * max_rows, width); !status) return status;
  return made;
}

void Readout::logits(const MatrixView<float>& logits, const Deduced<ConstMatrixView<float>>& h) {
  TIED_ASSERT(h.rows <= max_rows() && h.cols == width());
  rows_ = h.rows;
  const MatrixView<float> read = read_.view().row_block(0, rows_);
  if (between_.rows() == 0) {
    norm_.apply(read, h);
  } else {
    const MatrixView<float> normed = normed_.view().row_block(0, rows_);
    norm_.apply(normed, h);
    matmul_nn<float>(read, normed, between_.view());
  }
  matmul_nt<float>(logits, read, unembedding_.view());
  if (output_bias_.size() > 0) add_row_to_rows(logits, output_bias_.data());
}

ConstMatrixView<float> Readout::read() const { return read_.view().row_block(0, rows_); }

void Readout::backward(const MatrixView<float>& dh, const Deduced<ConstMatrixView<float>>& dlogits,
                       const Deduced<ConstMatrixView<float>>& h) {
  TIED_ASSERT(h.rows == rows_ && dlogits.rows == rows_);
  MatrixView<float> gradient = gradient_.view().row_block(0, rows_);
  matmul_nn<float>(gradient, dlogits, unembedding_.view());
  if (between_.rows() > 0) {
    const MatrixView<float> normed = gradient_.view().row_block(max_rows(), rows_);
    matmul_nt<float>(normed, gradient, between_.view());
    gradient = normed;
  }
  norm_.backward(dh, gradient, h);
}

}  // namespace tied
