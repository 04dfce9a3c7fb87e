#include "model/sampling.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"

namespace tied {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kTooLarge = std::numeric_limits<std::size_t>::max() / 16;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Sampler sampler_of(std::size_t vocab_size, const SamplingOptions& options) {
  Sampler sampler;
  REQUIRE(sampler.prepare(vocab_size, options).ok());
  return sampler;
}

template <class T>
std::vector<std::uint32_t> draws(const std::vector<T>& logits, const SamplingOptions& options, std::size_t count) {
  Sampler sampler = sampler_of(logits.size(), options);
  std::vector<std::uint32_t> ids;
  for (std::size_t i = 0; i < count; ++i) {
    ids.push_back(0);
    if (const Status status = sampler.draw(ids.back(), logits.data(), i); !status) FAIL(status.error().message());
  }
  return ids;
}

std::vector<double> shares(const std::vector<std::uint32_t>& ids, std::size_t vocab_size) {
  std::vector<double> result(vocab_size);
  for (const std::uint32_t id : ids) result[id] += 1;
  for (double& share : result) share /= static_cast<double>(ids.size());
  return result;
}

std::vector<double> random_logits(std::size_t size, std::uint64_t seed) {
  Random random(seed, stream_of("test"));
  std::vector<double> logits(size);
  // A coarse grid, so there are ties.
  for (double& logit : logits) logit = static_cast<double>(random.below(7)) / 2 - 1;
  return logits;
}

// The tokens that can be drawn, by sorting.
std::vector<bool> candidates_by_sorting(const std::vector<double>& logits, std::size_t top_k) {
  std::vector<std::size_t> order(logits.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return logits[a] != logits[b] ? logits[a] > logits[b] : a < b; });
  std::vector<bool> kept(logits.size());
  for (std::size_t i = 0; i < order.size(); ++i) kept[order[i]] = top_k == 0 || i < top_k;
  return kept;
}

TEST_CASE("temperature 0 takes the largest logit, the first if several are equal, for every seed") {
  const std::vector<float> logits{-1, 3, 2.5F, 3, -7};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CHECK(draws(logits, {.temperature = 0, .seed = seed}, 3) == std::vector<std::uint32_t>{1, 1, 1});
    CHECK(draws(logits, {.temperature = 0, .top_k = 2, .seed = seed}, 1) == std::vector<std::uint32_t>{1});
  }
}

TEST_CASE("a token that a head cannot predict is not drawn, however high the temperature") {
  const std::vector<float> logits{-1e30F, 1, -1e30F, 2, -1e30F};
  for (const double temperature : {1.0, 1e30, 1e300}) {
    for (const std::uint32_t id : draws(logits, {.temperature = temperature}, 100)) CHECK((id == 1 || id == 3));
  }
}

TEST_CASE("tokens are drawn with the softmax's probabilities, at any temperature and top_k") {
  constexpr std::size_t kDraws = 40000;
  for (const std::size_t vocab_size : {2, 3, 9}) {
    for (const double temperature : {0.5, 1.0, 3.0}) {
      for (std::size_t top_k = 0; top_k <= vocab_size + 1; ++top_k) {
        const std::vector<double> logits = random_logits(vocab_size, vocab_size);
        const std::vector<bool> kept = candidates_by_sorting(logits, top_k);
        std::vector<double> expected(vocab_size);
        double total = 0;
        for (std::size_t i = 0; i < vocab_size; ++i) {
          expected[i] = kept[i] ? std::exp(logits[i] / temperature) : 0;
          total += expected[i];
        }
        const auto found =
            shares(draws(logits, {.temperature = temperature, .top_k = top_k, .seed = 3}, kDraws), vocab_size);
        for (std::size_t i = 0; i < vocab_size; ++i) {
          CAPTURE(i);
          // Five standard deviations of a frequency: one test in a million would fail by chance, and the seed is fixed.
          const double p = expected[i] / total;
          CHECK(std::fabs(found[i] - p) <= 5 * std::sqrt(p * (1 - p) / kDraws));
        }
      }
    }
  }
}

TEST_CASE("top_k selects the k largest logits, with ties at the edge going to lower ids") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const std::vector<double> logits = random_logits(20, seed);
    for (const std::size_t top_k : {1, 2, 7, 19, 20}) {
      const std::vector<bool> kept = candidates_by_sorting(logits, top_k);
      // Hot enough for all selected tokens to be equally likely: 400 draws miss one with a probability of at most 20
      // exp(-20).
      const auto found = shares(draws(logits, {.temperature = 1e9, .top_k = top_k, .seed = seed}, 400), 20);
      for (std::size_t i = 0; i < 20; ++i) CHECK((found[i] > 0) == kept[i]);
    }
  }
}

TEST_CASE("a draw depends on the seed, its number and the logits alone") {
  const std::vector<double> logits = random_logits(30, 1);
  const SamplingOptions options{.temperature = 1, .seed = 5};
  const auto in_order = draws(logits, options, 50);
  Sampler sampler = sampler_of(30, options);
  const std::vector<double> others = random_logits(30, 2);
  for (std::size_t i = 50; i-- > 0;) {
    std::uint32_t id = 0;
    REQUIRE(sampler.draw(id, others.data(), 7 * i).ok());
    REQUIRE(sampler.draw(id, logits.data(), i).ok());
    CHECK(id == in_order[i]);
  }
  CHECK(draws(logits, {.temperature = 1, .seed = 6}, 50) != in_order);
}

TEST_CASE("the same draws on every machine, in float and in double") {
  std::vector<float> logits(16);
  for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = static_cast<float>(i * 5 % 16) / 4;
  const std::vector<double> twin(logits.begin(), logits.end());
  // Computed in Python with Philox and the C library's exp.
  const std::vector<std::uint32_t> expected{2, 6, 9, 3, 12, 6, 9, 7, 4, 9, 6, 2};
  CHECK(draws(logits, {.temperature = 0.8, .seed = 1}, 12) == expected);
  CHECK(draws(twin, {.temperature = 0.8, .seed = 1}, 12) == expected);
}

TEST_CASE("extreme temperatures and logits draw as in the limit") {
  const std::vector<double> logits{8e307, -8e307, 8e307, 0};
  for (const double temperature : {5e-324, 1e-300, 1.0}) {
    for (const std::uint32_t id : draws(logits, {.temperature = temperature, .seed = 1}, 40)) CHECK(id % 2 == 0);
  }
  CHECK(shares(draws(logits, {.temperature = 1.7e308, .seed = 1}, 400), 4)[1] > 0);
}

TEST_CASE("logits that are not finite are refused") {
  for (const double bad : {kNaN, kInfinity, -kInfinity}) {
    for (const double temperature : {0.0, 1.0}) {
      const std::vector<double> logits{0, bad, 1};
      std::uint32_t id = 7;
      const auto refused = sampler_of(3, {.temperature = temperature}).draw(id, logits.data(), 0);
      REQUIRE_FALSE(refused.ok());
      CHECK(id == 7);
      CHECK(refused.error().code == ErrorCode::kNotFinite);
      CHECK(refused.error().argument == "logit");
    }
  }
}

TEST_CASE("invalid temperatures are refused before allocating") {
  for (const double bad : {-1e-9, -1.0, kNaN, kInfinity, -kInfinity}) {
    const auto refused = Sampler().prepare(kTooLarge, {.temperature = bad});
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().code == ErrorCode::kInvalidArgument);
    CHECK(refused.error().argument == "temperature");
  }
  CHECK(Sampler().prepare(kTooLarge, {}).error().code == ErrorCode::kOutOfMemory);
}

}  // namespace
}  // namespace tied
