#include "linalg/least_squares.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "linalg/reduce.h"

namespace tied {
namespace {

// y = (I - tau v v^T) y, where v = (1, tail).
void reflect(double* y, const double* tail, std::size_t size, double tau) {
  const double scale = tau * (y[0] + dot(tail, y + 1, size - 1));
  y[0] -= scale;
  add_scaled(y + 1, tail, size - 1, -scale);
}

// a = Q R P^T by Householder reflections; each step takes the column with the largest remaining norm.
struct PivotedQr {
  Matrix<double> columns;            // [n, m]: row k is column k: R down to the diagonal, then the reflection's tail
  AlignedBuffer<double> taus;        // [n]
  AlignedBuffer<std::size_t> order;  // [n]: which column of a came k-th
  std::size_t rank = 0;              // number of pivots above the tolerance

  Status factor(ConstMatrixView<double> a, double tolerance);
};

Status PivotedQr::factor(ConstMatrixView<double> a, double tolerance) {
  auto made_columns = Matrix<double>::create(a.cols, a.rows);
  if (!made_columns) return made_columns.failure();
  auto made_taus = AlignedBuffer<double>::create(a.cols);
  if (!made_taus) return made_taus.failure();
  auto made_order = AlignedBuffer<std::size_t>::create(a.cols);
  if (!made_order) return made_order.failure();
  columns = std::move(made_columns).value();
  taus = std::move(made_taus).value();
  order = std::move(made_order).value();
  const auto column = [&](std::size_t k) { return columns.data() + k * a.rows; };
  for (std::size_t j = 0; j < a.cols; ++j) {
    order[j] = j;
    for (std::size_t i = 0; i < a.rows; ++i) column(j)[i] = a(i, j);
  }
  double smallest = 0;
  for (; rank < std::min(a.rows, a.cols); ++rank) {
    const std::size_t k = rank;
    const std::size_t size = a.rows - k;
    // Recomputed each time: downdating the norms, the usual way, suffers from cancellation.
    std::size_t best = k;
    double best_square = 0;
    for (std::size_t j = k; j < a.cols; ++j) {
      const double square = squared_norm(column(j) + k, size);
      if (square > best_square) {
        best = j;
        best_square = square;
      }
    }
    const double norm = std::sqrt(best_square);
    if (k == 0) smallest = tolerance * norm;
    if (norm <= smallest) break;
    std::swap(order[k], order[best]);
    if (best != k) std::swap_ranges(column(k), column(k) + a.rows, column(best));
    double* pivot = column(k) + k;
    // The sign that avoids cancellation.
    const double diagonal = pivot[0] > 0 ? -norm : norm;
    taus[k] = (diagonal - pivot[0]) / diagonal;
    scale(pivot + 1, size - 1, 1 / (pivot[0] - diagonal));
    pivot[0] = diagonal;
    for (std::size_t j = k + 1; j < a.cols; ++j) reflect(column(j) + k, pivot + 1, size, taus[k]);
  }
  return {};
}

}  // namespace

Result<Matrix<double>> least_squares(ConstMatrixView<double> a, ConstMatrixView<double> b, double rank_tolerance) {
  if (a.rows != b.rows) return make_error(ErrorCode::kShapeMismatch, "b.rows", b.rows, "as many rows as a has");
  auto x = Matrix<double>::create(a.cols, b.cols);
  if (!x) return x;
  auto made = AlignedBuffer<double>::create(a.rows);
  if (!made) return made.failure();
  const double rounding = std::numeric_limits<double>::epsilon() * static_cast<double>(std::min(a.rows, a.cols));
  PivotedQr qr;
  if (Status status = qr.factor(a, rank_tolerance > 0 ? rank_tolerance : rounding); !status) return status;
  double* y = made.value().data();
  for (std::size_t j = 0; j < b.cols; ++j) {
    for (std::size_t i = 0; i < a.rows; ++i) y[i] = b(i, j);
    for (std::size_t k = 0; k < qr.rank; ++k) {
      reflect(y + k, qr.columns.view().row(k) + k + 1, a.rows - k, qr.taus[k]);
    }
    // Back substitution: R x = y.
    for (std::size_t k = qr.rank; k-- > 0;) {
      const double* r = qr.columns.view().row(k);
      const double value = y[k] / r[k];
      add_scaled(y, r, k, -value);
      x.value()(qr.order[k], j) = value;
    }
  }
  return x;
}

}  // namespace tied
