#include "base/elementary.h"

#include <bit>
#include <cstdint>
#include <limits>

namespace tied {
namespace {

// ln 2 in two parts; the first has 21 trailing zero bits, so that k * kLn2High is exact for every exponent k.
constexpr double kLn2High = 0x1.62e42feep-1;
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
constexpr double kLog2E = 0x1.71547652b82fep+0;

constexpr int kMantissaBits = 52;
constexpr int kExponentBias = 1023;
constexpr std::uint64_t kMantissaMask = (std::uint64_t{1} << kMantissaBits) - 1;

// 2 / (2 n + 1), n = 10 to 1. A table, since ten divisions would dominate a logarithm.
constexpr double kArtanhFactors[] = {2.0 / 21, 2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13,
                                     2.0 / 11, 2.0 / 9,  2.0 / 7,  2.0 / 5,  2.0 / 3};

// 2^exponent, for exponents of normal numbers.
double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + kExponentBias) << kMantissaBits);
}

}  // namespace

double natural_log(double x) {
  if (!(x >= 0)) return std::numeric_limits<double>::quiet_NaN();
  if (x == 0) return -std::numeric_limits<double>::infinity();
  if (x == std::numeric_limits<double>::infinity()) return x;

  // x = 2^k m with m in [sqrt(1/2), sqrt(2)).
  int k = 0;
  if (x < std::numeric_limits<double>::min()) {
    constexpr int kShift = 54;
    x *= power_of_two(kShift);
    k = -kShift;
  }
  const auto bits = std::bit_cast<std::uint64_t>(x);
  k += static_cast<int>(bits >> kMantissaBits) - kExponentBias;
  double m = std::bit_cast<double>((bits & kMantissaMask) | std::bit_cast<std::uint64_t>(1.0));
  constexpr double kSquareRootOfTwo = 0x1.6a09e667f3bcdp+0;
  if (m >= kSquareRootOfTwo) {
    m /= 2;
    ++k;
  }

  // ln m = 2 artanh(s) = 2 (s + s^3/3 + s^5/5 + ...), s = (m - 1) / (m + 1), |s| <= 0.1716: the first omitted term is
  // below 2^-58 of the sum. With f = m - 1 (exact), 2 s = f - s f, which avoids the rounding error of the division.
  const double f = m - 1;
  const double s = f / (m + 1);
  const double z = s * s;
  double tail = 0;
  for (const double factor : kArtanhFactors) tail = (tail + factor) * z;
  const double exponent = k;
  return exponent * kLn2High + (f - (s * (f - tail) - exponent * kLn2Low));
}

double exponential(double x) {
  if (x != x) return x;
  constexpr double kOverflow = 709.782712893384;
  constexpr double kUnderflow = -745.1332191019412;
  if (x > kOverflow) return std::numeric_limits<double>::infinity();
  if (x < kUnderflow) return 0;

  // x = k ln 2 + r, |r| <= ln 2 / 2; e^r by its series, whose first omitted term is below 2^-57.
  const double rounding = x < 0 ? -0.5 : 0.5;
  const int k = static_cast<int>(x * kLog2E + rounding);
  const double r = (x - k * kLn2High) - k * kLn2Low;
  constexpr int kTerms = 13;
  double series = 0;
  for (int n = kTerms; n >= 1; --n) series = (1 + series) * (r / n);
  series += 1;
  // In two steps: 2^k alone can overflow or underflow even if the product does not.
  const int half = k / 2;
  return series * power_of_two(half) * power_of_two(k - half);
}

}  // namespace tied
