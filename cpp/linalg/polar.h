// The orthogonal factor of the polar decomposition, from matrix products alone, without singular vectors.
#pragma once

#include <cstddef>

#include "linalg/matrix_view.h"

namespace tied {

// The polar factor of a [m, n], m >= n, is Q in a = Q H with orthonormal columns in Q [m, n] and H = (a^T a)^(1/2).
// With the singular value decomposition a = U S V^T, Q = U V^T: the matrix with orthonormal columns that is nearest to
// `a`. For square `a` it solves the orthogonal Procrustes problem: the orthogonal Q that minimizes ||X Q - Y||_F is the
// factor of X^T Y.
//
// Singular values below kPolarRankTolerance times the largest have directions made of rounding errors. Their singular
// values in Q are anything from 0 to 1; all others are 1. A matrix of lower rank thus gives a Q that is orthonormal on
// its range, and a zero matrix gives zeros.
inline constexpr double kPolarRankTolerance = 1e-7;

// Workspace of the iteration in one precision.
template <class U>
struct PolarWorkspace {
  AlignedBuffer<U> buffer;
  MatrixView<U> x;         // [rows, cols]
  MatrixView<U> solved;    // [rows, cols]
  MatrixView<U> gram;      // [cols, cols]
  MatrixView<U> inverses;  // [cols, block]: inverses of the diagonal blocks of a Cholesky factor
  MatrixView<U> part;      // [rows, block]
  MatrixView<U> probes;    // random vectors, one per row
  MatrixView<U> images;    // the probes times a matrix
};

// Computes factors of matrices [rows, cols] of one shape. `create` allocates; `factor` does not.
//
// The method is the dynamically weighted Halley iteration of Nakatsukasa, Bai and Gygi, "Optimizing Halley's iteration
// for computing the matrix polar decomposition", SIAM J. Matrix Anal. Appl. 31 (2010):
//   X <- (b / c) X + (a - b / c) X (I + c X^T X)^-1
// It brings all singular values to 1 within six steps, usually three or four. The inverse is applied by blocked
// Cholesky factors. Steps with large weights (the first, rarely the second) run in double also for float, since X^T X
// in float would lose small singular values. For float, Q H equals the matrix to a few roundings; for double, to about
// 1e-16 (condition number)^(4/3) of its norm.
template <class T>
class PolarSolver {
 public:
  // Errors: kShapeMismatch if rows < cols; kOutOfMemory.
  static Result<PolarSolver> create(std::size_t rows, std::size_t cols);

  // out = the factor Q of a. Both [rows, cols]; out may be a.
  // Errors: kNotFinite; out is then unchanged.
  Status factor(const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& a);

  // Number of steps of the last call of factor().
  int steps() const { return steps_; }

 private:
  PolarWorkspace<double> wide_;
  PolarWorkspace<T> narrow_;  // empty where T is double
  int steps_ = 0;
};

}  // namespace tied
