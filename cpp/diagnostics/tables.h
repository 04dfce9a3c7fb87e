// Embedding tables [V, d] as diagnostics read them: checked, without rows of zeros, a block of rows at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>

#include "base/aligned_buffer.h"
#include "base/random.h"
#include "linalg/matrix_view.h"

namespace tied {

// Rows that a diagnostic reads at a time. Work is divided between blocks only, so the bits of a result do not depend on
// how it is divided.
inline constexpr std::size_t kRowsPerBlock = 256;

// Limit of a pivot of a Gram matrix, relative to its diagonal entry. A column is dependent, as far as single precision
// can tell, if its part that is independent of the columns before it is shorter than 1e-6 of its length.
inline constexpr double kDependentColumn = 1e-12;

// Errors: kShapeMismatch without rows or columns; kNotFinite, naming the first entry that is NaN or infinite and
// counting the rows that have one.
Status check_table(std::string_view name, ConstMatrixView<float> table);

// The rows that are zero in none of the tables, ascending. A row of zeros has no direction; most are padding.
// Errors: kOutOfMemory.
Result<AlignedBuffer<std::uint32_t>> nonzero_rows(std::initializer_list<ConstMatrixView<float>> tables);

// Errors: those of check_table; kInvalidArgument if all rows of a table are zero; kOutOfMemory.
Status check_some_rows(std::string_view name, ConstMatrixView<float> table);

// Errors: kInvalidArgument if all listed rows are the same: nothing is left of them without their mean.
Status check_rows_differ(std::string_view name, ConstMatrixView<float> table, std::span<const std::uint32_t> rows);

// Puts the ids into a random order.
void shuffle(std::span<std::uint32_t> ids, Random& random);

// Sorts ids by `values` [id], or by the ids themselves if null. Ids with equal values come in any order.
void sort_ids(std::span<std::uint32_t> ids, const double* values);

// means [d] = the mean of the listed rows.
void column_means(double* means, ConstMatrixView<float> table, std::span<const std::uint32_t> rows);

// block [n, d] = the n listed rows minus `means`, or the rows themselves if null. T = float or double.
template <class T>
void gather_rows(const MatrixView<T>& block, ConstMatrixView<float> table, std::span<const std::uint32_t> rows,
                 const double* means);

// Replaces `matrix` with zeros [rows, cols]. Errors: kOutOfMemory.
template <class T>
Status make_zeros(Matrix<T>& matrix, std::size_t rows, std::size_t cols) {
  auto made = Matrix<T>::create(rows, cols);
  if (!made) return made.failure();
  matrix = std::move(made).value();
  return {};
}

}  // namespace tied
