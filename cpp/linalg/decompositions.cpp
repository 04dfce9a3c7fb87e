// The only file that includes Eigen. Eigen works on views (Map) of our matrices where it can.
#include "linalg/decompositions.h"

#include <algorithm>
#include <cmath>

#include "linalg/eigen_on_wasm.h"
#include "linalg/matmul.h"
#include "linalg/reduce.h"

// Eigen's checks would repeat ours: shapes are set below. Without exceptions, a failed allocation ends the program, so
// `enough_memory` tries first.
#ifndef EIGEN_NO_DEBUG
#define EIGEN_NO_DEBUG
#endif
#define EIGEN_NO_IO
// Eigen's default is 128 KB per buffer, two buffers per product: the whole stack of the wasm core.
#define EIGEN_STACK_ALLOCATION_LIMIT 16384
#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Core>
#include <Eigen/Eigenvalues>

namespace tied {
namespace {

using Index = Eigen::Index;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ColMajor = Eigen::MatrixXd;
using Stride = Eigen::OuterStride<>;

Eigen::Map<const RowMajor, 0, Stride> map_of(ConstMatrixView<double> m) {
  return {m.data, static_cast<Index>(m.rows), static_cast<Index>(m.cols), Stride(static_cast<Index>(m.stride))};
}

Eigen::Map<RowMajor> map_of(Matrix<double>& m) {
  return {m.data(), static_cast<Index>(m.rows()), static_cast<Index>(m.cols())};
}

// Whether `count` doubles can be allocated. Eigen allocates on its own and cannot report failure.
Status enough_memory(std::size_t count) {
  auto attempt = AlignedBuffer<double>::create(count);
  return attempt ? Status() : Status(attempt.error());
}

Status check_square_and_finite(ConstMatrixView<double> m) {
  if (m.rows != m.cols) {
    return make_error(ErrorCode::kShapeMismatch, "symmetric.cols", m.cols, "as many columns as rows");
  }
  for (std::size_t i = 0; i < m.rows; ++i) {
    const std::size_t j = first_not_finite(m.row(i), m.cols);
    if (j < m.cols) return make_error(ErrorCode::kNotFinite, "symmetric", m(i, j), "finite numbers");
  }
  return Status();
}

Status not_converged() {
  return make_error(ErrorCode::kNotFinite, "symmetric", "a matrix whose eigenvalues were not found",
                    "elements within the range of double");
}

}  // namespace

Result<AlignedBuffer<double>> symmetric_eigenvalues(ConstMatrixView<double> symmetric) {
  if (Status status = check_square_and_finite(symmetric); !status) return status;
  const std::size_t n = symmetric.rows;
  auto values = AlignedBuffer<double>::create(n);
  if (!values || n == 0) return values;
  if (Status status = enough_memory(n * n + 4 * n); !status) return status;
  const Eigen::SelfAdjointEigenSolver<ColMajor> solver(map_of(symmetric), Eigen::EigenvaluesOnly);
  if (solver.info() != Eigen::Success) return not_converged();
  std::copy_n(solver.eigenvalues().data(), n, values.value().data());
  return values;
}

Result<SymmetricEigen> symmetric_eigen(ConstMatrixView<double> symmetric) {
  if (Status status = check_square_and_finite(symmetric); !status) return status;
  const std::size_t n = symmetric.rows;
  auto values = AlignedBuffer<double>::create(n);
  if (!values) return values.failure();
  auto vectors = Matrix<double>::create(n, n);
  if (!vectors) return vectors.failure();
  if (n > 0) {
    if (Status status = enough_memory(n * n + 4 * n); !status) return status;
    const Eigen::SelfAdjointEigenSolver<ColMajor> solver(map_of(symmetric), Eigen::ComputeEigenvectors);
    if (solver.info() != Eigen::Success) return not_converged();
    std::copy_n(solver.eigenvalues().data(), n, values.value().data());
    map_of(vectors.value()) = solver.eigenvectors();
  }
  return SymmetricEigen{std::move(values).value(), std::move(vectors).value()};
}

Result<AlignedBuffer<double>> singular_values(ConstMatrixView<double> matrix) {
  const std::size_t count = std::min(matrix.rows, matrix.cols);
  auto gram = Matrix<double>::create(count, count);
  if (!gram) return gram.failure();
  if (matrix.rows <= matrix.cols) {
    matmul_nt<double>(gram.value().view(), matrix, matrix);
  } else {
    matmul_tn<double>(gram.value().view(), matrix, matrix);
  }
  auto values = symmetric_eigenvalues(gram.value().view());
  if (!values) return values;
  // Ascending squares to descending roots; rounding may have made small ones negative.
  double* first = values.value().begin();
  std::reverse(first, values.value().end());
  for (double& value : values.value()) value = std::sqrt(std::max(value, 0.0));
  return values;
}

}  // namespace tied
