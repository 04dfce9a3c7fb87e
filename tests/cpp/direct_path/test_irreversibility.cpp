#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "direct_path/irreversibility.h"
#include "reference/irreversibility_reference.h"
#include "support.h"

using namespace tied;

namespace {

std::vector<double> null_of(const Matrix<float>& counts, std::size_t runs, std::uint64_t seed,
                            std::size_t part = std::size_t{1} << 30) {
  auto chains = ReversibleChains::create(counts.view(), runs, seed);
  REQUIRE(chains.ok());
  while (!chains.value().finished()) chains.value().advance(part);
  CHECK(chains.value().share() == 1);
  const auto found = chains.value().divergences();
  return {found.begin(), found.end()};
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double deviation_of(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

Matrix<float> matrix_of_reference(const reference::Irreversibility& given) {
  return test::matrix_of(given.size, given.size, {given.counts, given.counts + given.size * given.size});
}

Matrix<float> transposed(const Matrix<float>& counts) {
  Matrix<float> other = test::zeros(counts.rows(), counts.rows());
  for (std::size_t i = 0; i < counts.rows(); ++i) {
    for (std::size_t j = 0; j < counts.rows(); ++j) other(j, i) = counts(i, j);
  }
  return other;
}

}  // namespace

TEST_CASE("irreversibility, net flow and its null agree with an independent program") {
  for (const auto& given : reference::kIrreversibility) {
    CAPTURE(given.name);
    const Matrix<float> counts = matrix_of_reference(given);
    const auto entropies = bigram_entropies(counts.view());
    REQUIRE(entropies.ok());
    CHECK(entropies.value().jensen_shannon == doctest::Approx(given.js).epsilon(1e-13));
    CHECK(entropies.value().unigram - entropies.value().bigram ==
          doctest::Approx(given.mutual_information).epsilon(1e-13));
    const auto flow = net_flow(counts.view());
    REQUIRE(flow.ok());
    // In single precision.
    for (std::size_t i = 0; i < given.size * given.size; ++i) {
      CHECK(static_cast<double>(flow.value().data()[i]) == doctest::Approx(given.net_flow[i]).epsilon(1e-7));
    }
    const std::vector<double> null = null_of(counts, reference::kIrreversibilityRuns, 1);
    // Two means of equally many samples: five standard errors of their difference. The spread of a spread is wider,
    // since the samples have long tails.
    const double error = given.null_deviation * std::sqrt(2.0 / reference::kIrreversibilityRuns);
    CHECK(std::fabs(mean_of(null) - given.null_mean) < 5 * error);
    CHECK(std::fabs(deviation_of(null) / given.null_deviation - 1) < 0.15);
  }
}

TEST_CASE("the null of large counts is chi-squared over the cycles of the table") {
  constexpr std::size_t kTokens = 12;
  const Matrix<float> counts = [] {
    Matrix<float> made = test::zeros(kTokens, kTokens);
    Random random(3, stream_of("counts"));
    for (std::size_t i = 0; i < kTokens * kTokens; ++i) made.data()[i] = static_cast<float>(200 + random.below(200));
    return made;
  }();
  double total = 0;
  for (std::size_t i = 0; i < kTokens * kTokens; ++i) total += static_cast<double>(counts.data()[i]);
  constexpr double kCycles = kTokens * (kTokens - 1) / 2 - kTokens + 1;
  const std::vector<double> null = null_of(counts, 400, 5);
  // A chi-squared variable has the variance 2 kCycles; four standard errors of the mean of 400.
  const double error = std::sqrt(2 * kCycles / 400);
  CHECK(std::fabs(2 * total * mean_of(null) - kCycles) < 4 * error);
}

TEST_CASE("a chain without cycles is reversible, and so is every sample of it") {
  // Neighbors on a line: every step up is followed by a step down, except on the way from the first token to the last.
  const Matrix<float> line = test::matrix_of(4, 4, {50, 50, 0, 0, 50, 0, 70, 0, 0, 70, 0, 30, 0, 0, 30, 10});
  for (const double divergence : null_of(line, 50, 2)) CHECK(divergence < 2.0 / 440);
}

TEST_CASE("the null does not depend on the parts in which it is drawn, nor its first samples on how many follow") {
  const Matrix<float> counts = matrix_of_reference(reference::kIrreversibility[0]);
  const std::vector<double> whole = null_of(counts, 8, 7);
  CHECK(null_of(counts, 8, 7, 1) == whole);
  CHECK(null_of(counts, 8, 7, 13) == whole);
  const std::vector<double> fewer = null_of(counts, 3, 7);
  CHECK(std::equal(fewer.begin(), fewer.end(), whole.begin()));
  CHECK(null_of(counts, 8, 8) != whole);
}

TEST_CASE("the null has the same bits on every machine") {
  const Matrix<float> counts = matrix_of_reference(reference::kIrreversibility[2]);
  // The same as in tests/web/core/irreversibility.test.ts.
  CHECK(null_of(counts, 3, 7) ==
        std::vector<double>{0.0024964296581707745, 0.0016814938861144783, 0.00196348864908157});
}

TEST_CASE("a text and its reverse have the same irreversibility and the same null") {
  for (const auto& given : reference::kIrreversibility) {
    const Matrix<float> counts = matrix_of_reference(given);
    const Matrix<float> reversed = transposed(counts);
    CHECK(bigram_entropies(reversed.view()).value().jensen_shannon ==
          doctest::Approx(bigram_entropies(counts.view()).value().jensen_shannon).epsilon(1e-14));
    CHECK(null_of(reversed, 5, 1) == null_of(counts, 5, 1));
  }
}

TEST_CASE("the progress of a null is the fraction of its pairs") {
  const Matrix<float> counts = test::matrix_of(2, 2, {1, 4, 4, 1});
  auto chains = ReversibleChains::create(counts.view(), 4, 0);
  REQUIRE(chains.ok());
  CHECK(chains.value().share() == 0);
  chains.value().advance(15);
  CHECK(chains.value().share() == 15.0 / 40);
  CHECK(chains.value().divergences().size() == 1);
}

TEST_CASE("the net flow is J - J^T, and each token receives what it sends") {
  const Matrix<float> counts = test::matrix_of(3, 3, {5, 9, 1, 2, 0, 8, 8, 1, 6});
  const auto flow = net_flow(counts.view());
  REQUIRE(flow.ok());
  for (std::size_t i = 0; i < 3; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      CHECK(flow.value()(i, j) == (counts(i, j) - counts(j, i)) / 40.0F);
      CHECK(flow.value()(i, j) == -flow.value()(j, i));
      sum += static_cast<double>(flow.value()(i, j));
    }
    // Row and column sums of the counts agree. The tolerance is that of floats.
    CHECK(std::fabs(sum) < 1e-7);
  }
}

TEST_CASE("a null refuses tables that are not counts, too many pairs, and no runs") {
  const auto message = [](const Matrix<float>& counts, std::size_t runs) {
    const auto chains = ReversibleChains::create(counts.view(), runs, 0);
    REQUIRE(!chains.ok());
    return chains.error().message();
  };
  const Matrix<float> fair = test::matrix_of(2, 2, {1, 2, 3, 4});
  CHECK(message(test::zeros(2, 2), 1) == "counts is all zero; expected at least one entry above 0");
  CHECK(message(test::matrix_of(2, 2, {1, -2, 3, 4}), 1).find("counts") == 0);
  CHECK(message(test::zeros(2, 3), 1).find("counts") == 0);
  CHECK(message(fair, 0) == "runs is 0; expected at least 1");
  CHECK(message(test::matrix_of(2, 2, {268435456, 2, 3, 4}), 1)
            .find("sum of counts is 268435000; expected at most 250000000") == 0);
  CHECK(!net_flow(test::zeros(2, 2).view()).ok());
}
