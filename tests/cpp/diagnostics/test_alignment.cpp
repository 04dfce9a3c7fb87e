#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "diagnostics/alignment.h"
#include "support.h"

using namespace tied;

namespace {

using Method = AlignmentMethod;

Alignment aligned(const Matrix<float>& source, const Matrix<float>& target, const AlignmentOptions& options,
                  std::size_t blocks = std::size_t{1} << 20) {
  return test::finished(Alignment::create(source.view(), target.view(), options), blocks);
}

Method method_of(std::string_view name) {
  if (name == "identity") return Method::kIdentity;
  if (name == "orthogonal") return Method::kOrthogonal;
  return name == "linear" ? Method::kLinear : Method::kRidge;
}

}  // namespace

TEST_CASE("alignments agree with an independent program") {
  for (const auto& given : reference::kAlignments) {
    CAPTURE(given.method);
    CAPTURE(given.center);
    const Matrix<float> source = test::source_table();
    const Matrix<float> target = given.narrow ? test::narrow_table() : test::target_table();
    AlignmentOptions options;
    options.method = method_of(given.method);
    options.center = given.center;
    options.penalty = reference::kPenalty;
    const Alignment found = aligned(source, target, options);
    CHECK(found.agreement().mean_cosine == doctest::Approx(given.mean_cosine).epsilon(1e-6));
    CHECK(found.agreement().residual == doctest::Approx(given.residual).epsilon(1e-6));
    CHECK(found.left_out() == 0);
    REQUIRE(found.cosines().size() == reference::kDiagnosticRows);
    for (std::size_t i = 0; i < found.cosines().size(); ++i) {
      CHECK(std::fabs(static_cast<double>(found.cosines()[i]) - given.cosines[i]) < 2e-6);
    }
    const Matrix<float>& map = found.map();
    CHECK(map.rows() == (options.method == Method::kIdentity ? 0 : source.cols()));
    for (std::size_t i = 0; i < map.rows() * map.cols(); ++i) {
      CHECK(std::fabs(static_cast<double>(map.data()[i]) - given.map[i]) < 4e-6);
    }
  }
}

TEST_CASE(
    "a rotated table aligns fully by an orthogonal map, other products by a linear one, on held-out rows as well") {
  const Matrix<float> source = test::normal_matrix(700, 12, 1);
  AlignmentOptions options;
  options.hold_out = 0.2;
  options.method = Method::kOrthogonal;
  const Alignment rotated = aligned(source, test::product(source, test::rotation(12)), options);
  CHECK(rotated.agreement().mean_cosine > 1 - 1e-6);
  CHECK(rotated.agreement().residual < 1e-5);
  CHECK(rotated.held_out().value().mean_cosine > 1 - 1e-6);
  CHECK(rotated.held_out().value().rows == 140);

  options.method = Method::kLinear;
  const Alignment mapped = aligned(source, test::product(source, test::normal_matrix(12, 5, 2)), options);
  CHECK(mapped.agreement().mean_cosine > 1 - 1e-6);
  CHECK(mapped.held_out().value().residual < 1e-5);
}

TEST_CASE("tables that have nothing in common align as by chance, in rows of the fit only") {
  const Matrix<float> source = test::normal_matrix(1200, 48, 3);
  const Matrix<float> target = test::normal_matrix(1200, 48, 4);
  AlignmentOptions options;
  options.hold_out = 0.25;
  options.null_runs = 3;
  for (const Method method : {Method::kIdentity, Method::kOrthogonal, Method::kLinear}) {
    options.method = method;
    const Alignment found = aligned(source, target, options);
    const double theory = found.theory().value();
    CAPTURE(theory);
    CHECK(std::fabs(found.agreement().mean_cosine - theory) < 0.02);
    const auto null = found.null_cosines();
    REQUIRE(null.size() == 3);
    for (const double cosine : null) CHECK(std::fabs(cosine - theory) < 0.02);
    CHECK(null[0] != null[1]);
    CHECK(std::fabs(found.held_out().value().mean_cosine) < 0.03);
  }
  const double of_48_columns = 2 * std::pow(std::tgamma(24.5) / std::tgamma(24), 2) / 48;
  CHECK(aligned(source, target, options).theory().value() == doctest::Approx(0.2 * of_48_columns));
  options.method = Method::kRidge;
  CHECK(!aligned(source, target, options).theory().has_value());
}

TEST_CASE("the null of an alignment does not depend on the held-out split, nor the bits on the size of the parts") {
  const Matrix<float> source = test::normal_matrix(300, 7, 5);
  const Matrix<float> target = test::normal_matrix(300, 3, 6);
  AlignmentOptions options;
  options.null_runs = 2;
  options.seed = 9;
  const Alignment whole = aligned(source, target, options);
  options.hold_out = 0.1;
  const Alignment parts = aligned(source, target, options, 1);
  CHECK(whole.null_cosines() == parts.null_cosines());
  CHECK(whole.agreement().mean_cosine == parts.agreement().mean_cosine);
  for (std::size_t i = 0; i < 21; ++i) CHECK(whole.map().data()[i] == parts.map().data()[i]);
  options.seed = 10;
  CHECK(whole.null_cosines() != aligned(source, target, options).null_cosines());
}

TEST_CASE("rows of zeros are left out of an alignment") {
  const Matrix<float> source = test::source_table();
  const Matrix<float> target = test::target_table();
  const Alignment all = aligned(source, target, {});
  const Alignment padded = aligned(test::with_zero_rows(source), test::with_zero_rows(target), {});
  CHECK(padded.left_out() == 2);
  CHECK(std::isnan(padded.cosines()[0]));
  CHECK(std::isnan(padded.cosines()[3]));
  CHECK(padded.cosines()[1] == all.cosines()[0]);
  CHECK(padded.agreement().mean_cosine == all.agreement().mean_cosine);
}

TEST_CASE("alignments that are not determined, and bad tables, are refused by name") {
  const Matrix<float> source = test::source_table();
  const Matrix<float> target = test::target_table();
  const auto message = [](ConstMatrixView<float> x, ConstMatrixView<float> y, const AlignmentOptions& options) {
    auto made = Alignment::create(x, y, options);
    if (!made) return made.error().message();
    while (!made.value().finished()) {
      if (Status status = made.value().advance(1000); !status) return status.error().message();
    }
    return std::string("none");
  };
  AlignmentOptions options;
  CHECK(message(source.view(), target.view().row_block(0, 39), options) ==
        "target.rows is 39; expected as many rows as source has, 40");
  CHECK(message(source.view().row_block(0, 6), target.view().row_block(0, 6), options) ==
        "source.rows is 6; expected at least 7 rows to fit that are not zero");
  AlignmentOptions split = options;
  split.hold_out = 0.2;
  CHECK(message(source.view().row_block(0, 6), target.view().row_block(0, 6), split) ==
        "source.rows is 6, of which 5 are fitted; expected at least 7 rows to fit that are not zero");

  Matrix<float> bad = test::source_table();
  bad(5, 2) = test::kNotANumber;
  bad(9, 0) = std::numeric_limits<float>::infinity();
  CHECK(message(bad.view(), target.view(), options) ==
        "source[5, 2] is NaN; expected finite numbers; 2 of 40 rows have others");

  Matrix<float> constant = test::source_table();
  for (std::size_t i = 0; i < constant.rows(); ++i) constant(i, 4) = 2.5F;
  CHECK(message(constant.view(), target.view(), options) ==
        "source column 4 is constant; expected a column that varies; a ridge map takes any");
  Matrix<float> dependent = test::source_table();
  for (std::size_t i = 0; i < dependent.rows(); ++i) dependent(i, 3) = 2 * dependent(i, 1);
  CHECK(message(dependent.view(), target.view(), options) ==
        "source column 3 is a combination of the columns before it; expected independent columns; a ridge map takes "
        "any");
  options.method = Method::kRidge;
  CHECK(message(dependent.view(), target.view(), options) == "none");
  CHECK(message(constant.view(), target.view(), options) == "none");

  options.method = Method::kOrthogonal;
  CHECK(message(dependent.view(), target.view(), options) ==
        "source column 3 is a combination of the columns before it; expected independent columns; a ridge map takes "
        "any");
  CHECK(message(source.view(), dependent.view(), options) ==
        "target column 3 is a combination of the columns before it; expected independent columns; a ridge map takes "
        "any");
  CHECK(message(source.view(), test::narrow_table().view(), options) ==
        "target.cols is 4; expected as many columns as source has, 6; a linear map takes any");
  options.hold_out = 1;
  CHECK(message(source.view(), target.view(), options) == "hold_out is 1; expected a number of at least 0 and below 1");
  options.hold_out = 0.01;
  CHECK(message(source.view(), target.view(), options) ==
        "hold_out is 0.01; expected a fraction that is at least one row");

  Matrix<float> same = test::source_table();
  for (std::size_t i = 1; i < same.rows(); ++i) std::copy_n(same.data(), same.cols(), same.view().row(i));
  for (const Method method : {Method::kIdentity, Method::kRidge}) {
    CHECK(message(same.view(), target.view(), {.method = method}) ==
          "source is the same in all rows; expected rows that differ");
    CHECK(message(source.view(), same.view(), {.method = method}) ==
          "target is the same in all rows; expected rows that differ");
    CHECK(message(same.view(), target.view(), {.method = method, .center = false}) == "none");
  }
}

TEST_CASE("no orthogonal map is returned for a table with a column that depends on others") {
  const auto refusal = [](ConstMatrixView<float> x, ConstMatrixView<float> y) {
    auto made = Alignment::create(x, y, {.method = Method::kOrthogonal, .null_runs = 0});
    REQUIRE(made);
    while (!made.value().finished()) {
      if (Status status = made.value().advance(1); !status) return status.error().message();
    }
    return std::string("none");
  };
  for (std::size_t n = 0; n < 200; ++n) {
    CAPTURE(n);
    const std::size_t rows = 20 + 7 * n;
    const std::size_t width = 2 + n % 6;
    Matrix<float> source = test::normal_matrix(rows, width, 2 * n + 1);
    const Matrix<float> target = test::normal_matrix(rows, width, 2 * n + 2);
    CHECK(refusal(source.view(), target.view()) == "none");
    const float share = 0.1F + 0.013F * static_cast<float>(n);
    for (std::size_t i = 0; i < rows; ++i) {
      source(i, width - 1) = share * source(i, 0) + (width > 2 ? 0.7F * source(i, 1) : 0);
    }
    const std::string expected = "column " + std::to_string(width - 1) + " is a combination of the columns before it";
    CHECK(refusal(source.view(), target.view()).find("source " + expected) == 0);
    CHECK(refusal(target.view(), source.view()).find("target " + expected) == 0);
  }
}

TEST_CASE("a shuffled target whose fit has no counterpart in some direction does not refuse the tables") {
  // Both tables have a strong common mean and are not centered: the product of the shuffled tables is nearly of rank 1.
  constexpr std::size_t kRows = 400;
  constexpr std::size_t kWidth = 16;
  const Matrix<float> noise = test::normal_matrix(kRows, kWidth, 1);
  Matrix<float> source = test::normal_matrix(kRows, kWidth, 2);
  Matrix<float> target = test::zeros(kRows, kWidth);
  for (std::size_t i = 0; i < kRows * kWidth; ++i) {
    source.data()[i] += 200;
    target.data()[i] = source.data()[i] + 0.5F * noise.data()[i];
  }
  const AlignmentOptions options = {.method = Method::kOrthogonal, .center = false, .null_runs = 100};
  const Alignment found = aligned(source, target, options);
  CHECK(found.agreement().mean_cosine > 0.99);
  CHECK(found.null_cosines().size() == 100);
  // Tables that are themselves unrelated are refused.
  const Matrix<float> other = test::normal_matrix(kRows, kWidth, 3);
  for (std::size_t i = 0; i < kRows * kWidth; ++i) target.data()[i] = other.data()[i] + 200;
  auto made = Alignment::create(source.view(), target.view(), options);
  REQUIRE(made);
  const Status status = made.value().advance(1000);
  REQUIRE_FALSE(status);
  CHECK(status.error().message().find("target is unrelated to source in some direction; expected") == 0);
}

TEST_CASE("the chance level of narrow targets is that of few columns") {
  // Of 400 shuffles of 500 rows, the mean cosine has a standard error of at most 1 / sqrt(500 * 400) = 0.0022.
  constexpr std::size_t kRows = 500;
  const auto by_chance = [](Method method, std::size_t source_width, std::size_t target_width) {
    const Matrix<float> source = test::normal_matrix(kRows, source_width, 3);
    const Matrix<float> target = test::normal_matrix(kRows, target_width, 4);
    const Alignment found = aligned(source, target, {.method = method, .null_runs = 400});
    double sum = 0;
    for (const double cosine : found.null_cosines()) sum += cosine / 400;
    return std::pair{sum, found.theory().value()};
  };
  constexpr double kFourErrors = 0.009;
  for (const std::size_t width : {1, 2, 4, 16}) {
    CAPTURE(width);
    const auto [measured, theory] = by_chance(Method::kLinear, 20, width);
    CHECK(std::fabs(measured - theory) < kFourErrors);
    // The formula for wide targets is further off for one column and two.
    if (width <= 2) CHECK(std::sqrt(20.0 / kRows) - measured > 3 * kFourErrors);
  }
  for (const std::size_t width : {1, 2, 8}) {
    CAPTURE(width);
    const auto [measured, theory] = by_chance(Method::kOrthogonal, width, width);
    // Theory is at most 6% too high.
    CHECK(std::fabs(measured - theory) < kFourErrors + 0.06 * theory);
  }
}

TEST_CASE("columns that only late rows distinguish are independent") {
  constexpr std::size_t kWidth = 8;
  Matrix<float> table = test::zeros(3000, kWidth);
  for (std::size_t i = 0; i < table.rows(); ++i) table(i, 0) = static_cast<float>(i % 7) + 1;
  for (std::size_t j = 1; j < kWidth; ++j) table(table.rows() - j, j) = 3;
  const Alignment found = aligned(table, table, {.method = Method::kOrthogonal, .center = false, .null_runs = 0}, 1);
  CHECK(found.agreement().mean_cosine == doctest::Approx(1).epsilon(1e-6));
}
