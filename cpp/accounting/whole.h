// Counts of accounting: exact up to 2^64 - 2. Larger ones are marked as overflowed instead of wrapping.
#pragma once

#include <cstdint>
#include <string>

namespace tied {

// Sums and products of counts. Overflow is sticky: whatever is computed from it has overflowed as well. A single
// register, since counts are added and multiplied in hundreds of places and code size is payload.
class Whole {
 public:
  constexpr Whole() = default;
  // The largest 64-bit value marks overflow.
  constexpr Whole(std::uint64_t value) : value_(value) {}

  bool fits() const { return value_ != kTooLarge; }
  bool is_zero() const { return value_ == 0; }
  // Only if it fits.
  std::uint64_t value() const { return value_; }
  // Rounded to the nearest double.
  double as_double() const { return static_cast<double>(value_); }
  // Decimal digits; "more than 2^64 - 2" if it does not fit.
  std::string text() const;

  Whole& operator+=(Whole other) { return *this = *this + other; }
  Whole& operator*=(Whole other) { return *this = *this * other; }
  // The difference; overflows if `other` is larger.
  Whole& operator-=(Whole other) { return *this = *this - other; }
  friend Whole operator+(Whole a, Whole b);
  friend Whole operator*(Whole a, Whole b);
  friend Whole operator-(Whole a, Whole b);
  friend bool operator==(Whole a, Whole b) = default;
  // Overflow compares as the largest.
  friend bool operator<(Whole a, Whole b) { return a.value_ < b.value_; }

 private:
  static constexpr std::uint64_t kTooLarge = ~std::uint64_t{0};

  std::uint64_t value_ = 0;
};

}  // namespace tied
