#include "diagnostics/table_moments.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "diagnostics/alignment.h"
#include "diagnostics/isotropy.h"
#include "diagnostics/tables.h"
#include "table_moments.h"

namespace tied {
namespace {

using namespace test::table_moments;
using test::with_zero_rows;

struct DenseAsymmetry {
  double norm = 0;
  double skew = 0;
};

// ||A||_F and ||(A - A^T) / 2||_F of A = E diag(norm) U^T, entry by entry. `order`: of the rows of U, or none.
DenseAsymmetry dense_asymmetry(const Matrix<float>& e, const Matrix<float>& u, const std::vector<float>& norm,
                               const std::vector<std::uint32_t>& order = {}) {
  const auto entry = [&](std::size_t i, std::size_t j) {
    const std::size_t row = order.empty() ? j : order[j];
    double sum = 0;
    for (std::size_t k = 0; k < e.cols(); ++k) {
      sum += static_cast<double>(e(i, k)) * static_cast<double>(norm[k]) * static_cast<double>(u(row, k));
    }
    return sum;
  };
  DenseAsymmetry found;
  for (std::size_t i = 0; i < e.rows(); ++i) {
    for (std::size_t j = 0; j < e.rows(); ++j) {
      const double forward = entry(i, j);
      found.norm += forward * forward;
      if (j < i) found.skew += std::pow(forward - entry(j, i), 2) / 2;
    }
  }
  return {std::sqrt(found.norm), std::sqrt(found.skew)};
}

Matrix<float> first_rows(const Matrix<float>& m, std::size_t count) {
  Matrix<float> out = test::zeros(count, m.cols());
  std::copy_n(m.data(), count * m.cols(), out.data());
  return out;
}

TEST_CASE("singular values, dimensions and isotropy from sums are those of the whole table") {
  const Matrix<float> input = with_zero_rows(moments_input());
  const Matrix<float> output = with_zero_rows(moments_output());
  const TableMoments moments = moments_of(input, &output);
  for (const TableRole role : {TableRole::kInput, TableRole::kOutput}) {
    const Matrix<float>& table = role == TableRole::kInput ? input : output;
    CAPTURE(static_cast<int>(role));
    auto reading = table_reading(moments, role);
    REQUIRE(reading.ok());
    const TableReading& found = reading.value();
    CHECK(found.left_out == 2);
    for (const bool center : {false, true}) {
      auto spectrum = Spectrum::create(table.view(), center ? MeanRow::kSubtracted : MeanRow::kKept);
      REQUIRE(spectrum.ok());
      REQUIRE(spectrum.value().advance(1000).ok());
      const AlignedBuffer<double>& values = center ? found.centered : found.values;
      const Dimensions& dimensions = center ? found.centered_dimensions : found.dimensions;
      REQUIRE(values.size() == kCols);
      for (std::size_t k = 0; k < kCols; ++k) {
        CHECK(std::fabs(values[k] - spectrum.value().values()[k]) <= near(values[k]));
      }
      CHECK(std::fabs(dimensions.participation_ratio - spectrum.value().dimensions().participation_ratio) <= kRounding);
      CHECK(std::fabs(dimensions.effective_rank - spectrum.value().dimensions().effective_rank) <= kRounding);
    }
    auto isotropy = Isotropy::create(table.view());
    REQUIRE(isotropy.ok());
    REQUIRE(isotropy.value().advance(1000).ok());
    const IsotropyMeasures& whole = isotropy.value().measures();
    CHECK(std::fabs(found.mean_cosine - whole.mean_cosine) <= 1e-10);
    CHECK(std::fabs(found.iso_score - whole.iso_score) <= kRounding);
    CHECK(std::fabs(found.mean_share - whole.mean_share) <= kRounding);
  }
}

TEST_CASE("sums of 16 bits are near those of 24, in proportion to their rounding") {
  const Matrix<float> input = with_zero_rows(moments_input());
  const Matrix<float> output = with_zero_rows(moments_output());
  const TableMoments wide = moments_of(input, &output);
  const TableMoments narrow = moments_of(input, &output, nullptr, kRows, nullptr, FixedBits::k16);
  // How much rounding changes columns of normal entries, relative to their root mean square: see
  // test_fixed_products.cpp. An asymmetry changes less, since roundings of many entries cancel.
  constexpr double kNarrow = 5e-5;
  CHECK(path_asymmetry(narrow, false).value().asymmetry != path_asymmetry(wide, false).value().asymmetry);
  CHECK(std::fabs(path_asymmetry(narrow, false).value().asymmetry - path_asymmetry(wide, false).value().asymmetry) <=
        kNarrow / 10);
  for (const TableRole role : {TableRole::kInput, TableRole::kOutput}) {
    auto found = table_reading(narrow, role);
    auto expected = table_reading(wide, role);
    REQUIRE(found.ok());
    REQUIRE(expected.ok());
    for (std::size_t k = 0; k < kCols; ++k) {
      CHECK(std::fabs(found.value().values[k] / expected.value().values[k] - 1) <= kNarrow);
    }
    // From sums over rows alone, which are in double.
    CHECK(found.value().mean_cosine == expected.value().mean_cosine);
  }
}

TEST_CASE("residuals from sums are those of alignments of the tables") {
  const Matrix<float> input = with_zero_rows(moments_input());
  const Matrix<float> output = with_zero_rows(moments_output());
  auto made = alignment_reading(moments_of(input, &output), 0, 1);
  REQUIRE(made.ok());
  const TableAlignment& found = made.value();
  const auto residual = [&](AlignmentMethod method) {
    auto alignment = Alignment::create(input.view(), output.view(), {.method = method, .null_runs = 0});
    REQUIRE(alignment.ok());
    REQUIRE(alignment.value().advance(1000).ok());
    return alignment.value().agreement().residual;
  };
  // Alignments multiply in float.
  CHECK(std::fabs(found.identity - residual(AlignmentMethod::kIdentity)) <= 1e-6);
  CHECK(std::fabs(found.orthogonal - residual(AlignmentMethod::kOrthogonal)) <= 1e-6);
  REQUIRE(found.linear);
  CHECK(std::fabs(*found.linear - residual(AlignmentMethod::kLinear)) <= 1e-6);
  CHECK(*found.linear < found.orthogonal);
  CHECK(found.orthogonal < found.identity);
}

TEST_CASE("the null of an alignment is what shuffled rows give") {
  const Matrix<float> input = moments_input();
  const Matrix<float> output = moments_output();
  constexpr std::size_t kRuns = 200;
  auto null = alignment_reading(moments_of(input, &output), kRuns, 5);
  REQUIRE(null.ok());
  REQUIRE(null.value().null_cosines.size() == kRuns);
  double cosine = 0;
  for (const double run : null.value().null_cosines) cosine += run / kRuns;

  Random random(6, stream_of("test orders"));
  std::vector<std::uint32_t> order(kRows);
  for (std::uint32_t i = 0; i < kRows; ++i) order[i] = i;
  double shuffled_cosine = 0;
  double squared_residual = 0;
  for (std::size_t run = 0; run < kRuns; ++run) {
    shuffle(order, random);
    Matrix<float> shuffled = test::zeros(kRows, kCols);
    for (std::size_t i = 0; i < kRows; ++i) std::copy_n(output.view().row(order[i]), kCols, shuffled.view().row(i));
    auto found = alignment_reading(moments_of(input, &shuffled), 0, 1);
    REQUIRE(found.ok());
    shuffled_cosine += found.value().cosine / kRuns;
    squared_residual += *found.value().linear * *found.value().linear / kRuns;
  }
  // Means of 200 runs, whose standard errors are about a hundredth of them and a thousandth.
  CHECK(std::fabs(cosine / shuffled_cosine - 1) <= 0.03);
  CHECK(std::fabs(std::sqrt(squared_residual) - null.value().linear_by_chance) <= 0.002);
  CHECK(null.value().cosine > 5 * cosine);
}

TEST_CASE("the asymmetry is that of the matrix, without and with the final norm") {
  const Matrix<float> input = first_rows(moments_input(), 90);
  const Matrix<float> output = first_rows(moments_output(), 90);
  const std::vector<float> norm = moments_norm();
  const TableMoments moments = moments_of(input, &output, norm.data(), 7);
  for (const bool folded : {false, true}) {
    CAPTURE(folded);
    auto found = path_asymmetry(moments, folded);
    REQUIRE(found.ok());
    const DenseAsymmetry dense = dense_asymmetry(input, output, folded ? norm : std::vector<float>(kCols, 1.0F));
    CHECK(std::fabs(found.value().norm / dense.norm - 1) <= kRounding);
    CHECK(std::fabs(found.value().skew_norm / dense.skew - 1) <= kRounding);
    CHECK(std::fabs(found.value().asymmetry - dense.skew / dense.norm) <= kRounding);

    Random random(7, stream_of("test orders"));
    std::vector<std::uint32_t> order(90);
    for (std::uint32_t i = 0; i < 90; ++i) order[i] = i;
    double square = 0;
    constexpr int kRuns = 200;
    for (int run = 0; run < kRuns; ++run) {
      shuffle(order, random);
      const DenseAsymmetry one = dense_asymmetry(input, output, folded ? norm : std::vector<float>(kCols, 1.0F), order);
      square += std::pow(one.skew / one.norm, 2) / kRuns;
    }
    CHECK(std::fabs(found.value().by_chance - std::sqrt(square)) <= 0.002);
  }
}

TEST_CASE("tied tables are exactly symmetric, through a final norm too") {
  const Matrix<float> table = first_rows(moments_input(), 90);
  const std::vector<float> norm = moments_norm();
  const TableMoments moments = moments_of(table, nullptr, norm.data());
  CHECK(path_asymmetry(moments, false).value().asymmetry == 0);
  const PathAsymmetry folded = path_asymmetry(moments, true).value();
  CHECK(folded.asymmetry == 0);
  CHECK(std::fabs(folded.norm / dense_asymmetry(table, table, norm).norm - 1) <= kRounding);
  const TableAlignment found = alignment_reading(moments, 1, 1).value();
  CHECK(found.identity == 0);
  CHECK(found.orthogonal <= 1e-7);
  CHECK(std::fabs(found.cosine - 1) <= 1e-10);
  CHECK(found.linear.value() <= 1e-7);
  CHECK(moments.rows() == 90);
}

TEST_CASE("a small difference of the tables gives an asymmetry of its size") {
  const Matrix<float> input = first_rows(moments_input(), 90);
  Matrix<float> output = first_rows(moments_input(), 90);
  for (std::size_t k = 0; k < 90 * kCols; k += 7) output.data()[k] += 1e-4F;
  const DenseAsymmetry dense = dense_asymmetry(input, output, std::vector<float>(kCols, 1.0F));
  const PathAsymmetry found = path_asymmetry(moments_of(input, &output), false).value();
  CHECK(dense.skew / dense.norm < 1e-4);
  CHECK(std::fabs(found.skew_norm / dense.skew - 1) <= 1e-6);
}

TEST_CASE("readings of an output table that is far shorter than the input table are as exact as of any other") {
  const Matrix<float> input = moments_input();
  const std::vector<float> norm = moments_norm();
  for (const float factor : {1e-2F, 1e-5F, 1e-9F, 1e-12F}) {
    CAPTURE(factor);
    Matrix<float> output = moments_output();
    for (std::size_t k = 0; k < kRows * kCols; ++k) output.data()[k] *= factor;
    const TableMoments moments = moments_of(input, &output, norm.data(), 100);
    for (const bool folded : {false, true}) {
      const PathAsymmetry found = path_asymmetry(moments, folded).value();
      const DenseAsymmetry dense = dense_asymmetry(input, output, folded ? norm : std::vector<float>(kCols, 1.0F));
      CHECK(std::fabs(found.norm / dense.norm - 1) <= kRounding);
      CHECK(std::fabs(found.skew_norm / dense.skew - 1) <= kRounding);
    }
    // The same table at its own length, read as an input table.
    TableGrams grams;
    TableGrams others;
    const TableReading found = read_table(moments, grams, TableRole::kOutput).value();
    const TableReading alone = read_table(moments_of(output, nullptr), others, TableRole::kInput).value();
    for (std::size_t k = 0; k < kCols; ++k) CHECK(std::fabs(found.values[k] / alone.values[k] - 1) <= 1e-6);
    const double distance = read_drift(moments).value().distance;
    double squares[2] = {0, 0};
    for (std::size_t k = 0; k < kRows * kCols; ++k) {
      const auto e = static_cast<double>(input.data()[k]);
      squares[0] += std::pow(static_cast<double>(output.data()[k]) - e, 2);
      squares[1] += e * e;
    }
    CHECK(std::fabs(distance - std::sqrt(squares[0] / squares[1])) <= kRounding);
  }
}

}  // namespace
}  // namespace tied
