// Least squares in double.
#pragma once

#include "linalg/matrix_view.h"

namespace tied {

// An X [k, n] that minimises ||a X - b||_F: a [m, k], b [m, n]. Column-pivoted Householder QR; columns of `a` whose
// pivot is below `rank_tolerance` times the largest count as depending on the others and get rows of zeros in X, so
// that a rank deficient `a` gives a solution and not an explosion. 0 takes the rounding errors of double as the
// tolerance; where `a` was rounded to float, its own rounding errors are larger and should be named.
// Errors: kShapeMismatch where rows differ; kOutOfMemory. Numbers have to be finite.
Result<Matrix<double>> least_squares(ConstMatrixView<double> a, ConstMatrixView<double> b, double rank_tolerance = 0);

}  // namespace tied
