#include "base/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace tied {

std::string_view code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "invalid-argument";
    case ErrorCode::kShapeMismatch:
      return "shape-mismatch";
    case ErrorCode::kOutOfMemory:
      return "out-of-memory";
    case ErrorCode::kNotFinite:
      return "not-finite";
    case ErrorCode::kBadFile:
      return "bad-file";
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kDisposed:
      return "disposed";
    case ErrorCode::kUnsupported:
      return "unsupported";
  }
  return "unsupported";
}

Status::Status(const Error& error) : error_(new Error(error)) {}
void Status::free_error() { delete error_; }

Status make_error_text(ErrorCode code, std::string_view argument, std::string_view value, std::string_view expected) {
  return Error{code, std::string(argument), std::string(value), std::string(expected)};
}

Status make_error_whole(ErrorCode code, std::string_view argument, unsigned long long value,
                        std::string_view expected) {
  return make_error_text(code, argument, text_of(value), expected);
}

Status make_error_real(ErrorCode code, std::string_view argument, double value, std::string_view expected) {
  return make_error_text(code, argument, text_of(value), expected);
}

std::string Error::message() const {
  std::string text = argument;
  text += " is ";
  text += value;
  text += "; expected ";
  text += expected;
  return text;
}

std::string text_of(std::string_view value) { return std::string(value); }

std::string text_of(unsigned long long value) {
  std::array<char, 20> digits{};
  std::size_t first = digits.size();
  do {
    digits[--first] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  return std::string(digits.data() + first, digits.size() - first);
}

std::string text_of(long long value) {
  // Negation in the unsigned type is defined for the smallest value as well.
  const auto magnitude = static_cast<unsigned long long>(value);
  return value < 0 ? "-" + text_of(0 - magnitude) : text_of(magnitude);
}

namespace {

constexpr int kSignificantDigits = 6;
// The same limits as JavaScript's Number.prototype.toString.
constexpr int kLargestPlainExponent = 20;
constexpr int kSmallestPlainExponent = -7;

double power_of_ten(int exponent) {
  double result = 1;
  double base = 10;
  for (int rest = exponent; rest > 0; rest /= 2) {
    if (rest % 2 != 0) result *= base;
    base *= base;
  }
  return result;
}

// value * 10^exponent, in two steps since 10^exponent alone can exceed the range of double.
double times_power_of_ten(double value, int exponent) {
  constexpr int kSafe = 300;
  if (exponent > kSafe) return value * power_of_ten(kSafe) * power_of_ten(exponent - kSafe);
  if (exponent < -kSafe) return value / power_of_ten(kSafe) / power_of_ten(-exponent - kSafe);
  return exponent >= 0 ? value * power_of_ten(exponent) : value / power_of_ten(-exponent);
}

}  // namespace

std::string text_of(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  if (value == 0) return "0";
  const double magnitude = std::fabs(value);

  // magnitude = digits * 10^(exponent - 5), digits with six places.
  constexpr double kSmallestDigits = 1e5;
  constexpr double kDigitsEnd = 1e6;
  int exponent = 0;
  while (exponent < 308 && times_power_of_ten(magnitude, -exponent) >= 10) ++exponent;
  while (times_power_of_ten(magnitude, -exponent) < 1) --exponent;
  double scaled = std::floor(times_power_of_ten(magnitude, kSignificantDigits - 1 - exponent) + 0.5);
  if (scaled >= kDigitsEnd) {  // 9.999999 becomes 10.0000
    scaled /= 10;
    ++exponent;
  }
  if (scaled < kSmallestDigits) scaled = kSmallestDigits;
  std::string digits = text_of(static_cast<unsigned long long>(scaled));
  while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
  const int count = static_cast<int>(digits.size());

  const bool plain = exponent > kSmallestPlainExponent && exponent <= kLargestPlainExponent;
  // The power of ten of the first printed digit.
  const int first = plain ? exponent : 0;
  std::string text;
  if (value < 0) text += '-';
  for (int power = std::max(first, 0); power >= 0 || first - power < count; --power) {
    const int i = first - power;
    if (power == -1) text += '.';
    text += i >= 0 && i < count ? digits[static_cast<std::size_t>(i)] : '0';
  }
  if (!plain) {
    text += 'e';
    text += exponent < 0 ? '-' : '+';
    text += text_of(static_cast<unsigned>(std::abs(exponent)));
  }
  return text;
}

}  // namespace tied
