#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "linalg/dropout.h"
#include "support.h"

using namespace tied;
using tied::test::Guarded;

namespace {

// Each block of Philox decides eight elements with 16 bits each; the block's number is the counter.
bool is_kept(std::uint64_t place, double rate, std::uint64_t key) {
  const std::uint64_t block = place / 8;
  const auto words = philox({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32), 0x64726F70, 0},
                            {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)});
  const std::uint32_t bits = words[place % 8 / 2] >> (place % 2 * 16) & 0xFFFF;
  return bits >= std::floor(rate * 65536 + 0.5);
}

}  // namespace

TEST_CASE_TEMPLATE("dropout drops the same as choices drawn one by one, at every length, start and position", T, float,
                   double) {
  const std::uint64_t key = 0xFEDCBA9876543210;
  // The last position carries from one word of the counter into the next.
  const std::uint64_t places[] = {0, 1, 7, 8, 45, (std::uint64_t{1} << 35) - 19};
  for (const double rate : {1.0 / 65536, 0.1, 0.5, 0.75, 65535.0 / 65536}) {
    const T factor = static_cast<T>(1 / (1 - rate));
    for (const std::size_t size : {0, 1, 7, 8, 9, 31, 32, 33, 63, 64, 65, 100}) {
      for (const std::uint64_t first : places) {
        Guarded<T> x(1, size, 0, size % 4);
        x.fill_normal(size);
        const Guarded<T> before = x;
        dropout<T>(x.view().data, size, rate, key, first);
        for (std::size_t i = 0; i < size; ++i) {
          // 0.1 is rounded to a multiple of 2^-16, and so is the factor.
          const T kept = rate == 0.1 ? static_cast<T>(65536.0 / (65536 - 6554)) : factor;
          CHECK(x(0, i) == before(0, i) * (is_kept(first + i, rate, key) ? kept : T{0}));
        }
        CHECK(x.untouched_outside());
      }
    }
  }
}

TEST_CASE("dropout multiplies: signs, infinities, NaN and subnormal values behave as in a product") {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kValues[] = {-0.0F, kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN(), 0x1p-149F, -1};
  const std::size_t size = 48;
  std::vector<float> x(size);
  for (std::size_t i = 0; i < size; ++i) x[i] = kValues[i % 6];
  dropout<float>(x.data(), size, 0.5, 9, 0);
  for (std::size_t i = 0; i < size; ++i) {
    const float expected = kValues[i % 6] * (is_kept(i, 0.5, 9) ? 2.0F : 0.0F);
    if (std::isnan(expected)) {
      CHECK(std::isnan(x[i]));
    } else {
      CHECK(std::bit_cast<std::uint32_t>(x[i]) == std::bit_cast<std::uint32_t>(expected));
    }
  }
}

TEST_CASE_TEMPLATE("dropout zeroes elements at its rate and preserves their mean", T, float, double) {
  const std::size_t size = 200000;
  for (const double rate : {0.1, 0.5, 0.9}) {
    std::vector<T> x(size, 1);
    dropout<T>(x.data(), size, rate, 77, 0);
    std::size_t dropped = 0;
    for (const T value : x) {
      dropped += value == 0;
      // The rate is rounded to a multiple of 2^-16, the factor once.
      if (value != 0) CHECK(static_cast<double>(value) == doctest::Approx(1 / (1 - rate)).epsilon(2e-4));
    }
    // Four standard deviations of a binomial count.
    const auto n = static_cast<double>(size);
    CHECK(std::fabs(static_cast<double>(dropped) - rate * n) < 4 * std::sqrt(rate * (1 - rate) * n));
  }
}

TEST_CASE("which elements dropout drops depends only on key and position") {
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

TEST_CASE("other keys and distant positions drop other elements") {
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
    // Half of them agree by chance; the bound is five standard deviations.
    CHECK(std::fabs(equal - size / 2.0) < 5 * std::sqrt(size / 4.0));
  }
}

TEST_CASE("dropout at rate 0 or of no elements changes nothing") {
  float x[3] = {1, 2, 3};
  dropout<float>(x, 3, 0, 1, 0);
  dropout<float>(x, 0, 0.5, 1, 0);
  for (int i = 0; i < 3; ++i) CHECK(x[i] == static_cast<float>(i + 1));
}
