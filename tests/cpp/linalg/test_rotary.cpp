#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "linalg/rotary.h"
#include "support.h"

using namespace tied;
using tied::test::Guarded;

TEST_CASE_TEMPLATE("a rotary table holds cosines and sines, also for distant positions", T, float, double) {
  for (const std::size_t half : {1, 2, 3, 8, 32}) {
    const std::size_t positions = half == 8 ? 100001 : 4097;
    for (const double base : {10000.0, 500000.0, 100.0}) {
      Guarded<T> cosines(positions, half);
      Guarded<T> sines(positions, half);
      rotary_table<T>(cosines.view(), sines.view(), base);
      double worst = 0;
      for (std::size_t position = 0; position < positions; position += position < 600 ? 1 : 97) {
        for (std::size_t i = 0; i < half; ++i) {
          const double angle =
              static_cast<double>(position) * std::pow(base, -static_cast<double>(i) / static_cast<double>(half));
          worst = std::fmax(worst, std::fabs(static_cast<double>(cosines(position, i)) - std::cos(angle)));
          worst = std::fmax(worst, std::fabs(static_cast<double>(sines(position, i)) - std::sin(angle)));
        }
      }
      // A power of the base is within about ln(base) units in the last place of double; a position multiplies that.
      CHECK(worst <= 1e-9 + test::kRoundoff<T>);
    }
  }
}

TEST_CASE_TEMPLATE("pairs are rotated by their angles, head by head, and back", T, float, double) {
  for (const std::size_t half : {1, 2, 3, 4, 5, 8, 9}) {
    const std::size_t heads = 3;
    const std::size_t rows = 5;
    const std::size_t first = 11;
    Guarded<T> cosines(20, half, 1, 1);
    Guarded<T> sines(20, half, 2, 3);
    rotary_table<T>(cosines.view(), sines.view(), 10000);
    Guarded<T> x(rows, heads * 2 * half, 3, half % 4);
    x.fill_normal(half);
    const Guarded<T> before = x;
    rotate_pairs<T>(x.view(), cosines.view(), sines.view(), heads, first, false);
    double worst = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t pair = 0; pair < heads * half; ++pair) {
        const std::size_t i = pair % half;
        const double angle =
            static_cast<double>(first + r) * std::pow(10000.0, -static_cast<double>(i) / static_cast<double>(half));
        const auto even = static_cast<double>(before(r, 2 * pair));
        const auto odd = static_cast<double>(before(r, 2 * pair + 1));
        worst = std::fmax(
            worst, std::fabs(static_cast<double>(x(r, 2 * pair)) - (even * std::cos(angle) - odd * std::sin(angle))));
        worst = std::fmax(worst, std::fabs(static_cast<double>(x(r, 2 * pair + 1)) -
                                           (even * std::sin(angle) + odd * std::cos(angle))));
      }
    }
    // Values below 5, five roundings; the angles of the table are within 1e-13 here.
    CHECK(worst <= 25 * test::kRoundoff<T> + 1e-12);
    rotate_pairs<T>(x.view(), cosines.view(), sines.view(), heads, first, true);
    worst = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t j = 0; j < heads * 2 * half; ++j) {
        worst = std::fmax(worst, std::fabs(static_cast<double>(x(r, j) - before(r, j))));
      }
    }
    CHECK(worst <= 50 * test::kRoundoff<T>);
    CHECK(x.untouched_outside());
  }
}

TEST_CASE("scores of rotated rows depend on the distance of their positions alone") {
  const std::size_t half = 4;
  Guarded<double> cosines(50, half);
  Guarded<double> sines(50, half);
  rotary_table<double>(cosines.view(), sines.view(), 10000);
  Guarded<double> query(1, 2 * half);
  Guarded<double> key(1, 2 * half);
  query.fill_normal(1);
  key.fill_normal(2);
  const auto score = [&](std::size_t at, std::size_t other) {
    Guarded<double> q = query;
    Guarded<double> k = key;
    rotate_pairs<double>(q.view(), cosines.view(), sines.view(), 1, at, false);
    rotate_pairs<double>(k.view(), cosines.view(), sines.view(), 1, other, false);
    double total = 0;
    for (std::size_t j = 0; j < 2 * half; ++j) total += q(0, j) * k(0, j);
    return total;
  };
  for (const std::size_t distance : {0, 1, 7})
    CHECK(std::fabs(score(20 + distance, 20) - score(40 + distance, 40)) < 1e-13);
}

TEST_CASE("a rotary table has these bits on every machine") {
  Guarded<float> cosines(1024, 8);
  Guarded<float> sines(1024, 8);
  rotary_table<float>(cosines.view(), sines.view(), 10000);
  CHECK(test::hash_of_bits(cosines.view()) == 0xed1463a3af168687);
  CHECK(test::hash_of_bits(sines.view()) == 0x965cc5a5e6dd9634);
}
