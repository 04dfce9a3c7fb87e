// Errors and results: what a folder's public functions return at its edges.
#pragma once

#include <cassert>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

// Shapes and ranges inside kernels are asserted, not reported: whoever calls a kernel has already checked its input.
#define TIED_ASSERT(condition) assert(condition)

namespace tied {

// Mirrored one to one by `TiedError.code` in web/core/errors.ts.
enum class ErrorCode {
  kInvalidArgument,
  kShapeMismatch,
  kOutOfMemory,
  kNotFinite,
  kBadFile,
  kCancelled,
  kDisposed,
  kUnsupported,
};

// 'invalid-argument', 'shape-mismatch', ...: the word that JavaScript sees.
std::string_view code_name(ErrorCode code);

// What went wrong, in three parts that every message shows: which argument, its value, what was expected.
struct Error {
  ErrorCode code = ErrorCode::kInvalidArgument;
  std::string argument;
  std::string value;
  std::string expected;

  // "<argument> is <value>; expected <expected>"
  std::string message() const;
};

// Numbers as text for messages. No printf and no to_string(double): those cost kilobytes of payload.
std::string text_of(std::string_view value);
std::string text_of(long long value);
std::string text_of(unsigned long long value);
inline std::string text_of(int value) { return text_of(static_cast<long long>(value)); }
inline std::string text_of(unsigned value) { return text_of(static_cast<unsigned long long>(value)); }
inline std::string text_of(long value) { return text_of(static_cast<long long>(value)); }
inline std::string text_of(unsigned long value) { return text_of(static_cast<unsigned long long>(value)); }
// Six significant digits; "NaN", "Infinity", "-Infinity" as JavaScript writes them.
std::string text_of(double value);

template <class Value>
Error make_error(ErrorCode code, std::string_view argument, const Value& value, std::string_view expected) {
  return Error{code, std::string(argument), text_of(value), std::string(expected)};
}

// A value or the reason why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & {
    TIED_ASSERT(ok());
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    TIED_ASSERT(ok());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    TIED_ASSERT(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  const Error& error() const {
    TIED_ASSERT(!ok());
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, Error> state_;
};

// Success, or the reason for failure.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : ok_(false), error_(std::move(error)) {}

  bool ok() const { return ok_; }
  explicit operator bool() const { return ok_; }
  const Error& error() const {
    TIED_ASSERT(!ok_);
    return error_;
  }

 private:
  bool ok_ = true;
  Error error_;
};

}  // namespace tied
