#include <doctest/doctest.h>

#include <cmath>

#include "training/schedule.h"

using namespace tied;

TEST_CASE("the warm-up rises in equal steps to the full rate") {
  const TrainingConfig config{.learning_rate = 0.4, .warmup_steps = 4};
  CHECK(learning_rate_at(config, config.learning_rate, 0) == doctest::Approx(0.1).epsilon(1e-15));
  CHECK(learning_rate_at(config, config.learning_rate, 2) == doctest::Approx(0.3).epsilon(1e-15));
  CHECK(learning_rate_at(config, config.learning_rate, 3) == 0.4);
  CHECK(learning_rate_at(config, config.learning_rate, 1'000'000) == 0.4);
}

TEST_CASE("the cosine decay is the library's cosine to the last digits, and then constant") {
  const TrainingConfig config{.learning_rate = 0.05,
                              .warmup_steps = 10,
                              .decay = Decay::kCosine,
                              .total_steps = 1'010,
                              .final_learning_rate_fraction = 0.1};
  for (std::uint64_t step = 10; step < 1'010; ++step) {
    const double progress = static_cast<double>(step - 10) / 1'000;
    const double expected = 0.05 * (0.1 + 0.9 * 0.5 * (1 + std::cos(M_PI * progress)));
    CHECK(learning_rate_at(config, config.learning_rate, step) == doctest::Approx(expected).epsilon(1e-14));
  }
  CHECK(learning_rate_at(config, config.learning_rate, 1'010) == 0.05 * 0.1);
  CHECK(learning_rate_at(config, config.learning_rate, ~std::uint64_t{0}) == 0.05 * 0.1);
}

TEST_CASE("integer powers equal repeated multiplication") {
  CHECK(integer_power(0.5, 0) == 1);
  CHECK(integer_power(0.5, 10) == 1.0 / 1024);
  CHECK(integer_power(3, 13) == 1'594'323);
  CHECK(integer_power(0.999, 1'000) == doctest::Approx(std::pow(0.999, 1'000)).epsilon(1e-13));
  CHECK(integer_power(0.9, ~std::uint64_t{0}) == 0);
}
