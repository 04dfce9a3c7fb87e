#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "base/elementary.h"
#include "base/random.h"

using namespace tied;

namespace {

// Distance in units in the last place of `expected`.
double ulps(double value, double expected) {
  const double next = std::nextafter(std::fabs(expected), std::numeric_limits<double>::infinity());
  return std::fabs(value - expected) / (next - std::fabs(expected));
}

}  // namespace

TEST_CASE("the logarithm is within two units in the last place of the C library's") {
  Random random(1, stream_of("logarithm"));
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const double x = std::ldexp(1 + random.uniform_double(), static_cast<int>(random.below(600)) - 300);
    worst = std::fmax(worst, ulps(natural_log(x), std::log(x)));
  }
  // Near 1, where the logarithm is small and cancellation would show.
  for (int i = 0; i < 200000; ++i) {
    const double x = 1 + (random.uniform_double() - 0.5) * std::ldexp(1, -static_cast<int>(random.below(50)));
    worst = std::fmax(worst, ulps(natural_log(x), std::log(x)));
  }
  CHECK(worst <= 2);
}

TEST_CASE("the logarithm of special values") {
  CHECK(natural_log(1) == 0);
  CHECK(natural_log(0) == -std::numeric_limits<double>::infinity());
  CHECK(natural_log(std::numeric_limits<double>::infinity()) == std::numeric_limits<double>::infinity());
  CHECK(std::isnan(natural_log(-1)));
  CHECK(std::isnan(natural_log(std::nan(""))));
  CHECK(ulps(natural_log(5e-324), std::log(5e-324)) <= 2);
  CHECK(ulps(natural_log(std::numeric_limits<double>::max()), std::log(std::numeric_limits<double>::max())) <= 2);
}

TEST_CASE("the exponential is within two units in the last place of the C library's") {
  Random random(2, stream_of("exponential"));
  double worst = 0;
  for (int i = 0; i < 200000; ++i) {
    const double x = (random.uniform_double() - 0.5) * 1400;
    worst = std::fmax(worst, ulps(exponential(x), std::exp(x)));
  }
  CHECK(worst <= 2);
}

TEST_CASE("the exponential of special values") {
  CHECK(exponential(0) == 1);
  CHECK(exponential(-std::numeric_limits<double>::infinity()) == 0);
  CHECK(exponential(-746) == 0);
  CHECK(exponential(-745) == 5e-324);
  CHECK(std::isinf(exponential(710)));
  CHECK(std::isinf(exponential(std::numeric_limits<double>::infinity())));
  CHECK(std::isnan(exponential(std::nan(""))));
}
