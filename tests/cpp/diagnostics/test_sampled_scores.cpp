#include "diagnostics/sampled_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support.h"

namespace tied {
namespace {

double exact_product(const Matrix<float>& a, std::size_t i, const Matrix<float>& b, std::size_t j) {
  double sum = 0;
  for (std::size_t k = 0; k < a.cols(); ++k) sum += static_cast<double>(a(i, k)) * static_cast<double>(b(j, k));
  return sum;
}

}  // namespace

TEST_CASE("sampled rows are multiplied with all rows of both tables in three ways, tied ones in one") {
  const Matrix<float> e = test::normal_matrix(20, 5, 1);
  const Matrix<float> u = test::normal_matrix(20, 5, 2);
  const auto sampled = SampledRows::create(e.view().row_block(3, 2), u.view().row_block(3, 2), false);
  REQUIRE(sampled);
  REQUIRE(sampled.value().kinds() == 3);
  Matrix<float> found = test::zeros(6, 20);
  sampled.value().multiply(found.view(), e.view(), u.view());
  const auto tied = SampledRows::create(e.view().row_block(3, 2), {}, true);
  REQUIRE(tied);
  Matrix<float> one = test::zeros(2, 20);
  tied.value().multiply(one.view(), e.view(), {});
  for (std::size_t s = 0; s < 2; ++s) {
    for (std::size_t j = 0; j < 20; ++j) {
      CHECK(static_cast<double>(found(s, j)) == doctest::Approx(exact_product(e, 3 + s, u, j)).epsilon(1e-5));
      CHECK(static_cast<double>(found(2 + s, j)) == doctest::Approx(exact_product(u, 3 + s, e, j)).epsilon(1e-5));
      CHECK(static_cast<double>(found(4 + s, j)) == doctest::Approx(exact_product(e, 3 + s, e, j)).epsilon(1e-5));
      CHECK(one(s, j) == found(4 + s, j));
    }
  }
}

TEST_CASE("log sums do not depend on how rows arrive, nor overflow") {
  Matrix<float> e = test::normal_matrix(70, 4, 3);
  const Matrix<float> u = test::normal_matrix(50, 4, 4);
  for (std::size_t k = 0; k < 4; ++k) e(69, k) *= 1e4F;
  auto whole = RunningLogSums::create(e.view());
  auto parts = RunningLogSums::create(e.view());
  REQUIRE(whole);
  REQUIRE(parts);
  CHECK(std::isinf(whole.value().log_sum(0)));
  REQUIRE(whole.value().add(u.view()));
  for (std::size_t row = 0; row < 50; row += 7) {
    REQUIRE(parts.value().add(u.view().row_block(row, std::min<std::size_t>(7, 50 - row))));
  }
  for (std::size_t i = 0; i < 70; ++i) {
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < 50; ++j) most = std::max(most, exact_product(e, i, u, j));
    double sum = 0;
    for (std::size_t j = 0; j < 50; ++j) sum += std::exp(exact_product(e, i, u, j) - most);
    CHECK(whole.value().log_sum(i) == doctest::Approx(most + std::log(sum)).epsilon(1e-5));
    CHECK(parts.value().log_sum(i) == doctest::Approx(whole.value().log_sum(i)).epsilon(1e-6));
  }
}

}  // namespace tied
