#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "linalg/decompositions.h"
#include "linalg/reduce.h"
#include "linalg/tridiagonal.h"
#include "support.h"

using namespace tied;

namespace {

Matrix<double> random_symmetric(std::size_t n, std::uint64_t seed) {
  auto made = Matrix<double>::create(n, n);
  Random random(seed, stream_of("symmetric"));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) made.value()(i, j) = made.value()(j, i) = random.normal();
  }
  return std::move(made).value();
}

Matrix<double> copy_of(const Matrix<double>& m) {
  auto made = Matrix<double>::create(m.rows(), m.cols());
  std::copy_n(m.data(), m.rows() * m.cols(), made.value().data());
  return std::move(made).value();
}

Tridiagonal reduced(const Matrix<double>& m, const double* first = nullptr) {
  Matrix<double> used = copy_of(m);
  auto made = tridiagonal_of(used.view(), first);
  REQUIRE(made.ok());
  return std::move(made).value();
}

// Eigen reads the lower triangle.
void check_same(const AlignedBuffer<double>& found, const Matrix<double>& of) {
  const auto expected = symmetric_eigenvalues(of.view());
  REQUIRE(expected.ok());
  const std::size_t n = of.rows();
  REQUIRE(found.size() == n);
  double largest = 0;
  for (const double value : expected.value()) largest = std::max(largest, std::fabs(value));
  // Both are backward stable: some n roundoffs of the largest.
  const double tolerance = 20 * static_cast<double>(n) * test::kRoundoff<double> * largest;
  for (std::size_t k = 0; k < n; ++k) CHECK(std::fabs(found[k] - expected.value()[k]) <= tolerance);
}

}  // namespace

TEST_CASE("a tridiagonal matrix has the eigenvalues of the matrix that it is made from") {
  for (const std::size_t n : {1, 2, 3, 4, 5, 17, 64, 101}) {
    CAPTURE(n);
    const Matrix<double> m = random_symmetric(n, n);
    const auto found = eigenvalues_of(reduced(m));
    REQUIRE(found.ok());
    CHECK(std::is_sorted(found.value().begin(), found.value().end()));
    check_same(found.value(), m);
  }
}

TEST_CASE("one reduction gives the eigenvalues before and after a change along its first direction") {
  for (const std::size_t n : {1, 2, 3, 40}) {
    for (const double change : {-3.0, 0.0, 1e-3, 50.0}) {
      CAPTURE(n);
      CAPTURE(change);
      const Matrix<double> m = random_symmetric(n, 7);
      std::vector<double> direction(n);
      Random random(9, stream_of("direction"));
      // The direction can have any length.
      for (double& value : direction) value = 1e20 * random.normal();
      const double square = squared_norm(direction.data(), n);
      Matrix<double> changed = copy_of(m);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) changed(i, j) += change * direction[i] * direction[j] / square;
      }
      const auto found = eigenvalues_of(reduced(m, direction.data()), change);
      REQUIRE(found.ok());
      check_same(found.value(), changed);
    }
  }
}

TEST_CASE("a first direction that is an axis, or zeros, changes no eigenvalue") {
  const Matrix<double> m = random_symmetric(6, 3);
  for (const std::vector<double>& direction :
       {std::vector<double>{0, 0, 0, 0, 0, 0}, std::vector<double>{-2, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 1e-300}}) {
    const auto found = eigenvalues_of(reduced(m, direction.data()));
    REQUIRE(found.ok());
    check_same(found.value(), m);
  }
}

TEST_CASE("equal, zero and widely separated eigenvalues are found") {
  const std::size_t n = 30;
  const std::vector<double> direction(n, 1.0);
  auto zeros = Matrix<double>::create(n, n);
  Matrix<double> m = std::move(zeros).value();
  const auto check = [&] {
    for (const double* first : {static_cast<const double*>(nullptr), direction.data()}) {
      const auto found = eigenvalues_of(reduced(m, first));
      REQUIRE(found.ok());
      check_same(found.value(), m);
    }
  };
  check();
  for (std::size_t i = 0; i < n; ++i) m(i, i) = 5;
  check();
  // A matrix of rank 1.
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) m(i, j) = static_cast<double>((i + 1) * (j + 1));
  }
  check();
  // Down to 1e-30 of the largest, which is negligible; off-diagonal entries are smaller still.
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) m(i, j) = std::pow(10.0, -static_cast<double>(i + j + (i == j ? 0 : 9)));
  }
  check();
}

TEST_CASE("eigenvalues of a matrix of low rank, most of which are rounding, are found") {
  // The Gram matrix of few rows with many columns; the first direction is the sum of the rows.
  const std::size_t n = 300;
  const std::size_t rows = 80;
  auto table = Matrix<double>::create(rows, n);
  Random random(4, stream_of("table"));
  for (std::size_t k = 0; k < rows * n; ++k) table.value().data()[k] = random.normal();
  auto m = Matrix<double>::create(n, n);
  std::vector<double> sums(n);
  for (std::size_t k = 0; k < rows; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      sums[i] += table.value()(k, i);
      for (std::size_t j = 0; j < n; ++j) m.value()(i, j) += table.value()(k, i) * table.value()(k, j);
    }
  }
  const auto found = eigenvalues_of(reduced(m.value(), sums.data()));
  REQUIRE(found.ok());
  check_same(found.value(), m.value());
}

TEST_CASE("eigenvalues scale with the matrix, to the ends of the range of double") {
  const Matrix<double> m = random_symmetric(12, 5);
  const auto expected = eigenvalues_of(reduced(m));
  REQUIRE(expected.ok());
  for (const int exponent : {-1000, -500, 500, 1000}) {
    CAPTURE(exponent);
    Matrix<double> scaled = copy_of(m);
    for (std::size_t i = 0; i < 144; ++i) scaled.data()[i] = std::ldexp(scaled.data()[i], exponent);
    const auto found = eigenvalues_of(reduced(scaled));
    REQUIRE(found.ok());
    for (std::size_t k = 0; k < 12; ++k) CHECK(found.value()[k] == std::ldexp(expected.value()[k], exponent));
  }
}

TEST_CASE("only the upper triangle is read, and elements that are not finite are refused") {
  Matrix<double> m = random_symmetric(5, 2);
  const auto expected = eigenvalues_of(reduced(m));
  m(3, 1) = std::numeric_limits<double>::quiet_NaN();
  const auto found = eigenvalues_of(reduced(m));
  REQUIRE(found.ok());
  for (std::size_t k = 0; k < 5; ++k) CHECK(found.value()[k] == expected.value()[k]);
  m(1, 3) = std::numeric_limits<double>::infinity();
  const auto refused = tridiagonal_of(m.view(), nullptr);
  REQUIRE(!refused.ok());
  CHECK(refused.error().code == ErrorCode::kNotFinite);
  Tridiagonal huge = reduced(random_symmetric(3, 1));
  const auto beyond = eigenvalues_of(huge, std::numeric_limits<double>::infinity());
  REQUIRE(!beyond.ok());
  CHECK(beyond.error().code == ErrorCode::kNotFinite);
}

TEST_CASE("a matrix without rows has no eigenvalues") {
  auto none = Matrix<double>::create(0, 0);
  const auto found = eigenvalues_of(reduced(none.value()));
  REQUIRE(found.ok());
  CHECK(found.value().size() == 0);
}
