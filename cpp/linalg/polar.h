// The orthogonal factor of the polar decomposition, by products of matrices and no singular value decomposition.
#pragma once

#include <cstddef>

#include "linalg/matrix_view.h"

namespace tied {

// Where a [m, n], m >= n, is Q H with orthonormal columns in Q [m, n] and H = (a^T a)^(1/2): Q is U V^T of the singular
// value decomposition U S V^T, the nearest matrix to `a` with orthonormal columns, and for square `a` the answer of the
// orthogonal Procrustes problem: min over orthogonal Q of ||X Q - Y||_F has Q = the factor of X^T Y.
//
// Singular values below kPolarRankTolerance times the largest have directions made of rounding errors, and what the
// factor does with these directions means nothing: their singular values in Q are anything from 0 to 1, all others
// are 1. So a matrix of lower rank gives a Q that is orthonormal on its range, and a matrix of zeros gives zeros.
inline constexpr double kPolarRankTolerance = 1e-7;

// What one step works on, in one precision.
template <class U>
struct PolarSpace {
  AlignedBuffer<U> numbers;
  MatrixView<U> x;         // [rows, cols]
  MatrixView<U> solved;    // [rows, cols]
  MatrixView<U> gram;      // [cols, cols]
  MatrixView<U> inverses;  // [cols, block], of the diagonal blocks of a Cholesky factor
  MatrixView<U> part;      // [rows, block]
  MatrixView<U> probes;    // random vectors, one a row
  MatrixView<U> images;    // what they are mapped to
};

// For matrices [rows, cols] of one shape: memory is taken once, and `factor` takes none.
//
// The method is the dynamically weighted Halley iteration of Nakatsukasa, Bai and Gygi, "Optimizing Halley's iteration
// for computing the matrix polar decomposition", SIAM J. Matrix Anal. Appl. 31 (2010):
//   X <- (b / c) X + (a - b / c) X (I + c X^T X)^-1,
// which brings all singular values to 1 within six steps, three or four for usual matrices. The inverse is applied by
// Cholesky factors in blocks. Steps with large weights (the first, rarely the second) are done in double also for
// float, since a float X^T X would lose small singular values; the rest in T. For float Q H is the matrix to a few
// roundings; for double to about 1e-16 (condition number)^(4/3) of its norm.
template <class T>
class PolarSolver {
 public:
  // Errors: kShapeMismatch for fewer rows than columns; kOutOfMemory.
  static Result<PolarSolver> create(std::size_t rows, std::size_t cols);

  // out = the factor Q of a. Both [rows, cols]; out may be a.
  // Errors: kNotFinite; out is then as it was.
  Status factor(const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& a);

  // Steps that the last factor took.
  int steps() const { return steps_; }

 private:
  PolarSpace<double> wide_;
  PolarSpace<T> narrow_;  // empty where T is double
  int steps_ = 0;
};

}  // namespace tied
