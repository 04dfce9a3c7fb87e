// Whole numbers of accounting: exact up to 2^64 - 2, and where that is not enough they say so instead of wrapping.
#pragma once

#include <cstdint>
#include <string>

namespace tied {

// Sums and products of counts. Once one of them did not fit, whatever is made of it does not fit either. One number in
// a register: counts are added and multiplied in hundreds of places, and code size is payload.
class Whole {
 public:
  constexpr Whole() = default;
  // The largest 64-bit number stands for one that does not fit.
  constexpr Whole(std::uint64_t value) : value_(value) {}

  bool fits() const { return value_ != kTooLarge; }
  bool is_zero() const { return value_ == 0; }
  // Only of what fits.
  std::uint64_t value() const { return value_; }
  // Rounded to the nearest double.
  double as_double() const { return static_cast<double>(value_); }
  // Decimal digits; "more than 2^64 - 2" where it does not fit.
  std::string text() const;

  Whole& operator+=(Whole other) { return *this = *this + other; }
  Whole& operator*=(Whole other) { return *this = *this * other; }
  // What is left; does not fit where `other` is larger.
  Whole& operator-=(Whole other) { return *this = *this - other; }
  friend Whole operator+(Whole a, Whole b);
  friend Whole operator*(Whole a, Whole b);
  friend Whole operator-(Whole a, Whole b);
  friend bool operator==(Whole a, Whole b) = default;
  // What does not fit is the largest.
  friend bool operator<(Whole a, Whole b) { return a.value_ < b.value_; }

 private:
  static constexpr std::uint64_t kTooLarge = ~std::uint64_t{0};

  std::uint64_t value_ = 0;
};

}  // namespace tied
