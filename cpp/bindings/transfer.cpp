#include "bindings/transfer.h"

#include <cstdlib>
#include <utility>

#include <emscripten/bind.h>

#include "base/aligned_buffer.h"
#include "linalg/simd.h"

namespace tied::bindings {

Answer answer;

void Answer::add(const void* data, std::size_t size_bytes) {
  parts_[count_] = {reinterpret_cast<Address>(data), size_bytes};
  ++count_;
}

void Answer::numbers(std::initializer_list<double> numbers) { this->numbers(std::vector<double>(numbers)); }

void Answer::numbers(std::vector<double> numbers) {
  numbers_ = std::move(numbers);
  add(numbers_.data(), numbers_.size() * sizeof(double));
}

void Answer::ids(std::vector<std::uint32_t> ids) {
  ids_ = std::move(ids);
  add(ids_.data(), ids_.size() * sizeof(std::uint32_t));
}

void Answer::text(std::string text) {
  text_ = std::move(text);
  add(text_.data(), text_.size());
}

void Answer::matrix(Matrix<float> matrix) {
  Matrix<float>& kept = matrices_[count_];
  kept = std::move(matrix);
  add(kept.data(), kept.rows() * kept.cols() * sizeof(float));
}

void Answer::matrix(ConstMatrixView<float> matrix) { add(matrix.data, matrix.rows * matrix.cols * sizeof(float)); }

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

bool failed(const Error& error) {
  answer.error(error);
  return false;
}

bool answer_matrix(Result<Matrix<float>> matrix) {
  if (!matrix) return failed(matrix.error());
  answer.matrix(std::move(matrix).value());
  return true;
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
