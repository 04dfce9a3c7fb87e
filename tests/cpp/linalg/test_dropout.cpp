#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "linalg/dropout.h"
#include "support.h"

using namespace tied;
using tied::test::Guarded;

TEST_CASE_TEMPLATE("dropout zeroes its share of the numbers and keeps their mean", T, float, double) {
  const std::size_t size = 200000;
  for (const double share : {0.1, 0.5, 0.9}) {
    std::vector<T> x(size, 1);
    dropout<T>(x.data(), size, share, 77, 0);
    std::size_t dropped = 0;
    for (const T value : x) {
      dropped += value == 0;
      // The share is rounded to multiples of 2^-16, the factor once.
      if (value != 0) CHECK(static_cast<double>(value) == doctest::Approx(1 / (1 - share)).epsilon(2e-4));
    }
    // Four standard deviations of a binomial count.
    const auto n = static_cast<double>(size);
    CHECK(std::fabs(static_cast<double>(dropped) - share * n) < 4 * std::sqrt(share * (1 - share) * n));
  }
}

TEST_CASE("what dropout drops follows from key and place alone") {
  const std::size_t size = 1000;
  std::vector<float> whole(size, 1);
  dropout<float>(whole.data(), size, 0.3, 5, 40);
  for (const std::size_t cut : {1, 7, 8, 9, 500}) {
    Guarded<float> pieces(1, size, 0, cut % 4);
    for (std::size_t i = 0; i < size; ++i) pieces(0, i) = 1;
    dropout<float>(pieces.view().data, cut, 0.3, 5, 40);
    dropout<float>(pieces.view().data + cut, size - cut, 0.3, 5, 40 + cut);
    for (std::size_t i = 0; i < size; ++i) CHECK(pieces(0, i) == whole[i]);
    CHECK(pieces.untouched_outside());
  }
}

TEST_CASE("other keys, and places far apart, drop other numbers") {
  const std::size_t size = 4096;
  const auto kept = [=](std::uint64_t key, std::uint64_t first) {
    std::vector<float> x(size, 1);
    dropout<float>(x.data(), size, 0.5, key, first);
    return x;
  };
  const std::vector<float> reference = kept(1, 0);
  const std::uint64_t far = std::uint64_t{1} << 40;
  for (const std::vector<float>& other : {kept(2, 0), kept(1 | far, 0), kept(1, size), kept(1, far)}) {
    double equal = 0;
    for (std::size_t i = 0; i < size; ++i) equal += other[i] == reference[i] ? 1 : 0;
    // Half of them by chance; five standard deviations.
    CHECK(std::fabs(equal - size / 2.0) < 5 * std::sqrt(size / 4.0));
  }
}

TEST_CASE("dropout of no share and of no numbers changes nothing") {
  float x[3] = {1, 2, 3};
  dropout<float>(x, 3, 0, 1, 0);
  dropout<float>(x, 0, 0.5, 1, 0);
  for (int i = 0; i < 3; ++i) CHECK(x[i] == static_cast<float>(i + 1));
}
