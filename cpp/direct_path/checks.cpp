#include "direct_path/checks.h"

#include <string>

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

Status check_square(std::string_view name, std::size_t rows, std::size_t cols, std::size_t least_rows) {
  if (rows < least_rows) {
    return make_error(ErrorCode::kShapeMismatch, std::string(name) + ".rows", rows,
                      "at least " + text_of(least_rows) + (least_rows == 1 ? " row" : " rows"));
  }
  if (rows != cols) {
    return make_error(ErrorCode::kShapeMismatch, std::string(name) + ".cols", cols,
                      "as many columns as rows, " + text_of(rows));
  }
  return Status();
}

Error entry_error(ErrorCode code, std::string_view name, std::size_t row, std::size_t col, double value,
                  std::string_view expected) {
  return make_error(code, std::string(name) + "[" + text_of(row) + ", " + text_of(col) + "]", value, expected);
}

}  // namespace tied
