#include "linalg/cholesky.h"

#include <cmath>

#include "linalg/reduce.h"

namespace tied {

std::size_t cholesky(const MatrixView<double>& s, double tolerance) {
  TIED_ASSERT(s.rows == s.cols);
  for (std::size_t i = 0; i < s.rows; ++i) {
    double* row = s.row(i);
    for (std::size_t j = 0; j < i; ++j) row[j] = (row[j] - dot(row, s.row(j), j)) / s(j, j);
    const double pivot = row[i] - squared_norm(row, i);
    // Also if the pivot is NaN.
    if (!(pivot > tolerance * row[i])) return i;
    row[i] = std::sqrt(pivot);
  }
  return kIndependent;
}

void cholesky_solve_lower(const MatrixView<double>& b, ConstMatrixView<double> l) {
  TIED_ASSERT(b.rows == l.rows && l.rows == l.cols);
  for (std::size_t i = 0; i < l.rows; ++i) {
    for (std::size_t k = 0; k < i; ++k) add_scaled(b.row(i), b.row(k), b.cols, -l(i, k));
    scale(b.row(i), b.cols, 1 / l(i, i));
  }
}

void cholesky_solve(const MatrixView<double>& b, ConstMatrixView<double> l) {
  cholesky_solve_lower(b, l);
  for (std::size_t i = l.rows; i-- > 0;) {
    for (std::size_t k = i + 1; k < l.rows; ++k) add_scaled(b.row(i), b.row(k), b.cols, -l(k, i));
    scale(b.row(i), b.cols, 1 / l(i, i));
  }
}

}  // namespace tied
