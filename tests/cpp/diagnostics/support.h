// Shared by the tests of diagnostics.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/random.h"
#include "linalg/matmul.h"
#include "linalg/matrix_view.h"
#include "reference/diagnostics_reference.h"

namespace tied::test::inline diagnostics_tests {

inline Matrix<float> zeros(std::size_t rows, std::size_t cols) { return Matrix<float>::create(rows, cols).value(); }

inline Matrix<float> matrix_of(const double* values, std::size_t rows, std::size_t cols) {
  Matrix<float> m = zeros(rows, cols);
  for (std::size_t i = 0; i < rows * cols; ++i) m.data()[i] = static_cast<float>(values[i]);
  return m;
}

inline Matrix<float> normal_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Matrix<float> m = zeros(rows, cols);
  Random random(seed, stream_of("test table"));
  for (std::size_t i = 0; i < rows * cols; ++i) m.data()[i] = static_cast<float>(random.normal());
  return m;
}

inline Matrix<float> product(const Matrix<float>& a, const Matrix<float>& b) {
  Matrix<float> out = zeros(a.rows(), b.cols());
  matmul_nn<float>(out.view(), a.view(), b.view());
  return out;
}

// The rows of `m` with rows of zeros at 0 and 3 among them.
inline Matrix<float> with_zero_rows(const Matrix<float>& m) {
  Matrix<float> out = zeros(m.rows() + 2, m.cols());
  for (std::size_t i = 0; i < m.rows(); ++i) {
    for (std::size_t j = 0; j < m.cols(); ++j) out(i < 2 ? i + 1 : i + 2, j) = m(i, j);
  }
  return out;
}

// Cosines of a rotation in the plane of the first two of `size` dimensions, then of the next two, and so on.
inline Matrix<float> rotation(std::size_t size) {
  Matrix<float> q = zeros(size, size);
  for (std::size_t i = 0; i + 1 < size; i += 2) {
    q(i, i) = q(i + 1, i + 1) = 0.8F;
    q(i, i + 1) = -0.6F;
    q(i + 1, i) = 0.6F;
  }
  if (size % 2 == 1) q(size - 1, size - 1) = 1;
  return q;
}

inline Matrix<float> source_table() {
  return matrix_of(reference::kSource, reference::kDiagnosticRows, reference::kDiagnosticWidth);
}
inline Matrix<float> target_table() {
  return matrix_of(reference::kTarget, reference::kDiagnosticRows, reference::kDiagnosticWidth);
}
inline Matrix<float> narrow_table() {
  return matrix_of(reference::kNarrow, reference::kDiagnosticRows, reference::kDiagnosticOther);
}

// Runs a diagnostic to its end, `blocks` at a time.
template <class Work>
Work finished(Result<Work> made, std::size_t blocks = std::size_t{1} << 20) {
  REQUIRE(made.ok());
  double share = 0;
  while (!made.value().finished()) {
    if constexpr (std::is_void_v<decltype(made.value().advance(blocks))>) {
      made.value().advance(blocks);
    } else {
      const Status status = made.value().advance(blocks);
      REQUIRE(status.ok());
    }
    CHECK(made.value().share() > share);
    share = made.value().share();
  }
  CHECK(share == 1);
  return std::move(made).value();
}

inline constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

}  // namespace tied::test::inline diagnostics_tests
