// Least squares without Eigen, whose QR decomposition would add 4 KB to the payload for the one place that needs it.
#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/decompositions.h"
#include "linalg/matmul.h"
#include "linalg/reduce.h"

namespace tied {
namespace {

using View = MatrixView<double>;

void swap_rows(View m, std::size_t i, std::size_t j) { std::swap_ranges(m.row(i), m.row(i) + m.cols, m.row(j)); }

// P^T G P = L L^T for a symmetric positive semidefinite G [k, k]; L takes the place of G's lower triangle. The next
// pivot is always the largest that is left; where that is not above `smallest`, the rest is what rounding left over.
// order[r] = which row of G became row r. Returns the rank.
std::size_t factor(View g, std::size_t* order, double smallest) {
  const std::size_t k = g.rows;
  for (std::size_t r = 0; r < k; ++r) order[r] = r;
  for (std::size_t r = 0; r < k; ++r) {
    std::size_t pivot = r;
    for (std::size_t i = r + 1; i < k; ++i) {
      if (g(i, i) > g(pivot, pivot)) pivot = i;
    }
    if (!(g(pivot, pivot) > smallest)) return r;
    swap_rows(g, r, pivot);
    for (std::size_t i = 0; i < k; ++i) std::swap(g(i, r), g(i, pivot));
    std::swap(order[r], order[pivot]);

    const double root = std::sqrt(g(r, r));
    g(r, r) = root;
    for (std::size_t i = r + 1; i < k; ++i) g(i, r) /= root;
    // What is left of G, both triangles, so that rows and columns can be swapped.
    for (std::size_t i = r + 1; i < k; ++i) {
      for (std::size_t j = r + 1; j < k; ++j) g(i, j) -= g(i, r) * g(j, r);
    }
  }
  return k;
}

// x += P L^-T L^-1 P^T c on the first `rank` rows in `order`. c [k, n] is overwritten.
void add_solution(View x, View c, View l, const std::size_t* order, std::size_t rank) {
  const std::size_t n = x.cols;
  for (std::size_t r = 0; r < rank; ++r) {
    double* row = c.row(order[r]);
    for (std::size_t s = 0; s < r; ++s) add_scaled(row, c.row(order[s]), n, -l(r, s));
    scale(row, n, 1 / l(r, r));
  }
  for (std::size_t r = rank; r-- > 0;) {
    double* row = c.row(order[r]);
    for (std::size_t s = r + 1; s < rank; ++s) add_scaled(row, c.row(order[s]), n, -l(s, r));
    scale(row, n, 1 / l(r, r));
    add_scaled(x.row(order[r]), row, n, 1.0);
  }
}

}  // namespace

Result<Matrix<double>> least_squares(ConstMatrixView<double> a, ConstMatrixView<double> b, double rank_tolerance) {
  if (a.rows != b.rows) return make_error(ErrorCode::kShapeMismatch, "b.rows", b.rows, "as many rows as a has");
  const std::size_t k = a.cols;
  const std::size_t n = b.cols;
  auto x = Matrix<double>::create(k, n);
  if (!x || a.rows == 0 || k == 0 || n == 0) return x;
  auto gram = Matrix<double>::create(k, k);
  if (!gram) return gram;
  auto residual = Matrix<double>::create(a.rows, n);
  if (!residual) return residual;
  auto projected = Matrix<double>::create(k, n);
  if (!projected) return projected;
  auto order = AlignedBuffer<std::size_t>::create(k);
  if (!order) return order.error();

  const View g = gram.value().view();
  const View r = residual.value().view();
  const View c = projected.value().view();
  matmul_tn<double>(g, a, a);
  double largest = 0;
  for (std::size_t i = 0; i < k; ++i) largest = std::max(largest, g(i, i));
  const double resolved = static_cast<double>(k) * 0x1p-52;
  const std::size_t rank =
      factor(g, order.value().data(), largest * std::max(resolved, rank_tolerance * rank_tolerance));

  constexpr int kPasses = 3;
  for (int pass = 0; pass < kPasses; ++pass) {
    if (pass > 0) matmul_nn<double>(r, a, x.value().view());
    for (std::size_t i = 0; i < r.rows; ++i) {
      for (std::size_t j = 0; j < n; ++j) r(i, j) = b(i, j) - r(i, j);
    }
    matmul_tn<double>(c, a, r);
    add_solution(x.value().view(), c, g, order.value().data(), rank);
  }
  return x;
}

}  // namespace tied
