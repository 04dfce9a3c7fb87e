#include <doctest/doctest.h>

#include <cmath>

#include "linalg/least_squares.h"
#include "linalg/matmul.h"
#include "linalg/reduce.h"
#include "support.h"

using namespace tied;
using tied::test::Guarded;

TEST_CASE("least squares solves a solvable system exactly") {
  Guarded<double> a(7, 4, 1);
  Guarded<double> x(4, 3);
  a.fill_normal(1);
  x.fill_normal(2);
  Guarded<double> b(7, 3, 2);
  matmul_nn<double>(b.view(), a.view(), x.view());
  const auto solution = least_squares(a.view(), b.view());
  REQUIRE(solution.ok());
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 3; ++j) CHECK(std::fabs(solution.value()(i, j) - x(i, j)) < 1e-12);
  }
}

TEST_CASE("least squares leaves a residual orthogonal to the columns, even if they are linearly dependent") {
  for (const bool deficient : {false, true}) {
    Guarded<double> a(9, 4);
    Guarded<double> b(9, 2);
    a.fill_normal(3);
    b.fill_normal(4);
    for (std::size_t i = 0; deficient && i < 9; ++i) a(i, 2) = a(i, 0) + a(i, 1);
    const auto solution = least_squares(a.view(), b.view());
    REQUIRE(solution.ok());
    Guarded<double> residual = b;
    for (std::size_t i = 0; i < 9; ++i) {
      for (std::size_t j = 0; j < 2; ++j) {
        for (std::size_t k = 0; k < 4; ++k) residual(i, j) -= a(i, k) * solution.value()(k, j);
      }
    }
    Guarded<double> product(4, 2);
    matmul_tn<double>(product.view(), a.view(), residual.view());
    CHECK(max_abs(product.view().data, 8) < 1e-13);
    CHECK(max_abs(solution.value().data(), 8) < 100);
  }
}

TEST_CASE("least squares has full precision for nearly equal columns, and drops them below the tolerance") {
  Guarded<double> a(9, 3);
  Guarded<double> x(3, 1);
  a.fill_normal(3);
  x.fill_normal(4);
  for (std::size_t i = 0; i < 9; ++i) a(i, 2) = a(i, 0) - a(i, 1) + 1e-4 * a(i, 2);
  Guarded<double> b(9, 1);
  matmul_nn<double>(b.view(), a.view(), x.view());
  const auto kept = least_squares(a.view(), b.view());
  REQUIRE(kept.ok());
  // The condition number is about 1e4, that of a^T a 1e8: normal equations would be off by 1e-8.
  for (std::size_t i = 0; i < 3; ++i) CHECK(std::fabs(kept.value()(i, 0) - x(i, 0)) < 1e-10);
  b.fill_normal(5);
  const auto large = least_squares(a.view(), b.view());
  const auto sober = least_squares(a.view(), b.view(), 1e-3);
  REQUIRE(large.ok());
  REQUIRE(sober.ok());
  CHECK(max_abs(large.value().data(), 3) > 100);
  CHECK(max_abs(sober.value().data(), 3) < 10);
}

TEST_CASE("least squares with more columns than rows matches the right side with as many columns as there are rows") {
  Guarded<double> a(3, 5);
  Guarded<double> b(3, 2);
  a.fill_normal(6);
  b.fill_normal(7);
  const auto solution = least_squares(a.view(), b.view());
  REQUIRE(solution.ok());
  for (std::size_t j = 0; j < 2; ++j) {
    int used = 0;
    for (std::size_t k = 0; k < 5; ++k) used += solution.value()(k, j) != 0 ? 1 : 0;
    CHECK(used == 3);
    for (std::size_t i = 0; i < 3; ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < 5; ++k) sum += a(i, k) * solution.value()(k, j);
      CHECK(std::fabs(sum - b(i, j)) < 1e-13);
    }
  }
}

TEST_CASE("least squares handles columns of very different sizes") {
  Guarded<double> a(6, 3);
  Guarded<double> x(3, 1);
  a.fill_normal(8);
  x.fill_normal(9);
  for (std::size_t i = 0; i < 6; ++i) {
    a(i, 0) *= 1e-9;
    a(i, 2) *= 1e30;
  }
  x(2, 0) *= 1e-30;
  Guarded<double> b(6, 1);
  matmul_nn<double>(b.view(), a.view(), x.view());
  // With this tolerance the small columns are not noise.
  const auto solution = least_squares(a.view(), b.view(), 1e-300);
  REQUIRE(solution.ok());
  // The rounding error of the largest part of the right side, 1, becomes 1e-7 through the column of 1e-9.
  CHECK(std::fabs(solution.value()(0, 0) - x(0, 0)) < 1e-5);
  CHECK(std::fabs(solution.value()(1, 0) - x(1, 0)) < 1e-14);
  CHECK(std::fabs(solution.value()(2, 0) / x(2, 0) - 1) < 1e-14);
}

TEST_CASE("least squares of a matrix of zeros is zero") {
  Guarded<double> a(4, 2);
  Guarded<double> b(4, 3);
  b.fill_normal(1);
  for (std::size_t i = 0; i < 8; ++i) a(i / 2, i % 2) = 0;
  const auto solution = least_squares(a.view(), b.view());
  REQUIRE(solution.ok());
  CHECK(max_abs(solution.value().data(), 6) == 0);
}

TEST_CASE("least squares refuses different row counts and accepts empty matrices") {
  Guarded<double> a(3, 2);
  Guarded<double> b(4, 2);
  CHECK(least_squares(a.view(), b.view()).error().code == ErrorCode::kShapeMismatch);
  Guarded<double> none(3, 0);
  const auto solution = least_squares(a.fill_normal(1).view(), none.view());
  REQUIRE(solution.ok());
  CHECK(solution.value().rows() == 2);
  CHECK(solution.value().cols() == 0);
}
