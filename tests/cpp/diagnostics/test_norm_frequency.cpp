#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "diagnostics/norm_frequency.h"
#include "support.h"

using namespace tied;

TEST_CASE("correlations of norm and frequency agree with an independent program") {
  const Matrix<float> table = test::source_table();
  const auto found = norm_frequency(table.view(), reference::kFrequencies);
  REQUIRE(found.ok());
  CHECK(found.value().spearman == doctest::Approx(reference::kSpearman).epsilon(1e-12));
  CHECK(found.value().pearson == doctest::Approx(reference::kPearson).epsilon(1e-12));
  CHECK(found.value().mean_norm == doctest::Approx(reference::kMeanNorm).epsilon(1e-12));
  CHECK(found.value().deviation == doctest::Approx(reference::kNormDeviation).epsilon(1e-12));
  std::size_t rows = 0;
  double norms = 0;
  for (const FrequencyBand& band : found.value().bands) {
    CHECK(band.limits.from <= band.limits.to);
    rows += band.rows;
    norms += band.mean_norm * static_cast<double>(band.rows);
  }
  CHECK(rows == 40);
  CHECK(norms / 40 == doctest::Approx(reference::kMeanNorm).epsilon(1e-12));
}

TEST_CASE("bands begin at half powers of ten") {
  const std::vector<std::uint32_t> starts = frequency_band_starts();
  const std::vector<std::uint32_t> expected = {0, 1, 4, 10, 32, 100, 317, 1000, 3163};
  REQUIRE(starts.size() == 21);
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(starts[i] == expected[i]);
  CHECK(starts.back() == 3162277661U);

  Matrix<float> table = test::zeros(5, 1);
  for (std::size_t i = 0; i < 5; ++i) table(i, 0) = static_cast<float>(i + 1);
  const std::vector<std::uint32_t> counts = {0, 3, 4, 9, ~0U};
  const auto found = norm_frequency(table.view(), counts);
  REQUIRE(found.ok());
  const auto& bands = found.value().bands;
  REQUIRE(bands.size() == 4);
  CHECK(bands[1].limits.from == 1);
  CHECK(bands[1].limits.to == 3);
  CHECK(bands[2].rows == 2);
  CHECK(bands[2].mean_norm == 3.5);
  CHECK(bands[3].limits.to == ~0U);
  // Both ascend.
  CHECK(found.value().spearman == 1);
}

TEST_CASE("correlations that are not defined are NaN, and bad counts are refused by name") {
  Matrix<float> table = test::normal_matrix(4, 2, 1);
  const auto equal = norm_frequency(table.view(), std::vector<std::uint32_t>{2, 2, 2, 2});
  REQUIRE(equal.ok());
  CHECK(std::isnan(equal.value().spearman));
  CHECK(std::isnan(equal.value().pearson));
  CHECK(norm_frequency(table.view(), std::vector<std::uint32_t>{1, 2}).error().message() ==
        "counts.length is 2; expected as many as the table has rows, 4");
  const Matrix<float> padded = test::with_zero_rows(table);
  CHECK(norm_frequency(padded.view(), std::vector<std::uint32_t>(6, 1)).value().left_out == 2);
  CHECK(norm_frequency(test::zeros(3, 2).view(), std::vector<std::uint32_t>(3, 1)).error().message() ==
        "table is all zeros; expected at least one row that is not zero");
}
