#include "accounting/whole.h"

#include <doctest/doctest.h>

namespace tied {
namespace {

constexpr std::uint64_t kLargest64 = ~std::uint64_t{0};

TEST_CASE("products beyond 64 bits are exact") {
  const Whole square = Whole(kLargest64) * kLargest64;
  REQUIRE(square.fits());
  CHECK(square.text() == "340282366920938463426481119284349108225");
  CHECK(square.words() == std::array<std::uint32_t, 4>{1, 0, 0xFFFFFFFEu, 0xFFFFFFFFu});
  CHECK((square + kLargest64 + kLargest64).text() == "340282366920938463463374607431768211455");
}

TEST_CASE("what does not fit in 128 bits says so, and so does all that is made of it") {
  const Whole square = Whole(kLargest64) * kLargest64;
  const Whole too_large = square + square;
  CHECK_FALSE(too_large.fits());
  CHECK_FALSE((too_large * std::uint64_t{0}).fits());
  CHECK_FALSE((Whole(1) * too_large).fits());
  CHECK_FALSE((square * 2).fits());
  CHECK_FALSE((Whole(1) - 2).fits());
  CHECK(too_large.text() == "more than 2^128 - 1");
}

TEST_CASE("digits and doubles of small numbers") {
  CHECK(Whole().text() == "0");
  CHECK(Whole().is_zero());
  CHECK((Whole(124'439'808) * 2).text() == "248879616");
  CHECK(Whole(1u << 20).as_double() == 1048576.0);
  CHECK((Whole(7) - 7).is_zero());
}

}  // namespace
}  // namespace tied
