// Eigenvalues, singular values and least squares. All in double: these are small matrices and the results are compared.
// The only file, with its .cpp, that knows Eigen.
#pragma once

#include "linalg/matrix_view.h"

namespace tied {

// Eigenvalues of a symmetric matrix [n, n], ascending. Only the lower triangle is read.
// Errors: kOutOfMemory; kNotFinite where the iteration does not end.
Result<AlignedBuffer<double>> symmetric_eigenvalues(ConstMatrixView<double> symmetric);

struct SymmetricEigen {
  AlignedBuffer<double> values;  // [n], ascending
  Matrix<double> vectors;        // [n, n], column k belongs to values[k]
};
Result<SymmetricEigen> symmetric_eigen(ConstMatrixView<double> symmetric);

// Singular values of any [m, n], descending, min(m, n) of them: square roots of the eigenvalues of the smaller Gram
// matrix. Values below about 1e-8 of the largest are not resolved by this way and come out as noise of that size or 0.
Result<AlignedBuffer<double>> singular_values(ConstMatrixView<double> matrix);

// An X [k, n] that minimises ||a X - b||_F: a [m, k], b [m, n]. Column-pivoted Householder QR; columns of `a` whose
// pivot is below `rank_tolerance` times the largest count as depending on the others and get rows of zeros in X, so
// that a rank deficient `a` gives a solution and not an explosion. 0 takes the rounding errors of double as the
// tolerance; where `a` was rounded to float, its own rounding errors are larger and should be named.
// Errors: kShapeMismatch where rows differ; kOutOfMemory. Numbers have to be finite.
Result<Matrix<double>> least_squares(ConstMatrixView<double> a, ConstMatrixView<double> b, double rank_tolerance = 0);

}  // namespace tied
