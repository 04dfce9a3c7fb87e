#include "linalg/column_exponentials.h"

#include <limits>

#include "base/elementary.h"
#include "linalg/simd.h"
#include "linalg/simd_exp.h"

namespace tied {
namespace {

using simd::Batch;

// Rows whose exponentials are computed together, to fill the pipeline, and added as floats.
constexpr std::size_t kRowsAtOnce = 2;

static_assert(kExponentialColumns == simd::kLanes<float>);

Batch<float> maximum_of(ConstMatrixView<float> x, std::size_t column, const Batch<float>& sign, Batch<float> most) {
  for (std::size_t i = 0; i < x.rows; ++i) most = simd::not_below(simd::load(x.row(i) + column) * sign, most);
  return most;
}

}  // namespace

void add_column_exponentials(ConstMatrixView<float> x, float sign, float* largest, double* sums) {
  TIED_ASSERT(x.cols % kExponentialColumns == 0);
  const Batch<float> signs(sign);
  const Batch<float> nothing(-std::numeric_limits<float>::infinity());
  for (std::size_t j = 0; j < x.cols; j += kExponentialColumns) {
    const Batch<float> most = maximum_of(x, j, signs, simd::load(largest + j));
    double added[kExponentialColumns] = {};
    for (std::size_t i = 0; i < x.rows; i += kRowsAtOnce) {
      Batch<float> powers[kRowsAtOnce];
      for (std::size_t k = 0; k < kRowsAtOnce; ++k) {
        powers[k] = i + k < x.rows ? simd::load(x.row(i + k) + j) * signs - most : nothing;
      }
      simd::exp_of_nonpositive(powers);
      float four[kExponentialColumns];
      simd::store(four, powers[0] + powers[1]);
      for (std::size_t k = 0; k < kExponentialColumns; ++k) added[k] += static_cast<double>(four[k]);
    }
    float now[kExponentialColumns];
    simd::store(now, most);
    for (std::size_t k = 0; k < kExponentialColumns; ++k) {
      sums[j + k] =
          sums[j + k] * exponential(static_cast<double>(largest[j + k]) - static_cast<double>(now[k])) + added[k];
      largest[j + k] = now[k];
    }
  }
}

}  // namespace tied
