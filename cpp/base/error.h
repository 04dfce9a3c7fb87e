// Errors and results: what a folder's public functions return at its edges.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

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
// Its special members are not inline: errors are rare, are made in hundreds of places, and code size is payload.
struct Error {
  ErrorCode code = ErrorCode::kInvalidArgument;
  std::string argument;
  std::string value;
  std::string expected;

  Error();
  Error(ErrorCode code_, std::string argument_, std::string value_, std::string expected_);
  Error(const Error& other);
  Error(Error&& other) noexcept;
  Error& operator=(const Error& other);
  Error& operator=(Error&& other) noexcept;
  ~Error();

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

// An error about `argument`, whose value is text already.
Error make_error_text(ErrorCode code, std::string_view argument, std::string_view value, std::string_view expected);
Error make_error_whole(ErrorCode code, std::string_view argument, unsigned long long value, std::string_view expected);

template <class Value>
Error make_error(ErrorCode code, std::string_view argument, const Value& value, std::string_view expected) {
  if constexpr (std::is_convertible_v<const Value&, std::string_view>) {
    return make_error_text(code, argument, value, expected);
  } else if constexpr (std::is_unsigned_v<Value>) {
    return make_error_whole(code, argument, value, expected);
  } else {
    return make_error_text(code, argument, text_of(value), expected);
  }
}

// An error or none, in one pointer; what it does is out of line as well.
class OptionalError {
 public:
  OptionalError() = default;
  explicit OptionalError(const Error& error);
  OptionalError(const OptionalError& other);
  OptionalError(OptionalError&& other) noexcept : error_(std::exchange(other.error_, nullptr)) {}
  OptionalError& operator=(OptionalError other) noexcept {
    std::swap(error_, other.error_);
    return *this;
  }
  ~OptionalError() {
    if (error_ != nullptr) free_error();
  }

  explicit operator bool() const { return error_ != nullptr; }
  const Error& operator*() const {
    TIED_ASSERT(error_ != nullptr);
    return *error_;
  }

 private:
  void free_error();

  Error* error_ = nullptr;
};

// A value or the reason why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(const Error& error) : error_(error) {}

  bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }

  T& value() & {
    TIED_ASSERT(ok());
    return *value_;
  }
  const T& value() const& {
    TIED_ASSERT(ok());
    return *value_;
  }
  T&& value() && {
    TIED_ASSERT(ok());
    return std::move(*value_);
  }
  const Error& error() const { return *error_; }

 private:
  std::optional<T> value_;
  OptionalError error_;
};

// Success, or the reason for failure.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(const Error& error) : error_(error) {}

  bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }

 private:
  OptionalError error_;
};

}  // namespace tied
