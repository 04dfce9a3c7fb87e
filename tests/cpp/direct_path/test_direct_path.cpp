#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "support.h"

using namespace tied;

TEST_CASE("the explorer's table has the Gram matrix of the reference") {
  const Matrix<float> e = test::explorer_embedding();
  const auto a = direct_path({e.view(), {}, {}});
  REQUIRE(a.ok());
  const double expected[3][3] = {{1.25, 1.25, .90}, {1.25, 1.45, 1.32}, {.90, 1.32, 1.53}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) CHECK(std::fabs(static_cast<double>(a.value()(i, j)) - expected[i][j]) < 1e-6);
  }
}

TEST_CASE("tied, untied and mapped direct paths agree with plain loops") {
  for (const std::size_t vocab_size : {1, 2, 7, 65, 300}) {
    for (const std::size_t d : {1, 3, 16}) {
      const Matrix<float> e = test::random_matrix(vocab_size, d, 1);
      const Matrix<float> u = test::random_matrix(vocab_size, d, 2);
      const Matrix<float> m = test::random_matrix(d, d, 3);
      const DirectPathFactors cases[] = {
          {e.view(), {}, {}}, {e.view(), u.view(), {}}, {e.view(), {}, m.view()}, {e.view(), u.view(), m.view()}};
      for (const DirectPathFactors& factors : cases) {
        const auto a = direct_path(factors);
        REQUIRE(a.ok());
        const std::vector<double> expected = test::plain_direct_path(factors);
        double worst = 0;
        for (std::size_t i = 0; i < vocab_size * vocab_size; ++i) {
          worst = std::fmax(worst, std::fabs(static_cast<double>(a.value().data()[i]) - expected[i]));
        }
        // Sums of at most 16 * 16 products of normal numbers, each rounded to 2^-24.
        CHECK(worst < 2e-4);
      }
    }
  }
}

TEST_CASE("a tied direct path is symmetric to the last bit, whatever the embedding") {
  for (const std::size_t vocab_size : {2, 65, 257, 300}) {
    for (const std::size_t d : {1, 2, 7, 64, 300}) {
      const Matrix<float> e = test::random_matrix(vocab_size, d, vocab_size + d);
      const auto a = direct_path({e.view(), {}, {}});
      REQUIRE(a.ok());
      std::size_t different = 0;
      for (std::size_t i = 0; i < vocab_size; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          different += std::memcmp(&a.value()(i, j), &a.value()(j, i), sizeof(float)) == 0 ? 0 : 1;
        }
      }
      CHECK(different == 0);
    }
  }
}

TEST_CASE("the identity as M changes nothing") {
  const Matrix<float> e = test::random_matrix(20, 5, 1);
  Matrix<float> identity = test::zeros(5, 5);
  for (std::size_t i = 0; i < 5; ++i) identity(i, i) = 1;
  const auto plain = direct_path({e.view(), {}, {}});
  const auto mapped = direct_path({e.view(), {}, identity.view()});
  REQUIRE(plain.ok());
  REQUIRE(mapped.ok());
  for (std::size_t i = 0; i < 400; ++i) CHECK(plain.value().data()[i] == mapped.value().data()[i]);
}

TEST_CASE("wrong factors are refused, naming argument, value and expectation") {
  const Matrix<float> e = test::random_matrix(4, 3, 1);
  const Matrix<float> short_u = test::random_matrix(3, 3, 2);
  const Matrix<float> narrow_u = test::random_matrix(4, 2, 2);
  const Matrix<float> wrong_m = test::random_matrix(3, 4, 2);
  const Matrix<float> empty;
  const auto code = [](const Result<Matrix<float>>& result) {
    REQUIRE_FALSE(result.ok());
    return result.error().code;
  };
  const auto rows = direct_path({e.view(), short_u.view(), {}});
  CHECK(code(rows) == ErrorCode::kShapeMismatch);
  CHECK(rows.error().message() == "unembedding.rows is 3; expected 4 rows");
  const auto cols = direct_path({e.view(), narrow_u.view(), {}});
  CHECK(code(cols) == ErrorCode::kShapeMismatch);
  CHECK(cols.error().message() == "unembedding.cols is 2; expected 3 columns");
  const auto between = direct_path({e.view(), {}, wrong_m.view()});
  CHECK(code(between) == ErrorCode::kShapeMismatch);
  CHECK(between.error().argument == "between.cols");
  const auto nothing = direct_path({empty.view(), {}, {}});
  CHECK(code(nothing) == ErrorCode::kShapeMismatch);
  CHECK(nothing.error().argument == "embedding.rows");
  CHECK(code(direct_path({e.view(), empty.view(), {}})) == ErrorCode::kShapeMismatch);
}

TEST_CASE("elements that are not finite are refused, naming the entry") {
  for (const float special : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    Matrix<float> e = test::random_matrix(4, 3, 1);
    Matrix<float> u = test::random_matrix(4, 3, 2);
    u(2, 1) = special;
    const auto refused = direct_path({e.view(), u.view(), {}});
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().code == ErrorCode::kNotFinite);
    CHECK(refused.error().argument == "unembedding[2, 1]");
    u(2, 1) = 0;
    CHECK(direct_path({e.view(), u.view(), {}}).ok());
  }
  // Finite factors whose product overflows.
  Matrix<float> large = test::zeros(2, 1);
  large(0, 0) = 1e30F;
  const auto refused = direct_path({large.view(), {}, {}});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == ErrorCode::kNotFinite);
  CHECK(refused.error().argument == "directPath[0, 0]");
}

TEST_CASE("a direct path too large for memory is refused before allocating") {
  const Matrix<float> e = test::zeros(50257, 1);
  const auto refused = direct_path({e.view(), {}, {}});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == ErrorCode::kOutOfMemory);
  CHECK(refused.error().argument == "embedding.rows");
  CHECK(refused.error().value == "50257");
}

TEST_CASE("direct_path_into writes only inside the caller's matrix") {
  const Matrix<float> e = test::random_matrix(5, 3, 1);
  Matrix<float> larger = test::zeros(5, 9);
  for (std::size_t i = 0; i < 45; ++i) larger.data()[i] = 7;
  REQUIRE(direct_path_into(MatrixView<float>(larger.data() + 2, 5, 5, 9), {e.view(), {}, {}}).ok());
  for (std::size_t i = 0; i < 5; ++i) {
    for (const std::size_t j : {0, 1, 7, 8}) CHECK(larger(i, j) == 7);
  }
  const Status wrong = direct_path_into(larger.view(), {e.view(), {}, {}});
  REQUIRE_FALSE(wrong.ok());
  CHECK(wrong.error().code == ErrorCode::kShapeMismatch);
}
