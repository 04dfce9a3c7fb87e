#include "accounting/whole.h"

#include <algorithm>

#include "base/error.h"

namespace tied {

// Out of line: products of 128 bits are long code, and there are many of them.
Whole& Whole::operator+=(Whole other) {
  fits_ = !__builtin_add_overflow(value_, other.value_, &value_) && fits_ && other.fits_;
  return *this;
}

Whole& Whole::operator*=(Whole other) {
  fits_ = !__builtin_mul_overflow(value_, other.value_, &value_) && fits_ && other.fits_;
  return *this;
}

Whole& Whole::operator-=(Whole other) {
  fits_ = !__builtin_sub_overflow(value_, other.value_, &value_) && fits_ && other.fits_;
  return *this;
}

double Whole::as_double() const { return static_cast<double>(value_); }

std::string Whole::text() const {
  if (!fits_) return "more than 2^128 - 1";
  std::string digits;
  unsigned __int128 rest = value_;
  do {
    digits.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
    rest /= 10;
  } while (rest != 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::array<std::uint32_t, 4> Whole::words() const {
  TIED_ASSERT(fits_);
  std::array<std::uint32_t, 4> words{};
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<std::uint32_t>(value_ >> (32 * i));
  return words;
}

}  // namespace tied
