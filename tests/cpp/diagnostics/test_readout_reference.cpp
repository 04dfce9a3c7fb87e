// Lenses, ledger and losses by frequency compared with tests/reference/readout_reference.py. That script computes in
// double, the core in single precision, so tolerances are a few roundings of a float's 24 bits in sums over 24 tokens
// and 40 logits.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "diagnostics/lens.h"
#include "diagnostics/output_ledger.h"
#include "reference/readout_reference.h"
#include "support.h"

using namespace tied;

namespace {

using reference::kReadoutLayers;
using reference::kReadoutTokens;
using reference::kReadoutVocab;
using reference::kReadoutWidth;
using reference::ReadoutCase;

// For values of about 1, absolute.
constexpr double kReadTolerance = 2e-6;
// For the entries of a gradient, relative to the largest.
constexpr double kLensGradientTolerance = 1e-5;
// For norms, relative.
constexpr double kNormTolerance = 1e-6;

struct ReferenceHead {
  Matrix<float> unembedding = test::matrix_of(reference::kReadoutUnembedding, kReadoutVocab, kReadoutWidth);
  Matrix<float> between = test::matrix_of(reference::kReadoutBetween, kReadoutWidth, kReadoutWidth);
  Matrix<float> a = test::matrix_of(reference::kReadoutLowRankA, kReadoutVocab, reference::kReadoutRank);
  Matrix<float> b = test::matrix_of(reference::kReadoutLowRankB, kReadoutWidth, reference::kReadoutRank);
  Matrix<float> bias = test::matrix_of(reference::kReadoutOutputBias, 1, kReadoutVocab);
  Matrix<float> norm_weight = test::matrix_of(reference::kReadoutNormWeight, 1, kReadoutWidth);
  Matrix<float> norm_bias = test::matrix_of(reference::kReadoutNormBias, 1, kReadoutWidth);

  Readout readout(const ReadoutCase& given, std::size_t tile) const {
    ReadoutWeights weights;
    weights.unembedding = unembedding.view();
    weights.norm = static_cast<ReadoutNorm>(given.norm);
    if (weights.norm != ReadoutNorm::kNone) weights.norm_weight = norm_weight.data();
    if (weights.norm == ReadoutNorm::kLayer) weights.norm_bias = norm_bias.data();
    if (given.corrected) {
      weights.between = between.view();
      weights.low_rank_a = a.view();
      weights.low_rank_b = b.view();
      weights.output_bias = bias.data();
    }
    auto made = Readout::create(weights, tile);
    REQUIRE(made.ok());
    return std::move(made).value();
  }
};

struct ReferenceStates {
  Matrix<float> all = test::matrix_of(reference::kReadoutStates, (kReadoutLayers + 1) * kReadoutTokens, kReadoutWidth);
  std::vector<ConstMatrixView<float>> views;

  ReferenceStates() {
    for (std::size_t l = 0; l <= kReadoutLayers; ++l) {
      views.push_back(all.view().row_block(l * kReadoutTokens, kReadoutTokens));
    }
  }
};

// The largest difference from the expected values, relative to the largest of these.
double largest_difference(ConstMatrixView<float> found, const double* expected) {
  double largest = 0;
  double difference = 0;
  for (std::size_t i = 0; i < found.rows; ++i) {
    for (std::size_t j = 0; j < found.cols; ++j) {
      const double value = expected[i * found.cols + j];
      largest = std::fmax(largest, std::fabs(value));
      difference = std::fmax(difference, std::fabs(static_cast<double>(found(i, j)) - value));
    }
  }
  return difference / largest;
}

void check_part(const LedgerPart& found, const double* expected) {
  const double values[] = {found.input, found.output, found.pull, found.push};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(std::fabs(values[i] - expected[i]) <= kNormTolerance * (1 + std::fabs(expected[i])));
  }
}

}  // namespace

TEST_CASE("a logit lens agrees with numpy: divergences, losses, predictions and their probabilities") {
  const ReferenceHead head;
  const ReferenceStates states;
  for (const ReadoutCase& expected : reference::kReadouts) {
    CAPTURE(expected.norm);
    CAPTURE(expected.corrected);
    Readout readout = head.readout(expected, 7);
    const auto made = read_lens(readout, states.views, {}, reference::kReadoutTargets);
    REQUIRE(made.ok());
    const LensReading& found = made.value();
    // Relative to the largest, which is between 1 and 20.
    CHECK(largest_difference(found.divergence.view(), expected.divergences) <= kReadTolerance);
    CHECK(largest_difference(found.loss.view(), expected.losses) <= kReadTolerance);
    CHECK(largest_difference(found.probability.view(), expected.probabilities) <= kReadTolerance);
    for (std::size_t i = 0; i < found.predicted.size(); ++i) CHECK(found.predicted[i] == expected.predicted[i]);
  }
}

TEST_CASE("gradients and steps of a tuned lens agree with the formulas") {
  const ReferenceHead head;
  const ReferenceStates states;
  constexpr std::size_t kRows = kReadoutLayers * kReadoutWidth;
  for (const ReadoutCase& expected : reference::kReadouts) {
    CAPTURE(expected.norm);
    CAPTURE(expected.corrected);
    Readout readout = head.readout(expected, 7);
    auto made = LensTraining::create(readout, kReadoutLayers);
    REQUIRE(made.ok());
    LensTraining& lens = made.value();
    for (std::size_t step = 0; step < 2; ++step) {
      CAPTURE(step);
      double sums[kReadoutLayers] = {};
      REQUIRE(lens.accumulate(readout, states.views, 1.0 / kReadoutTokens, sums).ok());
      for (std::size_t l = 0; l < kReadoutLayers; ++l) {
        const double mean = expected.means[step * kReadoutLayers + l];
        CHECK(std::fabs(sums[l] / kReadoutTokens - mean) <= kReadTolerance * (1 + mean));
      }
      const std::size_t weights = step * kRows * kReadoutWidth;
      const std::size_t biases = step * kRows;
      CHECK(largest_difference(lens.weight_gradients(), expected.weight_gradients + weights) <= kLensGradientTolerance);
      CHECK(largest_difference(lens.bias_gradients(), expected.bias_gradients + biases) <= kLensGradientTolerance);
      lens.update(reference::kReadoutRates[step]);
      CHECK(largest_difference(lens.maps().weights, expected.weights + weights) <= kLensGradientTolerance);
      CHECK(largest_difference(lens.maps().biases, expected.biases + biases) <= kLensGradientTolerance);
    }
    const auto tuned = read_lens(readout, states.views, lens.maps(), {});
    REQUIRE(tuned.ok());
    CHECK(largest_difference(tuned.value().divergence.view().row_block(0, kReadoutLayers), expected.tuned) <=
          kLensGradientTolerance);
  }
}

TEST_CASE("pull, push and reach agree with numpy, for all rows and for each band") {
  const ReferenceHead head;
  const ReferenceStates states;
  const Matrix<float> input = test::matrix_of(reference::kReadoutInput, kReadoutVocab, kReadoutWidth);
  for (const ReadoutCase& expected : reference::kReadouts) {
    CAPTURE(expected.norm);
    CAPTURE(expected.corrected);
    const Matrix<float> output = test::matrix_of(expected.output, kReadoutVocab, kReadoutWidth);
    Readout readout = head.readout(expected, 7);
    auto made = OutputLedger::create(readout);
    REQUIRE(made.ok());
    REQUIRE(made.value().add(readout, states.views.back(), reference::kReadoutTargets).ok());
    const auto summary = made.value().summarize(readout, input.view(), output.view(), reference::kReadoutCounts);
    REQUIRE(summary.ok());
    const LedgerSummary& found = summary.value();
    check_part(found.norms, expected.ledger);
    CHECK(std::fabs(found.cosine - expected.ledger[4]) <= kNormTolerance);
    CHECK(std::fabs(found.reach - expected.ledger[5]) <= kNormTolerance);
    // Of pull and push, added in single precision.
    CHECK(found.difference <= kLensGradientTolerance);
    REQUIRE(found.bands.size() == expected.band_count);
    for (std::size_t i = 0; i < expected.band_count; ++i) {
      const double* band = expected.bands + 8 * i;
      CHECK(static_cast<double>(found.bands[i].limits.from) == band[0]);
      CHECK(static_cast<double>(found.bands[i].limits.to) == band[1]);
      CHECK(static_cast<double>(found.bands[i].rows) == band[2]);
      CHECK(static_cast<double>(found.bands[i].pushed_rows) == band[3]);
      check_part(found.bands[i].norms, band + 4);
    }
  }
}

TEST_CASE("losses by frequency agree with numpy, in double") {
  std::vector<float> losses;
  for (const double loss : reference::kFrequencyLosses) losses.push_back(static_cast<float>(loss));
  const auto made = loss_by_frequency(losses, reference::kReadoutTargets, reference::kReadoutCounts);
  REQUIRE(made.ok());
  REQUIRE(made.value().size() == reference::kFrequencyBandCount);
  for (std::size_t i = 0; i < reference::kFrequencyBandCount; ++i) {
    const double* expected = reference::kFrequencyBands + 5 * i;
    const LossBand& band = made.value()[i];
    CHECK(static_cast<double>(band.limits.from) == expected[0]);
    CHECK(static_cast<double>(band.limits.to) == expected[1]);
    CHECK(static_cast<double>(band.tokens) == expected[2]);
    CHECK(std::fabs(band.loss - expected[3]) <= 1e-13);
    if (expected[4] < 0) {
      CHECK(std::isnan(band.standard_error));
    } else {
      CHECK(std::fabs(band.standard_error - expected[4]) <= 1e-13);
    }
  }
}
