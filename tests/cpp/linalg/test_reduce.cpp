#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "linalg/reduce.h"
#include "support.h"

using namespace tied;
using tied::test::Guarded;

TEST_CASE_TEMPLATE("sums agree with long double loops", T, float, double) {
  for (const std::size_t size : test::kVectorSizes) {
    for (const std::size_t offset : {0, 1, 2, 3}) {
      Guarded<T> a(1, size, 0, offset);
      Guarded<T> b(1, size, 0, offset + 1);
      a.fill_normal(1);
      b.fill_normal(2);
      long double total = 0;
      long double total_magnitude = 0;
      long double product = 0;
      long double product_magnitude = 0;
      long double square = 0;
      long double difference = 0;
      long double difference_magnitude = 0;
      double largest = 0;
      for (std::size_t i = 0; i < size; ++i) {
        const auto x = static_cast<long double>(a(0, i));
        const auto y = static_cast<long double>(b(0, i));
        total += x;
        total_magnitude += std::fabs(x);
        product += x * y;
        product_magnitude += std::fabs(x * y);
        square += x * x;
        // The difference is exact in double for floats, and rounded once for doubles.
        difference += x * (y - x);
        difference_magnitude += std::fabs(x) * (std::fabs(y) + std::fabs(x));
        largest = std::fmax(largest, std::fabs(static_cast<double>(a(0, i))));
      }
      // In double, any order of summation is within size * 2^-53 of the sum of magnitudes, per rounding.
      const double unit = static_cast<double>(size + 2) * 0x1p-52;
      const T* x = a.view().data;
      const T* y = b.view().data;
      CHECK(std::fabs(sum(x, size) - static_cast<double>(total)) <= unit * static_cast<double>(total_magnitude));
      CHECK(std::fabs(dot(x, y, size) - static_cast<double>(product)) <= unit * static_cast<double>(product_magnitude));
      CHECK(std::fabs(squared_norm(x, size) - static_cast<double>(square)) <= unit * static_cast<double>(square));
      CHECK(std::fabs(weighted_difference(x, y, x, 0.0, size) - static_cast<double>(difference)) <=
            unit * static_cast<double>(difference_magnitude));
      CHECK(weighted_difference(x, y, y, 0.0, size) == 0);
      const double shifted = weighted_difference(x, y, x, 0.5, size);
      CHECK(std::fabs(shifted - static_cast<double>(difference - total / 2)) <=
            unit * static_cast<double>(difference_magnitude + total_magnitude));
      CHECK(max_abs(x, size) == largest);
    }
  }
}

TEST_CASE("sums of floats are exact if they fit in double") {
  // 2^24 + 1 is not a float; a sum in float would lose the ones.
  std::vector<float> x(1001, 1.0F);
  x[0] = 16777216.0F;
  CHECK(sum(x.data(), x.size()) == 16778216.0);
}

TEST_CASE("extremes of special values") {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const float with_nan[] = {1, kNan, 5};
  const float with_infinity[] = {1, -kInfinity, 5};
  CHECK(std::isnan(max_abs(with_nan, 3)));
  CHECK(max_abs(with_infinity, 3) == std::numeric_limits<double>::infinity());
  CHECK(max_abs<float>(nullptr, 0) == 0);
  const float ties[] = {2, 7, 7, 1, 7};
  CHECK(argmax(ties, 5) == 1);
  CHECK(argmax(ties, 1) == 0);
  const float negative[] = {-3, -2, -9};
  CHECK(argmax(negative, 3) == 1);
}

TEST_CASE_TEMPLATE("the first element that is not finite is found at every index", T, float, double) {
  for (const std::size_t size : test::kVectorSizes) {
    std::vector<T> x(size, std::numeric_limits<T>::max());
    CHECK(all_finite(x.data(), size));
    CHECK(first_not_finite(x.data(), size) == size);
    for (const T special : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity(),
                            -std::numeric_limits<T>::infinity()}) {
      for (const std::size_t place : {std::size_t{0}, size / 2, size - 1}) {
        if (size == 0) continue;
        x[place] = special;
        CHECK_FALSE(all_finite(x.data(), size));
        CHECK(first_not_finite(x.data(), size) == place);
        x[place] = 0;
      }
    }
  }
}

TEST_CASE_TEMPLATE("add_scaled, scale and multiply touch exactly their elements", T, float, double) {
  for (const std::size_t size : test::kVectorSizes) {
    for (const std::size_t offset : {0, 1, 3}) {
      Guarded<T> x(1, size, 0, 3 - offset);
      Guarded<T> y(1, size, 0, offset);
      x.fill_normal(1);
      y.fill_normal(2);
      const Guarded<T> before = y;
      add_scaled(y.view().data, static_cast<const T*>(x.view().data), size, T(0.3));
      for (std::size_t i = 0; i < size; ++i) CHECK(y(0, i) == before(0, i) + T(0.3) * x(0, i));
      const Guarded<T> added = y;
      scale(y.view().data, size, T(-1.7));
      for (std::size_t i = 0; i < size; ++i) CHECK(y(0, i) == T(-1.7) * added(0, i));
      const Guarded<T> scaled = y;
      multiply<T>(y.view().data, x.view().data, size);
      for (std::size_t i = 0; i < size; ++i) CHECK(y(0, i) == scaled(0, i) * x(0, i));
      CHECK(y.untouched_outside());
    }
  }
}

TEST_CASE("the norm of a matrix skips the padding between its rows") {
  Guarded<double> m(3, 5, 2, 1);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 5; ++j) m(i, j) = 2;
  }
  CHECK(squared_norm(ConstMatrixView<double>(m.view())) == 60);
}

TEST_CASE_TEMPLATE("a row is added to all rows, and columns are summed row by row, to the bit", T, float, double) {
  for (const std::size_t rows : {0, 1, 2, 7, 33}) {
    for (const std::size_t cols : test::kVectorSizes) {
      Guarded<T> matrix(rows, cols, rows % 3, 1);
      Guarded<T> row(1, cols, 0, 2);
      Guarded<T> sums(1, cols, 0, 3);
      matrix.fill_normal(1);
      row.fill_normal(2);
      sums.fill_normal(3);
      const Guarded<T> before = matrix;
      const Guarded<T> sums_before = sums;
      add_column_sums<T>(sums.view().data, matrix.view());
      add_row_to_rows<T>(matrix.view(), row.view().data);
      bool equal = true;
      for (std::size_t j = 0; j < cols; ++j) {
        T sum = sums_before(0, j);
        for (std::size_t i = 0; i < rows; ++i) {
          sum += before(i, j);
          equal = equal && matrix(i, j) == before(i, j) + row(0, j);
        }
        equal = equal && sums(0, j) == sum;
      }
      CAPTURE(rows);
      CAPTURE(cols);
      CHECK(equal);
      CHECK(matrix.untouched_outside());
      CHECK(sums.untouched_outside());
    }
  }
}
