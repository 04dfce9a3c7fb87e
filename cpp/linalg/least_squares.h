// Least squares in double.
#pragma once

#include "linalg/matrix_view.h"

namespace tied {

// An X [k, n] that minimizes ||a X - b||_F; a [m, k], b [m, n], all finite. Column-pivoted Householder QR. Columns of
// `a` whose pivot is below `rank_tolerance` times the largest count as dependent on the others and get rows of zeros in
// X, so a rank-deficient `a` gives a bounded solution.
// rank_tolerance 0 means the rounding error of double. If `a` was rounded to float, pass the rounding error of float.
// Errors: kShapeMismatch if a.rows != b.rows; kOutOfMemory.
Result<Matrix<double>> least_squares(ConstMatrixView<double> a, ConstMatrixView<double> b, double rank_tolerance = 0);

}  // namespace tied
