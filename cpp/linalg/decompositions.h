// Eigenvalues and singular values, always in double: the matrices are small, and results are compared.
// Only this header's .cpp includes Eigen.
#pragma once

#include "linalg/matrix_view.h"

namespace tied {

// Eigenvalues of a symmetric matrix [n, n], ascending. Only the lower triangle is read.
// Errors: kShapeMismatch, kNotFinite (also if the iteration does not converge), kOutOfMemory.
Result<AlignedBuffer<double>> symmetric_eigenvalues(ConstMatrixView<double> symmetric);

struct SymmetricEigen {
  AlignedBuffer<double> values;  // [n], ascending
  Matrix<double> vectors;        // [n, n], column k belongs to values[k]
};
Result<SymmetricEigen> symmetric_eigen(ConstMatrixView<double> symmetric);

// Singular values of any [m, n], descending, min(m, n) of them: square roots of the eigenvalues of the smaller Gram
// matrix. Values below about 1e-8 of the largest are not resolved; they come out as noise of that size or as 0.
Result<AlignedBuffer<double>> singular_values(ConstMatrixView<double> matrix);

}  // namespace tied
