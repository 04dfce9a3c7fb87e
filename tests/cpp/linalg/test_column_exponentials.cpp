#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "../baseline.h"
#include "linalg/column_exponentials.h"
#include "support.h"

using namespace tied;

namespace {

struct ColumnSums {
  std::vector<float> largest;
  std::vector<double> sums;

  explicit ColumnSums(std::size_t cols) : largest(cols, -std::numeric_limits<float>::infinity()), sums(cols) {}

  void add(ConstMatrixView<float> x, float sign) { add_column_exponentials(x, sign, largest.data(), sums.data()); }
};

}  // namespace

TEST_CASE("sums of exponentials of columns agree with plain loops, in blocks of any size and for both signs") {
  for (const std::size_t rows : {1, 2, 3, 5, 64, 257}) {
    for (const float spread : {0.1F, 3.0F, 40.0F}) {
      test::Guarded<float> x(rows, 12, 4);
      x.fill_normal(rows, static_cast<double>(spread));
      for (const float sign : {1.0F, -1.0F}) {
        ColumnSums found(12);
        for (std::size_t begin = 0; begin < rows; begin += 50) {
          found.add(x.view().row_block(begin, std::min<std::size_t>(50, rows - begin)), sign);
        }
        for (std::size_t j = 0; j < 12; ++j) {
          double largest = -std::numeric_limits<double>::infinity();
          for (std::size_t i = 0; i < rows; ++i) largest = std::fmax(largest, static_cast<double>(sign * x(i, j)));
          double sum = 0;
          for (std::size_t i = 0; i < rows; ++i) sum += std::exp(static_cast<double>(sign * x(i, j)) - largest);
          CAPTURE(rows);
          CAPTURE(spread);
          CHECK(static_cast<double>(found.largest[j]) == largest);
          // The difference of two floats of this size is rounded before its exponential is taken.
          CHECK(found.sums[j] ==
                doctest::Approx(sum).epsilon((8 + 5 * static_cast<double>(spread)) * test::kRoundoff<float>));
        }
      }
    }
  }
}

TEST_CASE("exponents far above all earlier ones leave nothing of their sums, and NaN stays NaN") {
  test::Guarded<float> low(3, 4);
  test::Guarded<float> high(1, 4);
  for (auto* matrix : {&low, &high}) matrix->fill_normal(1, 0);
  high(0, 0) = 1e6F;
  high(0, 1) = -1e6F;
  high(0, 2) = std::numeric_limits<float>::quiet_NaN();
  ColumnSums found(4);
  found.add(low.view(), 1);
  found.add(high.view(), 1);
  CHECK(found.largest[0] == 1e6F);
  CHECK(found.sums[0] == 1);
  CHECK(found.largest[1] == 0);
  CHECK(found.sums[1] == 3);
  CHECK(std::isnan(found.sums[2]));
  CHECK(found.sums[3] == 4);
}
