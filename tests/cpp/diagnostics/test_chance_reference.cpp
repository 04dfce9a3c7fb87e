// Alignments and spectral distances of shuffled rows, fits to held-out rows, hidden states by chance, and measures that
// depend on frequency, compared with numpy: tests/reference/chance_reference.py.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "diagnostics/alignment.h"
#include "diagnostics/hidden_states.h"
#include "diagnostics/isotropy.h"
#include "diagnostics/norm_frequency.h"
#include "diagnostics/spectral_distance.h"
#include "reference/chance_reference.h"
#include "support.h"

using namespace tied;

namespace {

// Two samples of the same distribution: five standard errors of the difference of their means. Spreads of cosines agree
// to a tenth; those of 4,000 values have a standard error of a hundredth, more if tails are long.
void check_sampled(const std::vector<double>& found, const reference::Sampled& expected, std::size_t runs,
                   double spread = 0.1) {
  double mean = 0;
  for (const double value : found) mean += value / static_cast<double>(found.size());
  double squares = 0;
  for (const double value : found) squares += (value - mean) * (value - mean);
  const double deviation = std::sqrt(squares / static_cast<double>(found.size() - 1));
  const double parts = 1 / static_cast<double>(found.size()) + 1 / static_cast<double>(runs);
  CHECK(std::fabs(mean - expected.mean) < 5 * expected.deviation * std::sqrt(parts));
  CHECK(std::fabs(deviation / expected.deviation - 1) < spread);
}

struct SampledMethod {
  AlignmentMethod method;
  const reference::Sampled* by_chance;
  const reference::Sampled* held_out;
};

constexpr SampledMethod kSampledMethods[] = {
    {AlignmentMethod::kOrthogonal, &reference::kChanceOrthogonal, &reference::kHeldOutOrthogonal},
    {AlignmentMethod::kLinear, &reference::kChanceLinear, &reference::kHeldOutLinear},
    {AlignmentMethod::kRidge, &reference::kChanceRidge, &reference::kHeldOutRidge},
};

constexpr std::uint64_t kSplits = 1000;

}  // namespace

TEST_CASE("alignments by chance and on held-out rows have the distribution of numpy's") {
  const Matrix<float> source = test::source_table();
  const Matrix<float> target = test::target_table();
  for (const SampledMethod& expected : kSampledMethods) {
    CAPTURE(static_cast<int>(expected.method));
    AlignmentOptions options{.method = expected.method, .penalty = reference::kPenalty, .null_runs = kSplits};
    check_sampled(test::finished(Alignment::create(source.view(), target.view(), options)).null_cosines(),
                  *expected.by_chance, reference::kChanceRuns);
    options.null_runs = 0;
    options.hold_out = 0.2;
    std::vector<double> held_out;
    for (options.seed = 0; options.seed < kSplits; ++options.seed) {
      const auto fit = test::finished(Alignment::create(source.view(), target.view(), options));
      held_out.push_back(fit.held_out().value().mean_cosine);
    }
    check_sampled(held_out, *expected.held_out, reference::kChanceRuns);
  }
}

TEST_CASE("spectral distances of shuffled rows have the distribution of numpy's") {
  const auto found = test::finished(SpectralDistance::create(test::source_table().view(), test::narrow_table().view(),
                                                             {.k = 5, .dimensions = 8, .null_runs = 400}));
  std::vector<double> distances;
  for (const OmnibusEigen& run : found.runs().subspan(1)) distances.push_back(run.distance());
  check_sampled(distances, reference::kChanceSpectral, reference::kSpectralChanceRuns, 0.15);
}

TEST_CASE("measures of hidden states by chance have the distribution of numpy's") {
  const Matrix<float> hidden =
      test::matrix_of(reference::kHidden, reference::kDiagnosticStates, reference::kDiagnosticWidth);
  const Matrix<float> table = test::source_table();
  // For each seed: means over the states, or over as many random directions.
  std::vector<double> squared_cosines;
  std::vector<double> largest[2];
  const auto size = static_cast<double>(hidden.rows());
  for (std::uint64_t seed = 0; seed < kSplits; ++seed) {
    const auto found =
        test::finished(HiddenStates::create(hidden.view(), table.view(), reference::kHiddenTargets, {}, seed));
    double squares = 0;
    double sums[2] = {};
    for (std::size_t i = 0; i < hidden.rows(); ++i) {
      const auto row = static_cast<std::size_t>(HiddenMeasure::kShuffledRatio);
      const double ratio = static_cast<double>(found.measures()(row, i));
      squares += 1 / (1 + ratio * ratio) / size;
      for (std::size_t k = 0; k < 2; ++k) sums[k] += static_cast<double>(found.by_chance()(k, i)) / size;
    }
    squared_cosines.push_back(squares);
    for (std::size_t k = 0; k < 2; ++k) largest[k].push_back(sums[k]);
  }
  check_sampled(squared_cosines, reference::kShuffledSquaredCosine, reference::kChanceRuns);
  check_sampled(largest[0], reference::kLargestCosine, reference::kChanceRuns);
  check_sampled(largest[1], reference::kLargestCenteredCosine, reference::kChanceRuns);
}

TEST_CASE("the dependence of rows and norms on frequency agrees with numpy") {
  const Matrix<float> table = test::source_table();
  std::vector<double> held_out;
  for (std::uint64_t seed = 0; seed < kSplits; ++seed) {
    const auto found = test::finished(Isotropy::create(table.view(), reference::kFrequencies, seed)).measures();
    // Counts and rows are in single precision.
    CHECK(found.frequency_r2.value() == doctest::Approx(reference::kFrequencyR2).epsilon(1e-5));
    held_out.push_back(found.held_out_frequency_r2.value());
  }
  // Few rows are held out, and R^2 has no lower bound: its spread depends on rare splits.
  check_sampled(held_out, reference::kHeldOutFrequencyR2, reference::kChanceRuns, 0.5);

  const auto norms = norm_frequency(table.view(), reference::kFrequencies);
  REQUIRE(norms.ok());
  REQUIRE(norms.value().bands.size() == reference::kNormBandCount);
  for (std::size_t i = 0; i < reference::kNormBandCount; ++i) {
    const FrequencyBand& band = norms.value().bands[i];
    const double* expected = reference::kNormBands + 4 * i;
    CHECK(static_cast<double>(band.limits.from) == expected[0]);
    CHECK(static_cast<double>(band.limits.to) == expected[1]);
    CHECK(static_cast<double>(band.rows) == expected[2]);
    CHECK(band.mean_norm == doctest::Approx(expected[3]).epsilon(1e-12));
  }
}
