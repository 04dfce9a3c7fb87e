#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "diagnostics/neighbors.h"
#include "support.h"

using namespace tied;

namespace {

NeighborOverlap overlap_of(const Matrix<float>& a, const Matrix<float>& b, const OverlapOptions& options,
                           std::size_t blocks = std::size_t{1} << 20) {
  return test::finished(NeighborOverlap::create(a.view(), b.view(), options), blocks);
}

}  // namespace

TEST_CASE("overlaps and neighbors agree with an independent program") {
  const Matrix<float> a = test::source_table();
  const Matrix<float> b = test::narrow_table();
  for (const NeighborMetric metric : {NeighborMetric::kCosine, NeighborMetric::kCenteredCosine}) {
    const bool raw = metric == NeighborMetric::kCosine;
    CAPTURE(raw);
    const NeighborOverlap found = overlap_of(a, b, {reference::kDiagnosticNeighbors, metric, 0, 0}, 1);
    const double* expected = raw ? reference::kOverlapsRaw : reference::kOverlapsCentered;
    for (std::size_t i = 0; i < a.rows(); ++i) {
      CHECK(static_cast<double>(found.overlaps()[i]) == doctest::Approx(expected[i]).epsilon(1e-7));
    }
    CHECK(found.standard_error() == 0);
    CHECK(found.by_chance() == doctest::Approx(5.0 / 39));

    const auto table = Directions::create("table", a.view(), metric);
    REQUIRE(table.ok());
    auto search = NeighborSearch::create(1, reference::kDiagnosticNeighbors);
    REQUIRE(search.ok());
    const std::vector<std::uint32_t> itself = {3};
    search.value().find(table.value(), table.value().view().row_block(3, 1), itself);
    REQUIRE(search.value().of(0).size() == reference::kDiagnosticNeighbors);
    for (std::size_t i = 0; i < reference::kDiagnosticNeighbors; ++i) {
      CHECK(search.value().of(0)[i].row == (raw ? reference::kNearestRaw : reference::kNearestCentered)[i]);
      const double cosine = (raw ? reference::kNearestCosinesRaw : reference::kNearestCosinesCentered)[i];
      CHECK(std::fabs(static_cast<double>(search.value().of(0)[i].cosine) - cosine) < 1e-6);
    }
  }
}

TEST_CASE("a table and its rotation have all neighbors in common, unrelated ones as many as by chance") {
  const Matrix<float> table = test::normal_matrix(1100, 8, 1);
  const OverlapOptions options = {10, NeighborMetric::kCosine, 0, 0};
  CHECK(overlap_of(table, test::product(table, test::rotation(8)), options).overlap() > 0.999);
  const NeighborOverlap unrelated = overlap_of(table, test::normal_matrix(1100, 8, 2), options);
  CHECK(std::fabs(unrelated.overlap() - unrelated.by_chance()) < 0.005);
}

TEST_CASE("the chance level allows for rows that have a direction in one table only") {
  constexpr std::size_t kRows = 60;
  constexpr std::size_t kRuns = 400;
  const OverlapOptions options = {6, NeighborMetric::kCosine, 0, 0};
  double overlap = 0;
  double by_chance = 0;
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    Matrix<float> a = test::normal_matrix(kRows, 5, 2 * run + 1);
    const Matrix<float> b = test::normal_matrix(kRows, 5, 2 * run + 2);
    std::fill_n(a.data(), kRows / 2 * 5, 0.0F);
    const NeighborOverlap found = overlap_of(a, b, options);
    CHECK(found.left_out() == kRows / 2);
    overlap += found.overlap() / kRuns;
    by_chance += found.by_chance() / kRuns;
  }
  // All 6 neighbors in a, and 6 * 29 / 59 in b, are among 30 rows: 0.1017, not 6 / 29 = 0.207.
  CHECK(by_chance == doctest::Approx(6.0 * 29 / 59 / 29).epsilon(0.01));
  // 12,000 rows with a standard deviation of about 0.11 each.
  CHECK(std::fabs(overlap - by_chance) < 0.004);
}

TEST_CASE("without such rows the chance level is exactly k / (n - 1)") {
  const Matrix<float> a = test::with_zero_rows(test::normal_matrix(40, 5, 1));
  const Matrix<float> b = test::with_zero_rows(test::normal_matrix(40, 5, 2));
  CHECK(overlap_of(a, b, {7, NeighborMetric::kCosine, 0, 0}).by_chance() == 7.0 / 39);
}

TEST_CASE("the chance level is the mean over all orders of the rows that both tables have") {
  // Five rows, the first without a direction in a: 24 orders of the others.
  Matrix<float> a = test::normal_matrix(5, 3, 1);
  std::fill_n(a.data(), 3, 0.0F);
  const Matrix<float> b = test::normal_matrix(5, 3, 2);
  std::vector<std::size_t> order = {1, 2, 3, 4};
  double sum = 0;
  int orders = 0;
  const OverlapOptions options = {2, NeighborMetric::kCosine, 0, 0};
  do {
    Matrix<float> shuffled = test::zeros(5, 3);
    std::copy_n(b.data(), 3, shuffled.data());
    for (std::size_t i = 0; i < 4; ++i) std::copy_n(b.view().row(order[i]), 3, shuffled.view().row(i + 1));
    sum += overlap_of(a, shuffled, options).overlap();
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  CHECK(overlap_of(a, b, options).by_chance() == doctest::Approx(sum / orders).epsilon(1e-7));
}

TEST_CASE("a sample estimates the overlap of all rows within its standard error") {
  const Matrix<float> a = test::normal_matrix(900, 6, 3);
  Matrix<float> b = test::normal_matrix(900, 6, 4);
  for (std::size_t i = 0; i < 900 * 6; ++i) b.data()[i] = a.data()[i] + 0.3F * b.data()[i];
  OverlapOptions options = {10, NeighborMetric::kCenteredCosine, 0, 5};
  const NeighborOverlap all = overlap_of(a, b, options);
  options.sample = 200;
  const NeighborOverlap sample = overlap_of(a, b, options);
  CHECK(sample.rows().size() == 200);
  CHECK(sample.standard_error() > 0.001);
  CHECK(sample.standard_error() < 0.03);
  CHECK(std::fabs(sample.overlap() - all.overlap()) < 4 * sample.standard_error());
  // Each row has the overlap that it has among all.
  for (std::size_t i = 0; i < 200; ++i) CHECK(sample.overlaps()[i] == all.overlaps()[sample.rows()[i]]);
  const NeighborOverlap parts = overlap_of(a, b, options, 1);
  CHECK(parts.overlap() == sample.overlap());
}

TEST_CASE("rows without a direction are nobody's neighbors, ties go to the lower row") {
  Matrix<float> table = test::zeros(6, 2);
  for (const std::size_t row : {1, 2, 4}) table(row, 0) = 1;
  table(5, 1) = 1;
  const auto directions = Directions::create("table", table.view(), NeighborMetric::kCosine);
  REQUIRE(directions.ok());
  CHECK(directions.value().count() == 4);
  auto search = NeighborSearch::create(1, 5);
  REQUIRE(search.ok());
  search.value().find(directions.value(), directions.value().view().row_block(2, 1), std::vector<std::uint32_t>{2});
  const auto found = search.value().of(0);
  REQUIRE(found.size() == 3);
  CHECK(found[0].row == 1);
  CHECK(found[1].row == 4);
  CHECK(found[2].row == 5);
}

TEST_CASE("numbers of neighbors and samples that the tables do not have are refused by name") {
  const Matrix<float> a = test::with_zero_rows(test::normal_matrix(10, 3, 1));
  const Matrix<float> b = test::normal_matrix(12, 4, 2);
  const auto message = [&](const OverlapOptions& options) {
    return NeighborOverlap::create(a.view(), b.view(), options).error().message();
  };
  CHECK(message({9, NeighborMetric::kCosine, 0, 0}) ==
        "k is 9; expected at least 1 and at most 8, 2 below the 10 rows that have a direction");
  CHECK(message({0, NeighborMetric::kCosine, 0, 0}) ==
        "k is 0; expected at least 1 and at most 8, 2 below the 10 rows that have a direction");
  // Plus 2, it wraps around to 0.
  const OverlapOptions wrapping = {~std::size_t{0} - 1, NeighborMetric::kCosine, 0, 0};
  CHECK(NeighborOverlap::create(a.view(), b.view(), wrapping).error().argument == "k");
  CHECK(message({2, NeighborMetric::kCosine, 11, 0}) ==
        "sample is 11; expected at most 10, as many as rows have a direction");
  CHECK(overlap_of(a, b, {8, NeighborMetric::kCosine, 10, 0}).left_out() == 2);
  Matrix<float> same = test::zeros(12, 2);
  for (std::size_t i = 0; i < 24; ++i) same.data()[i] = 3;
  CHECK(NeighborOverlap::create(a.view(), same.view(), {2, NeighborMetric::kCenteredCosine, 0, 0}).error().message() ==
        "b is the same in all rows; expected rows that differ from their mean");
}
