// Measures of how evenly rows point in all directions, from sums over the rows.
#pragma once

#include <cstddef>
#include <span>

namespace tied {

// The mean cosine of all pairs of `count` rows whose directions, of length 1, add up to `sum` [size]; NaN below two
// rows.
double mean_cosine(const double* sum, std::size_t size, std::size_t count);

// IsoScore, see IsotropyMeasures, from the eigenvalues of the covariance in any unit; NaN where it is not defined.
double iso_score(std::span<const double> variances);

}  // namespace tied
