#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "direct_path/symmetry.h"
#include "support.h"

using namespace tied;

namespace {

struct PlainSymmetry {
  double max_difference = 0;
  double norm = 0;
  double symmetric_norm = 0;
  double skew_norm = 0;
};

PlainSymmetry plain_symmetry(const std::vector<double>& a, std::size_t n) {
  PlainSymmetry result;
  double norm = 0;
  double symmetric = 0;
  double skew = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double forward = a[i * n + j];
      const double backward = a[j * n + i];
      result.max_difference = std::fmax(result.max_difference, std::fabs(forward - backward));
      norm += forward * forward;
      symmetric += (forward + backward) * (forward + backward) / 4;
      skew += (forward - backward) * (forward - backward) / 4;
    }
  }
  result.norm = std::sqrt(norm);
  result.symmetric_norm = std::sqrt(symmetric);
  result.skew_norm = std::sqrt(skew);
  return result;
}

// All results are double arithmetic over a few thousand terms.
constexpr double kTolerance = 1e-11;

void check_against(const Symmetry& measured, const PlainSymmetry& plain) {
  CHECK(std::fabs(measured.norm - plain.norm) <= kTolerance * plain.norm);
  CHECK(std::fabs(measured.symmetric_norm - plain.symmetric_norm) <= kTolerance * plain.norm);
  CHECK(std::fabs(measured.skew_norm - plain.skew_norm) <= kTolerance * plain.norm);
  CHECK(measured.asymmetry == doctest::Approx(plain.skew_norm / plain.norm).epsilon(1e-9));
  REQUIRE(measured.max_difference.has_value());
  CHECK(std::fabs(*measured.max_difference - plain.max_difference) <= kTolerance * plain.norm);
}

Matrix<float> copy_of(const Matrix<float>& m) {
  Matrix<float> copy = test::zeros(m.rows(), m.cols());
  std::copy_n(m.data(), m.rows() * m.cols(), copy.data());
  return copy;
}

}  // namespace

TEST_CASE("the symmetry of a matrix agrees with plain loops") {
  for (const std::size_t n : {1, 2, 3, 31, 32, 33, 65, 100}) {
    const Matrix<float> a = test::random_matrix(n, n, n);
    const auto measured = symmetry(a.view());
    REQUIRE(measured.ok());
    check_against(measured.value(), plain_symmetry(std::vector<double>(a.data(), a.data() + n * n), n));
  }
}

TEST_CASE("asymmetry is 0 for symmetric, 1 for skew and about 0.707 for independent entries") {
  const std::size_t n = 200;
  Matrix<float> a = test::random_matrix(n, n, 4);
  const double independent = symmetry(a.view()).value().asymmetry;
  // The two parts have nearly equal norms; the standard error of the ratio is about 1 / n.
  CHECK(std::fabs(independent - std::sqrt(0.5)) < 5.0 / n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) a(j, i) = a(i, j);
  }
  const Symmetry symmetric = symmetry(a.view()).value();
  CHECK(symmetric.asymmetry == 0);
  CHECK(symmetric.symmetric);
  CHECK(*symmetric.max_difference == 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) a(j, i) = -a(i, j);
    a(i, i) = 0;
  }
  CHECK(symmetry(a.view()).value().asymmetry == 1);
  const Matrix<float> nothing = test::zeros(3, 3);
  CHECK(symmetry(nothing.view()).value().asymmetry == 0);
  CHECK(symmetry(nothing.view()).value().symmetric);
}

TEST_CASE("the tolerance decides what counts as symmetric") {
  const Matrix<float> a = test::matrix_of(2, 2, {1, 2, 2.5, 1});
  CHECK_FALSE(symmetry(a.view()).value().symmetric);
  CHECK_FALSE(symmetry(a.view(), {.tolerance = 0.49}).value().symmetric);
  CHECK(symmetry(a.view(), {.tolerance = 0.5}).value().symmetric);
}

TEST_CASE("the worst pairs are listed worst first, ties by row and column, and all of them if there are fewer") {
  const std::size_t n = 40;
  const Matrix<float> a = test::random_matrix(n, n, 8);
  std::vector<SymmetryPair> all;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = i + 1; j < n; ++j) {
      all.push_back({i, j, static_cast<double>(a(i, j)), static_cast<double>(a(j, i))});
    }
  }
  std::sort(all.begin(), all.end(), [](const SymmetryPair& x, const SymmetryPair& y) {
    return std::fabs(x.forward - x.backward) > std::fabs(y.forward - y.backward);
  });
  for (const std::size_t worst : {0, 1, 5, 780, 5000}) {
    const auto measured = symmetry(a.view(), {.worst = worst});
    REQUIRE(measured.ok());
    const std::size_t expected = std::min<std::size_t>(worst, all.size());
    REQUIRE(measured.value().worst.size() == expected);
    for (std::size_t k = 0; k < expected; ++k) {
      CHECK(measured.value().worst[k].row == all[k].row);
      CHECK(measured.value().worst[k].col == all[k].col);
      CHECK(measured.value().worst[k].forward == all[k].forward);
      CHECK(measured.value().worst[k].backward == all[k].backward);
    }
  }
  const Matrix<float> nothing = test::zeros(4, 4);
  const auto ties = symmetry(nothing.view(), {.worst = 4});
  REQUIRE(ties.value().worst.size() == 4);
  CHECK((ties.value().worst[0].row == 0 && ties.value().worst[0].col == 1));
  CHECK((ties.value().worst[3].row == 1 && ties.value().worst[3].col == 2));
}

TEST_CASE("symmetry refuses matrices that are not square or not finite, and wrong options") {
  const Matrix<float> wide = test::random_matrix(2, 3, 1);
  CHECK(symmetry(wide.view()).error().code == ErrorCode::kShapeMismatch);
  CHECK(symmetry(ConstMatrixView<float>()).error().code == ErrorCode::kShapeMismatch);
  Matrix<float> a = test::random_matrix(3, 3, 1);
  CHECK(symmetry(a.view(), {.tolerance = -1}).error().argument == "tolerance");
  CHECK(symmetry(a.view(), {.tolerance = std::nan("")}).error().code == ErrorCode::kInvalidArgument);
  CHECK(symmetry(a.view(), {.worst = kMaxWorstPairs + 1}).error().argument == "worst");
  a(1, 2) = std::numeric_limits<float>::infinity();
  const auto refused = symmetry(a.view());
  CHECK(refused.error().code == ErrorCode::kNotFinite);
  CHECK(refused.error().argument == "square[1, 2]");
}

TEST_CASE("the symmetry of a direct path from its factors agrees with that of the whole matrix") {
  for (const std::size_t vocab_size : {1, 2, 5, 65, 300}) {
    for (const std::size_t d : {1, 3, 16}) {
      const Matrix<float> e = test::random_matrix(vocab_size, d, 1);
      const Matrix<float> u = test::random_matrix(vocab_size, d, 2);
      const Matrix<float> m = test::random_matrix(d, d, 3);
      const DirectPathFactors cases[] = {
          {e.view(), u.view(), {}}, {e.view(), {}, m.view()}, {e.view(), u.view(), m.view()}};
      for (const DirectPathFactors& factors : cases) {
        const auto measured = direct_path_symmetry(factors, {.worst = 3});
        REQUIRE(measured.ok());
        const std::vector<double> a = test::plain_direct_path(factors);
        const PlainSymmetry plain = plain_symmetry(a, vocab_size);
        CAPTURE(vocab_size);
        CAPTURE(d);
        // Unless the difference itself is resolved (as with one dimension and a map), squares cancel to 1e-16.
        CHECK(std::fabs(measured.value().norm - plain.norm) <= kTolerance * plain.norm);
        CHECK(std::fabs(measured.value().skew_norm - plain.skew_norm) <= 1e-7 * plain.norm);
        CHECK(std::fabs(measured.value().symmetric_norm - plain.symmetric_norm) <= 1e-7 * plain.norm);
        REQUIRE(measured.value().max_difference.has_value());
        CHECK(std::fabs(*measured.value().max_difference - plain.max_difference) <= kTolerance * plain.norm);
        CHECK(measured.value().worst.size() == std::min<std::size_t>(3, vocab_size * (vocab_size - 1) / 2));
        for (const SymmetryPair& pair : measured.value().worst) {
          CHECK(std::fabs(pair.forward - a[pair.row * vocab_size + pair.col]) <= kTolerance * plain.norm);
          CHECK(std::fabs(pair.backward - a[pair.col * vocab_size + pair.row]) <= kTolerance * plain.norm);
        }
      }
    }
  }
}

TEST_CASE("a tied direct path has an asymmetry of exactly 0 with all options") {
  const Matrix<float> e = test::random_matrix(300, 7, 1);
  const Matrix<float> copy = copy_of(e);
  Matrix<float> identity = test::zeros(7, 7);
  Matrix<float> symmetric_map = test::random_matrix(7, 7, 2);
  for (std::size_t i = 0; i < 7; ++i) {
    identity(i, i) = 1;
    for (std::size_t j = 0; j < i; ++j) symmetric_map(i, j) = symmetric_map(j, i);
  }
  for (const DirectPathFactors& factors :
       {DirectPathFactors{e.view(), {}, {}}, DirectPathFactors{e.view(), copy.view(), {}},
        DirectPathFactors{e.view(), {}, identity.view()}, DirectPathFactors{e.view(), {}, symmetric_map.view()}}) {
    const auto measured = direct_path_symmetry(factors, {.worst = 2});
    REQUIRE(measured.ok());
    CHECK(measured.value().symmetric);
    CHECK(measured.value().asymmetry == 0);
    CHECK(measured.value().skew_norm == 0);
    CHECK(*measured.value().max_difference == 0);
    REQUIRE(measured.value().worst.size() == 2);
    CHECK((measured.value().worst[0].row == 0 && measured.value().worst[0].col == 1));
    CHECK((measured.value().worst[1].row == 0 && measured.value().worst[1].col == 2));
  }
}

TEST_CASE("a departure from tying is resolved, however small") {
  const std::size_t vocab_size = 200;
  const std::size_t d = 8;
  const Matrix<float> e = test::random_matrix(vocab_size, d, 1);
  // One element of U is off by one unit in the last place: a relative change of about 1e-9 of the whole.
  Matrix<float> u = copy_of(e);
  u(3, 2) = std::nextafter(u(3, 2), 10.0F);
  const double change = static_cast<double>(u(3, 2)) - static_cast<double>(e(3, 2));
  const auto measured = direct_path_symmetry({e.view(), u.view(), {}});
  REQUIRE(measured.ok());
  CHECK_FALSE(measured.value().symmetric);
  // a_i3 changes by change * e_i2 for all i, a_3i does not; the diagonal entry has no partner.
  double squares = 0;
  double largest = 0;
  for (std::size_t i = 0; i < vocab_size; ++i) {
    if (i == 3) continue;
    const double difference = std::fabs(change * static_cast<double>(e(i, 2)));
    squares += difference * difference;
    largest = std::fmax(largest, difference);
  }
  CHECK(measured.value().skew_norm == doctest::Approx(std::sqrt(squares / 2)).epsilon(1e-9));
  CHECK(*measured.value().max_difference == doctest::Approx(largest).epsilon(1e-9));
}

TEST_CASE("independent tables have an asymmetry of about 0.707") {
  const Matrix<float> e = test::random_matrix(2000, 64, 1);
  const Matrix<float> u = test::random_matrix(2000, 64, 2);
  const auto measured = direct_path_symmetry({e.view(), u.view(), {}}, {.most_products = 0});
  REQUIRE(measured.ok());
  CHECK(std::fabs(measured.value().asymmetry - std::sqrt(0.5)) < 0.02);
  CHECK_FALSE(measured.value().max_difference.has_value());
  CHECK_FALSE(measured.value().symmetric);
}

TEST_CASE("GPT-2's vocabulary of 50,257 never allocates a V x V matrix") {
  // That matrix would take 10 GB in float; the wasm build of this test has 2 GB in total and would fail.
  const std::size_t vocab_size = 50257;
  const Matrix<float> e = test::random_matrix(vocab_size, 8, 1);
  const Matrix<float> u = test::random_matrix(vocab_size, 8, 2);
  const auto untied = direct_path_symmetry({e.view(), u.view(), {}});
  REQUIRE(untied.ok());
  CHECK(std::fabs(untied.value().asymmetry - std::sqrt(0.5)) < 0.1);
  CHECK_FALSE(untied.value().max_difference.has_value());
  const auto tied = direct_path_symmetry({e.view(), {}, {}}, {.worst = 5});
  REQUIRE(tied.ok());
  CHECK(tied.value().asymmetry == 0);
  CHECK(*tied.value().max_difference == 0);
  CHECK(tied.value().symmetric);
  CHECK(tied.value().worst.size() == 5);
}

TEST_CASE("a map costs its products once per row, however many pairs are compared and listed") {
  // Computed for each listed entry, the products with M alone would be 3.4e10: a minute instead of a second.
  // With sanitizers, the plain loops for comparison take seconds at this width, so the map is narrow there.
  constexpr std::size_t kVocabSize = 400;
#if __has_feature(address_sanitizer)
  constexpr std::size_t kWidth = 64;
#else
  constexpr std::size_t kWidth = 512;
#endif
  const Matrix<float> e = test::random_matrix(kVocabSize, kWidth, 1);
  const Matrix<float> u = test::random_matrix(kVocabSize, kWidth, 2);
  const Matrix<float> m = test::random_matrix(kWidth, kWidth, 3);
  const DirectPathFactors cases[] = {{e.view(), {}, m.view()}, {e.view(), u.view(), m.view()}};
  for (const DirectPathFactors& factors : cases) {
    const auto measured = direct_path_symmetry(factors, {.worst = kMaxWorstPairs});
    REQUIRE(measured.ok());
    REQUIRE(measured.value().worst.size() == kMaxWorstPairs);
    const std::vector<double> a = test::plain_direct_path(factors);
    for (const SymmetryPair& pair : measured.value().worst) {
      REQUIRE(std::fabs(pair.forward - a[pair.row * kVocabSize + pair.col]) <= kTolerance * measured.value().norm);
      REQUIRE(std::fabs(pair.backward - a[pair.col * kVocabSize + pair.row]) <= kTolerance * measured.value().norm);
    }
  }
}

TEST_CASE("a map costs two products per row, and pairs half a matrix, for any number of tokens") {
  constexpr std::size_t kWidth = 6;
  const Matrix<float> m = test::random_matrix(kWidth, kWidth, 3);
  for (const std::size_t vocab_size : {5u, 128u, 129u, 300u, 1000u}) {
    const Matrix<float> e = test::random_matrix(vocab_size, kWidth, 1);
    const Matrix<float> u = test::random_matrix(vocab_size, kWidth, 2);
    for (const std::size_t worst : {std::size_t{0}, std::size_t{1}, kMaxWorstPairs}) {
      const SymmetryOptions options{.worst = worst};
      const Symmetry both = direct_path_symmetry({e.view(), u.view(), m.view()}, options).value();
      const Symmetry mapped = direct_path_symmetry({e.view(), {}, m.view()}, options).value();
      const Symmetry untied = direct_path_symmetry({e.view(), u.view(), {}}, options).value();
      const Symmetry tied = direct_path_symmetry({e.view(), {}, {}}, options).value();
      // Once for the norms, or for M - M^T, and once for all pairs.
      CHECK(both.mapped_rows == 2 * vocab_size);
      CHECK(mapped.mapped_rows == 2 * vocab_size);
      CHECK(untied.mapped_rows == 0);
      CHECK(tied.mapped_rows == 0);
      CHECK(tied.compared_entries == 0);
      for (const Symmetry& compared : {both, mapped, untied}) {
        CHECK(compared.compared_entries >= vocab_size * (vocab_size - 1) / 2);
        // Tiles on the diagonal are computed whole.
        CHECK(compared.compared_entries <= vocab_size * (vocab_size + 128) / 2);
      }
    }
    const Symmetry norms = direct_path_symmetry({e.view(), u.view(), m.view()}, {.most_products = 0}).value();
    CHECK(norms.mapped_rows == vocab_size);
    CHECK(norms.compared_entries == 0);
  }
}

TEST_CASE("without compared pairs, `symmetric` follows from the norms") {
  const Matrix<float> e = test::random_matrix(50, 4, 1);
  const Matrix<float> u = test::random_matrix(50, 4, 2);
  const auto all = direct_path_symmetry({e.view(), u.view(), {}});
  REQUIRE(all.ok());
  const double bound = std::sqrt(2.0) * all.value().skew_norm;
  CHECK(*all.value().max_difference <= bound);
  CHECK(direct_path_symmetry({e.view(), u.view(), {}}, {.tolerance = bound, .most_products = 0}).value().symmetric);
  CHECK_FALSE(direct_path_symmetry({e.view(), u.view(), {}}, {.tolerance = bound * 0.999, .most_products = 0})
                  .value()
                  .symmetric);
  CHECK(direct_path_symmetry({e.view(), u.view(), {}}, {.worst = 1, .most_products = 0}).value().max_difference ==
        all.value().max_difference);
}

TEST_CASE("direct_path_symmetry refuses what direct_path refuses") {
  Matrix<float> e = test::random_matrix(4, 3, 1);
  const Matrix<float> u = test::random_matrix(4, 2, 2);
  CHECK(direct_path_symmetry({e.view(), u.view(), {}}).error().code == ErrorCode::kShapeMismatch);
  CHECK(direct_path_symmetry({e.view(), {}, {}}, {.tolerance = -1}).error().argument == "tolerance");
  e(1, 1) = std::nanf("");
  CHECK(direct_path_symmetry({e.view(), {}, {}}).error().argument == "embedding[1, 1]");
}
