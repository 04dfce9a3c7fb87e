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
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
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

// Results of the last verb. JavaScript reads `parts`, by address and size in bytes.
class Answer {
 public:
  static constexpr std::size_t kParts = 4;

  // At most once per answer: a second list would free the first.
  void numbers(std::initializer_list<double> numbers);
  void numbers(std::vector<double> numbers);
  void ids(std::vector<std::uint32_t> ids);
  // Without a copy: the data must outlive the answer.
  void ids(std::span<const std::uint32_t> ids) { add(ids.data(), ids.size_bytes()); }
  void bytes(std::span<const std::uint8_t> bytes) { add(bytes.data(), bytes.size_bytes()); }
  // The part after numbers, if there are any.
  void text(std::string text);
  void matrix(Matrix<float> matrix);
  // Without a copy, as above.
  void matrix(ConstMatrixView<float> matrix);
  void error(const Error& error);

  // Frees everything.
  void clear();

  Address address() const { return reinterpret_cast<Address>(parts_.data()); }

 private:
  struct Part {
    Address data = 0;
    Address size_bytes = 0;
  };

  void add(const void* data, std::size_t size_bytes);

  std::array<Part, kParts> parts_;
  std::size_t count_ = 0;
  std::vector<double> numbers_;
  std::vector<std::uint32_t> ids_;
  std::string text_;
  std::array<Matrix<float>, kParts> matrices_;
};

// Empty at the start of every verb.
extern Answer answer;

// Puts the error into the answer and returns false.
bool failed(const Error& error);
// Puts the matrix into the answer, or its error, and returns whether there is one.
bool answer_matrix(Result<Matrix<float>> matrix);
// Whether `status` is a success; if not, puts its error into the answer.
bool done(const Status& status);

}  // namespace tied::bindings
