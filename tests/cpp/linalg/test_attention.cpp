#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "linalg/attention.h"
#include "support.h"

using namespace tied;
using tied::test::Guarded;

namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE_TEMPLATE("a causal softmax agrees with plain loops and does not read later tokens", T, float, double) {
  const double scale = 0.25;
  for (const std::size_t cols : {1, 2, 3, 4, 5, 15, 16, 17, 64, 65, 300}) {
    for (const std::size_t row_offset : {std::size_t{0}, cols / 2, cols - 1}) {
      const std::size_t rows = cols - row_offset;
      Guarded<T> x(rows, cols, cols % 3, cols % 4);
      x.fill_normal(cols, 8);
      std::vector<double> before(rows * cols);
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < cols; ++j) {
          before[i * cols + j] = static_cast<double>(x(i, j));
          if (j > i + row_offset) x(i, j) = static_cast<T>(kNotANumber);
        }
      }
      attention_softmax_rows<T>(x.view(), static_cast<T>(scale), row_offset);
      double worst = 0;
      for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t size = i + row_offset + 1;
        double maximum = before[i * cols];
        for (std::size_t j = 0; j < size; ++j) maximum = std::fmax(maximum, before[i * cols + j]);
        double sum = 0;
        for (std::size_t j = 0; j < size; ++j) sum += std::exp(scale * (before[i * cols + j] - maximum));
        for (std::size_t j = 0; j < size; ++j) {
          const double expected = std::exp(scale * (before[i * cols + j] - maximum)) / sum;
          worst = std::fmax(worst, std::fabs(static_cast<double>(x(i, j)) - expected) / expected);
        }
        for (std::size_t j = size; j < cols; ++j) CHECK(x(i, j) == 0);
      }
      CAPTURE(cols);
      // As for softmax_rows: the argument of exp carries an error of up to 16 units here.
      CHECK(worst <= 64 * test::kRoundoff<T>);
      CHECK(x.untouched_outside());
    }
  }
}

TEST_CASE("a row of a causal softmax has the same bits alone and among other rows") {
  const std::size_t n = 70;
  Guarded<float> whole(n, n, 3, 1);
  whole.fill_normal(9, 4);
  Guarded<float> before = whole;
  attention_softmax_rows<float>(whole.view(), 0.35F);
  for (std::size_t i = 0; i < n; ++i) {
    Guarded<float> alone(1, i + 1, 0, i % 4);
    for (std::size_t j = 0; j <= i; ++j) alone(0, j) = before(i, j);
    attention_softmax_rows<float>(alone.view(), 0.35F, i);
    for (std::size_t j = 0; j <= i; ++j) CHECK(alone(0, j) == whole(i, j));
  }
}

TEST_CASE("rows with a margin have the same bits, and nothing beyond the margin changes") {
  constexpr std::size_t kMargin = 7;
  for (const std::size_t cols : {1, 2, 3, 4, 13, 16, 30, 65, 300}) {
    Guarded<float> wide(5, cols + kMargin, 1, 1);
    wide.fill_normal(cols, 4);
    Guarded<float> exact(5, cols);
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t j = 0; j < cols; ++j) exact(i, j) = wide(i, j);
      wide(i, cols) = static_cast<float>(kNotANumber);
    }
    attention_softmax_rows<float>(exact.view(), 0.35F, kWholeProduct);
    attention_softmax_rows<float>({wide.view().data, 5, cols, wide.view().stride}, 0.35F, kWholeProduct, kMargin);
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t j = 0; j < cols; ++j) CHECK(wide(i, j) == exact(i, j));
    }
    CHECK(wide.untouched_outside());
  }
}

TEST_CASE("a causal softmax of large scores neither overflows nor loses its sum") {
  float x[4] = {3e38F, 1, 1e30F, 1e30F};
  attention_softmax_rows<float>({x, 2, 2}, 1);
  CHECK(x[0] == 1);
  CHECK(x[1] == 0);
  CHECK(x[2] == 0.5F);
  CHECK(x[3] == 0.5F);
}

TEST_CASE_TEMPLATE("the backward pass of a causal softmax agrees with plain loops and does not read later tokens", T,
                   float, double) {
  const double scale = 0.25;
  for (const std::size_t cols : {1, 2, 3, 4, 5, 15, 16, 17, 64, 65, 300}) {
    for (const std::size_t row_offset : {std::size_t{0}, cols / 2, cols - 1}) {
      const std::size_t rows = cols - row_offset;
      Guarded<T> p(rows, cols, cols % 4, cols % 3);
      p.fill_normal(cols, 2);
      attention_softmax_rows<T>(p.view(), 1, row_offset);
      Guarded<T> dp(rows, cols, cols % 3, cols % 4);
      dp.fill_normal(cols + 1);
      std::vector<double> expected(rows * cols, 0.0);
      for (std::size_t i = 0; i < rows; ++i) {
        const std::size_t size = i + row_offset + 1;
        double mean = 0;
        for (std::size_t j = 0; j < size; ++j) mean += static_cast<double>(p(i, j)) * static_cast<double>(dp(i, j));
        for (std::size_t j = 0; j < size; ++j) {
          expected[i * cols + j] = scale * static_cast<double>(p(i, j)) * (static_cast<double>(dp(i, j)) - mean);
        }
        for (std::size_t j = size; j < cols; ++j) dp(i, j) = static_cast<T>(kNotANumber);
      }
      attention_softmax_rows_backward<T>(dp.view(), p.view(), static_cast<T>(scale), row_offset);
      double worst = 0;
      bool zeros = true;
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < cols; ++j) {
          worst = std::fmax(worst, std::fabs(static_cast<double>(dp(i, j)) - expected[i * cols + j]));
          if (j > i + row_offset) zeros = zeros && dp(i, j) == 0 && !std::signbit(dp(i, j));
        }
      }
      CAPTURE(cols);
      // A sum of 300 terms whose total is at most of size one, and three roundings of values up to one.
      CHECK(worst <= 32 * test::kRoundoff<T>);
      CHECK(zeros);
      CHECK(dp.untouched_outside());
    }
  }
}

TEST_CASE("the backward pass of a causal softmax matches central differences") {
  const double scale = 0.7;
  for (const std::size_t n : {1, 2, 5, 8, 19}) {
    Guarded<double> x(n, n, 1, 1);
    Guarded<double> dp(n, n, 2, 1);
    x.fill_normal(1);
    dp.fill_normal(2);
    const Guarded<double> incoming = dp;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) dp(i, j) = kNotANumber;
    }
    const auto loss = [&] {
      Guarded<double> p = x;
      attention_softmax_rows<double>(p.view(), scale);
      double total = 0;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) total += p(i, j) * incoming(i, j);
      }
      return total;
    };
    Guarded<double> p = x;
    attention_softmax_rows<double>(p.view(), scale);
    attention_softmax_rows_backward<double>(dp.view(), p.view(), scale);
    const double h = 1e-5;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const double before = x(i, j);
        x(i, j) = before + h;
        const double above = loss();
        x(i, j) = before - h;
        const double below = loss();
        x(i, j) = before;
        // Truncation h^2 times a third derivative of size one, rounding 1e-15 / h.
        CHECK(std::fabs(dp(i, j) - (above - below) / (2 * h)) < 1e-8);
        if (j > i) CHECK(dp(i, j) == 0);
      }
    }
    CHECK(dp.untouched_outside());
  }
}
