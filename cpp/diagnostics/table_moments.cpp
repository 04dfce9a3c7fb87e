#include "diagnostics/table_moments.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/allocate.h"
#include "diagnostics/tables.h"
#include "linalg/checks.h"
#include "linalg/reduce.h"
#include "linalg/simd.h"

namespace tied {
namespace {

// Rows that are added to the sums at once, in their order: the sums are read and written only once for them.
constexpr std::size_t kRowsAtOnce = 4;

// Adds rows, each `stride` after the one before, and the same rows times their inverse lengths: 0 for rows of zeros,
// which change nothing.
template <std::size_t kRows>
void add_to(RowSums& sums, const float* first, std::size_t stride, std::size_t size, const double* inverses) {
  double* rows = sums.rows.data();
  double* directions = sums.directions.data();
  std::size_t j = 0;
  for (; j + 4 <= size; j += 4) {
    simd::Doubles row{simd::load(rows + j), simd::load(rows + j + 2)};
    simd::Doubles direction{simd::load(directions + j), simd::load(directions + j + 2)};
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < kRows; ++i) {
      const simd::Doubles x = simd::load_doubles(first + i * stride + j);
      const simd::Batch<double> factor(inverses[i]);
      row = {row.low + x.low, row.high + x.high};
      direction = {direction.low + factor * x.low, direction.high + factor * x.high};
    }
    simd::store(rows + j, row.low);
    simd::store(rows + j + 2, row.high);
    simd::store(directions + j, direction.low);
    simd::store(directions + j + 2, direction.high);
  }
  for (; j < size; ++j) {
    for (std::size_t i = 0; i < kRows; ++i) {
      const auto x = static_cast<double>(first[i * stride + j]);
      rows[j] += x;
      directions[j] += inverses[i] * x;
    }
  }
}

void add_to(RowSums& sums, const ConstMatrixView<float>& rows, const double* lengths) {
  double inverses[kRowsAtOnce];
  for (std::size_t i = 0; i < rows.rows; ++i) {
    inverses[i] = lengths[i] == 0 ? 0 : 1 / lengths[i];
    if (lengths[i] != 0) ++sums.nonzero;
  }
  if (rows.rows == kRowsAtOnce) return add_to<kRowsAtOnce>(sums, rows.data, rows.stride, rows.cols, inverses);
  for (std::size_t i = 0; i < rows.rows; ++i) add_to<1>(sums, rows.row(i), 0, rows.cols, inverses + i);
}

// sum_j a_j (weights_j b_j)
double weighted_dot(const float* a, const float* b, const double* weights, std::size_t size) {
  simd::Batch<double> low(0.0);
  simd::Batch<double> high(0.0);
  std::size_t j = 0;
  for (; j + 4 <= size; j += 4) {
    const simd::Doubles x = simd::load_doubles(a + j);
    const simd::Doubles y = simd::load_doubles(b + j);
    low += x.low * (simd::load(weights + j) * y.low);
    high += x.high * (simd::load(weights + j + 2) * y.high);
  }
  double found = simd::sum_of_lanes(low + high);
  for (; j < size; ++j) found += static_cast<double>(a[j]) * (weights[j] * static_cast<double>(b[j]));
  return found;
}

// squared_norm(x) and weighted_dot(x, x, weights), with the bits of these, in one pass.
struct Squares {
  double sum;
  double weighted;
};
Squares squares_of(const float* x, const double* weights, std::size_t size) {
  simd::Doubles plain{simd::Batch<double>(0.0), simd::Batch<double>(0.0)};
  simd::Doubles weighted = plain;
  std::size_t j = 0;
  for (; j + 4 <= size; j += 4) {
    const simd::Doubles x_j = simd::load_doubles(x + j);
    plain = {plain.low + x_j.low * x_j.low, plain.high + x_j.high * x_j.high};
    weighted = {weighted.low + x_j.low * (simd::load(weights + j) * x_j.low),
                weighted.high + x_j.high * (simd::load(weights + j + 2) * x_j.high)};
  }
  double sums[4];
  simd::store(sums, plain.low);
  simd::store(sums + 2, plain.high);
  double found = simd::sum_of_lanes(weighted.low + weighted.high);
  for (; j < size; ++j) {
    const auto x_j = static_cast<double>(x[j]);
    sums[j % 4] += x_j * x_j;
    found += x_j * (weights[j] * x_j);
  }
  return {(sums[0] + sums[1]) + (sums[2] + sums[3]), found};
}

// |b - a|, exact to a few roundings even where a and b are nearly equal.
double row_distance(const float* a, const float* b, std::size_t size) {
  simd::Batch<double> low(0.0);
  simd::Batch<double> high(0.0);
  std::size_t j = 0;
  for (; j + 4 <= size; j += 4) {
    const simd::Doubles x = simd::load_doubles(a + j);
    const simd::Doubles y = simd::load_doubles(b + j);
    const auto first = y.low - x.low;
    const auto second = y.high - x.high;
    low += first * first;
    high += second * second;
  }
  double found = simd::sum_of_lanes(low + high);
  for (; j < size; ++j) {
    const double off = static_cast<double>(b[j]) - static_cast<double>(a[j]);
    found += off * off;
  }
  return std::sqrt(found);
}

double squared_norm_of_rows(FixedRows& block, std::size_t rows, std::size_t cols) {
  double found = 0;
  for (std::size_t i = 0; i < rows; ++i) found += squared_norm(block.row(i), cols);
  return found;
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

std::uint64_t table_moments_bytes(std::size_t width, bool tied, FixedBits bits) {
  const std::uint64_t d = width;
  const std::uint64_t tables = tied ? 1 : 2;
  return ((tied ? 1 : 3) * d * d + tables * 2 * d + d) * sizeof(double) + tables * fixed_rows_bytes(width, bits);
}

Result<TableMoments> TableMoments::create(std::size_t width, bool tied, FixedBits bits, const float* norm,
                                          const PanelShare& share) {
  if (width == 0) return cols_error("input", width, "at least 1 column");
  TableMoments made;
  made.tied_ = tied;
  made.share_ = share;
  if (Status status = allocate(made.norm_, width); !status) return status;
  made.norm_.fill(1);
  if (norm != nullptr) {
    if (Status status = check_table("norm", {norm, 1, width}); !status) return status;
    for (std::size_t j = 0; j < width; ++j) made.norm_[j] = static_cast<double>(norm[j]);
  }
  auto input_block = FixedRows::create(width, bits);
  if (!input_block) return input_block.failure();
  made.input_block_ = std::move(input_block).value();
  if (Status status = make_zeros(made.gram_, width, width); !status) return status;
  for (std::size_t table = 0; table < (tied ? 1 : 2); ++table) {
    for (auto* sum : {&made.sums_[table].rows, &made.sums_[table].directions}) {
      if (Status status = allocate(*sum, width); !status) return status;
    }
  }
  if (tied) return made;
  auto difference_block = FixedRows::create(width, bits);
  if (!difference_block) return difference_block.failure();
  made.half_difference_block_ = std::move(difference_block).value();
  if (Status status = make_zeros(made.difference_gram_, width, width); !status) return status;
  if (Status status = make_zeros(made.cross_, width, width); !status) return status;
  return made;
}

Status TableMoments::add(const ConstMatrixView<float>& input, const ConstMatrixView<float>& output,
                         const MatrixView<float>& readings) {
  TIED_ASSERT(input.cols == width() && readings.rows == 5 && readings.cols == input.rows);
  TIED_ASSERT(tied_ || (output.rows == input.rows && output.cols == width()));
  if (Status status = check_rows("input", input, rows_); !status) return status;
  if (!tied_) {
    if (Status status = check_rows("output", output, rows_); !status) return status;
  }
  for (std::size_t i = 0; i < input.rows;) {
    const std::size_t count = std::min({kRowsAtOnce, kFixedRows - pending_, input.rows - i});
    const ConstMatrixView<float> rows = input.row_block(i, count);
    add_rows(rows, tied_ ? rows : output.row_block(i, count),
             {readings.data + i, readings.rows, count, readings.stride});
    i += count;
    if (pending_ == kFixedRows) flush();
  }
  return {};
}

void TableMoments::add_rows(const ConstMatrixView<float>& input, const ConstMatrixView<float>& output,
                            const MatrixView<float>& readings) {
  const std::size_t d = width();
  double input_lengths[kRowsAtOnce];
  double output_lengths[kRowsAtOnce];
  for (std::size_t i = 0; i < input.rows; ++i) {
    const float* e = input.row(i);
    const float* u = output.row(i);
    const Squares squares = squares_of(e, norm_.data(), d);
    input_lengths[i] = std::sqrt(squares.sum);
    output_lengths[i] = tied_ ? input_lengths[i] : std::sqrt(squared_norm(u, d));
    const double product = tied_ ? squares.sum : dot(e, u, d);
    const double folded = tied_ ? squares.weighted : weighted_dot(e, u, norm_.data(), d);
    const double measured[5] = {input_lengths[i], output_lengths[i], product, folded,
                                tied_ ? 0 : row_distance(e, u, d)};
    for (std::size_t k = 0; k < 5; ++k) readings(k, i) = static_cast<float>(measured[k]);
    if (input_lengths[i] != 0 || output_lengths[i] != 0) ++nonzero_;

    std::copy_n(e, d, input_block_.row(pending_ + i));
    if (!tied_) std::copy_n(u, d, half_difference_block_.row(pending_ + i));
  }
  rows_ += input.rows;
  pending_ += input.rows;
  add_to(sums_[0], input, input_lengths);
  if (!tied_) add_to(sums_[1], output, output_lengths);
}

void TableMoments::choose_output_scale() {
  // Above 2^-6, U is not lost in the rounding of D. Below 2^-40, U / s could leave the range of float.
  constexpr int kLeastExponent = -40;
  constexpr int kMostExponent = -6;
  scale_is_chosen_ = true;
  const double input = squared_norm_of_rows(input_block_, pending_, width());
  const double output = squared_norm_of_rows(half_difference_block_, pending_, width());
  if (input == 0 || output == 0) return;
  const int exponent = std::ilogb(std::sqrt(output / input));
  if (exponent <= kMostExponent) output_scale_ = std::ldexp(1.0, std::max(exponent, kLeastExponent));
}

void TableMoments::flush() {
  if (pending_ == 0) return;
  input_block_.pack(pending_);
  add_gram_lower(gram_.view(), input_block_, share_);
  if (!tied_) {
    if (!scale_is_chosen_) choose_output_scale();
    const auto half_of_output = static_cast<float>(0.5 / output_scale_);
    for (std::size_t i = 0; i < pending_; ++i) {
      const float* input = input_block_.row(i);
      float* half = half_difference_block_.row(i);
      for (std::size_t j = 0; j < width(); ++j) half[j] = half_of_output * half[j] - 0.5F * input[j];
    }
    half_difference_block_.pack(pending_, 1);
    add_gram_lower(difference_gram_.view(), half_difference_block_, share_);
    add_products(cross_.view(), half_difference_block_, input_block_, share_);
  }
  pending_ = 0;
}

ConstMatrixView<double> TableMoments::product(MomentProduct which) const {
  switch (which) {
    case MomentProduct::kGram:
      return gram();
    case MomentProduct::kDifferenceGram:
      return difference_gram();
    case MomentProduct::kCross:
      return cross();
  }
  return {};
}

void TableMoments::join(MomentProduct which, const double* other) {
  Matrix<double>* of[] = {&gram_, &difference_gram_, &cross_};
  Matrix<double>& own = *of[static_cast<std::size_t>(which)];
  // Each entry is non-zero in at most one share.
  for (std::size_t k = 0; k < own.rows() * own.cols(); ++k) own.data()[k] += other[k];
}

}  // namespace tied
