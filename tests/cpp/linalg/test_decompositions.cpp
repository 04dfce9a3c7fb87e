#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "linalg/decompositions.h"
#include "linalg/matmul.h"
#include "linalg/reduce.h"
#include "support.h"

using namespace tied;
using tied::test::Guarded;

namespace {

// Q diag(values) Q^T with Q = I - 2 v v^T / |v|^2, whose columns are orthonormal to rounding: a matrix with exactly
// these eigenvalues.
Guarded<double> with_eigenvalues(const std::vector<double>& values, std::uint64_t seed) {
  const std::size_t n = values.size();
  Random random(seed, stream_of("reflection"));
  std::vector<double> v(n);
  for (double& value : v) value = random.normal();
  const double norm = squared_norm(v.data(), n);
  const auto q = [&](std::size_t i, std::size_t j) { return (i == j ? 1.0 : 0.0) - 2 * v[i] * v[j] / norm; };
  Guarded<double> m(n, n, 1, 1);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += q(i, k) * values[k] * q(j, k);
      m(i, j) = sum;
    }
  }
  return m;
}

}  // namespace

TEST_CASE("eigenvalues of a matrix made from them come back in ascending order") {
  for (const std::size_t n : {1, 2, 3, 10, 65}) {
    std::vector<double> expected(n);
    for (std::size_t i = 0; i < n; ++i) expected[i] = static_cast<double>(i * i) - 20;
    const Guarded<double> m = with_eigenvalues(expected, n);
    const auto values = symmetric_eigenvalues(m.view());
    REQUIRE(values.ok());
    REQUIRE(values.value().size() == n);
    // Backward stable: n roundoffs of the largest eigenvalue, with a few more from making the matrix.
    const double tolerance = 20 * static_cast<double>(n) * test::kRoundoff<double> * (static_cast<double>(n * n) + 20);
    for (std::size_t i = 0; i < n; ++i) CHECK(std::fabs(values.value()[i] - expected[i]) < tolerance);
  }
}

TEST_CASE("eigenvalues of a 2 x 2 matrix in closed form") {
  Guarded<double> m(2, 2);
  m(0, 0) = 2;
  m(1, 0) = 1;
  m(0, 1) = std::numeric_limits<double>::max();  // the upper triangle is not read
  m(1, 1) = 2;
  const auto values = symmetric_eigenvalues(m.view());
  REQUIRE(values.ok());
  CHECK(std::fabs(values.value()[0] - 1) < 1e-15);
  CHECK(std::fabs(values.value()[1] - 3) < 1e-15);
}

TEST_CASE("eigenvectors are orthonormal and belong to their eigenvalues") {
  for (const std::size_t n : {1, 2, 5, 33}) {
    Guarded<double> m(n, n);
    m.fill_normal(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) m(j, i) = m(i, j);
    }
    const auto eigen = symmetric_eigen(m.view());
    REQUIRE(eigen.ok());
    const Matrix<double>& vectors = eigen.value().vectors;
    const double tolerance = 100 * static_cast<double>(n) * test::kRoundoff<double>;
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) {
        double product = 0;
        double form = 0;
        for (std::size_t i = 0; i < n; ++i) {
          product += vectors(i, a) * vectors(i, b);
          for (std::size_t j = 0; j < n; ++j) form += vectors(i, a) * m(i, j) * vectors(j, b);
        }
        CHECK(std::fabs(product - (a == b ? 1 : 0)) < tolerance);
        CHECK(std::fabs(form - (a == b ? eigen.value().values[a] : 0)) < tolerance * 2 * std::sqrt(n));
      }
    }
  }
}

TEST_CASE("the explorer's Gram matrix has eigenvalues 3.741, 0.489 and 0") {
  Guarded<double> gram(3, 3);
  const double e[3][2] = {{1, 0.5}, {0.8, 0.9}, {0.3, 1.2}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) gram(i, j) = e[i][0] * e[j][0] + e[i][1] * e[j][1];
  }
  const auto values = symmetric_eigenvalues(gram.view());
  REQUIRE(values.ok());
  CHECK(std::fabs(values.value()[2] - 3.741) < 5e-4);
  CHECK(std::fabs(values.value()[1] - 0.489) < 5e-4);
  CHECK(std::fabs(values.value()[0]) < 1e-15);
}

TEST_CASE("eigenvalues of a matrix that is not square or not finite are refused; an empty matrix has none") {
  Guarded<double> m(2, 3);
  m.fill_normal(1);
  const auto wide = symmetric_eigenvalues(m.view());
  REQUIRE_FALSE(wide.ok());
  CHECK(wide.error().code == ErrorCode::kShapeMismatch);
  Guarded<double> square(2, 2);
  square.fill_normal(1);
  square(1, 0) = std::nan("");
  CHECK(symmetric_eigenvalues(square.view()).error().code == ErrorCode::kNotFinite);
  CHECK(symmetric_eigen(square.view()).error().code == ErrorCode::kNotFinite);
  CHECK(symmetric_eigenvalues(ConstMatrixView<double>()).value().size() == 0);
  CHECK(symmetric_eigen(ConstMatrixView<double>()).value().values.size() == 0);
}

TEST_CASE("singular values of a diagonal matrix are its magnitudes, descending, tall or wide") {
  Guarded<double> tall(5, 3);
  Guarded<double> wide(3, 5);
  const double diagonal[] = {2, -7, 0.5};
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 3; ++j) tall(i, j) = wide(j, i) = i == j ? diagonal[j] : 0;
  }
  for (const auto& m : {tall, wide}) {
    const auto values = singular_values(m.view());
    REQUIRE(values.ok());
    REQUIRE(values.value().size() == 3);
    CHECK(values.value()[0] == doctest::Approx(7).epsilon(1e-14));
    CHECK(values.value()[1] == doctest::Approx(2).epsilon(1e-14));
    CHECK(values.value()[2] == doctest::Approx(0.5).epsilon(1e-14));
  }
}

TEST_CASE("squares of the singular values add up to the squared norm") {
  Guarded<double> m(40, 17, 2, 1);
  m.fill_normal(9);
  const auto values = singular_values(m.view());
  REQUIRE(values.ok());
  const double norm = squared_norm(ConstMatrixView<double>(m.view()));
  CHECK(std::fabs(squared_norm(values.value().data(), 17) - norm) < 1e-12 * norm);
}
