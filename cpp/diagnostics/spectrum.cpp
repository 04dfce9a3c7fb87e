#include "diagnostics/spectrum.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/allocate.h"
#include "base/elementary.h"
#include "diagnostics/directions.h"
#include "diagnostics/tables.h"
#include "linalg/blocks.h"
#include "linalg/decompositions.h"
#include "linalg/reduce.h"

namespace tied {

Dimensions dimensions_of(std::span<const double> squares) {
  double sum = 0;
  double sum_of_squares = 0;
  for (const double square : squares) {
    sum += square;
    sum_of_squares += square * square;
  }
  if (sum == 0) return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  double entropy = 0;
  for (const double square : squares) {
    const double share = square / sum;
    if (share > 0) entropy -= share * natural_log(share);
  }
  return {sum * (sum / sum_of_squares), exponential(entropy)};
}

Result<Spectrum> Spectrum::create(ConstMatrixView<float> table, MeanRow mean) {
  if (Status status = check_some_rows("table", table); !status) return status;
  Spectrum made;
  made.table_ = table;
  made.mean_ = mean;
  auto rows = nonzero_rows({table});
  if (!rows) return rows.failure();
  made.rows_ = std::move(rows).value();
  if (mean != MeanRow::kKept) {
    const std::span<const std::uint32_t> used(made.rows_.data(), made.rows_.size());
    if (Status status = check_rows_differ("table", table, used); !status) return status;
    if (Status status = allocate(made.means_, table.cols); !status) return status;
    column_means(made.means_.data(), table, used);
  }
  if (Status status = make_zeros(made.block_, kRowsPerBlock, table.cols); !status) return status;
  if (Status status = make_zeros(made.gram_, table.cols, table.cols); !status) return status;
  return made;
}

Status Spectrum::advance(std::size_t blocks) {
  const std::span<const std::uint32_t> all(rows_.data(), rows_.size());
  for (; blocks > 0 && row_ < all.size(); --blocks) {
    const std::size_t count = std::min(kRowsPerBlock, all.size() - row_);
    const auto block = block_.view().row_block(0, count);
    gather_rows<double>(block, table_, all.subspan(row_, count), means_.size() > 0 ? means_.data() : nullptr);
    gram_lower(gram_.view(), block, Accumulate::kAdd);
    row_ += count;
  }
  if (row_ < all.size() || finished_) return {};
  // Without their components along the mean row, the rows have no mean: the covariance is projected.
  if (mean_ == MeanRow::kProjectedOut) {
    if (Status status = project_out_mean(); !status) return status;
  }
  auto squares = symmetric_eigenvalues(gram_.view());
  if (!squares) return squares.failure();
  // Ascending. Rounding may have made small ones negative.
  const std::size_t size = std::min(table_.rows, table_.cols);
  if (Status status = allocate(values_, size); !status) return status;
  for (double& square : squares.value()) square = std::max(square, 0.0);
  dimensions_ = dimensions_of({squares.value().data(), squares.value().size()});
  for (std::size_t k = 0; k < size; ++k) values_[k] = std::sqrt(squares.value()[squares.value().size() - 1 - k]);
  finished_ = true;
  return {};
}

Status Spectrum::project_out_mean() {
  const std::size_t width = table_.cols;
  const double length = std::sqrt(squared_norm(means_.data(), width));
  if (length == 0) return {};
  scale(means_.data(), width, 1 / length);
  if (project_out(gram_.view(), means_.data(), 0, block_.view().row(0)).varies()) return {};
  return make_error(ErrorCode::kInvalidArgument, "table", "all along the mean row", "rows that differ");
}

double Spectrum::share() const {
  // The decomposition is the last part.
  return finished_ ? 1 : static_cast<double>(row_) / static_cast<double>(rows_.size() + 1);
}

}  // namespace tied
