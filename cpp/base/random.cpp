#include "base/random.h"

#include <cmath>

#include "base/byte_stream.h"
#include "base/elementary.h"
#include "base/error.h"
#include "base/hash.h"

namespace tied {
namespace {

constexpr std::uint32_t low_word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
constexpr std::uint32_t high_word(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

// c[0] + c[1] x + c[2] x^2 + ...
template <std::size_t kCount>
double polynomial(const std::array<double, kCount>& c, double x) {
  double result = c[kCount - 1];
  for (std::size_t i = kCount - 1; i-- > 0;) result = result * x + c[i];
  return result;
}

// Quantile of the standard normal distribution at p, 0 < p < 1; relative accuracy about 1e-16.
// M. J. Wichura, "Algorithm AS 241: The percentage points of the normal distribution", Applied Statistics 37 (1988),
// function PPND16: one quotient of polynomials for the middle and two for the tails.
double normal_quantile(double p) {
  constexpr std::array kMiddleAbove{3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                                    1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                                    3.3430575583588128105e4, 2.5090809287301226727e3};
  constexpr std::array kMiddleBelow{1.0,
                                    4.2313330701600911252e1,
                                    6.8718700749205790830e2,
                                    5.3941960214247511077e3,
                                    2.1213794301586595867e4,
                                    3.9307895800092710610e4,
                                    2.8729085735721942674e4,
                                    5.2264952788528545610e3};
  constexpr std::array kTailAbove{1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                  3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                  2.27238449892691845833e-2, 7.74545014278341407640e-4};
  constexpr std::array kTailBelow{1.0,
                                  2.05319162663775882187e0,
                                  1.67638483018380384940e0,
                                  6.89767334985100004550e-1,
                                  1.48103976427480074590e-1,
                                  1.51986665636164571966e-2,
                                  5.47593808499534494600e-4,
                                  1.05075007164441684324e-9};
  constexpr std::array kFarTailAbove{6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                                     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                     2.71155556874348757815e-5, 2.01033439929228813265e-7};
  constexpr std::array kFarTailBelow{1.0,
                                     5.99832206555887937690e-1,
                                     1.36929880922735805310e-1,
                                     1.48753612908506148525e-2,
                                     7.86869131145613259100e-4,
                                     1.84631831751005468180e-5,
                                     1.42151175831644588870e-7,
                                     2.04426310338993978564e-15};
  constexpr double kMiddle = 0.425;
  constexpr double kFarTail = 5;

  const double q = p - 0.5;
  if (std::fabs(q) <= kMiddle) {
    const double r = kMiddle * kMiddle - q * q;
    return q * polynomial(kMiddleAbove, r) / polynomial(kMiddleBelow, r);
  }
  const double r = std::sqrt(-natural_log(q < 0 ? p : 1 - p));
  const double x = r <= kFarTail ? polynomial(kTailAbove, r - 1.6) / polynomial(kTailBelow, r - 1.6)
                                 : polynomial(kFarTailAbove, r - kFarTail) / polynomial(kFarTailBelow, r - kFarTail);
  return q < 0 ? -x : x;
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  struct Product {
    std::uint32_t low;
    std::uint32_t high;
  };
  std::uint32_t words[4] = {counter[0], counter[1], counter[2], counter[3]};
  philox_rounds(words, key[0], key[1], [](std::uint32_t a, int which) {
    const std::uint64_t product = std::uint64_t{a} * kPhiloxMultipliers[which];
    return Product{low_word(product), high_word(product)};
  });
  return {words[0], words[1], words[2], words[3]};
}

std::uint32_t Random::bits() {
  const std::uint64_t block = position_ / 4;
  if (block != block_) {
    words_ = philox({low_word(block), high_word(block), low_word(stream_), high_word(stream_)},
                    {low_word(seed_), high_word(seed_)});
    block_ = block;
  }
  return words_[position_++ % 4];
}

float Random::uniform() { return static_cast<float>(bits() >> 8) * 0x1p-24F; }

double Random::uniform_double() {
  const std::uint64_t high = bits() >> 5;
  const std::uint64_t low = bits() >> 6;
  return static_cast<double>((high << 26) | low) * 0x1p-53;
}

std::uint32_t Random::below(std::uint32_t bound) {
  TIED_ASSERT(bound > 0);
  // The high word of bits * bound. Draws whose low word falls into the incomplete last interval are rejected.
  // D. Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019).
  std::uint64_t product = std::uint64_t{bits()} * bound;
  if (low_word(product) < bound) {
    const std::uint32_t threshold = (0 - bound) % bound;
    while (low_word(product) < threshold) product = std::uint64_t{bits()} * bound;
  }
  return high_word(product);
}

double Random::normal() {
  // 52 bits plus one half: never 0 or 1, and symmetric about 1/2.
  const std::uint64_t high = bits() >> 6;
  const std::uint64_t low = bits() >> 6;
  return normal_quantile((static_cast<double>((high << 26) | low) + 0.5) * 0x1p-52);
}

std::uint64_t stream_of(std::string_view name) { return fnv1a_64(bytes_of(name)); }

}  // namespace tied
