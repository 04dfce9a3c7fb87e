// How values cross between JavaScript and the core.
//
// In: JavaScript takes a block by `allocate`, copies its array there, and passes the block's address. Out: a verb
// leaves its results in the one `Answer`, from which JavaScript copies them at once. Choices, sizes and numbers cross
// as numbers. A verb returns whether it succeeded; if not, the answer holds the error. Nothing throws, so that
// destructors always run. web/core/runtime.ts is the other end, and the only one.
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

// Results of the verb that was called last. JavaScript sees `parts`, by address and size in bytes.
class Answer {
 public:
  static constexpr std::size_t kParts = 4;

  void numbers(std::initializer_list<double> numbers);
  void numbers(std::vector<double> numbers);
  void ids(std::vector<std::uint32_t> ids);
  void bytes(AlignedBuffer<std::uint8_t> bytes);
  // Views of what lives on.
  void ids(std::span<const std::uint32_t> ids) { add(ids.data(), ids.size_bytes()); }
  void bytes(std::span<const std::uint8_t> bytes) { add(bytes.data(), bytes.size_bytes()); }
  // Text comes as the part after numbers, where there are any.
  void text(std::string text);
  void matrix(Matrix<float> matrix);
  // Another view of what lives on.
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
  AlignedBuffer<std::uint8_t> bytes_;
  std::string text_;
  std::array<Matrix<float>, kParts> matrices_;
};

// Empty whenever a verb is called.
extern Answer answer;

// Leaves the error in the answer; false.
bool failed(const Error& error);
// Whether it is a success; leaves the error in the answer if not.
bool done(const Status& status);

}  // namespace tied::bindings
