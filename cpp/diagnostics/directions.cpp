#include "diagnostics/directions.h"

#include <cmath>
#include <limits>

#include "linalg/reduce.h"

namespace tied {

double mean_cosine(const double* sum, std::size_t size, std::size_t count) {
  if (count < 2) return std::numeric_limits<double>::quiet_NaN();
  const auto n = static_cast<double>(count);
  return (squared_norm(sum, size) - n) / (n * (n - 1));
}

double iso_score(std::span<const double> variances) {
  const auto n = static_cast<double>(variances.size());
  const double norm = std::sqrt(squared_norm(variances.data(), variances.size()));
  if (variances.size() < 2 || norm == 0) return std::numeric_limits<double>::quiet_NaN();
  double square = 0;
  for (const double variance : variances) {
    const double difference = std::sqrt(n) * variance / norm - 1;
    square += difference * difference;
  }
  // n - d^2 (n - sqrt n), where d^2 = square / (2 (n - sqrt n)).
  const double dimensions = n - square / 2;
  return (dimensions * dimensions - n) / (n * (n - 1));
}

double project_out(MatrixView<double> symmetric, const double* direction, double variance, double* scratch) {
  const std::size_t width = symmetric.rows;
  // S u, and u^T S u.
  for (std::size_t i = 0; i < width; ++i) {
    scratch[i] = 0;
    for (std::size_t j = 0; j < width; ++j) scratch[i] += (j <= i ? symmetric(i, j) : symmetric(j, i)) * direction[j];
  }
  const double along = dot(scratch, direction, width);
  double trace = -variance;
  for (std::size_t i = 0; i < width; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      symmetric(i, j) +=
          (along + variance) * direction[i] * direction[j] - direction[i] * scratch[j] - scratch[i] * direction[j];
    }
    trace += symmetric(i, i);
  }
  return trace;
}

}  // namespace tied
