// Errors and results, which the public functions of a folder return.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

// Shapes and ranges inside kernels are asserted, not reported: callers have already checked their input.
#define TIED_ASSERT(condition) assert(condition)

// For functions whose body costs less than a call, which compiling for size does not always see.
#define TIED_INLINE [[gnu::always_inline]]

namespace tied {

// Mirrored one to one by `TiedError.code` in web/core/runtime/errors.ts.
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

// 'invalid-argument', 'shape-mismatch', ...: the code in JavaScript.
std::string_view code_name(ErrorCode code);

// A failure in the three parts of its message: which argument, its value, what was expected.
struct Error {
  ErrorCode code = ErrorCode::kInvalidArgument;
  std::string argument;
  std::string value;
  std::string expected;

  // "<argument> is <value>; expected <expected>"
  std::string message() const;
};

// Values as text for messages, without printf and to_string(double), which cost kilobytes of payload.
std::string text_of(std::string_view value);
std::string text_of(long long value);
std::string text_of(unsigned long long value);
inline std::string text_of(int value) { return text_of(static_cast<long long>(value)); }
inline std::string text_of(unsigned value) { return text_of(static_cast<unsigned long long>(value)); }
inline std::string text_of(long value) { return text_of(static_cast<long long>(value)); }
inline std::string text_of(unsigned long value) { return text_of(static_cast<unsigned long long>(value)); }
// Six significant digits; "NaN", "Infinity", "-Infinity" as in JavaScript.
std::string text_of(double value);

// Success, or an owned Error: a single pointer. Hundreds of functions create or propagate failures, and code size is
// payload: Status is move-only, clang passes it in a register (trivial_abi), and errors are created and freed out of
// line.
class [[nodiscard]] [[clang::trivial_abi]] Status {
 public:
  Status() = default;
  // Copies an error that stays in its owner.
  Status(const Error& error);
  TIED_INLINE Status(Status&& other) noexcept : error_(std::exchange(other.error_, nullptr)) {}
  TIED_INLINE Status& operator=(Status&& other) noexcept {
    std::swap(error_, other.error_);
    return *this;
  }
  TIED_INLINE ~Status() {
    if (error_ != nullptr) free_error();
  }

  bool ok() const { return error_ == nullptr; }
  explicit operator bool() const { return ok(); }
  const Error& error() const {
    TIED_ASSERT(error_ != nullptr);
    return *error_;
  }

 private:
  void free_error();

  Error* error_ = nullptr;
};

// A failure of `argument`, with its value as text.
Status make_error_text(ErrorCode code, std::string_view argument, std::string_view value, std::string_view expected);
Status make_error_whole(ErrorCode code, std::string_view argument, unsigned long long value, std::string_view expected);
Status make_error_real(ErrorCode code, std::string_view argument, double value, std::string_view expected);

template <class Value>
Status make_error(ErrorCode code, std::string_view argument, const Value& value, std::string_view expected) {
  if constexpr (std::is_convertible_v<const Value&, std::string_view>) {
    return make_error_text(code, argument, value, expected);
  } else if constexpr (std::is_unsigned_v<Value>) {
    return make_error_whole(code, argument, value, expected);
  } else if constexpr (std::is_floating_point_v<Value>) {
    return make_error_real(code, argument, static_cast<double>(value), expected);
  } else {
    return make_error_text(code, argument, text_of(value), expected);
  }
}

// A value, or the error that explains its absence.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  // `failure` must not be a success.
  Result(Status failure) : status_(std::move(failure)) { TIED_ASSERT(!status_.ok()); }
  Result(const Error& error) : status_(error) {}

  bool ok() const { return status_.ok(); }
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
  const Error& error() const { return status_.error(); }
  // Moves the failure out, to propagate it: `return made.failure();`.
  TIED_INLINE Status failure() { return std::move(status_); }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace tied
