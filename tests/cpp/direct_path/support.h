// Shared by the tests of the direct path.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "direct_path/direct_path.h"
#include "linalg/matrix_view.h"

namespace tied::test::inline direct_path_tests {

inline Matrix<float> zeros(std::size_t rows, std::size_t cols) { return Matrix<float>::create(rows, cols).value(); }

inline Matrix<float> random_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed, double scale = 1) {
  Matrix<float> m = zeros(rows, cols);
  Random random(seed, stream_of("test matrix"));
  for (std::size_t i = 0; i < rows * cols; ++i) m.data()[i] = static_cast<float>(scale * random.normal());
  return m;
}

inline Matrix<float> matrix_of(std::size_t rows, std::size_t cols, const std::vector<double>& values) {
  Matrix<float> m = zeros(rows, cols);
  for (std::size_t i = 0; i < rows * cols; ++i) m.data()[i] = static_cast<float>(values[i]);
  return m;
}

// The three-token chain New, York, City; an independent program computed its golden values.
inline Matrix<float> toy_chain() { return matrix_of(3, 3, {.05, .9, .05, .1, .1, .8, .4, .3, .3}); }

// The explorer's table: New, York, City.
inline Matrix<float> explorer_embedding() { return matrix_of(3, 2, {1, .5, .8, .9, .3, 1.2}); }

// A plain twin: A = E M U^T in double by three loops.
inline std::vector<double> plain_direct_path(const DirectPathFactors& factors) {
  const ConstMatrixView<float>& e = factors.embedding;
  const ConstMatrixView<float>& u = factors.unembedding ? *factors.unembedding : e;
  std::vector<double> a(e.rows * e.rows, 0);
  for (std::size_t i = 0; i < e.rows; ++i) {
    std::vector<double> mapped(e.cols, 0);
    for (std::size_t k = 0; k < e.cols; ++k) {
      if (!factors.between) {
        mapped[k] = static_cast<double>(e(i, k));
        continue;
      }
      for (std::size_t l = 0; l < e.cols; ++l) {
        mapped[k] += static_cast<double>(e(i, l)) * static_cast<double>((*factors.between)(l, k));
      }
    }
    for (std::size_t j = 0; j < e.rows; ++j) {
      for (std::size_t k = 0; k < e.cols; ++k) a[i * e.rows + j] += mapped[k] * static_cast<double>(u(j, k));
    }
  }
  return a;
}

}  // namespace tied::test::inline direct_path_tests
