#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "linalg/simd_exp.h"
#include "support.h"

using namespace tied;
using simd::Batch;
using simd::kLanes;

namespace {

template <class T>
T exp_of(T x) {
  T lanes[kLanes<T>];
  Batch<T> powers[1] = {Batch<T>(x)};
  simd::exp_of_nonpositive(powers);
  simd::store(lanes, powers[0]);
  for (std::size_t i = 1; i < kLanes<T>; ++i) {
    if (lanes[i] != lanes[0] && lanes[0] == lanes[0]) return std::numeric_limits<T>::max();
  }
  return lanes[0];
}

}  // namespace

TEST_CASE_TEMPLATE("the exponential of values up to zero is within two units in the last place", T, float, double) {
  const double lowest = sizeof(T) == 4 ? -87.3 : -708.3;
  double worst = 0;
  for (int i = 0; i <= 200000; ++i) {
    const T x = static_cast<T>(lowest * i / 200000);
    const double expected = std::exp(static_cast<double>(x));
    // One unit in the last place is at most two roundoffs of the value.
    worst = std::fmax(worst, std::fabs(static_cast<double>(exp_of(x)) - expected) / expected);
  }
  CHECK(worst <= 2 * 2 * test::kRoundoff<T>);
}

TEST_CASE_TEMPLATE("the exponential of special values", T, float, double) {
  CHECK(exp_of(T{0}) == 1);
  CHECK(exp_of(-T{0}) == 1);
  CHECK(exp_of(-std::numeric_limits<T>::infinity()) == 0);
  CHECK(exp_of(std::numeric_limits<T>::lowest()) == 0);
  CHECK(std::isnan(exp_of(std::numeric_limits<T>::quiet_NaN())));
  CHECK(exp_of(-std::numeric_limits<T>::denorm_min()) == 1);
  // The edge of normal results, and half of it, which is flushed to 0.
  const double edge = sizeof(T) == 4 ? -126 * std::log(2.0) : -1022 * std::log(2.0);
  CHECK(exp_of(static_cast<T>(edge + 0.001)) >= std::numeric_limits<T>::min());
  CHECK(exp_of(static_cast<T>(edge - 1.1)) == 0);
}

TEST_CASE("the exponential of a float is within two units in the last place unless it is 0") {
  // Every 127th float from -0 to -104, below which even the smallest subnormal is too large. 127 is odd, so all
  // patterns of the last bits occur.
  constexpr std::uint32_t kMinusZero = 0x80000000;
  const auto end = std::bit_cast<std::uint32_t>(-104.0F);
  double worst = 0;
  std::size_t zeros = 0;
  for (std::uint32_t bits = kMinusZero; bits <= end; bits += 127) {
    const float x = std::bit_cast<float>(bits);
    const float found = exp_of(x);
    if (found == 0) {
      // -127.5 ln 2, where the result rounds to 0.
      CHECK(x < -88.37F);
      ++zeros;
      continue;
    }
    const double expected = std::exp(static_cast<double>(x));
    int exponent = 0;
    std::frexp(expected, &exponent);
    const double last_place = std::ldexp(1.0, std::max(exponent - 24, -149));
    worst = std::fmax(worst, std::fabs(static_cast<double>(found) - expected) / last_place);
  }
  CHECK(worst <= 2);
  CHECK(zeros > 0);
}

TEST_CASE_TEMPLATE("lanes past a count are filled, whatever they held", T, float, double) {
  for (std::size_t count = 0; count <= kLanes<T>; ++count) {
    T lanes[kLanes<T>];
    for (std::size_t i = 0; i < kLanes<T>; ++i) {
      lanes[i] = i < count ? static_cast<T>(i + 1) : std::numeric_limits<T>::quiet_NaN();
    }
    simd::store(lanes, simd::first_lanes(simd::load(lanes), count, T{-7}));
    for (std::size_t i = 0; i < kLanes<T>; ++i) CHECK(lanes[i] == (i < count ? static_cast<T>(i + 1) : T{-7}));
  }
}

TEST_CASE_TEMPLATE("map reads and writes exactly its elements, also in place", T, float, double) {
  for (const std::size_t size : test::kVectorSizes) {
    for (const std::size_t offset : {0, 1, 2, 3}) {
      test::Guarded<T> x(1, size, 0, offset);
      x.fill_normal(1);
      const test::Guarded<T> before = x;
      simd::map<T>(
          x.view().data, size, T{0}, [](const Batch<T>& a, const Batch<T>& b) { return a + b; }, x.view().data,
          before.view().data);
      for (std::size_t i = 0; i < size; ++i) CHECK(x(0, i) == before(0, i) + before(0, i));
      CHECK(x.untouched_outside());
    }
  }
}

TEST_CASE("lanes are added in a fixed order") {
  const float lanes[] = {1e8F, 1, -1e8F, 1};
  // In double: (1e8 + 1) + (-1e8 + 1) = 2.
  CHECK(simd::sum_of_lanes(simd::load(lanes)) == 2);
}

TEST_CASE("multiply_in_full gives all 64 bits of the products") {
  const std::uint32_t a[4] = {0, 0xFFFFFFFF, 0x80000001, 0x12345678};
  const std::uint32_t b[4] = {0xFFFFFFFF, 0xFFFFFFFF, 0xCD9E8D57, 0x9ABCDEF0};
  const simd::Products products = simd::multiply_in_full(simd::Words::load_unaligned(a), b);
  std::uint32_t low[4];
  std::uint32_t high[4];
  products.low.store_unaligned(low);
  products.high.store_unaligned(high);
  for (int i = 0; i < 4; ++i) CHECK((std::uint64_t{high[i]} << 32 | low[i]) == std::uint64_t{a[i]} * b[i]);
}
