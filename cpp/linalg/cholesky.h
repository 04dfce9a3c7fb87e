// Cholesky factors of symmetric positive definite matrices, in double.
#pragma once

#include <cstddef>

#include "linalg/matrix_view.h"

namespace tied {

// Returned if no column depends on those before it.
inline constexpr std::size_t kIndependent = ~std::size_t{0};

// Replaces the lower triangle of the symmetric s [n, n] with L, s = L L^T; the rest is not read. Returns the first
// column whose pivot is at most `tolerance` times its diagonal entry in s, and stops there; otherwise kIndependent. For
// a Gram matrix X^T X, that column is a combination of those before it, up to sqrt(tolerance) of its length.
std::size_t cholesky(const MatrixView<double>& s, double tolerance);

// b [n, m] = (L L^T)^-1 b, with the lower triangle of l [n, n]. Columns of b are independent of each other: a call may
// solve for some of them.
void cholesky_solve(const MatrixView<double>& b, ConstMatrixView<double> l);
// b [n, m] = L^-1 b, the first half of that solve: |L^-1 b|^2 = b^T (L L^T)^-1 b.
void cholesky_solve_lower(const MatrixView<double>& b, ConstMatrixView<double> l);

}  // namespace tied
