#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "../square_matrix.h"
#include "support.h"
#include "text/markov_chain.h"

namespace tied {
namespace {

Matrix<float> random_chain(std::size_t states, std::uint64_t seed, double concentration) {
  auto chain = random_markov_chain(states, seed, concentration);
  REQUIRE(chain.ok());
  return std::move(chain).value();
}

TEST_CASE("the stationary distribution of random chains is one, to nearly full precision") {
  for (const std::size_t states : {2, 3, 10, 100}) {
    for (const double concentration : {0.001, 0.05, 0.3, 1.0, 100.0}) {
      const auto chain = random_chain(states, states, concentration);
      const auto pi = stationary_distribution(chain.view());
      REQUIRE(pi.ok());
      double total = 0;
      for (std::size_t j = 0; j < states; ++j) {
        double flow = 0;
        for (std::size_t i = 0; i < states; ++i) {
          double row_sum = 0;
          for (std::size_t k = 0; k < states; ++k) row_sum += static_cast<double>(chain(i, k));
          flow += pi.value()[i] * (static_cast<double>(chain(i, j)) / row_sum);
        }
        // Elimination without subtraction errs by a few units in the last place per state, relative to each entry.
        CHECK(flow == doctest::Approx(pi.value()[j]).epsilon(1e-13 * static_cast<double>(states)));
        CHECK(pi.value()[j] > 0);
        total += pi.value()[j];
      }
      CHECK(total == doctest::Approx(1.0).epsilon(1e-13));
    }
  }
}

TEST_CASE("rows of a random chain sum to one and every transition is possible") {
  for (const double concentration : {0.001, 0.3, 1.0, 1e6}) {
    const auto chain = random_chain(50, 11, concentration);
    for (std::size_t i = 0; i < 50; ++i) {
      double total = 0;
      for (std::size_t j = 0; j < 50; ++j) {
        CHECK(chain(i, j) > 0);
        total += static_cast<double>(chain(i, j));
      }
      // 50 roundings to float, each by half a unit in the 24th bit of at most 1.
      CHECK(std::fabs(total - 1) < 50 * 6e-8);
    }
  }
}

TEST_CASE("concentration is the parameter of a Dirichlet distribution") {
  // E sum_j p_j^2 = (a + 1) / (n a + 1). 2,000 rows of 20: the standard deviation of a row's sum of squares is below
  // 0.25, so that of the mean is below 0.0056; the bound is five times that.
  for (const double a : {0.05, 0.3, 1.0, 5.0}) {
    double mean = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const auto chain = random_chain(20, seed, a);
      for (std::size_t i = 0; i < 20; ++i) {
        for (std::size_t j = 0; j < 20; ++j) mean += std::pow(static_cast<double>(chain(i, j)), 2) / 2000;
      }
    }
    CHECK(std::fabs(mean - (a + 1) / (20 * a + 1)) < (a < 1 ? 0.028 : 0.005));
  }
}

TEST_CASE("a long sample shows the chain's own frequencies") {
  const auto chain = random_chain(5, 12, 1.0);
  const auto pi = stationary_distribution(chain.view());
  const auto sample = sample_markov_chain(chain.view(), 400000, 13);
  REQUIRE(sample.ok());
  double visits[5] = {};
  double moves[5][5] = {};
  for (std::size_t t = 0; t + 1 < sample.value().size(); ++t) {
    ++visits[sample.value()[t]];
    ++moves[sample.value()[t]][sample.value()[t + 1]];
  }
  for (std::size_t i = 0; i < 5; ++i) {
    // Six standard deviations of a frequency over n independent draws are at most 3 / sqrt(n); visits are not
    // independent, hence twice that.
    CHECK(std::fabs(visits[i] / 400000 - pi.value()[i]) < 6 / std::sqrt(400000.0));
    for (std::size_t j = 0; j < 5; ++j) {
      CHECK(std::fabs(moves[i][j] / visits[i] - static_cast<double>(chain(i, j))) < 3 / std::sqrt(visits[i]));
    }
  }
}

TEST_CASE("the first state is drawn from the stationary distribution") {
  const auto chain = test::square_matrix(2, {.9F, .1F, .3F, .7F});  // pi = 3/4, 1/4
  int first = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    first += sample_markov_chain(chain.view(), 1, seed).value()[0] == 0 ? 1 : 0;
  }
  // Six standard deviations: 6 sqrt(4000 * 3/16).
  CHECK(std::abs(first - 3000) < 165);
}

TEST_CASE("impossible transitions are never drawn") {
  const auto chain = test::square_matrix(3, {0, 1, 0, .5F, 0, .5F, 0, 1, 0});
  const auto sample = sample_markov_chain(chain.view(), 20000, 14);
  REQUIRE(sample.ok());
  for (std::size_t t = 0; t + 1 < 20000; ++t) CHECK(chain(sample.value()[t], sample.value()[t + 1]) > 0);
}

TEST_CASE("the same seed gives the same chain and the same states on every machine") {
  const auto chain = random_chain(64, 2024, 0.3);
  const std::string_view bytes(reinterpret_cast<const char*>(chain.data()), 64 * 64 * sizeof(float));
  CHECK(test::hash_of(bytes) == 7595632116127392291u);
  const auto sample = sample_markov_chain(chain.view(), 100000, 2024);
  CHECK(test::hash_of(sample.value()) == 8237443154064820823u);
  CHECK(sample.value() == sample_markov_chain(chain.view(), 100000, 2024).value());
  CHECK(sample.value() != sample_markov_chain(chain.view(), 100000, 2025).value());
}

TEST_CASE("bad numbers of states, concentrations and lengths are refused") {
  CHECK(random_markov_chain(1, 0, 0.3).error().argument == "states");
  CHECK(random_markov_chain(kLargestChain + 1, 0, 0.3).error().argument == "states");
  for (const double bad : {0.0, -1.0, 1e-4, 1e7, std::nan(""), HUGE_VAL}) {
    CHECK(random_markov_chain(3, 0, bad).error().argument == "concentration");
  }
  const auto chain = random_chain(3, 0, 1);
  CHECK(sample_markov_chain(chain.view(), 0, 0).error().argument == "length");
  CHECK(sample_markov_chain(chain.view(), kLongestSample + 1, 0).error().argument == "length");
}

TEST_CASE("a chain sampled in pieces of any size gives the states sampled at once") {
  const auto chain = random_markov_chain(7, 3, 0.3).value();
  const auto whole = sample_markov_chain(chain.view(), 1000, 5).value();
  for (const std::size_t piece : {1, 13, 999, 1000}) {
    auto sampler = MarkovSampler::create(chain.view(), whole.size(), 5);
    REQUIRE(sampler.ok());
    std::vector<std::uint32_t> states(whole.size());
    while (sampler.value().remaining() > 0) {
      const std::size_t left = sampler.value().remaining();
      sampler.value().draw(std::span(states).subspan(states.size() - left, std::min(piece, left)));
    }
    CHECK(states == whole);
  }
}

}  // namespace
}  // namespace tied
