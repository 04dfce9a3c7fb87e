#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "diagnostics/lens.h"
#include "diagnostics/output_ledger.h"
#include "support.h"

using namespace tied;

namespace {

constexpr std::size_t kVocab = 13;
constexpr std::size_t kWidth = 6;
constexpr std::size_t kTokens = 9;
constexpr std::size_t kLayers = 2;

// All parts of a readout.
struct Parts {
  Matrix<float> unembedding = test::normal_matrix(kVocab, kWidth, 1);
  Matrix<float> between = test::normal_matrix(kWidth, kWidth, 2);
  Matrix<float> a = test::normal_matrix(kVocab, 2, 3);
  Matrix<float> b = test::normal_matrix(kWidth, 2, 4);
  Matrix<float> bias = test::normal_matrix(1, kVocab, 5);
  Matrix<float> norm_weight = test::normal_matrix(1, kWidth, 6);
  Matrix<float> norm_bias = test::normal_matrix(1, kWidth, 7);

  ReadoutWeights weights(ReadoutNorm norm, bool corrected) const {
    ReadoutWeights all;
    all.unembedding = unembedding.view();
    all.norm = norm;
    if (norm != ReadoutNorm::kNone) all.norm_weight = norm_weight.data();
    if (norm == ReadoutNorm::kLayer) all.norm_bias = norm_bias.data();
    if (!corrected) return all;
    all.between = between.view();
    all.low_rank_a = a.view();
    all.low_rank_b = b.view();
    all.output_bias = bias.data();
    return all;
  }
};

struct Sequence {
  std::vector<Matrix<float>> states;
  std::vector<ConstMatrixView<float>> views;

  Sequence() {
    for (std::size_t l = 0; l <= kLayers; ++l) states.push_back(test::normal_matrix(kTokens, kWidth, 20 + l));
    for (const Matrix<float>& state : states) views.push_back(state.view());
  }
};

// Logits in double, straight from the formula.
std::vector<double> plain_logits(const Parts& parts, const ReadoutWeights& weights, const std::vector<double>& h) {
  std::vector<double> y = h;
  if (weights.norm != ReadoutNorm::kNone) {
    double mean = 0;
    if (weights.norm == ReadoutNorm::kLayer) {
      for (const double x : h) mean += x / kWidth;
    }
    double square = 0;
    for (const double x : h) square += (x - mean) * (x - mean) / kWidth;
    for (std::size_t j = 0; j < kWidth; ++j) {
      y[j] = (h[j] - mean) / std::sqrt(square + weights.norm_epsilon) * static_cast<double>(parts.norm_weight(0, j));
      if (weights.norm_bias != nullptr) y[j] += static_cast<double>(parts.norm_bias(0, j));
    }
  }
  if (weights.between.data != nullptr) {
    std::vector<double> mapped(kWidth, 0);
    for (std::size_t j = 0; j < kWidth; ++j) {
      for (std::size_t k = 0; k < kWidth; ++k) mapped[k] += y[j] * static_cast<double>(parts.between(j, k));
    }
    y = mapped;
  }
  std::vector<double> logits(kVocab, 0);
  for (std::size_t v = 0; v < kVocab; ++v) {
    for (std::size_t j = 0; j < kWidth; ++j) {
      double u = static_cast<double>(parts.unembedding(v, j));
      if (weights.low_rank_a.data != nullptr) {
        for (std::size_t r = 0; r < 2; ++r)
          u += static_cast<double>(parts.a(v, r)) * static_cast<double>(parts.b(j, r));
      }
      logits[v] += y[j] * u;
    }
    if (weights.output_bias != nullptr) logits[v] += static_cast<double>(parts.bias(0, v));
  }
  return logits;
}

std::vector<double> log_softmax(std::vector<double> z) {
  double sum = 0;
  for (const double x : z) sum += std::exp(x);
  for (double& x : z) x -= std::log(sum);
  return z;
}

double plain_divergence(const std::vector<double>& last, const std::vector<double>& lens) {
  double sum = 0;
  for (std::size_t v = 0; v < kVocab; ++v) sum += std::exp(last[v]) * (last[v] - lens[v]);
  return sum / std::log(2.0);
}

std::vector<double> row_of(ConstMatrixView<float> m, std::size_t i) { return {m.row(i), m.row(i) + m.cols}; }

// The mean divergence of layer l under translators given as one list: A_0, ..., b_0, ....
double plain_loss(const Parts& parts, const ReadoutWeights& weights, const Sequence& sequence, std::size_t layer,
                  const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < kTokens; ++i) {
    const auto last = log_softmax(plain_logits(parts, weights, row_of(sequence.views.back(), i)));
    const std::vector<double> h = row_of(sequence.views[layer], i);
    std::vector<double> read = h;
    for (std::size_t k = 0; k < kWidth; ++k) {
      read[k] += b[k];
      for (std::size_t j = 0; j < kWidth; ++j) read[k] += h[j] * a[j * kWidth + k];
    }
    sum += plain_divergence(last, log_softmax(plain_logits(parts, weights, read)));
  }
  return sum / kTokens;
}

constexpr ReadoutNorm kNorms[] = {ReadoutNorm::kNone, ReadoutNorm::kRms, ReadoutNorm::kLayer};

}  // namespace

TEST_CASE("a lens predicts the first of the most probable tokens, at every place of a row") {
  for (const std::size_t size : {std::size_t{1}, std::size_t{4}, std::size_t{7}, std::size_t{16}}) {
    CAPTURE(size);
    // The logits are the state.
    Matrix<float> identity = test::zeros(size, size);
    for (std::size_t v = 0; v < size; ++v) identity(v, v) = 1;
    ReadoutWeights weights;
    weights.unembedding = identity.view();
    auto readout = Readout::create(weights, 3);
    REQUIRE(readout.ok());
    Matrix<float> states = test::zeros(size, size);
    for (std::size_t v = 0; v < size; ++v) {
      for (const std::size_t best : {v, size - 1}) states(v, best) = 1;
    }
    const ConstMatrixView<float> views[] = {states.view()};
    const auto found = read_lens(readout.value(), views, {}, {});
    REQUIRE(found.ok());
    for (std::size_t v = 0; v < size; ++v) CHECK(found.value().predicted[v] == v);
  }
}

TEST_CASE("a logit lens agrees with the formula, for every kind of head, in tiles of any size") {
  const Parts parts;
  const Sequence sequence;
  const std::vector<std::uint32_t> targets = {0, 3, 12, 1, 1, 7, 5, 2, 9};
  for (const ReadoutNorm norm : kNorms) {
    for (const bool corrected : {false, true}) {
      for (const std::size_t tile : {std::size_t{1}, std::size_t{4}, std::size_t{64}}) {
        CAPTURE(static_cast<int>(norm));
        CAPTURE(corrected);
        CAPTURE(tile);
        const ReadoutWeights weights = parts.weights(norm, corrected);
        auto readout = Readout::create(weights, tile);
        REQUIRE(readout.ok());
        const auto made = read_lens(readout.value(), sequence.views, {}, targets);
        REQUIRE(made.ok());
        const LensReading& found = made.value();
        for (std::size_t i = 0; i < kTokens; ++i) {
          const auto last = log_softmax(plain_logits(parts, weights, row_of(sequence.views.back(), i)));
          for (std::size_t l = 0; l <= kLayers; ++l) {
            const auto lens = log_softmax(plain_logits(parts, weights, row_of(sequence.views[l], i)));
            CHECK(static_cast<double>(found.divergence(l, i)) ==
                  doctest::Approx(plain_divergence(last, lens)).epsilon(1e-4));
            CHECK(static_cast<double>(found.loss(l, i)) == doctest::Approx(-lens[targets[i]]).epsilon(1e-5));
            const std::size_t best = found.predicted[l * kTokens + i];
            for (const double other : lens) CHECK(other <= lens[best] + 1e-5);
            CHECK(static_cast<double>(found.probability(l, i)) == doctest::Approx(std::exp(lens[best])).epsilon(1e-5));
          }
          CHECK(found.divergence(kLayers, i) == 0);
        }
        // Sums over tokens of the last layer's probabilities and of their entropy.
        std::vector<double> total(kVocab, 0);
        double entropy = 0;
        for (std::size_t i = 0; i < kTokens; ++i) {
          const auto last = log_softmax(plain_logits(parts, weights, row_of(sequence.views.back(), i)));
          for (std::size_t v = 0; v < kVocab; ++v) {
            total[v] += std::exp(last[v]);
            entropy -= std::exp(last[v]) * last[v];
          }
        }
        CHECK(found.entropy == doctest::Approx(entropy).epsilon(1e-5));
        for (std::size_t v = 0; v < kVocab; ++v) {
          CHECK(static_cast<double>(found.total(0, v)) == doctest::Approx(total[v]).epsilon(1e-4));
        }
      }
    }
  }
}

TEST_CASE("the gradient of a tuned lens is that of finite differences") {
  const Parts parts;
  const Sequence sequence;
  for (const ReadoutNorm norm : kNorms) {
    CAPTURE(static_cast<int>(norm));
    const ReadoutWeights weights = parts.weights(norm, true);
    auto readout = Readout::create(weights, 4);
    auto training = LensTraining::create(readout.value(), kLayers);
    REQUIRE(training.ok());
    double sums[kLayers] = {};
    // One step, so the translators are not zero.
    REQUIRE(training.value().accumulate(readout.value(), sequence.views, 1.0 / kTokens, sums).ok());
    training.value().update(0.05);
    const double loss_before = sums[0];
    sums[0] = sums[1] = 0;
    REQUIRE(training.value().accumulate(readout.value(), sequence.views, 1.0 / kTokens, sums).ok());
    CHECK(sums[0] < loss_before);
    for (std::size_t layer = 0; layer < kLayers; ++layer) {
      const LensMaps maps = training.value().maps();
      std::vector<double> a(maps.weights.row(layer * kWidth), maps.weights.row(layer * kWidth) + kWidth * kWidth);
      std::vector<double> b(maps.biases.row(layer), maps.biases.row(layer) + kWidth);
      CHECK(sums[layer] / kTokens == doctest::Approx(plain_loss(parts, weights, sequence, layer, a, b)).epsilon(1e-4));
      const auto difference = [&](double& parameter) {
        const double value = parameter;
        parameter = value + 1e-5;
        const double above = plain_loss(parts, weights, sequence, layer, a, b);
        parameter = value - 1e-5;
        const double below = plain_loss(parts, weights, sequence, layer, a, b);
        parameter = value;
        return (above - below) / 2e-5 * std::log(2.0);
      };
      for (std::size_t j = 0; j < kWidth * kWidth; ++j) {
        const double gradient =
            static_cast<double>(training.value().weight_gradients()(layer * kWidth + j / kWidth, j % kWidth));
        CHECK(gradient == doctest::Approx(difference(a[j])).epsilon(1e-3).scale(0.01));
      }
      for (std::size_t j = 0; j < kWidth; ++j) {
        const double gradient = static_cast<double>(training.value().bias_gradients()(layer, j));
        CHECK(gradient == doctest::Approx(difference(b[j])).epsilon(1e-3).scale(0.01));
      }
    }
  }
}

TEST_CASE("a tuned lens learns to undo a linear map of the last states") {
  const Parts parts;
  const Matrix<float> last = test::normal_matrix(200, kWidth, 31);
  Matrix<float> mixing = test::rotation(kWidth);
  const Matrix<float> before = test::product(last, mixing);
  const std::vector<ConstMatrixView<float>> states = {before.view(), last.view()};
  auto readout = Readout::create(parts.weights(ReadoutNorm::kRms, false), 64);
  auto training = LensTraining::create(readout.value(), 1);
  double first = 0;
  double sum = 0;
  for (int step = 0; step < 400; ++step) {
    sum = 0;
    REQUIRE(training.value().accumulate(readout.value(), states, 1.0 / 200, &sum).ok());
    if (step == 0) first = sum / 200;
    training.value().update(0.02 * (1 - step / 400.0));
  }
  CHECK(first > 0.2);
  CHECK(sum / 200 < 0.01);
  const auto tuned = read_lens(readout.value(), states, training.value().maps(), {});
  REQUIRE(tuned.ok());
  double mean = 0;
  for (std::size_t i = 0; i < 200; ++i) mean += static_cast<double>(tuned.value().divergence(0, i)) / 200;
  CHECK(mean < 0.01);
}

TEST_CASE("states, maps and targets that do not fit together are refused by name") {
  const Parts parts;
  const Sequence sequence;
  auto readout = Readout::create(parts.weights(ReadoutNorm::kRms, false), 4);
  const auto refusal = [&](std::vector<ConstMatrixView<float>> states, LensMaps maps,
                           std::vector<std::uint32_t> targets) {
    return read_lens(readout.value(), states, maps, targets).error().message();
  };
  const Matrix<float> wide = test::normal_matrix(kTokens, kWidth + 1, 1);
  CHECK(refusal({wide.view()}, {}, {}) == "states.cols is 7; expected 6");
  const Matrix<float> longer = test::normal_matrix(kTokens + 1, kWidth, 1);
  CHECK(refusal({sequence.views[0], longer.view()}, {}, {}) == "states.rows is 10; expected 9");
  const Matrix<float> biases = test::normal_matrix(1, kWidth, 1);
  CHECK(refusal(sequence.views, {sequence.views[0], biases.view()}, {}) == "biases.rows is 1; expected 2");
  CHECK(refusal(sequence.views, {}, {1}) == "targets.length is 1; expected 9");
  CHECK(refusal(sequence.views, {}, std::vector<std::uint32_t>(kTokens, kVocab)) ==
        "targets[0] is 13; expected a token id below 13");
  Matrix<float> wrong = test::normal_matrix(kTokens, kWidth, 1);
  wrong(2, 1) = test::kNotANumber;
  CHECK(refusal({wrong.view()}, {}, {}) == "states[2, 1] is NaN; expected finite numbers; 1 of 9 rows have others");
  ReadoutWeights weights = parts.weights(ReadoutNorm::kNone, true);
  weights.between = parts.unembedding.view();
  CHECK(Readout::create(weights, 4).error().message() == "between.rows is 13; expected 6");
}

TEST_CASE("pull and push add up to the gradient of the unembedding by finite differences") {
  const Parts parts;
  const Sequence sequence;
  const std::vector<std::uint32_t> targets = {0, 3, 12, 1, 1, 7, 5, 2, 9};
  std::vector<std::uint32_t> counts(kVocab, 1);
  counts[1] = 20;
  const ReadoutWeights weights = parts.weights(ReadoutNorm::kRms, false);
  Matrix<float> gradient = test::zeros(kVocab, kWidth);
  {
    Parts moved;
    const auto loss = [&] {
      double sum = 0;
      for (std::size_t i = 0; i < kTokens; ++i) {
        sum -= log_softmax(plain_logits(moved, weights, row_of(sequence.views.back(), i)))[targets[i]];
      }
      return sum / kTokens;
    };
    for (std::size_t k = 0; k < kVocab * kWidth; ++k) {
      float& value = moved.unembedding.data()[k];
      const float before = value;
      value = before + 1.0F / 1024;
      const double above = loss();
      value = before - 1.0F / 1024;
      const double below = loss();
      value = before;
      gradient.data()[k] = static_cast<float>((above - below) * 512);
    }
  }
  const Matrix<float> input = test::normal_matrix(kVocab, kWidth, 40);
  for (const std::size_t tile : {std::size_t{2}, std::size_t{64}}) {
    auto readout = Readout::create(weights, tile);
    auto made = OutputLedger::create(readout.value());
    REQUIRE(made.ok());
    OutputLedger& ledger = made.value();
    // The products of the unembedding may be prepared in parts, or be left to `add`.
    if (tile == 2) REQUIRE(ledger.prepare(readout.value(), 5).ok());
    // Tokens may come in parts.
    REQUIRE(ledger.add(readout.value(), sequence.views.back().row_block(0, 4), {targets.data(), 4}).ok());
    REQUIRE(ledger.add(readout.value(), sequence.views.back().row_block(4, 5), {targets.data() + 4, 5}).ok());
    const auto summary = ledger.summarize(readout.value(), input.view(), gradient.view(), counts);
    REQUIRE(summary.ok());
    const LedgerSummary& found = summary.value();
    CHECK(found.difference < 1e-3);
    CHECK(found.reach > 0);
    CHECK(found.reach <= 1);
    CHECK(found.reach_by_chance == doctest::Approx(std::sqrt(6.0 / 13)));
    REQUIRE(found.bands.size() == 2);
    CHECK(found.bands[0].limits.from == 1);
    CHECK(found.bands[0].rows == kVocab - 1);
    CHECK(found.bands[1].rows == 1);
    double inputs = 0;
    for (const LedgerBand& band : found.bands) inputs += band.norms.input * band.norms.input;
    CHECK(std::sqrt(inputs) == doctest::Approx(found.norms.input));
    CHECK(found.norms.pull > 0);
    CHECK(found.norms.push > 0);
  }
}

TEST_CASE("of a random direction of logits, a fraction sqrt(d / V) reaches the hidden state") {
  constexpr std::size_t kRows = 400;
  constexpr std::size_t kNarrow = 16;
  const Matrix<float> table = test::normal_matrix(kRows, kNarrow, 50);
  // Scaled down, so all tokens are about equally probable and the gradient is about a constant minus a target's axis.
  Matrix<float> flat = test::normal_matrix(300, kNarrow, 51);
  for (std::size_t k = 0; k < 300 * kNarrow; ++k) flat.data()[k] *= 1e-4F;
  ReadoutWeights weights;
  weights.unembedding = table.view();
  auto readout = Readout::create(weights, 64);
  auto ledger = OutputLedger::create(readout.value());
  std::vector<std::uint32_t> targets(300);
  for (std::size_t i = 0; i < 300; ++i) targets[i] = static_cast<std::uint32_t>((i * 7) % kRows);
  REQUIRE(ledger.value().add(readout.value(), flat.view(), targets).ok());
  const auto found =
      ledger.value().summarize(readout.value(), table.view(), table.view(), std::vector<std::uint32_t>(kRows, 1));
  REQUIRE(found.ok());
  CHECK(found.value().reach == doctest::Approx(found.value().reach_by_chance).epsilon(0.1));
  // Every row but the targets is pushed away.
  CHECK(found.value().bands[0].pushed_rows == kRows - 300);
}

TEST_CASE("losses by frequency are means over the bands of the predicted tokens") {
  const std::vector<std::uint32_t> counts = {0, 1, 3, 4, 1000};
  const std::vector<std::uint32_t> targets = {1, 2, 3, 4, 4, 4};
  const std::vector<float> losses = {1, 3, 7, 1, 2, 3};
  const auto made = loss_by_frequency(losses, targets, counts);
  REQUIRE(made.ok());
  const std::vector<LossBand>& bands = made.value();
  REQUIRE(bands.size() == 3);
  CHECK(bands[0].limits.from == 1);
  CHECK(bands[0].limits.to == 3);
  CHECK(bands[0].loss == 2);
  CHECK(bands[0].standard_error == doctest::Approx(1));
  CHECK(bands[1].tokens == 1);
  CHECK(std::isnan(bands[1].standard_error));
  CHECK(bands[2].loss == 2);
  CHECK(bands[2].standard_error == doctest::Approx(std::sqrt(1.0 / 3)));
  CHECK(loss_by_frequency(losses, {targets.data(), 2}, counts).error().message() ==
        "losses.length is 6; expected as many as there are targets, 2");
  CHECK(loss_by_frequency(losses, targets, {counts.data(), 4}).error().message() ==
        "targets[3] is 4; expected a token id below 4");
  const std::vector<float> wrong = {1, test::kNotANumber, 7, 1, 2, 3};
  CHECK(loss_by_frequency(wrong, targets, counts).error().message() == "losses[1] is NaN; expected a finite number");
}
