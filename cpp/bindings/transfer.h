// How values cross between JavaScript and the core.
//
// In: JavaScript allocates a block with `allocate`, copies its array into it and passes the address. Out: a verb leaves
// its results in the one `Answer`, and JavaScript copies them at once. Choices and sizes cross as numbers. A verb
// returns whether it succeeded; if not, the answer holds the error. Nothing throws, so destructors always run.
// web/core/runtime/runtime.ts is the only JavaScript side; it validates what it passes, and the bindings trust it.
//
// Only functions of numbers are bound: Embind's classes, strings, value objects and `val` would cost a tenth of the
// payload (docs/decisions/0005-bindings-of-numbers.md).
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/record.h"
#include "linalg/matrix_view.h"

namespace tied::bindings {

// An address in the core's memory, or the size of a block there.
using Address = std::uintptr_t;

template <class T>
const T* at(Address address) {
  return reinterpret_cast<const T*>(address);
}

inline ConstMatrixView<float> matrix_at(Address data, std::size_t rows, std::size_t cols) {
  return {at<float>(data), rows, cols};
}

// Results of the last verb. JavaScript reads `parts`, by address and size in bytes: numbers, bytes or texts, ids, and
// up to kArrays arrays of floats.
class Answer {
 public:
  static constexpr std::size_t kArrays = 5;

  // Writes a value by its type, a struct as the record of what it lists, after what is already there: see
  // base/record.h. Floats of an lvalue are not copied, so they must outlive the answer.
  template <class T>
  void write(T&& value);

  void numbers(std::vector<double> numbers) { numbers_ = std::move(numbers); }
  void ids(std::vector<std::uint32_t> ids) { ids_ = std::move(ids); }
  // Without a copy: the data must outlive the answer.
  void ids(std::span<const std::uint32_t> ids) { parts_[kIds] = {address_of(ids.data()), ids.size_bytes()}; }
  void bytes(std::span<const std::uint8_t> bytes) { parts_[kBytes] = {address_of(bytes.data()), bytes.size()}; }
  void text(std::string text) { text_ = std::move(text); }
  void matrix(Matrix<float> matrix);
  // Without a copy, as above.
  void matrix(ConstMatrixView<float> matrix);
  void error(const Error& error);

  // Frees everything.
  void clear();

  // Of the parts.
  Address address();

 private:
  struct Part {
    Address data = 0;
    Address size_bytes = 0;
  };
  enum : std::size_t { kNumbers, kBytes, kIds, kFirstArray };

  static Address address_of(const void* data) { return reinterpret_cast<Address>(data); }

  void number(double number);
  template <class T, auto... kMembers>
  void write_members(T&& found, Record<kMembers...>) {
    (write(member_of<kMembers>(std::forward<T>(found))), ...);
  }

  std::array<Part, kFirstArray + kArrays> parts_;
  std::size_t arrays_ = 0;
  std::vector<double> numbers_;
  std::vector<std::uint32_t> ids_;
  std::string text_;
  std::array<Matrix<float>, kArrays> matrices_;
};

template <class T>
void Answer::write(T&& value) {
  using Value = std::remove_cvref_t<T>;
  constexpr AnswerKind kKind = answer_kind<Value>();
  if constexpr (kKind == AnswerKind::kRecord) {
    write_members(std::forward<T>(value), typename Value::Answered());
  } else if constexpr (AnswerCount<Value>) {
    number(value.as_double());
  } else if constexpr (std::is_arithmetic_v<Value> || kKind == AnswerKind::kWord) {
    number(static_cast<double>(value));
  } else if constexpr (kKind == AnswerKind::kOptional) {
    constexpr bool kIsList = Answerable<typename Value::value_type>;
    if (kIsList) number(value ? 1 : 0);
    if (value) {
      write(*std::forward<T>(value));
    } else if (!kIsList) {
      number(std::numeric_limits<double>::quiet_NaN());
    }
  } else if constexpr (kKind == AnswerKind::kText) {
    text_ += value;
    text_ += '\0';
  } else if constexpr (std::is_same_v<Value, std::span<const float>>) {
    matrix(ConstMatrixView<float>(value.data(), 1, value.size()));
  } else if constexpr (FloatView<Value>) {
    matrix(value);
  } else if constexpr (kKind == AnswerKind::kFloats && std::is_lvalue_reference_v<T>) {
    matrix(std::as_const(value).view());
  } else if constexpr (kKind == AnswerKind::kFloats) {
    matrix(std::move(value));
  } else {
    number(static_cast<double>(value.size()));
    if constexpr (kKind == AnswerKind::kIds) {
      ids_.insert(ids_.end(), value.begin(), value.end());
    } else {
      for (const auto& element : value) write(element);
    }
  }
}

// Empty at the start of every verb.
extern Answer answer;

// Puts the error into the answer and returns false.
bool failed(const Error& error);
// Writes the value into the answer, or its error, and returns whether there is one.
template <class T>
bool answered(Result<T> result) {
  if (!result) return failed(result.error());
  answer.write(std::move(result).value());
  return true;
}
// Whether `status` is a success; if not, puts its error into the answer.
bool done(const Status& status);

}  // namespace tied::bindings
