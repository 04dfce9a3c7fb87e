#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "diagnostics/hidden_states.h"
#include "support.h"

using namespace tied;

namespace {

double median_of(const float* values, std::size_t count) {
  std::vector<float> sorted(values, values + count);
  std::sort(sorted.begin(), sorted.end());
  return static_cast<double>(sorted[count / 2]);
}

float measure(const HiddenStates& found, HiddenMeasure which, std::size_t row) {
  return found.measures()(static_cast<std::size_t>(which), row);
}

}  // namespace

TEST_CASE("measures of hidden states agree with an independent program") {
  const Matrix<float> hidden =
      test::matrix_of(reference::kHidden, reference::kDiagnosticStates, reference::kDiagnosticWidth);
  const Matrix<float> unembedding = test::source_table();
  const Matrix<float> embedding = test::target_table();
  const HiddenStates found = test::finished(
      HiddenStates::create(hidden.view(), unembedding.view(), reference::kHiddenTargets, embedding.view()), 1);
  CHECK(found.left_out() == 0);
  CHECK(found.baseline() == doctest::Approx(std::sqrt(5.0)));
  for (std::size_t k = 0; k < static_cast<std::size_t>(HiddenMeasure::kShuffledRatio); ++k) {
    CAPTURE(k);
    for (std::size_t i = 0; i < hidden.rows(); ++i) {
      const double expected = reference::kHiddenMeasureValues[k * hidden.rows() + i];
      CHECK(static_cast<double>(found.measures()(k, i)) == doctest::Approx(expected).epsilon(2e-6));
    }
  }
}

TEST_CASE("random directions have the baseline's ratio") {
  const Matrix<float> hidden = test::normal_matrix(400, 64, 1);
  const Matrix<float> table = test::normal_matrix(50, 64, 2);
  const std::vector<std::uint32_t> targets(400, 7);
  const HiddenStates found = test::finished(HiddenStates::create(hidden.view(), table.view(), targets));
  // The ratio is heavy-tailed, so its reciprocal is compared: its mean square is 1 / (d - 1) on average, as d grows.
  double sum = 0;
  for (std::size_t i = 0; i < 400; ++i) {
    sum += 1 / std::pow(static_cast<double>(measure(found, HiddenMeasure::kRatio, i)), 2);
  }
  CHECK(std::sqrt(400 / sum) == doctest::Approx(found.baseline()).epsilon(0.1));
  CHECK(std::isnan(measure(found, HiddenMeasure::kInputCosine, 0)));
}

TEST_CASE("the largest cosine is that of any row but the target's, in every place of a tile and at its ends") {
  constexpr std::size_t kVocab = 1030;
  constexpr std::size_t kWidth = 5;
  const Matrix<float> table = test::normal_matrix(kVocab, kWidth, 6);
  // Two tiles of 512 rows and one of six.
  const std::vector<std::uint32_t> targets = {0, 1, 510, 511, 512, 513, 1023, 1024, 1028, 1029};
  // Each state is its target's row plus an orthogonal part, whose nearest row is that of another target.
  Matrix<float> hidden = test::zeros(targets.size(), kWidth);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const float* other = table.view().row(targets[(i + 1) % targets.size()]);
    for (std::size_t j = 0; j < kWidth; ++j) hidden(i, j) = table(targets[i], j) - 2 * other[j];
  }
  const HiddenStates found = test::finished(HiddenStates::create(hidden.view(), table.view(), targets));
  for (std::size_t i = 0; i < targets.size(); ++i) {
    CAPTURE(targets[i]);
    const float* h = hidden.view().row(i);
    const float* w = table.view().row(targets[i]);
    std::vector<double> rest(kWidth);
    double along = 0, square = 0, rest_square = 0, largest = 0;
    for (std::size_t j = 0; j < kWidth; ++j) along += static_cast<double>(h[j]) * static_cast<double>(w[j]);
    for (std::size_t j = 0; j < kWidth; ++j) square += static_cast<double>(w[j]) * static_cast<double>(w[j]);
    for (std::size_t j = 0; j < kWidth; ++j) {
      rest[j] = static_cast<double>(h[j]) - along / square * static_cast<double>(w[j]);
      rest_square += rest[j] * rest[j];
    }
    for (std::size_t v = 0; v < kVocab; ++v) {
      if (v == targets[i]) continue;
      double product = 0, norm = 0;
      for (std::size_t j = 0; j < kWidth; ++j) {
        product += rest[j] * static_cast<double>(table(v, j));
        norm += static_cast<double>(table(v, j)) * static_cast<double>(table(v, j));
      }
      largest = std::max(largest, std::fabs(product) / std::sqrt(rest_square * norm));
    }
    CHECK(static_cast<double>(measure(found, HiddenMeasure::kMaxOtherCosine, i)) ==
          doctest::Approx(largest).epsilon(1e-5));
  }
}

TEST_CASE("with shuffled targets, states near their own targets have the ratio of random directions") {
  constexpr std::size_t kStates = 400;
  constexpr std::size_t kVocab = 1000;
  const Matrix<float> table = test::normal_matrix(kVocab, 64, 4);
  Matrix<float> hidden = test::normal_matrix(kStates, 64, 5);
  std::vector<std::uint32_t> targets(kStates);
  for (std::size_t i = 0; i < kStates; ++i) {
    targets[i] = static_cast<std::uint32_t>(2 * i);
    for (std::size_t j = 0; j < 64; ++j) hidden(i, j) = 0.5F * hidden(i, j) + table(2 * i, j);
  }
  const auto found_with = [&](std::uint64_t seed, std::size_t blocks) {
    return test::finished(HiddenStates::create(hidden.view(), table.view(), targets, {}, seed), blocks);
  };
  const HiddenStates found = found_with(1, 1);
  const auto row = [](const HiddenStates& of, HiddenMeasure which) {
    return of.measures().view().row(static_cast<std::size_t>(which));
  };
  // The rest is 0.5 |noise|; with any other row, the cosine is normal with a variance of 1 / d.
  CHECK(median_of(row(found, HiddenMeasure::kRatio), kStates) == doctest::Approx(0.5).epsilon(0.05));
  CHECK(median_of(row(found, HiddenMeasure::kShuffledRatio), kStates) == doctest::Approx(8 / 0.6745).epsilon(0.1));
  // Half of all directions have no |cosine| above c with 1,000 independent rows where P(|cos| > c) = 1 - 0.5^(1/1000)
  // for one of them: c = t / sqrt(t^2 + 63) with t = 3.57 of Student's distribution with 63 degrees of freedom.
  CHECK(found.by_chance().cols() == 256);
  for (const std::size_t centered : {std::size_t{0}, std::size_t{1}}) {
    CHECK(median_of(found.by_chance().view().row(centered), 256) == doctest::Approx(0.410).epsilon(0.02));
  }
  const HiddenStates again = found_with(1, 5);
  const HiddenStates other = found_with(2, 5);
  bool differs = false;
  for (std::size_t i = 0; i < kStates; ++i) {
    CHECK(row(again, HiddenMeasure::kShuffledRatio)[i] == row(found, HiddenMeasure::kShuffledRatio)[i]);
    differs |= row(other, HiddenMeasure::kShuffledRatio)[i] != row(found, HiddenMeasure::kShuffledRatio)[i];
  }
  CHECK(differs);
  for (std::size_t i = 0; i < 256; ++i) CHECK(again.by_chance()(0, i) == found.by_chance()(0, i));
}

TEST_CASE("states and targets of zeros have no measures, a state along its target has no other cosine") {
  Matrix<float> table = test::normal_matrix(5, 3, 3);
  for (std::size_t j = 0; j < 3; ++j) table(4, j) = 0;
  Matrix<float> hidden = test::zeros(3, 3);
  for (std::size_t j = 0; j < 3; ++j) {
    hidden(1, j) = 1;
    hidden(2, j) = -2 * table(0, j);
  }
  const std::vector<std::uint32_t> targets = {0, 4, 0};
  const HiddenStates found = test::finished(HiddenStates::create(hidden.view(), table.view(), targets));
  CHECK(found.left_out() == 2);
  CHECK(std::isnan(measure(found, HiddenMeasure::kRatio, 0)));
  CHECK(std::isnan(measure(found, HiddenMeasure::kRatio, 1)));
  CHECK(measure(found, HiddenMeasure::kParallel, 2) < 0);
  CHECK(measure(found, HiddenMeasure::kRatio, 2) < 1e-6F);
  CHECK(std::isnan(measure(found, HiddenMeasure::kMaxOtherCosine, 2)));
}

TEST_CASE("the largest cosine of a state does not depend on its length, however short it is") {
  const Matrix<float> table = test::normal_matrix(20, 6, 1);
  Matrix<float> hidden = test::normal_matrix(8, 6, 2);
  for (std::size_t i = 0; i < 48; ++i) hidden.data()[i] = std::ldexp(std::round(64 * hidden.data()[i]), -6);
  const std::vector<std::uint32_t> targets(8, 3);
  const auto largest = [&](int exponent) {
    Matrix<float> scaled = test::normal_matrix(8, 6, 2);
    for (std::size_t i = 0; i < 48; ++i) scaled.data()[i] = std::ldexp(hidden.data()[i], exponent);
    const HiddenStates found = test::finished(HiddenStates::create(scaled.view(), table.view(), targets));
    std::vector<float> cosines;
    for (std::size_t i = 0; i < 8; ++i) cosines.push_back(measure(found, HiddenMeasure::kMaxOtherCosine, i));
    return cosines;
  };
  // Denormal floats, which hold these multiples of 2^-143 exactly.
  CHECK(largest(-137) == largest(0));
}

TEST_CASE("states, tables and targets that do not fit together are refused by name") {
  const Matrix<float> hidden = test::normal_matrix(2, 3, 1);
  const Matrix<float> table = test::normal_matrix(5, 3, 2);
  const auto message = [&](const Matrix<float>& unembedding, const std::vector<std::uint32_t>& targets) {
    return HiddenStates::create(hidden.view(), unembedding.view(), targets).error().message();
  };
  CHECK(message(table, {0}) == "targets.length is 1; expected as many as hidden has rows, 2");
  CHECK(message(table, {0, 5}) == "targets[1] is 5; expected a row of unembedding, below 5");
  CHECK(message(test::normal_matrix(5, 4, 2), {0, 0}) ==
        "unembedding.cols is 4; expected as many columns as hidden has, 3");
  const Matrix<float> other = test::normal_matrix(4, 3, 2);
  CHECK(HiddenStates::create(hidden.view(), table.view(), std::vector<std::uint32_t>{0, 0}, other.view())
            .error()
            .message() == "embedding.rows is 4; expected as many rows as unembedding has, 5");
}
