#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/random.h"
#include "linalg/decompositions.h"
#include "linalg/fixed_products.h"

namespace tied {
namespace {

using Columns = std::vector<std::vector<float>>;  // [rows][cols]

Columns random_rows(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Random random(seed, stream_of("fixed rows"));
  Columns made(rows, std::vector<float>(cols));
  for (auto& row : made) {
    // Columns of very different sizes.
    for (std::size_t j = 0; j < cols; ++j) {
      row[j] = static_cast<float>(std::ldexp(random.normal(), 7 * static_cast<int>(j % 5) - 12));
    }
  }
  return made;
}

FixedRows packed(const Columns& rows, FixedBits bits, int exponent = 0) {
  FixedRows made = FixedRows::create(rows[0].size(), bits).value();
  for (std::size_t i = 0; i < rows.size(); ++i) std::copy(rows[i].begin(), rows[i].end(), made.row(i));
  made.pack(rows.size(), exponent);
  return made;
}

// A column in units of a power of two in which its largest entry is below 2^23 or, rounded, 2^15; and that power.
struct WholeColumn {
  std::vector<std::int64_t> entries;
  double unit = 0;
};
WholeColumn whole_column(const Columns& rows, std::size_t j, FixedBits bits) {
  double largest = 0;
  for (const auto& row : rows) largest = std::max(largest, std::fabs(static_cast<double>(row[j])));
  int above = 0;
  std::frexp(largest, &above);
  WholeColumn found;
  found.unit = std::ldexp(1.0, above - (bits == FixedBits::k16 ? 15 : 23));
  if (bits == FixedBits::k16 && std::rint(largest / found.unit) == 0x1p15) found.unit *= 2;
  for (const auto& row : rows) {
    found.entries.push_back(std::llrint(static_cast<double>(row[j]) / found.unit));
  }
  return found;
}

double whole_product(const WholeColumn& a, const WholeColumn& b) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < a.entries.size(); ++i) sum += a.entries[i] * b.entries[i];
  return static_cast<double>(sum) * a.unit * b.unit;
}

// Two roundings of a sum below 2^54.
void check_near(double found, double expected, double length) {
  CHECK(std::fabs(found - expected) <= std::ldexp(length, -51));
}

Matrix<double> zeros(std::size_t rows, std::size_t cols) { return Matrix<double>::create(rows, cols).value(); }

void check_products_of(std::size_t rows, FixedBits bits) {
  for (const std::size_t cols : {1U, 4U, 13U, 24U}) {
    CAPTURE(cols);
    const Columns left = random_rows(rows, cols, 1);
    const Columns right = random_rows(rows, cols + 3, 2);
    const FixedRows a = packed(left, bits);
    Matrix<double> gram = zeros(cols, cols);
    Matrix<double> cross = zeros(cols, cols + 3);
    add_gram_lower(gram.view(), a);
    add_products(cross.view(), a, packed(right, bits));
    for (std::size_t i = 0; i < cols; ++i) {
      const WholeColumn column = whole_column(left, i, bits);
      const double size = std::sqrt(whole_product(column, column));
      for (std::size_t j = 0; j < cols + 3; ++j) {
        const WholeColumn other = whole_column(right, j, bits);
        check_near(cross(i, j), whole_product(column, other), size * std::sqrt(whole_product(other, other)));
      }
      for (std::size_t j = 0; j <= i; ++j) {
        const WholeColumn other = whole_column(left, j, bits);
        check_near(gram(i, j), whole_product(column, other), size * std::sqrt(whole_product(other, other)));
      }
    }
  }
}

TEST_CASE("fixed products equal those of rounded columns, to the last digits of double") {
  for (const FixedBits bits : {FixedBits::k16, FixedBits::k24}) {
    for (const std::size_t rows : {1U, 7U, 128U, 256U}) {
      CAPTURE(rows);
      CAPTURE(bits == FixedBits::k16);
      check_products_of(rows, bits);
    }
  }
}

TEST_CASE("columns of the largest and smallest digits do not overflow") {
  // 2^23 - 1 has the digits 2^11 and -1; (2^11 - 1) 2^12 + 2^11 - 1 has the largest sum of digits; for 2^23 - 2^11,
  // with the digits 2^11 and -2^11, the products of upper with lower digits sum to -2^31.
  for (const float value : {8388607.0F, -8388608.0F, 8386559.0F, -8386559.0F, 8386560.0F, -8386560.0F, 8388608.0F}) {
    CAPTURE(value);
    const Columns rows(kFixedRows, std::vector<float>(8, value));
    Matrix<double> gram = zeros(8, 8);
    add_gram_lower(gram.view(), packed(rows, FixedBits::k24));
    const double square = static_cast<double>(value) * static_cast<double>(value);
    CHECK(std::fabs(gram(7, 0) / (static_cast<double>(kFixedRows) * square) - 1) <= 0x1p-51);
  }
}

TEST_CASE("columns of the largest and smallest 16-bit integers, which wrap around, are exact") {
  // The squares of four rows of 23170 sum to less than 2^31, those of 23171 to more; 65535 would be rounded to 2^15
  // units, so it gets units of twice the size.
  for (const float value : {32767.0F, 23171.0F, 23170.0F, 16384.0F, 16383.0F, 65535.0F}) {
    for (const float other : {value, -value}) {
      CAPTURE(value);
      CAPTURE(other);
      Columns rows(kFixedRows, std::vector<float>(8, value));
      for (auto& row : rows) row[7] = other;
      Matrix<double> gram = zeros(8, 8);
      add_gram_lower(gram.view(), packed(rows, FixedBits::k16));
      const auto whole = static_cast<double>(value == 65535.0F ? 65536.0F : value);
      CHECK(gram(6, 0) == static_cast<double>(kFixedRows) * whole * whole);
      CHECK(gram(7, 0) == (other < 0 ? -1 : 1) * gram(6, 0));
    }
  }
}

TEST_CASE("products of 16-bit integers are exact where only a few rows are too long to be added up four at a time") {
  // Wherever they are in a group of four, and however many: from half to all of a sum of 2^32.
  for (std::size_t long_rows = 1; long_rows <= 4; ++long_rows) {
    for (std::size_t first = 60; first < 64; ++first) {
      CAPTURE(long_rows);
      CAPTURE(first);
      Columns rows = random_rows(kFixedRows, 40, 3);
      for (auto& row : rows) {
        for (float& entry : row) entry = std::round(std::clamp(entry * 0x1p12F, -9999.0F, 9999.0F));
      }
      for (std::size_t i = first; i < first + long_rows; ++i) {
        for (std::size_t j = 0; j < 40; j += 3) rows[i][j] = i % 2 == 0 ? 32767.0F : -32767.0F;
      }
      rows[first][39] = 32767.0F;
      const FixedRows block = packed(rows, FixedBits::k16);
      Matrix<double> gram = zeros(40, 40);
      add_gram_lower(gram.view(), block);
      Matrix<double> cross = zeros(40, 40);
      add_products(cross.view(), block, block);
      std::vector<WholeColumn> columns;
      for (std::size_t j = 0; j < 40; ++j) columns.push_back(whole_column(rows, j, FixedBits::k16));
      for (std::size_t i = 0; i < 40; ++i) {
        for (std::size_t j = 0; j < 40; ++j) {
          const double expected = whole_product(columns[i], columns[j]);
          CHECK(cross(i, j) == expected);
          if (j <= i) CHECK(gram(i, j) == expected);
        }
      }
    }
  }
}

TEST_CASE("16-bit integers preserve the precision of elements stored in 16 bits") {
  // The change by rounding to 16 bits, compared with the change by storing in F16, relative to a column's root mean
  // square.
  for (const double longest : {1.0, 1000.0}) {
    CAPTURE(longest);
    Random random(9, stream_of("fixed rows"));
    Columns rows(kFixedRows, std::vector<float>(4));
    for (auto& row : rows) {
      for (float& entry : row) entry = static_cast<float>(random.normal());
    }
    rows[100][2] *= static_cast<float>(longest);
    const WholeColumn column = whole_column(rows, 2, FixedBits::k16);
    double squares = 0;
    double changes = 0;
    for (std::size_t i = 0; i < kFixedRows; ++i) {
      const auto entry = static_cast<double>(rows[i][2]);
      squares += entry * entry;
      changes += std::pow(static_cast<double>(column.entries[i]) * column.unit - entry, 2);
    }
    CHECK(std::sqrt(changes / squares) <= (longest == 1 ? 5e-5 : 2.8e-4));
    Matrix<double> gram = zeros(4, 4);
    add_gram_lower(gram.view(), packed(rows, FixedBits::k16));
    CHECK(std::fabs(std::sqrt(gram(2, 2) / squares) - 1) <= (longest == 1 ? 5e-5 : 2.8e-4));
  }
}

TEST_CASE("entries of every size, zeros, and an additional power of two") {
  for (const FixedBits bits : {FixedBits::k16, FixedBits::k24}) {
    const float largest = std::numeric_limits<float>::max();
    const float least = std::numeric_limits<float>::denorm_min();
    const Columns rows = {{largest, least, 0, 1}, {-largest, 3 * least, 0, -0.0F}};
    Matrix<double> gram = zeros(4, 4);
    add_gram_lower(gram.view(), packed(rows, bits, 1));
    CHECK(std::fabs(gram(0, 0) / (8 * std::pow(static_cast<double>(largest), 2)) - 1) <= 1e-6);
    CHECK(gram(1, 1) == 40 * std::pow(static_cast<double>(least), 2));
    CHECK(gram(2, 2) == 0);
    CHECK(gram(2, 0) == 0);
    CHECK(gram(3, 3) == 4);
    // Rows of an earlier block are gone.
    FixedRows reused = packed(Columns(kFixedRows, std::vector<float>(4, 1.0F)), bits);
    std::fill_n(reused.row(0), 4, 2.0F);
    reused.pack(1);
    Matrix<double> one = zeros(4, 4);
    add_gram_lower(one.view(), reused);
    CHECK(one(3, 0) == 4);
  }
}

TEST_CASE("products are added to the existing values, and nothing else is written") {
  const Columns rows = random_rows(40, 11, 3);
  const FixedRows a = packed(rows, FixedBits::k24);
  Matrix<double> wide = zeros(11, 16);
  for (std::size_t k = 0; k < 11 * 16; ++k) wide.data()[k] = 3;
  const MatrixView<double> part(wide.data(), 11, 11, 16);
  Matrix<double> alone = zeros(11, 11);
  add_products(part, a, a);
  add_products(alone.view(), a, a);
  for (std::size_t i = 0; i < 11; ++i) {
    for (std::size_t j = 0; j < 16; ++j) CHECK(wide(i, j) == (j < 11 ? 3 + alone(i, j) : 3));
    for (std::size_t j = 0; j < i; ++j) CHECK(alone(i, j) == alone(j, i));
  }
}

TEST_CASE("singular values a millionth of the largest survive") {
  // Rows a + 1e-6 b of two directions: in products of floats the second singular value would be lost.
  constexpr std::size_t kCols = 8;
  constexpr std::size_t kBlocks = 8;
  Random random(5, stream_of("fixed rows"));
  Matrix<double> fixed = zeros(kCols, kCols);
  Matrix<double> exact = zeros(kCols, kCols);
  for (std::size_t block = 0; block < kBlocks; ++block) {
    Columns rows(kFixedRows, std::vector<float>(kCols));
    for (auto& row : rows) {
      const double a = random.normal();
      const double b = 1e-6 * random.normal();
      for (std::size_t j = 0; j < kCols; ++j) row[j] = static_cast<float>(a + (j % 2 == 0 ? b : -b));
      for (std::size_t i = 0; i < kCols; ++i) {
        for (std::size_t j = 0; j < kCols; ++j)
          exact(i, j) += static_cast<double>(row[i]) * static_cast<double>(row[j]);
      }
    }
    add_gram_lower(fixed.view(), packed(rows, FixedBits::k24));
  }
  for (std::size_t i = 0; i < kCols; ++i) {
    for (std::size_t j = 0; j < i; ++j) fixed(j, i) = fixed(i, j);
  }
  const auto found = symmetric_eigenvalues(fixed.view());
  const auto expected = symmetric_eigenvalues(exact.view());
  REQUIRE(found.ok());
  REQUIRE(expected.ok());
  const auto root = [](double square) { return std::sqrt(std::max(0.0, square)); };
  const double largest = root(expected.value()[kCols - 1]);
  CHECK(root(expected.value()[kCols - 2]) < 2e-6 * largest);
  for (const std::size_t k : {kCols - 1, kCols - 2}) {
    CHECK(std::fabs(root(found.value()[k]) - root(expected.value()[k])) <= 5e-8 * largest);
  }
  CHECK(std::fabs(root(found.value()[kCols - 2]) / root(expected.value()[kCols - 2]) - 1) <= 0.05);
}

}  // namespace
}  // namespace tied
