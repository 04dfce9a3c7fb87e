// Measures of how evenly rows point in all directions, from sums over the rows.
#pragma once

#include <cstddef>
#include <span>

#include "linalg/matrix_view.h"

namespace tied {

// The mean cosine of all pairs of `count` rows whose directions, of length 1, add up to `sum` [size]; NaN below two
// rows.
double mean_cosine(const double* sum, std::size_t size, std::size_t count);

// IsoScore, see IsotropyMeasures, from the eigenvalues of the covariance in any unit; NaN if it is not defined.
double iso_score(std::span<const double> variances);

// The variance that single precision leaves where none should remain, as a fraction of the total variance.
inline constexpr double kRoundingShare = 1e-13;

struct Traces {
  double before = 0;
  double left = 0;
  bool varies() const { return left > kRoundingShare * before; }
};

// (I - u u^T) S (I - u u^T) of a symmetric S [d, d] and `direction` u, of length 1: S without its part along u. Adds
// `factor` times the trace of S along u. Only the lower triangle is read; `scratch` has d elements.
Traces project_out(MatrixView<double> symmetric, const double* direction, double factor, double* scratch);

}  // namespace tied
