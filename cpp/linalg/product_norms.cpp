#include "linalg/product_norms.h"

#include "linalg/reduce.h"

namespace tied {

double inner_product(const ConstMatrixView<double>& a, const ConstMatrixView<double>& b) {
  TIED_ASSERT(a.stride == a.cols && b.stride == b.cols);
  return dot(a.data, b.data, a.rows * a.cols);
}

double trace_of_square(const ConstMatrixView<double>& a) {
  double trace = 0;
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < a.rows; ++j) trace += a(i, j) * a(j, i);
  }
  return trace;
}

PartNorms squared_part_norms(const ConstMatrixView<double>& x_x, const ConstMatrixView<double>& d_d,
                             const ConstMatrixView<double>& d_x) {
  // Y^T Y = (X + D)^T (X + D), so ||A||^2 = <X^T X, Y^T Y> = <X^T X, X^T X + 2 D^T X + D^T D>.
  const double distance = inner_product(x_x, d_d);
  const double norm = inner_product(x_x, x_x) + 2 * inner_product(x_x, d_x) + distance;
  const double skew = (distance - trace_of_square(d_x)) / 2;
  return {norm - skew, skew};
}

}  // namespace tied
