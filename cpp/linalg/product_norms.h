// Norms of the symmetric and the skew part of A = X Y^T [V, V], without A.
#pragma once

#include "linalg/matrix_view.h"

namespace tied {

struct PartNorms {
  double symmetric = 0;  // ||(A + A^T) / 2||_F^2
  double skew = 0;       // ||(A - A^T) / 2||_F^2
};

// From d x d products, with D = Y - X:
//   ||A - A^T||_F^2 = 2 (<X^T X, D^T D> - tr((D^T X)^2))
// Written with D, the difference does not cancel where Y is close to X. Rounding may make either square negative.
PartNorms squared_part_norms(const ConstMatrixView<double>& x_x, const ConstMatrixView<double>& d_d,
                             const ConstMatrixView<double>& d_x);

// sum_ij a_ij b_ij of matrices without gaps between rows.
double inner_product(const ConstMatrixView<double>& a, const ConstMatrixView<double>& b);
// sum_ij a_ij a_ji, the trace of a a.
double trace_of_square(const ConstMatrixView<double>& a);

}  // namespace tied
