#include "accounting/whole.h"

#include "base/error.h"

namespace tied {

// Out of line: called from hundreds of places.
[[gnu::noinline]] Whole operator+(Whole a, Whole b) {
  const std::uint64_t sum = a.value_ + b.value_;
  return a.fits() && b.fits() && sum >= a.value_ ? sum : Whole::kTooLarge;
}

[[gnu::noinline]] Whole operator*(Whole a, Whole b) {
  if (!a.fits() || !b.fits()) return Whole::kTooLarge;
  if (a.value_ != 0 && b.value_ > (Whole::kTooLarge - 1) / a.value_) return Whole::kTooLarge;
  return a.value_ * b.value_;
}

[[gnu::noinline]] Whole operator-(Whole a, Whole b) {
  return a.fits() && b.fits() && a.value_ >= b.value_ ? a.value_ - b.value_ : Whole::kTooLarge;
}

std::string Whole::text() const { return fits() ? text_of(value_) : "more than 2^64 - 2"; }

}  // namespace tied
