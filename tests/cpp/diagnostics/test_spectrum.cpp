#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "diagnostics/spectrum.h"
#include "support.h"

using namespace tied;

TEST_CASE("singular values and dimensions agree with an independent program") {
  const Matrix<float> table = test::source_table();
  struct Expected {
    MeanRow mean;
    const double* values;
    double ratio, rank;
  };
  const Expected all[] = {
      {MeanRow::kKept, reference::kSingularRaw, reference::kParticipationRaw, reference::kEffectiveRankRaw},
      {MeanRow::kSubtracted, reference::kSingularCentered, reference::kParticipationCentered,
       reference::kEffectiveRankCentered},
      {MeanRow::kProjectedOut, reference::kSingularProjected, reference::kParticipationProjected,
       reference::kEffectiveRankProjected},
  };
  for (const Expected& expected : all) {
    CAPTURE(static_cast<int>(expected.mean));
    const Spectrum found = test::finished(Spectrum::create(table.view(), expected.mean), 1);
    REQUIRE(found.values().size() == table.cols());
    for (std::size_t k = 0; k < table.cols(); ++k) {
      // Below 1e-8 of the largest value, only rounding is left.
      CHECK(std::fabs(found.values()[k] - expected.values[k]) <= 1e-7 * expected.values[0]);
    }
    CHECK(found.dimensions().participation_ratio == doctest::Approx(expected.ratio).epsilon(1e-7));
    CHECK(found.dimensions().effective_rank == doctest::Approx(expected.rank).epsilon(1e-7));
  }
}

TEST_CASE("a table of fewer rows than columns has as many singular values as rows") {
  const Matrix<float> table = test::normal_matrix(3, 5, 1);
  CHECK(test::finished(Spectrum::create(table.view(), MeanRow::kKept)).values().size() == 3);
}

TEST_CASE("a line has one dimension, equal directions have all, zeros have none") {
  const std::array<double, 3> line = {4, 0, 0};
  CHECK(dimensions_of(line).participation_ratio == 1);
  CHECK(dimensions_of(line).effective_rank == 1);
  const std::array<double, 4> round = {2, 2, 2, 2};
  CHECK(dimensions_of(round).participation_ratio == 4);
  CHECK(dimensions_of(round).effective_rank == doctest::Approx(4).epsilon(1e-14));
  const std::array<double, 2> nothing = {0, 0};
  CHECK(std::isnan(dimensions_of(nothing).participation_ratio));
  CHECK(std::isnan(dimensions_of(nothing).effective_rank));
}

TEST_CASE("rows of zeros do not count for the mean of a spectrum, and a table of zeros is refused") {
  const Matrix<float> table = test::source_table();
  const Matrix<float> padded = test::with_zero_rows(table);
  const Spectrum all = test::finished(Spectrum::create(table.view(), MeanRow::kSubtracted));
  const Spectrum found = test::finished(Spectrum::create(padded.view(), MeanRow::kSubtracted));
  CHECK(found.left_out() == 2);
  CHECK(found.values()[5] == doctest::Approx(all.values()[5]).epsilon(1e-12));
  const Matrix<float> nothing = test::zeros(4, 2);
  CHECK(Spectrum::create(nothing.view(), MeanRow::kSubtracted).error().message() ==
        "table is all zeros; expected at least one row that is not zero");
  const Matrix<float> one = test::normal_matrix(1, 5, 1);
  CHECK(Spectrum::create(one.view(), MeanRow::kSubtracted).error().message() ==
        "table is the same in all rows; expected rows that differ");
}
