#include "diagnostics/alignment_checks.h"

#include <algorithm>
#include <cmath>

#include "diagnostics/tables.h"
#include "linalg/checks.h"

namespace tied {
namespace {

constexpr std::size_t kMaxNullRuns = 1000;

// Whether all listed rows have the same value in a column.
bool is_constant(ConstMatrixView<float> table, std::size_t col, std::span<const std::uint32_t> rows) {
  const float first = table(rows.front(), col);
  return std::all_of(rows.begin(), rows.end(), [&](std::uint32_t i) { return table(i, col) == first; });
}

}  // namespace

Status check_alignment_options(const AlignmentOptions& options) {
  if (!(options.hold_out >= 0 && options.hold_out < 1)) {
    return make_error(ErrorCode::kInvalidArgument, "hold_out", options.hold_out, "a number of at least 0 and below 1");
  }
  if (options.null_runs > kMaxNullRuns) {
    return make_error(ErrorCode::kInvalidArgument, "null_runs", options.null_runs, "at most 1000");
  }
  if (!(options.penalty > 0 && std::isfinite(options.penalty))) {
    return make_error(ErrorCode::kInvalidArgument, "penalty", options.penalty, "a finite number above 0");
  }
  return {};
}

Status check_alignment_tables(ConstMatrixView<float> source, ConstMatrixView<float> target, AlignmentMethod method) {
  if (Status status = check_some_rows("source", source); !status) return status;
  if (Status status = check_some_rows("target", target); !status) return status;
  if (source.rows != target.rows) {
    return rows_error("target", target.rows, joined({"as many rows as source has, ", text_of(source.rows)}));
  }
  const bool any_width = method == AlignmentMethod::kLinear || method == AlignmentMethod::kRidge;
  if (any_width || source.cols == target.cols) return {};
  return cols_error("target", target.cols,
                    joined({"as many columns as source has, ", text_of(source.cols), "; a linear map takes any"}));
}

Status check_not_constant(std::string_view name, ConstMatrixView<float> table, std::span<const std::uint32_t> rows,
                          std::span<const std::uint32_t> all) {
  for (std::size_t col = 0; col < table.cols; ++col) {
    if (!is_constant(table, col, rows)) continue;
    return make_error(ErrorCode::kInvalidArgument, joined({name, " column ", text_of(col)}),
                      is_constant(table, col, all) ? "constant" : "constant in the rows that are not held out",
                      "a column that varies; a ridge map takes any");
  }
  return {};
}

Status dependent_column_error(std::string_view name, std::size_t column) {
  return make_error(ErrorCode::kInvalidArgument, joined({name, " column ", text_of(column)}),
                    "a combination of the columns before it", "independent columns; a ridge map takes any");
}

}  // namespace tied
