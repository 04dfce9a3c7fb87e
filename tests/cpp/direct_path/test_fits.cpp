#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "direct_path/fits.h"
#include "direct_path/symmetry.h"
#include "support.h"

using namespace tied;

namespace {

double distance(const Matrix<float>& target, const std::vector<double>& a) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = static_cast<double>(target.data()[i]) - a[i];
    squares += difference * difference;
  }
  return std::sqrt(squares);
}

}  // namespace

TEST_CASE("the fits of the toy chain's logarithms are the golden ones") {
  Matrix<float> log_p = test::toy_chain();
  for (std::size_t i = 0; i < 9; ++i)
    log_p.data()[i] = static_cast<float>(std::log(static_cast<double>(log_p.data()[i])));
  for (const std::size_t d : {1, 2, 3}) {
    const auto bounds = fit_bounds(log_p.view(), d);
    REQUIRE(bounds.ok());
    // The golden values were computed in double; the target here is rounded to float, 6e-8 of entries up to 3.
    CHECK(std::fabs(bounds.value().skew - 2.2487662164) < 1e-6);
    CHECK(std::fabs(bounds.value().tied * bounds.value().tied - 32.3494083794) < 1e-5);
    CHECK(bounds.value().symmetric == bounds.value().skew);
  }
  // Full rank fits any matrix; the rest is rounding of T T^T, sqrt(2^-53) of the norm.
  CHECK(fit_bounds(log_p.view(), 3).value().untied < 1e-7);
}

TEST_CASE("a positive semidefinite target of rank d is fitted exactly with width d and not with less") {
  const Matrix<float> e = test::explorer_embedding();
  const auto gram = direct_path({e.view(), {}, {}});
  REQUIRE(gram.ok());
  // Entries are rounded to float, so the third eigenvalue is not exactly 0.
  CHECK(fit_bounds(gram.value().view(), 2).value().tied < 1e-6);
  CHECK(std::fabs(fit_bounds(gram.value().view(), 1).value().tied - 0.489) < 1e-3);
  CHECK(std::fabs(fit_bounds(gram.value().view(), 1).value().untied - 0.489) < 1e-3);
  CHECK(fit_bounds(gram.value().view(), 1).value().skew == 0);
}

TEST_CASE("a negative definite target is best fitted by zero when tied, and exactly when untied") {
  const Matrix<float> minus = test::matrix_of(2, 2, {-3, 0, 0, -4});
  const auto bounds = fit_bounds(minus.view(), 2);
  REQUIRE(bounds.ok());
  CHECK(bounds.value().tied == doctest::Approx(5).epsilon(1e-12));
  CHECK(bounds.value().untied == doctest::Approx(0));
  CHECK(bounds.value().symmetric == 0);
}

TEST_CASE("bounds are ordered, decrease with d, and no random model of their family is below") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::size_t n = 3 + seed % 8;
    const Matrix<float> target = test::random_matrix(n, n, seed, 2);
    FitBounds previous;
    for (std::size_t d = 1; d <= n + 1; ++d) {
      const auto result = fit_bounds(target.view(), d);
      REQUIRE(result.ok());
      const FitBounds& bounds = result.value();
      const double slack = 1e-7 * n;
      CHECK(bounds.untied <= bounds.tied + slack);
      CHECK(bounds.symmetric <= bounds.tied);
      if (d > 1) {
        CHECK(bounds.untied <= previous.untied + slack);
        CHECK(bounds.tied <= previous.tied + slack);
      }
      previous = bounds;
      for (std::uint64_t trial = 0; trial < 5; ++trial) {
        const Matrix<float> e = test::random_matrix(n, d, 1000 * seed + trial, 0.7);
        const Matrix<float> u = test::random_matrix(n, d, 5000 * seed + trial, 0.7);
        CHECK(distance(target, test::plain_direct_path({e.view(), {}, {}})) >= bounds.tied - slack);
        CHECK(distance(target, test::plain_direct_path({e.view(), u.view(), {}})) >= bounds.untied - slack);
      }
    }
  }
}

TEST_CASE("fit bounds refuse targets that are not square, not finite or too large, and a width of 0") {
  const Matrix<float> wide = test::random_matrix(2, 3, 1);
  CHECK(fit_bounds(wide.view(), 1).error().code == ErrorCode::kShapeMismatch);
  CHECK(fit_bounds(ConstMatrixView<float>(), 1).error().code == ErrorCode::kShapeMismatch);
  Matrix<float> target = test::random_matrix(3, 3, 1);
  CHECK(fit_bounds(target.view(), 0).error().argument == "dModel");
  target(2, 0) = std::nanf("");
  CHECK(fit_bounds(target.view(), 1).error().argument == "target[2, 0]");
  const float number = 0;
  // Only the shape is checked.
  const ConstMatrixView<float> large(&number, kLargestFit + 1, kLargestFit + 1);
  CHECK(fit_bounds(large, 1).error().code == ErrorCode::kOutOfMemory);
}

TEST_CASE("a width above the number of tokens gives the bounds of that number, up to the largest width") {
  const Matrix<float> target = test::random_matrix(6, 6, 3);
  const auto expected = fit_bounds(target.view(), 6);
  REQUIRE(expected.ok());
  for (const std::size_t d_model : {std::size_t{7}, std::size_t{0x7FFFFFFF}, ~std::size_t{0} - 1, ~std::size_t{0}}) {
    const auto bounds = fit_bounds(target.view(), d_model);
    REQUIRE(bounds.ok());
    CHECK(bounds.value().untied == expected.value().untied);
    CHECK(bounds.value().tied == expected.value().tied);
  }
}

TEST_CASE("a solved unembedding fits a reachable target") {
  const Matrix<float> e = test::random_matrix(30, 5, 1);
  const Matrix<float> u = test::random_matrix(30, 5, 2);
  const auto target = direct_path({e.view(), u.view(), {}});
  REQUIRE(target.ok());
  const auto solved = solve_unembedding(e.view(), target.value().view());
  REQUIRE(solved.ok());
  REQUIRE(solved.value().rows() == 30);
  REQUIRE(solved.value().cols() == 5);
  for (std::size_t i = 0; i < 150; ++i) {
    // The target was rounded to float.
    CHECK(std::fabs(static_cast<double>(solved.value().data()[i] - u.data()[i])) < 1e-5);
  }
}

TEST_CASE("small changes do not improve a solved unembedding, even if columns are linearly dependent") {
  for (const bool deficient : {false, true}) {
    Matrix<float> e = test::random_matrix(9, 3, 1);
    for (std::size_t i = 0; deficient && i < 9; ++i) e(i, 2) = e(i, 0) - e(i, 1);
    const Matrix<float> target = test::random_matrix(9, 9, 2);
    const auto solved = solve_unembedding(e.view(), target.view());
    REQUIRE(solved.ok());
    for (std::size_t i = 0; i < 27; ++i) CHECK(std::fabs(solved.value().data()[i]) < 100);
    const double best = distance(target, test::plain_direct_path({e.view(), solved.value().view(), {}}));
    for (std::uint64_t trial = 0; trial < 50; ++trial) {
      Matrix<float> changed = test::random_matrix(9, 3, trial, 0.01);
      for (std::size_t i = 0; i < 27; ++i) changed.data()[i] += solved.value().data()[i];
      CHECK(distance(target, test::plain_direct_path({e.view(), changed.view(), {}})) > best - 1e-6);
    }
  }
}

TEST_CASE("untied models fit an asymmetric target that tied ones cannot: the explorer's case") {
  const Matrix<float> e = test::explorer_embedding();
  // "New York" is common, "York New" is not.
  const Matrix<float> target = test::matrix_of(3, 3, {0, 5, 1, -5, 0, 2, -1, -2, 0});
  const auto solved = solve_unembedding(e.view(), target.view());
  REQUIRE(solved.ok());
  const auto a = direct_path({e.view(), solved.value().view(), {}});
  REQUIRE(a.ok());
  CHECK(a.value()(0, 1) > a.value()(1, 0) + 3);
}

TEST_CASE("solve_unembedding refuses shapes that do not match and elements that are not finite") {
  Matrix<float> e = test::random_matrix(4, 2, 1);
  const Matrix<float> target = test::random_matrix(3, 3, 1);
  const auto rows = solve_unembedding(e.view(), target.view());
  REQUIRE_FALSE(rows.ok());
  CHECK(rows.error().message() == "target.rows is 3; expected as many rows as the embedding has, 4");
  CHECK(solve_unembedding(ConstMatrixView<float>(), target.view()).error().argument == "embedding.rows");
  const Matrix<float> square = test::random_matrix(4, 4, 1);
  e(0, 1) = std::numeric_limits<float>::infinity();
  CHECK(solve_unembedding(e.view(), square.view()).error().argument == "embedding[0, 1]");
}
