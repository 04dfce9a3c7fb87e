#include "accounting/whole.h"

#include <doctest/doctest.h>

namespace tied {
namespace {

constexpr std::uint64_t kLargestWhole = ~std::uint64_t{0} - 1;
constexpr std::uint64_t kHalf = std::uint64_t{1} << 32;

TEST_CASE("sums and products beyond 2^53 are exact") {
  CHECK((Whole(kHalf - 1) * (kHalf - 1)).value() == 18446744065119617025u);
  CHECK((Whole(3) * 6148914691236517204u + 2).value() == kLargestWhole);
  CHECK((Whole(kLargestWhole) - 1 + 1).value() == kLargestWhole);
  CHECK((Whole(kLargestWhole) * 1).text() == "18446744073709551614");
  CHECK((Whole(kLargestWhole) * 0).is_zero());
}

TEST_CASE("overflow is reported, also by everything computed from it") {
  const Whole too_large[] = {Whole(kHalf) * kHalf,
                             Whole(kLargestWhole) + 1,
                             Whole(kLargestWhole) + kLargestWhole,
                             Whole(kLargestWhole) * kLargestWhole,
                             Whole(1) - 2,
                             Whole(3) * 6148914691236517205u,
                             Whole(kHalf + 1) * (kHalf)};
  for (const Whole large : too_large) {
    CHECK_FALSE(large.fits());
    CHECK_FALSE((large * 0).fits());
    CHECK_FALSE((Whole(1) * large).fits());
    CHECK_FALSE((large + 0).fits());
    CHECK_FALSE((large - large).fits());
    CHECK_FALSE((Whole(5) - large).fits());
    CHECK(large.text() == "more than 2^64 - 2");
    CHECK_FALSE(large.is_zero());
    CHECK(Whole(kLargestWhole) < large);
  }
}

TEST_CASE("small counts have their decimal digits and doubles") {
  CHECK(Whole().text() == "0");
  CHECK(Whole().is_zero());
  CHECK((Whole(124'439'808) * 2).text() == "248879616");
  CHECK(Whole(1u << 20).as_double() == 1048576.0);
  CHECK((Whole(7) - 7).is_zero());
}

}  // namespace
}  // namespace tied
