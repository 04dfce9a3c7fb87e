#include "diagnostics/output_ledger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/allocate.h"
#include "base/token_ids.h"
#include "diagnostics/tables.h"
#include "linalg/blocks.h"
#include "linalg/checks.h"
#include "linalg/cholesky.h"
#include "linalg/matmul.h"
#include "linalg/reduce.h"
#include "linalg/softmax.h"

namespace tied {
namespace {

constexpr double kNotDetermined = std::numeric_limits<double>::quiet_NaN();

// Rows of U that are added to U^T U at once: each entry is loaded and stored once for all of them.
constexpr std::size_t kRowsOfGram = 4;

// Adds the products of kRowsOfGram rows to the lower half of U^T U, row by row: the bits do not depend on their number.
// The products of linalg are twice as fast but would make this module too large.
void add_products(MatrixView<double> gram, ConstMatrixView<double> rows) {
  const double* r[kRowsOfGram] = {rows.row(0), rows.row(1), rows.row(2), rows.row(3)};
  for (std::size_t j = 0; j < rows.cols; ++j) {
    double* sums = gram.row(j);
    const double factors[kRowsOfGram] = {r[0][j], r[1][j], r[2][j], r[3][j]};
    for (std::size_t k = 0; k <= j; ++k) {
      sums[k] = sums[k] + factors[0] * r[0][k] + factors[1] * r[1][k] + factors[2] * r[2][k] + factors[3] * r[3][k];
    }
  }
}

void add_squares(LedgerPart& part, const LedgerPart& row) {
  part.input += row.input;
  part.output += row.output;
  part.pull += row.pull;
  part.push += row.push;
}

void take_roots(LedgerPart& part, double tokens) {
  part.input = std::sqrt(part.input);
  part.output = std::sqrt(part.output);
  part.pull = std::sqrt(part.pull) / tokens;
  part.push = std::sqrt(part.push) / tokens;
}

Status check_gradient(std::string_view name, ConstMatrixView<float> gradient, const Readout& readout) {
  if (Status status = check_table(name, gradient); !status) return status;
  if (gradient.rows != readout.vocab_size()) return rows_error(name, gradient.rows, text_of(readout.vocab_size()));
  if (gradient.cols != readout.width()) return cols_error(name, gradient.cols, text_of(readout.width()));
  return {};
}

}  // namespace

Result<OutputLedger> OutputLedger::create(const Readout& readout) {
  const std::size_t vocab_size = readout.vocab_size();
  OutputLedger made;
  if (Status status = make_zeros(made.pull_, vocab_size, readout.width()); !status) return status;
  if (Status status = make_zeros(made.push_, vocab_size, readout.width()); !status) return status;
  if (Status status = make_zeros(made.logits_, readout.max_rows(), vocab_size); !status) return status;
  if (Status status = allocate(made.net_, vocab_size); !status) return status;
  if (Status status = make_zeros(made.gram_, readout.width(), readout.width()); !status) return status;
  return made;
}

Status OutputLedger::prepare(const Readout& readout, std::size_t rows) {
  const ConstMatrixView<float> u = readout.unembedding().view();
  const std::size_t count = std::min(rows, u.rows - prepared_);
  if (count == 0) return {};
  auto wide = Matrix<double>::create(kRowsOfGram, u.cols);
  if (!wide) return wide.failure();
  for (const std::size_t end = prepared_ + count; prepared_ < end;) {
    const std::size_t some = std::min(kRowsOfGram, end - prepared_);
    // Rows of zeros add nothing.
    std::fill_n(wide.value().data(), kRowsOfGram * u.cols, 0.0);
    convert(wide.value().view().row_block(0, some), u.row_block(prepared_, some));
    add_products(gram_.view(), wide.value().view());
    prepared_ += some;
  }
  if (prepared_ == u.rows) has_projection_ = cholesky(gram_.view(), kDependentColumn) == kIndependent;
  return {};
}

Status OutputLedger::add(Readout& readout, ConstMatrixView<float> hidden, std::span<const std::uint32_t> targets) {
  if (Status status = check_table("hidden", hidden); !status) return status;
  if (hidden.cols != readout.width()) return cols_error("hidden", hidden.cols, text_of(readout.width()));
  if (targets.size() != hidden.rows) {
    return make_error(ErrorCode::kShapeMismatch, "targets.length", targets.size(), text_of(hidden.rows));
  }
  if (Status status = check_token_ids("targets", targets, readout.vocab_size()); !status) return status;
  if (Status status = prepare(readout, readout.vocab_size()); !status) return status;
  const std::size_t width = readout.width();
  auto made = Matrix<float>::create(readout.max_rows(), width);
  if (!made) return made.failure();
  auto columns = Matrix<double>::create(width, readout.max_rows());
  if (!columns) return columns.failure();
  for (std::size_t first = 0; first < hidden.rows; first += readout.max_rows()) {
    const std::size_t count = std::min(readout.max_rows(), hidden.rows - first);
    const MatrixView<float> gradient = logits_.view().row_block(0, count);
    readout.logits(gradient, hidden.row_block(first, count));
    softmax_rows<float>(gradient, gradient);
    const ConstMatrixView<float> read = readout.read();
    for (std::size_t i = 0; i < count; ++i) {
      float* p = gradient.row(i);
      const std::size_t target = targets[first + i];
      if (!std::isfinite(p[target])) {
        return make_error(ErrorCode::kNotFinite, "logits", p[target], "hidden states with finite logits");
      }
      add_scaled(pull_.view().row(target), read.row(i), width, p[target] - 1);
      p[target] -= 1;
      logit_square_ += squared_norm(p, gradient.cols);
      for (std::size_t v = 0; v < gradient.cols; ++v) net_[v] += static_cast<double>(p[v]);
    }
    if (has_projection_) {
      // |P g|^2 = (U^T g)^T (U^T U)^-1 U^T g
      const MatrixView<float> through = made.value().view().row_block(0, count);
      matmul_nn<float>(through, gradient, readout.unembedding().view());
      const MatrixView<double> solved = {columns.value().data(), width, count, readout.max_rows()};
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < width; ++j) solved(j, i) = static_cast<double>(through(i, j));
      }
      cholesky_solve(solved, gram_.view());
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < width; ++j) projected_square_ += static_cast<double>(through(i, j)) * solved(j, i);
      }
    }
    for (std::size_t i = 0; i < count; ++i) gradient(i, targets[first + i]) = 0;
    matmul_tn<float>(push_.view(), gradient, read, Accumulate::kAdd);
    tokens_ += count;
  }
  return {};
}

Result<LedgerSummary> OutputLedger::summarize(const Readout& readout, ConstMatrixView<float> input,
                                              ConstMatrixView<float> output,
                                              std::span<const std::uint32_t> counts) const {
  if (Status status = check_gradient("input", input, readout); !status) return status;
  if (Status status = check_gradient("output", output, readout); !status) return status;
  const std::size_t vocab_size = readout.vocab_size();
  if (counts.size() != vocab_size) {
    return make_error(ErrorCode::kShapeMismatch, "counts.length", counts.size(), text_of(vocab_size));
  }
  if (tokens_ == 0) return make_error(ErrorCode::kInvalidArgument, "tokens", tokens_, "at least one");
  const std::size_t width = readout.width();
  const double tokens = static_cast<double>(tokens_);
  LedgerSummary found;
  const std::vector<std::uint32_t> starts = frequency_band_starts();
  std::vector<LedgerBand> bands(starts.size());
  double product = 0;
  double largest = 0;
  double largest_difference = 0;
  for (std::size_t v = 0; v < vocab_size; ++v) {
    LedgerBand& band = bands[frequency_band_of(starts, counts[v])];
    const float* pull = pull_.view().row(v);
    const float* push = push_.view().row(v);
    const LedgerPart squares = {squared_norm(input.row(v), width), squared_norm(output.row(v), width),
                                squared_norm(pull, width), squared_norm(push, width)};
    add_squares(band.norms, squares);
    add_squares(found.norms, squares);
    product += dot(input.row(v), output.row(v), width);
    ++band.rows;
    if (net_[v] > 0) ++band.pushed_rows;
    largest = std::max(largest, max_abs(output.row(v), width));
    for (std::size_t j = 0; j < width; ++j) {
      const double both = (static_cast<double>(pull[j]) + static_cast<double>(push[j])) / tokens;
      largest_difference = std::max(largest_difference, std::fabs(both - static_cast<double>(output(v, j))));
    }
  }
  take_roots(found.norms, tokens);
  for (std::size_t i = 0; i < bands.size(); ++i) {
    if (bands[i].rows == 0) continue;
    bands[i].limits = frequency_band_limits(starts, i);
    take_roots(bands[i].norms, tokens);
    found.bands.push_back(bands[i]);
  }
  found.reach = has_projection_ ? std::sqrt(projected_square_ / logit_square_) : kNotDetermined;
  found.reach_by_chance = std::sqrt(std::min(1.0, static_cast<double>(width) / static_cast<double>(vocab_size)));
  const double norms = found.norms.input * found.norms.output;
  found.cosine = norms == 0 ? 0 : product / norms;
  found.difference = largest == 0 ? kNotDetermined : largest_difference / largest;
  return found;
}

}  // namespace tied
