#include "bindings/transfer.h"

#include <cstdlib>
#include <utility>

#include <emscripten/bind.h>

#include "base/aligned_buffer.h"
#include "linalg/simd.h"

namespace tied::bindings {

Answer answer;

void Answer::number(double number) { numbers_.push_back(number); }

void Answer::matrix(Matrix<float> matrix) {
  Matrix<float>& kept = matrices_[arrays_];
  kept = std::move(matrix);
  this->matrix(std::as_const(kept).view());
}

void Answer::matrix(ConstMatrixView<float> matrix) {
  parts_[kFirstArray + arrays_] = {address_of(matrix.data), matrix.rows * matrix.cols * sizeof(float)};
  ++arrays_;
}

void Answer::error(const Error& error) {
  clear();
  std::string parts(code_name(error.code));
  for (const std::string* part : {&error.argument, &error.value, &error.expected}) {
    parts += '\0';
    parts += *part;
  }
  text(std::move(parts));
}

void Answer::clear() { *this = Answer(); }

Address Answer::address() {
  if (!numbers_.empty()) parts_[kNumbers] = {address_of(numbers_.data()), numbers_.size() * sizeof(double)};
  if (!text_.empty()) parts_[kBytes] = {address_of(text_.data()), text_.size()};
  if (!ids_.empty()) parts_[kIds] = {address_of(ids_.data()), ids_.size() * sizeof(std::uint32_t)};
  return address_of(parts_.data());
}

bool failed(const Error& error) {
  answer.error(error);
  return false;
}

bool done(const Status& status) { return status.ok() || failed(status.error()); }

namespace {

// 0 if memory runs out. Aligned for the kernels.
Address allocate(Address size_bytes) {
  return reinterpret_cast<Address>(allocate_block(size_bytes == 0 ? 1 : size_bytes, 1, Initially::kUnset));
}

void release(Address block) { std::free(reinterpret_cast<void*>(block)); }

Address answer_parts() { return answer.address(); }

void clear_answer() { answer.clear(); }

bool relaxed() { return simd::kRelaxed; }

}  // namespace

EMSCRIPTEN_BINDINGS(tied_transfer) {
  using emscripten::function;
  function("allocate", &allocate);
  function("release", &release);
  function("answerParts", &answer_parts);
  function("clearAnswer", &clear_answer);
  function("relaxed", &relaxed);
}

}  // namespace tied::bindings
