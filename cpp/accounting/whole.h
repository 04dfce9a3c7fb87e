// Whole numbers of accounting: exact up to 2^128 - 1, and where that is not enough they say so instead of wrapping.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace tied {

// Sums and products of counts. Once one of them did not fit, whatever is made of it does not fit either.
class Whole {
 public:
  constexpr Whole() = default;
  constexpr Whole(std::uint64_t value) : value_(value) {}

  bool fits() const { return fits_; }
  bool is_zero() const { return fits_ && value_ == 0; }
  // Rounded to the nearest double.
  double as_double() const;
  // Decimal digits; "more than 2^128 - 1" where it does not fit.
  std::string text() const;
  // From the lowest 32 bits up; only of what fits.
  std::array<std::uint32_t, 4> words() const;

  Whole& operator+=(Whole other);
  Whole& operator*=(Whole other);
  // What is left; does not fit where `other` is larger.
  Whole& operator-=(Whole other);
  friend Whole operator+(Whole a, Whole b) { return a += b; }
  friend Whole operator*(Whole a, Whole b) { return a *= b; }
  friend Whole operator-(Whole a, Whole b) { return a -= b; }
  friend bool operator==(Whole a, Whole b) = default;
  // Of two that fit.
  friend bool operator<(Whole a, Whole b) { return a.value_ < b.value_; }

 private:
  unsigned __int128 value_ = 0;
  bool fits_ = true;
};

}  // namespace tied
