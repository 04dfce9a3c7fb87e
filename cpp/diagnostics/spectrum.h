// The singular values of an embedding table, and how many dimensions they amount to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "base/record.h"
#include "linalg/matrix_view.h"

namespace tied {

// Two counts of dimensions, from the squares s_k^2 of the singular values. 1 if all rows lie on a line, d if all
// directions have the same share; NaN for a zero matrix.
struct Dimensions {
  double participation_ratio = 0;  // (sum s^2)^2 / sum s^4
  double effective_rank = 0;       // e^H, H the entropy of s^2 / sum s^2 in nats (Roy and Vetterli, 2007)

  using Answered = Record<&Dimensions::participation_ratio, &Dimensions::effective_rank>;
};
Dimensions dimensions_of(std::span<const double> squares);

// How the mean row is treated: kept, subtracted, or each row's component along it is removed.
enum class MeanRow { kKept, kSubtracted, kProjectedOut };

// Singular values by the Gram matrix, a block of rows at a time, in double: values below about 1e-8 of the largest are
// not resolved. Rows of zeros are left out. Time V d^2 / 2 multiply-adds and a decomposition of [d, d].
class Spectrum {
 public:
  // The table must outlive the object.
  // Errors: those of check_table; kInvalidArgument if all rows are zero or, unless the mean is kept, the same;
  // kOutOfMemory.
  static Result<Spectrum> create(ConstMatrixView<float> table, MeanRow mean);

  // Works through `blocks` more blocks of rows. Errors: kNotFinite, kOutOfMemory; kInvalidArgument if nothing is left
  // of the rows after projection.
  Status advance(std::size_t blocks);
  double share() const;
  bool finished() const { return finished_; }

  // min(V, d) values, descending.
  std::span<const double> values() const { return {values_.data(), values_.size()}; }
  const Dimensions& dimensions() const { return dimensions_; }
  std::size_t left_out() const { return table_.rows - rows_.size(); }

  using Answered = Record<&Spectrum::values, &Spectrum::dimensions, &Spectrum::left_out>;

 private:
  Status project_out_mean();

  ConstMatrixView<float> table_;
  AlignedBuffer<std::uint32_t> rows_;
  AlignedBuffer<double> means_;  // empty if the table is not centered
  MeanRow mean_ = MeanRow::kKept;
  Matrix<double> block_;
  Matrix<double> gram_;
  std::size_t row_ = 0;
  bool finished_ = false;
  AlignedBuffer<double> values_;
  Dimensions dimensions_;
};

}  // namespace tied
