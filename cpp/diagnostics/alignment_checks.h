// What an alignment refuses, by the names of its arguments.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "diagnostics/alignment.h"

namespace tied {

// Errors: kInvalidArgument for a fraction, a number of null runs or a penalty out of range.
Status check_alignment_options(const AlignmentOptions& options);

// Errors: those of check_some_rows; kShapeMismatch unless the tables have equally many rows, and as many columns as the
// method needs.
Status check_alignment_tables(ConstMatrixView<float> source, ConstMatrixView<float> target, AlignmentMethod method);

// Checks the rows of the fit, `rows`, which may be only some of `all` rows. Errors: kInvalidArgument for a column that
// has the same value in each of them.
Status check_not_constant(std::string_view name, ConstMatrixView<float> table, std::span<const std::uint32_t> rows,
                          std::span<const std::uint32_t> all);

// The error of a column that is a linear combination of those before it.
Status dependent_column_error(std::string_view name, std::size_t column);

}  // namespace tied
