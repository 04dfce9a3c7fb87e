#include "diagnostics/sampled_scores.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/allocate.h"
#include "base/elementary.h"
#include "linalg/matmul.h"

namespace tied {
namespace {

// Rows whose logits are computed at once: a tile of them stays small whatever the text is.
constexpr std::size_t kRowsPerTile = 64;

void copy_sampled(const MatrixView<float>& to, const ConstMatrixView<float>& rows) {
  for (std::size_t i = 0; i < rows.rows; ++i) std::copy_n(rows.row(i), rows.cols, to.row(i));
}

// Entries that are not finite are found when all rows are read, and named by their row in the table.
Result<Matrix<float>> copied(const ConstMatrixView<float>& rows) {
  auto made = Matrix<float>::create(rows.rows, rows.cols);
  if (!made) return made.failure();
  copy_sampled(made.value().view(), rows);
  return made;
}

}  // namespace

Result<SampledRows> SampledRows::create(const ConstMatrixView<float>& input, const ConstMatrixView<float>& output,
                                        bool tied) {
  SampledRows made;
  made.tokens_ = input.rows;
  auto rows = Matrix<float>::create((tied ? 1 : 2) * input.rows, input.cols);
  if (!rows) return rows.failure();
  made.rows_ = std::move(rows).value();
  if (!tied) copy_sampled(made.rows_.view().row_block(0, input.rows), output);
  copy_sampled(made.input(), input);
  return made;
}

void SampledRows::multiply(const MatrixView<float>& products, const ConstMatrixView<float>& input,
                           const ConstMatrixView<float>& output) const {
  const std::size_t s = tokens();
  if (kinds() == 1) return matmul_nt<float>(products, this->input(), input);
  matmul_nt<float>(products.row_block(0, s), this->input(), output);
  // u . e and e . e at once, so the rows are packed for a product only once.
  matmul_nt<float>(products.row_block(s, 2 * s), rows_.view(), input);
}

Result<RunningLogSums> RunningLogSums::create(const ConstMatrixView<float>& input) {
  RunningLogSums made;
  auto rows = copied(input);
  if (!rows) return rows.failure();
  made.input_ = std::move(rows).value();
  for (auto* buffer : {&made.largest_, &made.sums_}) {
    if (Status status = allocate(*buffer, input.rows); !status) return status;
  }
  made.largest_.fill(-std::numeric_limits<double>::infinity());
  return made;
}

Status RunningLogSums::add(const ConstMatrixView<float>& output) {
  auto logits = Matrix<float>::create(std::min(kRowsPerTile, size()), output.rows);
  if (!logits) return logits.failure();
  for (std::size_t first = 0; first < size(); first += kRowsPerTile) {
    const std::size_t count = std::min(kRowsPerTile, size() - first);
    const MatrixView<float> tile = logits.value().view().row_block(0, count);
    matmul_nt<float>(tile, input_.view().row_block(first, count), output);
    for (std::size_t i = 0; i < count; ++i) {
      double& largest = largest_[first + i];
      double& sum = sums_[first + i];
      const float* row = tile.row(i);
      const auto most = static_cast<double>(*std::max_element(row, row + output.rows));
      if (most > largest) {
        sum *= exponential(largest - most);
        largest = most;
      }
      for (std::size_t j = 0; j < output.rows; ++j) sum += exponential(static_cast<double>(row[j]) - largest);
    }
  }
  return {};
}

double RunningLogSums::log_sum(std::size_t token) const { return largest_[token] + natural_log(sums_[token]); }

}  // namespace tied
