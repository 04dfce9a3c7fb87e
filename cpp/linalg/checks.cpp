#include "linalg/checks.h"

#include "linalg/reduce.h"

namespace tied {
namespace {

template <class T>
Status check_finite_in(std::string_view name, ConstMatrixView<T> m) {
  for (std::size_t i = 0; i < m.rows; ++i) {
    const std::size_t j = first_not_finite(m.row(i), m.cols);
    if (j < m.cols) {
      return entry_error(ErrorCode::kNotFinite, name, i, j, static_cast<double>(m(i, j)), "a finite number");
    }
  }
  return Status();
}

}  // namespace

Status check_finite(std::string_view name, ConstMatrixView<float> m) { return check_finite_in(name, m); }
Status check_finite(std::string_view name, ConstMatrixView<double> m) { return check_finite_in(name, m); }

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

Status rows_error(std::string_view name, std::size_t rows, std::string_view expected) {
  return make_error(ErrorCode::kShapeMismatch, joined({name, ".rows"}), rows, expected);
}

Status cols_error(std::string_view name, std::size_t cols, std::string_view expected) {
  return make_error(ErrorCode::kShapeMismatch, joined({name, ".cols"}), cols, expected);
}

Status check_not_empty(std::string_view name, ConstMatrixView<float> m) {
  if (m.rows == 0) return rows_error(name, 0, "at least 1 row");
  if (m.cols == 0) return cols_error(name, 0, "at least 1 column");
  return check_finite(name, m);
}

Status check_square(std::string_view name, std::size_t rows, std::size_t cols, std::size_t least_rows) {
  if (rows < least_rows) return rows_error(name, rows, joined({"at least ", text_of(least_rows), " rows"}));
  if (rows != cols) return cols_error(name, cols, joined({"as many columns as rows, ", text_of(rows)}));
  return Status();
}

Status entry_error(ErrorCode code, std::string_view name, std::size_t row, std::size_t col, double value,
                   std::string_view expected) {
  return make_error(code, joined({name, "[", text_of(row), ", ", text_of(col), "]"}), value, expected);
}

}  // namespace tied
