#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "diagnostics/isotropy.h"
#include "support.h"

using namespace tied;

namespace {

IsotropyMeasures measured(const Matrix<float>& table, std::size_t blocks = std::size_t{1} << 20) {
  return test::finished(Isotropy::create(table.view()), blocks).measures();
}

}  // namespace

TEST_CASE("measures of isotropy agree with an independent program") {
  const IsotropyMeasures found = measured(test::source_table(), 1);
  CHECK(found.mean_cosine == doctest::Approx(reference::kMeanCosine).epsilon(1e-7));
  CHECK(found.centered_mean_cosine == doctest::Approx(reference::kCenteredMeanCosine).epsilon(1e-7));
  CHECK(found.projected_mean_cosine == doctest::Approx(reference::kProjectedMeanCosine).epsilon(1e-7));
  CHECK(found.mean_share == doctest::Approx(reference::kMeanShare).epsilon(1e-7));
  CHECK(found.iso_score == doctest::Approx(reference::kIsoScore).epsilon(1e-7));
  CHECK(found.partition == doctest::Approx(reference::kPartition).epsilon(1e-5));
  CHECK(found.centered_partition == doctest::Approx(reference::kCenteredPartition).epsilon(1e-5));
  CHECK(found.dimensions.effective_rank == doctest::Approx(reference::kEffectiveRankCentered).epsilon(1e-7));
  CHECK(found.projected_iso_score == doctest::Approx(reference::kProjectedIsoScore).epsilon(1e-7));
  CHECK(found.projected_partition == doctest::Approx(reference::kProjectedPartition).epsilon(1e-5));
  CHECK(found.projected_mean_square == doctest::Approx(reference::kProjectedMeanSquare).epsilon(1e-7));
  const Dimensions& left = found.projected_dimensions;
  CHECK(left.participation_ratio == doctest::Approx(reference::kParticipationProjected).epsilon(1e-7));
  CHECK(left.effective_rank == doctest::Approx(reference::kEffectiveRankProjected).epsilon(1e-7));
}

TEST_CASE("projection removes a direction that varies along the mean row, and without a mean row it removes nothing") {
  // Rows are long along the second axis, some more than others.
  Matrix<float> table = test::normal_matrix(2000, 8, 6);
  for (std::size_t i = 0; i < table.rows(); ++i) table(i, 1) = 40 + 10 * table(i, 1);
  const IsotropyMeasures found = measured(table);
  CHECK(found.iso_score < 0.2);
  CHECK(found.projected_iso_score > 0.98);
  CHECK(found.centered_partition < 0.01);
  CHECK(found.projected_partition > 0.8);
  CHECK(found.projected_dimensions.participation_ratio > 6.9);
  CHECK(found.projected_mean_square == doctest::Approx(1).epsilon(0.05));
  // Each row and its opposite.
  Matrix<float> even = test::zeros(40, 5);
  const Matrix<float> half = test::normal_matrix(20, 5, 7);
  for (std::size_t i = 0; i < std::size_t{100}; ++i) {
    even.data()[i] = half.data()[i];
    even.data()[100 + i] = -half.data()[i];
  }
  const IsotropyMeasures balanced = measured(even);
  CHECK(balanced.projected_iso_score == balanced.iso_score);
  CHECK(balanced.projected_partition == doctest::Approx(balanced.partition).epsilon(1e-6));
  const IsotropyMeasures line = measured(test::normal_matrix(30, 1, 8));
  CHECK(std::isnan(line.projected_iso_score));
  CHECK(std::isnan(line.projected_partition));
  CHECK(std::isnan(line.projected_dimensions.effective_rank));
}

TEST_CASE("independent normal entries are isotropic, a common direction is not") {
  Matrix<float> table = test::normal_matrix(4000, 16, 2);
  const IsotropyMeasures round = measured(table);
  CHECK(std::fabs(round.mean_cosine) < 0.001);
  CHECK(round.iso_score > 0.98);
  CHECK(round.partition > 0.8);
  CHECK(round.dimensions.participation_ratio > 15.8);
  for (std::size_t i = 0; i < table.rows(); ++i) table(i, 3) += 8;
  const IsotropyMeasures cone = measured(table);
  CHECK(cone.mean_cosine > 0.7);
  CHECK(std::fabs(cone.centered_mean_cosine) < 0.001);
  CHECK(std::fabs(cone.projected_mean_cosine) < 0.001);
  CHECK(cone.partition < 0.01);
  // A shift of all rows does not change their differences, except for rounding.
  CHECK(cone.centered_partition == doctest::Approx(round.centered_partition).epsilon(1e-3));
  // The covariance has no mean.
  CHECK(cone.iso_score == doctest::Approx(round.iso_score).epsilon(1e-3));
}

TEST_CASE("measures that are not defined are NaN, and long rows do not overflow") {
  Matrix<float> one = test::normal_matrix(1, 4, 3);
  const IsotropyMeasures single = measured(one);
  CHECK(std::isnan(single.mean_cosine));
  CHECK(std::isnan(single.iso_score));
  CHECK(single.mean_share == doctest::Approx(1));
  CHECK(std::isnan(single.centered_partition));
  Matrix<float> same = test::zeros(5, 3);
  for (std::size_t i = 0; i < 15; ++i) same.data()[i] = 0.1F;
  const IsotropyMeasures constant = measured(same);
  CHECK(constant.mean_cosine == doctest::Approx(1));
  CHECK(std::isnan(constant.centered_mean_cosine));
  CHECK(std::isnan(constant.projected_mean_cosine));
  CHECK(std::isnan(constant.projected_partition));
  CHECK(std::isnan(constant.projected_iso_score));
  // One column: nothing is left beside the mean, whose direction is 1 only up to rounding.
  for (const float mean : {1.0F, 49.0F}) {
    Matrix<float> column = test::zeros(2, 1);
    column(0, 0) = mean - 1;
    column(1, 0) = mean + 1;
    CHECK(std::isnan(measured(column).projected_mean_square));
  }
  Matrix<float> large = test::normal_matrix(50, 4, 4);
  for (std::size_t i = 0; i < 200; ++i) large.data()[i] *= 1e4F;
  const IsotropyMeasures far = measured(large);
  CHECK(far.partition >= 0);
  CHECK(far.partition <= 1);
  CHECK(far.centered_partition >= 0);
  CHECK(far.centered_partition <= 1);
}

TEST_CASE("the frequency of a token is explained by its row, on held-out rows as well, if the row contains it") {
  const std::size_t size = 400;
  Matrix<float> table = test::normal_matrix(size, 6, 5);
  std::vector<std::uint32_t> counts(size);
  for (std::size_t i = 0; i < size; ++i) {
    // Every tenth token does not occur.
    counts[i] = i % 10 == 0 ? 0 : static_cast<std::uint32_t>(i + 1);
    table(i, 2) = std::log10(1 + static_cast<float>(counts[i])) - 0.5F * table(i, 1);
  }
  const IsotropyMeasures known = test::finished(Isotropy::create(table.view(), counts), 1).measures();
  CHECK(known.frequency_r2.value() == doctest::Approx(1).epsilon(1e-5));
  CHECK(known.held_out_frequency_r2.value() == doctest::Approx(1).epsilon(1e-5));
  const Matrix<float> other = test::normal_matrix(size, 6, 6);
  const IsotropyMeasures unknown = test::finished(Isotropy::create(other.view(), counts)).measures();
  // 6 of 360 by chance; nothing on held-out rows.
  CHECK(unknown.frequency_r2.value() < 0.06);
  CHECK(unknown.held_out_frequency_r2.value() < 0.05);
  CHECK(!measured(table).frequency_r2.has_value());
  // As many columns as rows: any counts fit.
  const Matrix<float> wide = test::normal_matrix(6, 6, 7);
  const IsotropyMeasures few =
      test::finished(Isotropy::create(wide.view(), std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6})).measures();
  CHECK(!few.frequency_r2.has_value());
  CHECK(Isotropy::create(table.view(), std::vector<std::uint32_t>{1}).error().message() ==
        "counts.length is 1; expected as many as the table has rows, 400");
}
