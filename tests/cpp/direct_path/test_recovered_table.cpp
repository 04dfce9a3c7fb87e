// What logits of a direct path tell of its tables.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "direct_path/recovered_table.h"
#include "support.h"

using namespace tied;

namespace {

Matrix<float> normal_rows(std::size_t rows, std::size_t cols, std::uint64_t seed, double mean = 0) {
  Matrix<float> table = test::zeros(rows, cols);
  Random random(seed, 3);
  for (std::size_t i = 0; i < rows * cols; ++i) table.data()[i] = static_cast<float>(mean + random.normal());
  return table;
}

// a b^T, rounded, plus a constant for each row and one for each column.
Matrix<float> shifted_logits(const Matrix<float>& a, const Matrix<float>& b, double rows, double cols) {
  Matrix<float> logits = test::zeros(a.rows(), b.rows());
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < b.rows(); ++j) {
      double sum = rows * std::sin(static_cast<double>(i)) + cols * std::cos(static_cast<double>(3 * j));
      for (std::size_t k = 0; k < a.cols(); ++k) sum += static_cast<double>(a(i, k)) * static_cast<double>(b(j, k));
      logits(i, j) = static_cast<float>(sum);
    }
  }
  return logits;
}

RecoveredTable recovered(const Matrix<float>& logits, const RecoveryOptions& options = {}) {
  RecoveredTable found = RecoveredTable::create(logits.view(), options).value();
  while (found.share() < 1) REQUIRE(found.advance(1).ok());
  return found;
}

// The largest difference of distances between rows: it ignores rotations and shifts.
double distance_error(const Matrix<float>& a, const Matrix<float>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.rows(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const auto squared = [&](const Matrix<float>& t) {
        double sum = 0;
        for (std::size_t k = 0; k < t.cols(); ++k) {
          const double d = static_cast<double>(t(i, k)) - static_cast<double>(t(j, k));
          sum += d * d;
        }
        return sum;
      };
      largest = std::max(largest, std::fabs(std::sqrt(squared(a)) - std::sqrt(squared(b))));
    }
  }
  return largest;
}

// |basis^T m|^2 / |m|^2, with m the table without its mean row: 1 if the basis spans its columns.
double spanned(const Matrix<float>& basis, const Matrix<float>& table) {
  double all = 0;
  double within = 0;
  for (std::size_t c = 0; c < table.cols(); ++c) {
    double mean = 0;
    for (std::size_t i = 0; i < table.rows(); ++i) mean += static_cast<double>(table(i, c));
    mean /= static_cast<double>(table.rows());
    for (std::size_t i = 0; i < table.rows(); ++i) all += std::pow(static_cast<double>(table(i, c)) - mean, 2);
    for (std::size_t k = 0; k < basis.cols(); ++k) {
      double along = 0;
      for (std::size_t i = 0; i < table.rows(); ++i) {
        along += static_cast<double>(basis(i, k)) * (static_cast<double>(table(i, c)) - mean);
      }
      within += along * along;
    }
  }
  return within / all;
}

}  // namespace

TEST_CASE("logits of a tied path give its width and its rows up to a rotation, whatever is added to rows and columns") {
  for (const std::size_t width : {1U, 3U, 12U, 39U}) {
    const Matrix<float> table = normal_rows(40, width, width);
    for (const double shift : {0.0, 2.0}) {
      CAPTURE(width);
      CAPTURE(shift);
      const RecoveredTable found = recovered(shifted_logits(table, table, shift, shift));
      CHECK(found.rank() == width);
      CHECK(found.asymmetry() < 1e-6);
      CHECK(found.least_eigenvalue() > -found.tolerance());
      // Logits of size 10 are rounded to 1e-6, and the shortest direction is a tenth of the longest.
      CHECK(distance_error(found.table(), table) < 2e-5);
      CHECK(spanned(found.reading(), table) == doctest::Approx(1).epsilon(1e-6));
    }
  }
}

TEST_CASE("without an output bias, the mean row is found as well; with one, it is said to be none") {
  const Matrix<float> table = normal_rows(30, 5, 1, 0.4);
  const RecoveredTable found = recovered(shifted_logits(table, table, 1, 0));
  CHECK(found.mean_residual() < 1e-5);
  double length = 0;
  for (std::size_t k = 0; k < 5; ++k) length += std::pow(static_cast<double>(found.mean()(0, k)), 2);
  double expected = 0;
  for (std::size_t k = 0; k < 5; ++k) {
    double mean = 0;
    for (std::size_t i = 0; i < 30; ++i) mean += static_cast<double>(table(i, k)) / 30;
    expected += mean * mean;
  }
  CHECK(std::sqrt(length) == doctest::Approx(std::sqrt(expected)).epsilon(1e-4));
  CHECK(recovered(shifted_logits(table, table, 1, 2)).mean_residual() > 0.3);
}

TEST_CASE("of two tables only the spaces are found") {
  const Matrix<float> reads = normal_rows(40, 6, 1);
  const Matrix<float> writes = normal_rows(40, 6, 2);
  const RecoveredTable found = recovered(shifted_logits(reads, writes, 1, 1));
  CHECK(found.rank() == 6);
  CHECK(found.asymmetry() > 0.5);
  CHECK(found.least_eigenvalue() < -found.tolerance());
  CHECK(spanned(found.reading(), reads) == doctest::Approx(1).epsilon(1e-6));
  CHECK(spanned(found.writing(), writes) == doctest::Approx(1).epsilon(1e-6));
  // By chance, 6 of 39 directions.
  CHECK(spanned(found.reading(), writes) < 0.4);
  CHECK(distance_error(found.table(), reads) > 0.5);
}

TEST_CASE("a width and a tolerance that are given are used") {
  const Matrix<float> table = normal_rows(20, 4, 9);
  const Matrix<float> logits = shifted_logits(table, table, 0, 0);
  const RecoveredTable two = recovered(logits, {.width = 2});
  CHECK(two.rank() == 4);
  CHECK(two.table().cols() == 2);
  const RecoveredTable wide = recovered(logits, {.width = 9});
  CHECK(wide.table()(3, 8) == 0);
  CHECK(recovered(logits, {.tolerance = 1e6}).rank() == 0);
}

TEST_CASE("logits that are all equal have no width") {
  const RecoveredTable found = recovered(test::zeros(5, 5));
  CHECK(found.rank() == 0);
  CHECK(found.asymmetry() == 0);
  CHECK(found.table().cols() == 0);
  CHECK(found.mean_residual() == 0);
}

TEST_CASE("logits that are no square, not finite or too many are refused by name") {
  const auto blamed = [](const Matrix<float>& logits, const RecoveryOptions& options = {}) {
    return RecoveredTable::create(logits.view(), options).error().argument;
  };
  Matrix<float> broken = test::zeros(3, 3);
  broken(2, 1) = INFINITY;
  CHECK(blamed(broken) == "logits[2, 1]");
  CHECK(blamed(test::zeros(2, 3)) == "logits.cols");
  CHECK(blamed(test::zeros(3, 3), {.width = 4}) == "width");
  CHECK(blamed(test::zeros(kLargestRecovery + 1, kLargestRecovery + 1)) == "logits.rows");
}
