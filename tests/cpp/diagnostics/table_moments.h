// Tables whose sums are tested, and readings of the sums.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "diagnostics/moment_readings.h"
#include "diagnostics/table_moments.h"
#include "support.h"

namespace tied::test::table_moments {

// More rows than two blocks, and columns of different sizes that depend on each other.
inline constexpr std::size_t kRows = 700;
inline constexpr std::size_t kCols = 12;

inline Matrix<float> moments_input() {
  Matrix<float> m = normal_matrix(kRows, kCols, 3);
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t j = 0; j < kCols; ++j) {
      m(i, j) = m(i, j) * (1 + 0.3F * static_cast<float>(j)) + 0.2F * m(i, 0) + 0.4F;
    }
  }
  return m;
}

// Near the input table, but not equal to it.
inline Matrix<float> moments_output() {
  Matrix<float> m = moments_input();
  const Matrix<float> noise = normal_matrix(kRows, kCols, 4);
  for (std::size_t k = 0; k < kRows * kCols; ++k) m.data()[k] = 0.7F * m.data()[k] + noise.data()[k] - 0.1F;
  return m;
}

inline std::vector<float> moments_norm() {
  std::vector<float> norm;
  for (std::size_t j = 0; j < kCols; ++j) norm.push_back(0.5F + 0.25F * static_cast<float>(j));
  return norm;
}

// Sums of both tables, `parts` rows at a time; of a tied table if there is no output table.
inline TableMoments moments_of(const Matrix<float>& input, const Matrix<float>* output, const float* norm = nullptr,
                               std::size_t parts = kRows, Matrix<float>* readings = nullptr,
                               FixedBits bits = FixedBits::k24) {
  auto made = TableMoments::create(input.cols(), output == nullptr, bits, norm);
  REQUIRE(made.ok());
  for (std::size_t i = 0; i < input.rows(); i += parts) {
    const std::size_t count = std::min(parts, input.rows() - i);
    Matrix<float> of_part = test::zeros(5, count);
    const auto rows_of = [&](const Matrix<float>* m) {
      return m == nullptr ? ConstMatrixView<float>() : m->view().row_block(i, count);
    };
    REQUIRE(made.value().add(rows_of(&input), rows_of(output), of_part.view()).ok());
    for (std::size_t k = 0; readings != nullptr && k < 5 * count; ++k) {
      (*readings)(k / count, i + k % count) = of_part.data()[k];
    }
  }
  made.value().flush();
  return std::move(made).value();
}

// Sums use entries that were rounded to 2^-24 of the largest of their column and block.
inline constexpr double kRounding = 1e-7;
inline double near(double value) { return std::max(1.0, std::fabs(value)) * kRounding; }

inline Result<TableReading> table_reading(const TableMoments& moments, TableRole role) {
  TableGrams grams;
  return read_table(moments, grams, role);
}

inline Result<TableAlignment> alignment_reading(const TableMoments& moments, std::size_t null_runs,
                                                std::uint64_t seed) {
  TableGrams grams;
  return read_alignment(moments, grams, null_runs, seed);
}

}  // namespace tied::test::table_moments
