#include "diagnostics/directions.h"

#include <cmath>
#include <limits>

#include "linalg/blocks.h"
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

Traces project_out(MatrixView<double> symmetric, const double* direction, double factor, double* scratch) {
  const std::size_t width = symmetric.rows;
  mirror_lower(symmetric);
  Traces traces;
  for (std::size_t i = 0; i < width; ++i) {
    traces.before += symmetric(i, i);
    scratch[i] = dot(symmetric.row(i), direction, width);
  }
  const double along = dot(scratch, direction, width);
  traces.left = traces.before - along;
  for (std::size_t i = 0; i < width; ++i) {
    add_scaled(symmetric.row(i), direction, width, (along + factor * traces.before) * direction[i] - scratch[i]);
    add_scaled(symmetric.row(i), scratch, width, -direction[i]);
  }
  return traces;
}

}  // namespace tied
