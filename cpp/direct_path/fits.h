// Best fits of a matrix by direct paths, and bounds on how good a fit can be.
#pragma once

#include <cstddef>

#include "base/record.h"
#include "linalg/matrix_view.h"

namespace tied {

// The largest V of a [V, V] target: its decompositions take 4 V^3 multiply-adds and 24 V^2 bytes.
inline constexpr std::size_t kLargestFit = 4096;

// The W_U [n, d] that minimizes ||E W_U^T - target||_F for a given E [V, d] and target [V, n]. Computed in double.
// Columns of E that depend on others get weight 0.
// Errors: kShapeMismatch if the row counts differ or a matrix is empty; kNotFinite, naming the entry; kOutOfMemory.
Result<Matrix<float>> solve_unembedding(ConstMatrixView<float> embedding, ConstMatrixView<float> target);

// The lowest possible ||target - A||_F over families of A [V, V]. T = target, S = (T + T^T) / 2.
struct FitBounds {
  // Rank <= d: sqrt(sum of the squares of all but the d largest singular values of T) (Eckart, Young, 1936).
  double untied = 0;
  // Rank <= d, symmetric and positive semidefinite, as E E^T is: sqrt(skew^2 + sum of the squares of all eigenvalues of
  // S except the d largest positive ones).
  double tied = 0;
  // Symmetric, of any rank: the distance to S. Equal to `skew`.
  double symmetric = 0;
  // ||(T - T^T) / 2||_F, which no symmetric A can fit.
  double skew = 0;

  using Answered = Record<&FitBounds::untied, &FitBounds::tied, &FitBounds::symmetric, &FitBounds::skew>;
};

// Computed in double. An `untied` bound below about 1e-8 ||T||_F is not resolved (its singular values come from T T^T).
// Errors: kShapeMismatch unless square with at least one row; kInvalidArgument for d_model = 0; kNotFinite, naming the
// entry; kOutOfMemory for more than kLargestFit rows, before allocating.
Result<FitBounds> fit_bounds(ConstMatrixView<float> target, std::size_t d_model);

}  // namespace tied
