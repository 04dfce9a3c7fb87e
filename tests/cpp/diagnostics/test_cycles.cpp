#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "base/random.h"
#include "diagnostics/cycles.h"
#include "reference/cycles_reference.h"
#include "support.h"

using namespace tied;

namespace {

Matrix<float> square_of(const std::vector<float>& counts) {
  const auto size = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(counts.size()))));
  auto made = Matrix<float>::create(size, size);
  REQUIRE(made.ok());
  std::copy(counts.begin(), counts.end(), made.value().data());
  return std::move(made).value();
}

KolmogorovCycles cycles_of(const Matrix<float>& counts, const CycleOptions& options, std::size_t tokens = 1000000) {
  auto made = KolmogorovCycles::create(counts.view(), options);
  REQUIRE(made.ok());
  while (!made.value().finished()) made.value().advance(tokens);
  return std::move(made).value();
}

}  // namespace

TEST_CASE("cycles of three tokens agree with an independent program") {
  using namespace reference;
  const Matrix<float> counts = square_of({std::begin(kCycleCounts), std::end(kCycleCounts)});
  const KolmogorovCycles found = cycles_of(counts, {.null_runs = 0});
  CHECK(found.compared() == kCyclesCompared);
  CHECK(found.one_way() == kCyclesOneWay);
  REQUIRE(found.affinities().size() == 1);
  CHECK(std::fabs(found.affinities()[0] - kCycleAffinity) < 1e-12);
  REQUIRE(found.strongest().size() == 5);
  const Cycle& first = found.strongest()[0];
  // The same cycle may begin with any of its tokens.
  std::array<std::uint32_t, 3> tokens = first.tokens;
  std::rotate(tokens.begin(), std::find(tokens.begin(), tokens.end(), kStrongestCycle[0]), tokens.end());
  CHECK(std::equal(tokens.begin(), tokens.end(), std::begin(kStrongestCycle)));
  CHECK(first.flow == kStrongestFlow);
  CHECK(std::fabs(first.forward - kStrongestForward) < 1e-12);
  CHECK(std::fabs(first.backward - kStrongestBackward) < 1e-12);
  for (std::size_t i = 1; i < 5; ++i) CHECK(found.strongest()[i].flow <= found.strongest()[i - 1].flow);
}

TEST_CASE("New York City runs round one way: the products of the toy chain") {
  const Matrix<float> counts = square_of({5, 90, 5, 10, 10, 80, 40, 30, 30});
  const KolmogorovCycles found = cycles_of(counts, {.null_runs = 0});
  CHECK(found.compared() == 1);
  CHECK(found.one_way() == 0);
  CHECK(std::fabs(found.affinities()[0] - std::log2(0.288 / 0.0015)) < 1e-12);
  REQUIRE(found.strongest().size() == 1);
  CHECK(found.strongest()[0].tokens == std::array<std::uint32_t, 3>{0, 1, 2});
  CHECK(std::fabs(found.strongest()[0].forward - 0.288) < 1e-12);
  CHECK(std::fabs(found.strongest()[0].backward - 0.0015) < 1e-12);
  CHECK(found.strongest()[0].flow == 35);
}

TEST_CASE("a symmetric table has no affinity, and cycles that cannot be compared are counted") {
  const KolmogorovCycles symmetric = cycles_of(square_of({1, 7, 3, 7, 0, 9, 3, 9, 2}), {.null_runs = 0});
  CHECK(symmetric.affinities()[0] == 0);
  CHECK(symmetric.strongest().empty());
  const KolmogorovCycles one_way = cycles_of(square_of({0, 0, 4, 3, 0, 0, 0, 2, 0}), {.null_runs = 1});
  CHECK(one_way.compared() == 0);
  CHECK(one_way.one_way() == 1);
  CHECK(std::isnan(one_way.affinities()[0]));
  // 0 -> 2 -> 1 -> 0
  REQUIRE(one_way.strongest().size() == 1);
  CHECK(one_way.strongest()[0].tokens == std::array<std::uint32_t, 3>{0, 2, 1});
  CHECK(one_way.strongest()[0].forward == 1);
  CHECK(one_way.strongest()[0].backward == 0);
  // Pairs all the way round in neither direction.
  const KolmogorovCycles neither = cycles_of(square_of({0, 1, 0, 0, 0, 0, 1, 1, 0}), {.null_runs = 0});
  CHECK(neither.compared() + neither.one_way() == 0);
  const KolmogorovCycles alone = cycles_of(square_of({3}), {.null_runs = 2});
  CHECK(alone.affinities().size() == 3);
}

TEST_CASE("the null of large counts has the affinity of three independent logarithms of coins") {
  constexpr std::size_t kSize = 40;
  constexpr float kCount = 500;
  const Matrix<float> counts = square_of(std::vector<float>(kSize * kSize, kCount));
  const KolmogorovCycles found = cycles_of(counts, {.null_runs = 10, .seed = 3});
  // ln(n / (N - n)) has the variance 4 / N; the mean of a |normal| is sqrt(2 / pi) of its deviation.
  const double deviation = std::sqrt(3 * 4 / static_cast<double>(2 * kCount)) / std::numbers::ln2;
  const double expected = std::sqrt(2 / std::numbers::pi) * deviation;
  REQUIRE(found.affinities().size() == 11);
  double mean = 0;
  for (const double affinity : found.affinities().subspan(1)) mean += affinity / 10;
  CHECK(std::fabs(mean / expected - 1) < 0.02);
}

TEST_CASE("a reversible chain has the affinity of its null") {
  // Coins ignore that as many pairs enter a token as leave it; for cycles that makes no difference.
  constexpr std::size_t kSize = 12;
  constexpr std::size_t kPairs = 200000;
  Matrix<float> weights = square_of(std::vector<float>(kSize * kSize, 0));
  Random random(5, 1);
  for (std::size_t i = 0; i < kSize; ++i) {
    for (std::size_t j = 0; j <= i; ++j) weights(i, j) = weights(j, i) = static_cast<float>(1 + random.below(20));
  }
  double ratio = 0;
  constexpr std::size_t kChains = 8;
  for (std::size_t chain = 0; chain < kChains; ++chain) {
    Matrix<float> counts = square_of(std::vector<float>(kSize * kSize, 0));
    std::size_t token = 0;
    for (std::size_t pair = 0; pair < kPairs; ++pair) {
      float sum = 0;
      for (std::size_t j = 0; j < kSize; ++j) sum += weights(token, j);
      auto left = static_cast<float>(random.below(static_cast<std::uint32_t>(sum)));
      std::size_t next = 0;
      while (left >= weights(token, next)) left -= weights(token, next++);
      ++counts(token, next);
      token = next;
    }
    const KolmogorovCycles found = cycles_of(counts, {.null_runs = 10, .seed = chain});
    double mean = 0;
    for (const double affinity : found.affinities().subspan(1)) mean += affinity / 10;
    ratio += found.affinities()[0] / mean / kChains;
  }
  CHECK(std::fabs(ratio - 1) < 0.1);
}

TEST_CASE("cycles do not depend on how the work is divided") {
  using namespace reference;
  const Matrix<float> counts = square_of({std::begin(kCycleCounts), std::end(kCycleCounts)});
  const KolmogorovCycles at_once = cycles_of(counts, {.null_runs = 3, .seed = 7});
  const KolmogorovCycles in_steps = cycles_of(counts, {.null_runs = 3, .seed = 7}, 1);
  CHECK(std::equal(at_once.affinities().begin(), at_once.affinities().end(), in_steps.affinities().begin()));
  const KolmogorovCycles fewer = cycles_of(counts, {.listed = 0, .null_runs = 1, .seed = 7});
  CHECK(fewer.affinities()[1] == at_once.affinities()[1]);
  CHECK(fewer.strongest().empty());
  const KolmogorovCycles other = cycles_of(counts, {.null_runs = 1, .seed = 8});
  CHECK(other.affinities()[1] != at_once.affinities()[1]);
}

TEST_CASE("tables that are not counts are refused") {
  const auto error_of = [](const std::vector<float>& counts) {
    auto made = KolmogorovCycles::create(square_of(counts).view(), {});
    REQUIRE_FALSE(made.ok());
    return std::string(made.error().message());
  };
  CHECK(error_of({0, 1, -1, 0}).find("counts[1, 0]") != std::string::npos);
  CHECK(error_of({0, 1.5, 0, 0}).find("counts[0, 1]") != std::string::npos);
  CHECK(error_of({0, 3e8F, 0, 0}).find("counts[0, 1]") != std::string::npos);
  CHECK(error_of({0, std::numeric_limits<float>::quiet_NaN(), 0, 0}).find("counts[0, 1]") != std::string::npos);
  CHECK(error_of({0, 0, 0, 0}).find("at least one pair") != std::string::npos);
  auto wide = Matrix<float>::create(2, 3);
  REQUIRE(wide.ok());
  CHECK_FALSE(KolmogorovCycles::create(wide.value().view(), {}).ok());
}
