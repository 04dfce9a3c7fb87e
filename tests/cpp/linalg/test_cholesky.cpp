#include <doctest/doctest.h>

#include <cmath>
#include <cstddef>

#include "base/random.h"
#include "linalg/cholesky.h"
#include "linalg/matmul.h"

using namespace tied;

namespace {

Matrix<double> normal_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  auto m = Matrix<double>::create(rows, cols);
  REQUIRE(m.ok());
  Random random(seed, stream_of("test matrix"));
  for (std::size_t i = 0; i < rows * cols; ++i) m.value().data()[i] = random.normal();
  return std::move(m).value();
}

Matrix<double> gram_of(const Matrix<double>& x) {
  auto gram = Matrix<double>::create(x.cols(), x.cols());
  REQUIRE(gram.ok());
  matmul_tn<double>(gram.value().view(), x.view(), x.view());
  return std::move(gram).value();
}

}  // namespace

TEST_CASE("a Cholesky factor solves systems with the matrix that it was made from") {
  for (const std::size_t size : {0, 1, 2, 3, 4, 5, 17, 40}) {
    CAPTURE(size);
    const Matrix<double> gram = gram_of(normal_matrix(size + 5, size, 1));
    const Matrix<double> solution = normal_matrix(size, 3, 2);
    auto right = Matrix<double>::create(size, 3);
    REQUIRE(right.ok());
    matmul_nn<double>(right.value().view(), gram.view(), solution.view());
    Matrix<double> factor = gram_of(normal_matrix(size + 5, size, 1));
    REQUIRE(cholesky(factor.view(), 1e-14) == kIndependent);
    cholesky_solve(right.value().view(), factor.view());
    for (std::size_t i = 0; i < size * 3; ++i) {
      CHECK(std::fabs(right.value().data()[i] - solution.data()[i]) < 1e-10);
    }
    // Only the lower triangle is read.
    Matrix<double> lower = gram_of(normal_matrix(size + 5, size, 1));
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = i + 1; j < size; ++j) lower(i, j) = std::nan("");
    }
    CHECK(cholesky(lower.view(), 1e-14) == kIndependent);
  }
}

TEST_CASE("a Cholesky factor names the first column that depends on those before it") {
  Matrix<double> x = normal_matrix(20, 6, 3);
  for (std::size_t i = 0; i < 20; ++i) x(i, 4) = x(i, 1) - 3 * x(i, 2);
  Matrix<double> gram = gram_of(x);
  CHECK(cholesky(gram.view(), 1e-12) == 4);
  Matrix<double> zero = gram_of(normal_matrix(0, 2, 4));
  CHECK(cholesky(zero.view(), 1e-12) == 0);
}
