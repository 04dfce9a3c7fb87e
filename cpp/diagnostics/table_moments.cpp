#include "diagnostics/table_moments.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/allocate.h"
#include "diagnostics/tables.h"
#include "linalg/blocks.h"
#include "linalg/checks.h"
#include "linalg/reduce.h"

namespace tied {
namespace {

// Adds a row of length `length`, which is not 0, to the sums.
void add_to(RowSums& sums, const float* row, std::size_t size, double length) {
  ++sums.nonzero;
  const double inverse = 1 / length;
  double* rows = sums.rows.data();
  double* directions = sums.directions.data();
  for (std::size_t j = 0; j < size; ++j) {
    const auto x = static_cast<double>(row[j]);
    rows[j] += x;
    directions[j] += inverse * x;
  }
}

Status check_rows(std::string_view name, const ConstMatrixView<float>& table, std::uint64_t first) {
  for (std::size_t i = 0; i < table.rows; ++i) {
    if (all_finite(table.row(i), table.cols)) continue;
    const std::size_t col = first_not_finite(table.row(i), table.cols);
    return entry_error(ErrorCode::kNotFinite, name, static_cast<std::size_t>(first) + i, col,
                       static_cast<double>(table(i, col)), "a finite number");
  }
  return {};
}

}  // namespace

std::uint64_t table_moments_bytes(std::size_t width, bool tied) {
  const std::uint64_t d = width;
  const std::uint64_t tables = tied ? 1 : 2;
  return ((tied ? 1 : 3) * d * d + tables * (kRowsPerBlock + 2) * d + d) * sizeof(double);
}

Result<TableMoments> TableMoments::create(std::size_t width, bool tied, const float* norm) {
  if (width == 0) return cols_error("input", width, "at least 1 column");
  TableMoments made;
  made.tied_ = tied;
  if (Status status = allocate(made.norm_, width); !status) return status;
  made.norm_.fill(1);
  if (norm != nullptr) {
    if (Status status = check_table("norm", {norm, 1, width}); !status) return status;
    for (std::size_t j = 0; j < width; ++j) made.norm_[j] = static_cast<double>(norm[j]);
  }
  if (Status status = make_zeros(made.input_block_, kRowsPerBlock, width); !status) return status;
  if (Status status = make_zeros(made.gram_, width, width); !status) return status;
  for (std::size_t table = 0; table < (tied ? 1 : 2); ++table) {
    for (auto* sum : {&made.sums_[table].rows, &made.sums_[table].directions}) {
      if (Status status = allocate(*sum, width); !status) return status;
    }
  }
  if (tied) return made;
  if (Status status = make_zeros(made.difference_block_, kRowsPerBlock, width); !status) return status;
  if (Status status = make_zeros(made.difference_gram_, width, width); !status) return status;
  if (Status status = make_zeros(made.cross_, width, width); !status) return status;
  return made;
}

Status TableMoments::add(const ConstMatrixView<float>& input, const ConstMatrixView<float>& output,
                         const MatrixView<float>& readings) {
  TIED_ASSERT(input.cols == width() && readings.rows == 4 && readings.cols == input.rows);
  TIED_ASSERT(tied_ || (output.rows == input.rows && output.cols == width()));
  if (Status status = check_rows("input", input, rows_); !status) return status;
  if (!tied_) {
    if (Status status = check_rows("output", output, rows_); !status) return status;
  }
  for (std::size_t i = 0; i < input.rows; ++i) {
    add_row(input.row(i), tied_ ? input.row(i) : output.row(i), readings, i);
    if (++pending_ == kRowsPerBlock) flush();
  }
  return {};
}

void TableMoments::add_row(const float* input, const float* output, const MatrixView<float>& readings,
                           std::size_t row) {
  const std::size_t d = width();
  const double input_length = std::sqrt(squared_norm(input, d));
  const double output_length = tied_ ? input_length : std::sqrt(squared_norm(output, d));
  double folded = 0;
  for (std::size_t j = 0; j < d; ++j) {
    folded += static_cast<double>(input[j]) * (norm_[j] * static_cast<double>(output[j]));
  }
  const double measured[4] = {input_length, output_length, dot(input, output, d), folded};
  for (std::size_t k = 0; k < 4; ++k) readings(k, row) = static_cast<float>(measured[k]);

  ++rows_;
  if (input_length != 0 || output_length != 0) ++nonzero_;
  if (input_length != 0) add_to(sums_[0], input, d, input_length);
  if (!tied_ && output_length != 0) add_to(sums_[1], output, d, output_length);

  double* wide = input_block_.view().row(pending_);
  for (std::size_t j = 0; j < d; ++j) wide[j] = static_cast<double>(input[j]);
  if (tied_) return;
  double* difference = difference_block_.view().row(pending_);
  for (std::size_t j = 0; j < d; ++j) difference[j] = static_cast<double>(output[j]) - wide[j];
}

void TableMoments::flush() {
  if (pending_ == 0) return;
  const auto input = input_block_.view().row_block(0, pending_);
  gram_lower(gram_.view(), input, Accumulate::kAdd);
  if (!tied_) {
    const auto difference = difference_block_.view().row_block(0, pending_);
    gram_lower(difference_gram_.view(), difference, Accumulate::kAdd);
    matmul_tn<double>(cross_.view(), difference, input, Accumulate::kAdd);
  }
  pending_ = 0;
}

}  // namespace tied
