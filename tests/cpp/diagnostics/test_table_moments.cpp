#include "diagnostics/table_moments.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "diagnostics/alignment.h"
#include "diagnostics/isotropy.h"
#include "diagnostics/moment_readings.h"
#include "diagnostics/tables.h"
#include "support.h"

namespace tied {
namespace {

using test::normal_matrix;
using test::with_zero_rows;

// More rows than two blocks, and columns of different sizes that depend on each other.
constexpr std::size_t kRows = 700;
constexpr std::size_t kCols = 12;

Matrix<float> moments_input() {
  Matrix<float> m = normal_matrix(kRows, kCols, 3);
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t j = 0; j < kCols; ++j) {
      m(i, j) = m(i, j) * (1 + 0.3F * static_cast<float>(j)) + 0.2F * m(i, 0) + 0.4F;
    }
  }
  return m;
}

// Near the input table, but not equal to it.
Matrix<float> moments_output() {
  Matrix<float> m = moments_input();
  const Matrix<float> noise = normal_matrix(kRows, kCols, 4);
  for (std::size_t k = 0; k < kRows * kCols; ++k) m.data()[k] = 0.7F * m.data()[k] + noise.data()[k] - 0.1F;
  return m;
}

std::vector<float> moments_norm() {
  std::vector<float> norm;
  for (std::size_t j = 0; j < kCols; ++j) norm.push_back(0.5F + 0.25F * static_cast<float>(j));
  return norm;
}

// Sums of both tables, `parts` rows at a time; of a tied table if there is no output table.
TableMoments moments_of(const Matrix<float>& input, const Matrix<float>* output, const float* norm = nullptr,
                        std::size_t parts = kRows, Matrix<float>* readings = nullptr, FixedBits bits = FixedBits::k24) {
  auto made = TableMoments::create(input.cols(), output == nullptr, bits, norm);
  REQUIRE(made.ok());
  for (std::size_t i = 0; i < input.rows(); i += parts) {
    const std::size_t count = std::min(parts, input.rows() - i);
    Matrix<float> of_part = test::zeros(4, count);
    const auto rows_of = [&](const Matrix<float>* m) {
      return m == nullptr ? ConstMatrixView<float>() : m->view().row_block(i, count);
    };
    REQUIRE(made.value().add(rows_of(&input), rows_of(output), of_part.view()).ok());
    for (std::size_t k = 0; readings != nullptr && k < 4 * count; ++k) {
      (*readings)(k / count, i + k % count) = of_part.data()[k];
    }
  }
  made.value().flush();
  return std::move(made).value();
}

// Sums use entries that were rounded to 2^-24 of the largest of their column and block.
constexpr double kRounding = 1e-7;
double near(double value) { return std::max(1.0, std::fabs(value)) * kRounding; }

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

Result<TableReading> table_reading(const TableMoments& moments, TableRole role) {
  TableGrams grams;
  return read_table(moments, grams, role);
}

Result<TableAlignment> alignment_reading(const TableMoments& moments, std::size_t null_runs, std::uint64_t seed) {
  TableGrams grams;
  return read_alignment(moments, grams, null_runs, seed);
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

TEST_CASE("readings of rows, and bits that do not depend on how many rows are added at a time") {
  const Matrix<float> input = with_zero_rows(moments_input());
  const Matrix<float> output = with_zero_rows(moments_output());
  const std::vector<float> norm = moments_norm();
  Matrix<float> readings = test::zeros(4, kRows + 2);
  const TableMoments whole = moments_of(input, &output, norm.data(), kRows + 2, &readings);
  for (std::size_t i = 0; i < kRows + 2; i += 97) {
    double sums[4] = {};
    for (std::size_t j = 0; j < kCols; ++j) {
      const auto e = static_cast<double>(input(i, j));
      const auto u = static_cast<double>(output(i, j));
      sums[0] += e * e;
      sums[1] += u * u;
      sums[2] += e * u;
      sums[3] += e * u * static_cast<double>(norm[j]);
    }
    const double expected[4] = {std::sqrt(sums[0]), std::sqrt(sums[1]), sums[2], sums[3]};
    for (std::size_t k = 0; k < 4; ++k) {
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
  const Matrix<float> input = normal_matrix(150, 21, 5);
  const Matrix<float> output = normal_matrix(150, 21, 6);
  for (const Matrix<float>* other : {static_cast<const Matrix<float>*>(nullptr), &output}) {
    const bool tied = other == nullptr;
    const TableMoments whole = moments_of(input, other);
    std::vector<TableMoments> shares;
    for (const PanelShare share : {PanelShare{0, 2, 3}, PanelShare{2, 3, 3}}) {
      shares.push_back(std::move(TableMoments::create(21, tied, FixedBits::k24, nullptr, share)).value());
      Matrix<float> readings = test::zeros(4, 150);
      REQUIRE(shares.back().add(input.view(), tied ? input.view() : output.view(), readings.view()).ok());
      shares.back().flush();
    }
    const auto products =
        tied ? std::vector{MomentProduct::kGram}
             : std::vector{MomentProduct::kGram, MomentProduct::kDifferenceGram, MomentProduct::kCross};
    for (const MomentProduct which : products) {
      const ConstMatrixView<double> expected = whole.product(which);
      // The last panel is the third.
      CHECK(shares[0].product(which)(20, 20) == 0);
      CHECK(shares[1].product(which)(20, 20) == expected(20, 20));
      shares[0].join(which, shares[1].product(which).data);
      const ConstMatrixView<double> found = shares[0].product(which);
      CHECK(std::equal(expected.data, expected.data + std::size_t{21} * 21, found.data));
    }
  }
}

TEST_CASE("elements that are not finite are named by their row in the table, and nothing is added") {
  const Matrix<float> input = moments_input();
  Matrix<float> output = moments_output();
  auto made = TableMoments::create(kCols, false, FixedBits::k24, nullptr);
  REQUIRE(made.ok());
  TableMoments& moments = made.value();
  Matrix<float> readings = test::zeros(4, 10);
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
