// Input checks that several files of this folder share.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "linalg/matrix_view.h"

namespace tied {

// Errors: kNotFinite, argument "name[row, col]", for the first entry that is NaN or infinite.
Status check_finite(std::string_view name, ConstMatrixView<float> m);
Status check_finite(std::string_view name, ConstMatrixView<double> m);

// The concatenation of all parts.
std::string joined(std::initializer_list<std::string_view> parts);

// An error about one side of a matrix: argument "name.rows" or "name.cols".
Status rows_error(std::string_view name, std::size_t rows, std::string_view expected);
Status cols_error(std::string_view name, std::size_t cols, std::string_view expected);

// Errors: kShapeMismatch without rows or columns; kNotFinite as above.
Status check_not_empty(std::string_view name, ConstMatrixView<float> m);

// Errors: kShapeMismatch unless square with at least `least_rows` rows.
Status check_square(std::string_view name, std::size_t rows, std::size_t cols, std::size_t least_rows);

// An error about one entry: argument "name[row, col]".
Status entry_error(ErrorCode code, std::string_view name, std::size_t row, std::size_t col, double value,
                   std::string_view expected);

}  // namespace tied
