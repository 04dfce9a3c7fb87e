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

// Adds a row of length `length`, which is not 0, to the sums.
void add_to(RowSums& sums, const float* row, std::size_t size, double length) {
  ++sums.nonzero;
  const double inverse = 1 / length;
  double* rows = sums.rows.data();
  double* directions = sums.directions.data();
  std::size_t j = 0;
  for (; j + 4 <= size; j += 4) {
    const simd::Doubles x = simd::load_doubles(row + j);
    const simd::Batch<double> factor(inverse);
    simd::store(rows + j, simd::load(rows + j) + x.low);
    simd::store(rows + j + 2, simd::load(rows + j + 2) + x.high);
    simd::store(directions + j, simd::load(directions + j) + factor * x.low);
    simd::store(directions + j + 2, simd::load(directions + j + 2) + factor * x.high);
  }
  for (; j < size; ++j) {
    const auto x = static_cast<double>(row[j]);
    rows[j] += x;
    directions[j] += inverse * x;
  }
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
  for (std::size_t i = 0; i < input.rows; ++i) {
    add_row(input.row(i), tied_ ? input.row(i) : output.row(i), readings, i);
    if (++pending_ == kFixedRows) flush();
  }
  return {};
}

void TableMoments::add_row(const float* input, const float* output, const MatrixView<float>& readings,
                           std::size_t row) {
  const std::size_t d = width();
  const double input_square = squared_norm(input, d);
  const double input_length = std::sqrt(input_square);
  const double output_length = tied_ ? input_length : std::sqrt(squared_norm(output, d));
  const double product = tied_ ? input_square : dot(input, output, d);
  const double measured[5] = {input_length, output_length, product, weighted_dot(input, output, norm_.data(), d),
                              tied_ ? 0 : row_distance(input, output, d)};
  for (std::size_t k = 0; k < 5; ++k) readings(k, row) = static_cast<float>(measured[k]);

  ++rows_;
  if (input_length != 0 || output_length != 0) ++nonzero_;
  if (input_length != 0) add_to(sums_[0], input, d, input_length);
  if (!tied_ && output_length != 0) add_to(sums_[1], output, d, output_length);

  std::copy_n(input, d, input_block_.row(pending_));
  if (!tied_) std::copy_n(output, d, half_difference_block_.row(pending_));
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
