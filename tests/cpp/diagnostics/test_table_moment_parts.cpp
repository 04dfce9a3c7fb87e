// Sums of tables that are read in parts, by several programs, or not at all.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "diagnostics/alignment.h"
#include "diagnostics/isotropy.h"
#include "diagnostics/tables.h"
#include "table_moments.h"

namespace tied {
namespace {

using namespace test::table_moments;
using test::normal_matrix;
using test::with_zero_rows;

TEST_CASE("the distance of two rows is 0 only if they are equal, and exact where they nearly are") {
  Matrix<float> input = moments_input();
  Matrix<float> output = moments_input();
  for (std::size_t j = 0; j < kCols; ++j) input(1, j) = output(1, j) = 1 + static_cast<float>(j);
  output(1, 2) = std::nextafter(output(1, 2), 100.0F);
  Matrix<float> readings = test::zeros(5, kRows);
  moments_of(input, &output, nullptr, kRows, &readings);
  CHECK(readings(4, 0) == 0);
  CHECK(readings(4, 1) == output(1, 2) - input(1, 2));
}

TEST_CASE("readings of rows, and bits that do not depend on how many rows are added at a time") {
  const Matrix<float> input = with_zero_rows(moments_input());
  const Matrix<float> output = with_zero_rows(moments_output());
  const std::vector<float> norm = moments_norm();
  Matrix<float> readings = test::zeros(5, kRows + 2);
  const TableMoments whole = moments_of(input, &output, norm.data(), kRows + 2, &readings);
  for (std::size_t i = 0; i < kRows + 2; i += 97) {
    double sums[5] = {};
    for (std::size_t j = 0; j < kCols; ++j) {
      const auto e = static_cast<double>(input(i, j));
      const auto u = static_cast<double>(output(i, j));
      sums[0] += e * e;
      sums[1] += u * u;
      sums[2] += e * u;
      sums[3] += e * u * static_cast<double>(norm[j]);
      sums[4] += (u - e) * (u - e);
    }
    const double expected[5] = {std::sqrt(sums[0]), std::sqrt(sums[1]), sums[2], sums[3], std::sqrt(sums[4])};
    for (std::size_t k = 0; k < 5; ++k) {
      CHECK(std::fabs(static_cast<double>(readings(k, i)) - expected[k]) <= 1e-5 * std::max(1.0, sums[0]));
    }
  }
  CHECK(readings(0, 0) == 0);
  for (const std::size_t parts : {1, 100, 256, 300}) {
    const TableMoments moments = moments_of(input, &output, norm.data(), parts);
    for (std::size_t i = 0; i < kCols; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        CHECK(moments.gram()(i, j) == whole.gram()(i, j));
        CHECK(moments.difference_gram()(i, j) == whole.difference_gram()(i, j));
        CHECK(moments.cross()(j, i) == whole.cross()(j, i));
      }
    }
  }
}

TEST_CASE("how far one table is from the other, and the mean cosine of their rows in a random order") {
  const Matrix<float> input = with_zero_rows(moments_input());
  Matrix<float> output = with_zero_rows(moments_output());
  for (std::size_t k = 0; k < kCols; ++k) output(5, k) = 0;
  const std::size_t rows = input.rows();
  double distance = 0;
  double length = 0;
  for (std::size_t k = 0; k < rows * kCols; ++k) {
    const auto e = static_cast<double>(input.data()[k]);
    distance += std::pow(static_cast<double>(output.data()[k]) - e, 2);
    length += e * e;
  }
  double cosines = 0;
  double pairs = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < rows; ++j) {
      double product = 0;
      double squares[2] = {0, 0};
      for (std::size_t k = 0; k < kCols; ++k) {
        const auto e = static_cast<double>(input(i, k));
        const auto u = static_cast<double>(output(j, k));
        product += e * u;
        squares[0] += e * e;
        squares[1] += u * u;
      }
      if (squares[0] * squares[1] == 0) continue;
      cosines += product / std::sqrt(squares[0] * squares[1]);
      ++pairs;
    }
  }
  const auto found = read_drift(moments_of(input, &output));
  REQUIRE(found.ok());
  CHECK(std::fabs(found.value().distance - std::sqrt(distance / length)) <= kRounding);
  CHECK(std::fabs(found.value().cosine_by_chance - cosines / pairs) <= 1e-10);
  // A table is at no distance from itself, to the last bit.
  CHECK(read_drift(moments_of(input, &input)).value().distance == 0);
  CHECK(read_drift(moments_of(test::zeros(3, 2), nullptr)).error().message() ==
        "input is all zeros; expected at least one row that is not zero");
}

TEST_CASE("shares of the products together have the bits of a single program") {
  const Matrix<float> input = normal_matrix(150, 37, 5);
  const Matrix<float> output = normal_matrix(150, 37, 6);
  for (const Matrix<float>* other : {static_cast<const Matrix<float>*>(nullptr), &output}) {
    const bool tied = other == nullptr;
    const TableMoments whole = moments_of(input, other);
    std::vector<TableMoments> shares;
    for (const PanelShare share : {PanelShare{0, 2, 3}, PanelShare{2, 3, 3}}) {
      shares.push_back(std::move(TableMoments::create(37, tied, FixedBits::k24, nullptr, share)).value());
      Matrix<float> readings = test::zeros(5, 150);
      REQUIRE(shares.back().add(input.view(), tied ? input.view() : output.view(), readings.view()).ok());
      shares.back().flush();
    }
    const auto products =
        tied ? std::vector{MomentProduct::kGram}
             : std::vector{MomentProduct::kGram, MomentProduct::kDifferenceGram, MomentProduct::kCross};
    for (const MomentProduct which : products) {
      const ConstMatrixView<double> expected = whole.product(which);
      // The last panel is the third.
      CHECK(shares[0].product(which)(36, 36) == 0);
      CHECK(shares[1].product(which)(36, 36) == expected(36, 36));
      shares[0].join(which, shares[1].product(which).data);
      const ConstMatrixView<double> found = shares[0].product(which);
      CHECK(std::equal(expected.data, expected.data + std::size_t{37} * 37, found.data));
    }
  }
}

TEST_CASE("elements that are not finite are named by their row in the table, and nothing is added") {
  const Matrix<float> input = moments_input();
  Matrix<float> output = moments_output();
  auto made = TableMoments::create(kCols, false, FixedBits::k24, nullptr);
  REQUIRE(made.ok());
  TableMoments& moments = made.value();
  Matrix<float> readings = test::zeros(5, 10);
  const auto add = [&](std::size_t first) {
    return moments.add(input.view().row_block(first, 10), output.view().row_block(first, 10), readings.view());
  };
  REQUIRE(add(0).ok());
  output(13, 2) = std::numeric_limits<float>::infinity();
  const Status status = add(10);
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().code == ErrorCode::kNotFinite);
  CHECK(status.error().message() == "output[13, 2] is Infinity; expected a finite number");
  CHECK(moments.rows() == 10);
}

TEST_CASE("tables without what a reading needs are refused by name") {
  CHECK(TableMoments::create(0, true, FixedBits::k24, nullptr).error().argument == "input.cols");
  const float norm[] = {1, std::numeric_limits<float>::quiet_NaN()};
  CHECK(TableMoments::create(2, true, FixedBits::k24, norm).error().argument == "norm[0, 1]");
  const Matrix<float> zero = test::zeros(3, 2);
  const TableMoments moments = moments_of(zero, nullptr);
  CHECK(table_reading(moments, TableRole::kInput).error().message() ==
        "input is all zeros; expected at least one row that is not zero");
  CHECK(alignment_reading(moments, 0, 0).error().message() == "rows is 0; expected at least 2 that are not zero");
  CHECK(path_asymmetry(moments, false).value().asymmetry == 0);
  Matrix<float> constant = test::zeros(3, 2);
  for (std::size_t k = 0; k < 6; ++k) constant.data()[k] = 2;
  CHECK(alignment_reading(moments_of(constant, nullptr), 0, 0).error().message() ==
        "input is constant; expected rows that differ");
  CHECK(table_moments_bytes(896, true, FixedBits::k24) < 20'000'000);
}

}  // namespace
}  // namespace tied
