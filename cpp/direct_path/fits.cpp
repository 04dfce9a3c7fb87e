#include "direct_path/fits.h"

#include <algorithm>
#include <cmath>

#include "linalg/blocks.h"
#include "linalg/checks.h"
#include "linalg/decompositions.h"
#include "linalg/least_squares.h"
#include "linalg/matmul.h"

namespace tied {
namespace {

// Elements of E are rounded to 2^-24 of their size. A column that departs from the span of the others by little more
// than that is noise, and a fit through it would need weights beyond the range of float.
constexpr double kRankTolerance = 0x1p-20;

Result<Matrix<double>> widened(ConstMatrixView<float> m) {
  auto wide = Matrix<double>::create(m.rows, m.cols);
  if (!wide) return wide;
  convert(wide.value().view(), m);
  return wide;
}

// Sum of the squares of all but the d largest singular values, smallest first.
Result<double> discarded_squares(ConstMatrixView<double> target, std::size_t d) {
  auto gram = Matrix<double>::create(target.rows, target.rows);
  if (!gram) return gram.failure();
  matmul_nt<double>(gram.value().view(), target, target);
  auto squares = symmetric_eigenvalues(gram.value().view());
  if (!squares) return squares.failure();
  double sum = 0;
  for (std::size_t i = 0; i + d < target.rows; ++i) sum += std::max(0.0, squares.value()[i]);
  return sum;
}

}  // namespace

Result<Matrix<float>> solve_unembedding(ConstMatrixView<float> embedding, ConstMatrixView<float> target) {
  if (Status status = check_not_empty("embedding", embedding); !status) return status;
  if (target.rows != embedding.rows) {
    return rows_error("target", target.rows, joined({"as many rows as the embedding has, ", text_of(embedding.rows)}));
  }
  if (Status status = check_not_empty("target", target); !status) return status;
  auto e = widened(embedding);
  if (!e) return e.failure();
  auto t = widened(target);
  if (!t) return t.failure();
  auto solution = least_squares(e.value().view(), t.value().view(), kRankTolerance);  // [d, n]
  if (!solution) return solution.failure();
  auto unembedding = Matrix<float>::create(target.cols, embedding.cols);
  if (!unembedding) return unembedding;
  for (std::size_t i = 0; i < target.cols; ++i) {
    for (std::size_t j = 0; j < embedding.cols; ++j) {
      unembedding.value()(i, j) = static_cast<float>(solution.value()(j, i));
    }
  }
  if (Status status = check_finite("unembedding", ConstMatrixView<float>(unembedding.value().view())); !status) {
    return status;
  }
  return unembedding;
}

Result<FitBounds> fit_bounds(ConstMatrixView<float> target, std::size_t d_model) {
  if (Status status = check_square("target", target.rows, target.cols, 1); !status) return status;
  if (d_model == 0) return make_error(ErrorCode::kInvalidArgument, "dModel", 0, "an integer of at least 1");
  if (target.rows > kLargestFit) {
    return make_error(ErrorCode::kOutOfMemory, "target.rows", target.rows,
                      joined({"at most ", text_of(kLargestFit), " rows, whose decomposition takes memory and time"}));
  }
  if (Status status = check_finite("target", target); !status) return status;

  auto wide = widened(target);
  if (!wide) return wide.failure();
  const std::size_t n = target.rows;
  // A larger width adds nothing, and sums with it could wrap.
  const std::size_t rank = std::min(d_model, n);
  auto untied_squares = discarded_squares(wide.value().view(), rank);
  if (!untied_squares) return untied_squares.failure();

  // The symmetric part overwrites the target.
  const MatrixView<double> s = wide.value().view();
  double skew_squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double half_difference = (s(i, j) - s(j, i)) / 2;
      skew_squares += 2 * half_difference * half_difference;
      s(i, j) = s(j, i) = (s(i, j) + s(j, i)) / 2;
    }
  }
  auto eigenvalues = symmetric_eigenvalues(s);
  if (!eigenvalues) return eigenvalues.failure();
  double discarded = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double value = eigenvalues.value()[i];
    const bool kept = i + rank >= n && value > 0;
    if (!kept) discarded += value * value;
  }

  FitBounds bounds;
  bounds.untied = std::sqrt(untied_squares.value());
  bounds.skew = std::sqrt(skew_squares);
  bounds.symmetric = bounds.skew;
  bounds.tied = std::sqrt(skew_squares + discarded);
  return bounds;
}

}  // namespace tied
