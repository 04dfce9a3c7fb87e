// Several products in one call, compared with plain loops and with single calls.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "linalg/matmul.h"
#include "support.h"

using namespace tied;
using tied::test::Guarded;

namespace {

enum class BatchForm { kNN, kNT, kTN };
constexpr BatchForm kBatchForms[] = {BatchForm::kNN, BatchForm::kNT, BatchForm::kTN};

template <class T>
void multiply(BatchForm form, const ProductBatch& batch, MatrixView<T> out, ConstMatrixView<T> a, ConstMatrixView<T> b,
              Accumulate accumulate, std::size_t row_offset = kWholeProduct) {
  if (form == BatchForm::kNN) matmul_nn<T>(batch, out, a, b, accumulate, row_offset);
  if (form == BatchForm::kNT) matmul_nt<T>(batch, out, a, b, accumulate, row_offset);
  if (form == BatchForm::kTN) matmul_tn<T>(batch, out, a, b, accumulate, row_offset);
}

template <class T>
void multiply_alone(BatchForm form, MatrixView<T> out, ConstMatrixView<T> a, ConstMatrixView<T> b,
                    Accumulate accumulate, std::size_t row_offset = kWholeProduct) {
  if (form == BatchForm::kNN) matmul_nn<T>(out, a, b, accumulate, row_offset);
  if (form == BatchForm::kNT) matmul_nt<T>(out, a, b, accumulate, row_offset);
  if (form == BatchForm::kTN) matmul_tn<T>(out, a, b, accumulate, row_offset);
}

// Matrices of one shape in a guarded block: next to each other as query heads are, or one below the other as their
// scores are.
enum class Placed { kSideBySide, kBelow };

template <class T>
struct Matrices {
  std::size_t rows;
  std::size_t cols;
  Placed placed;
  Guarded<T> block;

  Matrices(std::size_t count, std::size_t rows_, std::size_t cols_, Placed placed_, std::uint64_t seed)
      : rows(rows_),
        cols(cols_),
        placed(placed_),
        block(placed_ == Placed::kBelow ? count * rows_ : rows_, placed_ == Placed::kBelow ? cols_ : count * cols_, 3,
              1) {
    block.fill_normal(seed);
  }

  std::size_t step() const { return placed == Placed::kBelow ? rows * block.view().stride : cols; }
  MatrixView<T> of(std::size_t i) {
    const MatrixView<T> whole = block.view();
    return {whole.data + i * step(), rows, cols, whole.stride};
  }
  T& at(std::size_t i, std::size_t row, std::size_t col) {
    return placed == Placed::kBelow ? block(i * rows + row, col) : block(row, i * cols + col);
  }
};

template <class T>
Matrices<T> left(BatchForm form, std::size_t count, std::size_t m, std::size_t k) {
  // In a b and a^T b, scores below each other are the left factors.
  return form == BatchForm::kTN
             ? Matrices<T>(count, k, m, Placed::kBelow, 1)
             : Matrices<T>(count, m, k, form == BatchForm::kNT ? Placed::kSideBySide : Placed::kBelow, 1);
}
template <class T>
Matrices<T> right(BatchForm form, std::size_t count, std::size_t k, std::size_t n) {
  return form == BatchForm::kNT ? Matrices<T>(count, n, k, Placed::kSideBySide, 2)
                                : Matrices<T>(count, k, n, Placed::kSideBySide, 2);
}
template <class T>
Matrices<T> results(BatchForm form, std::size_t count, std::size_t m, std::size_t n) {
  return Matrices<T>(count, m, n, form == BatchForm::kNT ? Placed::kBelow : Placed::kSideBySide, 3);
}

template <class T>
std::size_t different_bits(const Guarded<T>& x, const Guarded<T>& y) {
  const ConstMatrixView<T> one = x.view();
  const ConstMatrixView<T> other = y.view();
  std::size_t different = 0;
  for (std::size_t i = 0; i < one.rows; ++i) {
    different += std::memcmp(one.row(i), other.row(i), one.cols * sizeof(T)) == 0 ? 0 : 1;
  }
  return different;
}

template <class T>
void check_shape(std::size_t count, std::size_t m, std::size_t n, std::size_t k) {
  for (const BatchForm form : kBatchForms) {
    Matrices<T> a = left<T>(form, count, m, k);
    Matrices<T> b = right<T>(form, count, k, n);
    for (const Accumulate accumulate : {Accumulate::kOverwrite, Accumulate::kAdd}) {
      Matrices<T> out = results<T>(form, count, m, n);
      Matrices<T> start = out;
      Matrices<T> alone = out;
      multiply<T>(form, {count, out.step(), a.step(), b.step()}, out.of(0), a.of(0), b.of(0), accumulate);
      double worst = 0;
      for (std::size_t c = 0; c < count; ++c) {
        multiply_alone<T>(form, alone.of(c), a.of(c), b.of(c), accumulate);
        for (std::size_t i = 0; i < m; ++i) {
          for (std::size_t j = 0; j < n; ++j) {
            double exact = accumulate == Accumulate::kAdd ? static_cast<double>(start.at(c, i, j)) : 0;
            double magnitude = std::fabs(exact);
            for (std::size_t p = 0; p < k; ++p) {
              const double product = static_cast<double>(form == BatchForm::kTN ? a.at(c, p, i) : a.at(c, i, p)) *
                                     static_cast<double>(form == BatchForm::kNT ? b.at(c, j, p) : b.at(c, p, j));
              exact += product;
              magnitude += std::fabs(product);
            }
            // Any order of summation, twice since the twin rounds as well: see test_matmul.cpp.
            const double bound = 2 * static_cast<double>(k + 2) * test::kRoundoff<T> * magnitude;
            worst = std::fmax(worst, std::fabs(static_cast<double>(out.at(c, i, j)) - exact) - bound);
          }
        }
      }
      CAPTURE(count);
      CAPTURE(m);
      CAPTURE(n);
      CAPTURE(k);
      CAPTURE(static_cast<int>(form));
      CHECK(worst <= 0);
      CHECK(different_bits(out.block, alone.block) == 0);
      CHECK(out.block.untouched_outside());
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("each product of a batch agrees with plain loops, and to the bit with a single call", T, float,
                   double) {
  for (const std::size_t count : {1, 2, 3}) {
    for (const std::size_t m : {1, 3, 4, 5, 6, 7, 11}) {
      for (const std::size_t n : {1, 4, 7, 8, 9, 16}) {
        for (const std::size_t k : {1, 3, 4, 9}) check_shape<T>(count, m, n, k);
      }
    }
  }
  // Heads in a block of rows, and shapes that take several blocks of rows, columns or depth.
  check_shape<T>(4, 64, 64, 16);
  check_shape<T>(4, 64, 16, 64);
  check_shape<T>(2, 65, 16, 65);
  check_shape<T>(2, 7, 257, 9);
  check_shape<T>(2, 9, 9, 257);
}

TEST_CASE_TEMPLATE("a batch without products or with empty products writes nothing; without depth it writes zeros", T,
                   float, double) {
  for (const BatchForm form : kBatchForms) {
    Matrices<T> a = left<T>(form, 1, 5, 6);
    Matrices<T> b = right<T>(form, 1, 6, 7);
    Matrices<T> out = results<T>(form, 1, 5, 7);
    Matrices<T> start = out;
    multiply<T>(form, {0, 1, 1, 1}, out.of(0), a.of(0), b.of(0), Accumulate::kOverwrite);
    CHECK(different_bits(out.block, start.block) == 0);
    check_shape<T>(2, 0, 3, 4);
    check_shape<T>(2, 3, 0, 4);
    check_shape<T>(2, 3, 4, 0);
  }
}

TEST_CASE_TEMPLATE("products of a batch that add to one matrix add in order, and can share a factor", T, float,
                   double) {
  for (const BatchForm form : kBatchForms) {
    for (const std::size_t k : {6, 300}) {
      Matrices<T> a = left<T>(form, 3, 9, k);
      Matrices<T> b = right<T>(form, 3, k, 11);
      Matrices<T> out = results<T>(form, 1, 9, 11);
      Matrices<T> alone = out;
      multiply<T>(form, {3, 0, a.step(), b.step()}, out.of(0), a.of(0), b.of(0), Accumulate::kAdd);
      multiply<T>(form, {3, 0, a.step(), 0}, out.of(0), a.of(0), b.of(1), Accumulate::kAdd);
      multiply<T>(form, {3, 0, 0, b.step()}, out.of(0), a.of(2), b.of(0), Accumulate::kAdd);
      for (std::size_t c = 0; c < 3; ++c) multiply_alone<T>(form, alone.of(0), a.of(c), b.of(c), Accumulate::kAdd);
      for (std::size_t c = 0; c < 3; ++c) multiply_alone<T>(form, alone.of(0), a.of(c), b.of(1), Accumulate::kAdd);
      for (std::size_t c = 0; c < 3; ++c) multiply_alone<T>(form, alone.of(0), a.of(2), b.of(c), Accumulate::kAdd);
      CHECK(different_bits(out.block, alone.block) == 0);
      CHECK(out.block.untouched_outside());
    }
  }
}

TEST_CASE_TEMPLATE("causal products of a batch skip what single ones skip", T, float, double) {
  for (const std::size_t row_offset : {0, 3, 70}) {
    for (const std::size_t rows : {1, 5, 20, 64}) {
      const std::size_t cols = rows + row_offset;
      Matrices<T> queries(3, rows, 16, Placed::kSideBySide, 1);
      Matrices<T> keys(3, cols, 16, Placed::kSideBySide, 2);
      Matrices<T> scores(3, rows, cols, Placed::kBelow, 3);
      Matrices<T> alone = scores;
      const ProductBatch of_scores{3, scores.step(), queries.step(), keys.step()};
      multiply<T>(BatchForm::kNT, of_scores, scores.of(0), queries.of(0), keys.of(0), Accumulate::kOverwrite,
                  row_offset);
      for (std::size_t c = 0; c < 3; ++c) {
        multiply_alone<T>(BatchForm::kNT, alone.of(c), queries.of(c), keys.of(c), Accumulate::kOverwrite, row_offset);
        for (std::size_t i = 0; i < rows; ++i) {
          for (std::size_t j = i + row_offset + 1; j < cols; ++j) scores.at(c, i, j) = alone.at(c, i, j) = 0;
        }
      }
      CHECK(different_bits(scores.block, alone.block) == 0);

      Matrices<T> mixed = queries;
      Matrices<T> mixed_alone = queries;
      Matrices<T> back = keys;
      Matrices<T> back_alone = keys;
      multiply<T>(BatchForm::kNN, {3, mixed.step(), scores.step(), keys.step()}, mixed.of(0), scores.of(0), keys.of(0),
                  Accumulate::kOverwrite, row_offset);
      multiply<T>(BatchForm::kTN, {3, back.step(), scores.step(), queries.step()}, back.of(0), scores.of(0),
                  queries.of(0), Accumulate::kAdd, row_offset);
      for (std::size_t c = 0; c < 3; ++c) {
        multiply_alone<T>(BatchForm::kNN, mixed_alone.of(c), scores.of(c), keys.of(c), Accumulate::kOverwrite,
                          row_offset);
        multiply_alone<T>(BatchForm::kTN, back_alone.of(c), scores.of(c), queries.of(c), Accumulate::kAdd, row_offset);
      }
      CHECK(different_bits(mixed.block, mixed_alone.block) == 0);
      CHECK(different_bits(back.block, back_alone.block) == 0);
    }
  }
}

TEST_CASE("NaN and infinity stay in their own product of a batch") {
  for (const BatchForm form : kBatchForms) {
    for (const float special : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
      Matrices<float> a = left<float>(form, 3, 11, 9);
      Matrices<float> b = right<float>(form, 3, 9, 13);
      Matrices<float> out = results<float>(form, 3, 11, 13);
      a.at(1, 2, 3) = special;
      const std::size_t row = form == BatchForm::kTN ? 3 : 2;
      multiply<float>(form, {3, out.step(), a.step(), b.step()}, out.of(0), a.of(0), b.of(0), Accumulate::kOverwrite);
      std::size_t wrong = 0;
      for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t i = 0; i < 11; ++i) {
          for (std::size_t j = 0; j < 13; ++j) {
            wrong += std::isfinite(out.at(c, i, j)) == (c != 1 || i != row) ? 0 : 1;
          }
        }
      }
      CAPTURE(static_cast<int>(form));
      CHECK(wrong == 0);
    }
  }
}
