#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "../baseline.h"
#include "linalg/matmul.h"
#include "support.h"

using namespace tied;
using tied::test::Guarded;

namespace {

enum class Form { kNN, kNT, kTN };
constexpr Form kForms[] = {Form::kNN, Form::kNT, Form::kTN};

template <class T>
void multiply(Form form, MatrixView<T> out, ConstMatrixView<T> a, ConstMatrixView<T> b,
              Accumulate accumulate = Accumulate::kOverwrite) {
  if (form == Form::kNN) matmul_nn<T>(out, a, b, accumulate);
  if (form == Form::kNT) matmul_nt<T>(out, a, b, accumulate);
  if (form == Form::kTN) matmul_tn<T>(out, a, b, accumulate);
}

template <class T>
Guarded<T> left(Form form, std::size_t m, std::size_t k, std::uint64_t seed) {
  return form == Form::kTN ? std::move(Guarded<T>(k, m, 3, 1).fill_normal(seed))
                           : std::move(Guarded<T>(m, k, 3, 1).fill_normal(seed));
}
template <class T>
Guarded<T> right(Form form, std::size_t k, std::size_t n, std::uint64_t seed) {
  return form == Form::kNT ? std::move(Guarded<T>(n, k, 1, 3).fill_normal(seed))
                           : std::move(Guarded<T>(k, n, 1, 3).fill_normal(seed));
}

// The largest |result - exact| over its bound, over all entries. The plain twin sums in long double or double. The
// bound holds for any order of summation: |error| <= (k + 2) u sum |a_ik b_kj| (Higham, "Accuracy and stability of
// numerical algorithms", section 3.1), with `start` counted as one more product.
template <class T>
double worst_error(Form form, const Guarded<T>& out, const Guarded<T>& a, const Guarded<T>& b, std::size_t m,
                   std::size_t n, std::size_t k, double start) {
  double worst = 0;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double exact = start;
      double magnitude = std::fabs(start);
      for (std::size_t p = 0; p < k; ++p) {
        const double product = static_cast<double>(form == Form::kTN ? a(p, i) : a(i, p)) *
                               static_cast<double>(form == Form::kNT ? b(j, p) : b(p, j));
        exact += product;
        magnitude += std::fabs(product);
      }
      const double error = std::fabs(static_cast<double>(out(i, j)) - exact);
      // The twin rounds as well if T = double, hence the factor of two.
      const double bound = 2 * static_cast<double>(k + 2) * test::kRoundoff<T> * magnitude;
      if (bound == 0 && error == 0) continue;
      worst = std::isfinite(error) ? std::fmax(worst, error / bound) : std::numeric_limits<double>::infinity();
    }
  }
  return worst;
}

template <class T>
void check_shape(std::size_t m, std::size_t n, std::size_t k) {
  for (const Form form : kForms) {
    const Guarded<T> a = left<T>(form, m, k, 1);
    const Guarded<T> b = right<T>(form, k, n, 2);
    for (const Accumulate accumulate : {Accumulate::kOverwrite, Accumulate::kAdd}) {
      Guarded<T> out(m, n, 2, 1);
      for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < n; ++j) out(i, j) = T(0.75);
      }
      multiply<T>(form, out.view(), a.view(), b.view(), accumulate);
      CAPTURE(m);
      CAPTURE(n);
      CAPTURE(k);
      CAPTURE(static_cast<int>(form));
      CHECK(worst_error(form, out, a, b, m, n, k, accumulate == Accumulate::kAdd ? 0.75 : 0.0) <= 1);
      CHECK(out.untouched_outside());
    }
  }
}

}  // namespace

TEST_CASE_TEMPLATE("all three forms agree with plain loops around the edges of tiles, panels and blocks", T, float,
                   double) {
  // Tiles of 4, 5 and 6 rows, and every remainder of them.
  for (std::size_t m = 1; m <= 19; ++m) {
    for (const std::size_t n : {1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33}) {
      for (const std::size_t k : {1, 2, 3, 4, 5, 9}) check_shape<T>(m, n, k);
    }
  }
  // Around the most rows that read b in place (64), the columns of a block of b (256) and the depth (256).
  for (const std::size_t m : {63, 64, 65}) {
    for (const std::size_t n : {7, 8, 9, 16}) check_shape<T>(m, n, 6);
  }
  for (const std::size_t n : {255, 256, 257, 264}) check_shape<T>(7, n, 5);
  for (const std::size_t k : {255, 256, 257, 513}) {
    check_shape<T>(9, 9, k);
    check_shape<T>(1, 17, k);
  }
  check_shape<T>(97, 270, 300);
}

TEST_CASE_TEMPLATE("factors that are copied because their rows are a power of two apart give the same bits", T, float,
                   double) {
  const std::size_t n = 24;
  const std::size_t k = 70;
  // In a^T b, the left factor is copied in blocks of 240 rows.
  for (const std::size_t m : {5, 64, 239, 240, 241}) {
    const std::size_t stride = 1024;
    Guarded<T> a(k, m, stride - m, 1);
    Guarded<T> b(k, n, stride - n, 2);
    a.fill_normal(1);
    b.fill_normal(2);
    Guarded<T> near_a(k, m);
    Guarded<T> near_b(k, n);
    near_a.fill_normal(1);
    near_b.fill_normal(2);
    for (const Accumulate accumulate : {Accumulate::kOverwrite, Accumulate::kAdd}) {
      Guarded<T> out(m, n, 1, 1);
      out.fill_normal(3);
      Guarded<T> near_out(m, n);
      near_out.fill_normal(3);
      matmul_tn<T>(out.view(), a.view(), b.view(), accumulate);
      matmul_tn<T>(near_out.view(), near_a.view(), near_b.view(), accumulate);
      std::size_t different = 0;
      for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < n; ++j) different += out(i, j) == near_out(i, j) ? 0 : 1;
      }
      CHECK(different == 0);
      CHECK(out.untouched_outside());
    }
  }
}

TEST_CASE_TEMPLATE("a factor that is packed for single rows gives the same bits as in place", T, float, double) {
  for (const std::size_t m : {1, 2, 5}) {
    for (const std::size_t n : {1, 15, 16, 31, 32, 33, 100}) {
      for (const std::size_t k : {1, 3, 64, 256, 300}) {
        const Guarded<T> a = left<T>(Form::kNT, m, k, 1);
        const Guarded<T> b = right<T>(Form::kNT, k, n, 2);
        Guarded<T> packed(n, k);
        pack_for_rows<T>(packed.view().data, b.view());
        for (const Accumulate accumulate : {Accumulate::kOverwrite, Accumulate::kAdd}) {
          Guarded<T> out(m, n, 1, 1);
          Guarded<T> expected(m, n, 1, 1);
          out.fill_normal(3);
          expected.fill_normal(3);
          matmul_packed<T>(out.view(), a.view(), b.view(), packed.view().data, accumulate);
          matmul_nt<T>(expected.view(), a.view(), b.view(), accumulate);
          std::size_t different = 0;
          for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = 0; j < n; ++j) different += out(i, j) == expected(i, j) ? 0 : 1;
          }
          CHECK(different == 0);
          CHECK(out.untouched_outside());
          CHECK(packed.untouched_outside());
        }
      }
    }
  }
}

TEST_CASE_TEMPLATE("empty products: without rows or columns nothing is written, without depth zeros", T, float,
                   double) {
  for (const Form form : kForms) {
    check_shape<T>(0, 3, 4);
    check_shape<T>(3, 0, 4);
    const Guarded<T> a = left<T>(form, 3, 0, 1);
    const Guarded<T> b = right<T>(form, 0, 5, 2);
    Guarded<T> out(3, 5);
    out.fill_normal(3);
    const T before = out(2, 4);
    multiply<T>(form, out.view(), a.view(), b.view(), Accumulate::kAdd);
    CHECK(out(2, 4) == before);
    multiply<T>(form, out.view(), a.view(), b.view());
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 5; ++j) CHECK(out(i, j) == 0);
    }
  }
}

TEST_CASE_TEMPLATE("a matrix times its own transpose is symmetric to the last bit", T, float, double) {
  for (const std::size_t n : {1, 2, 3, 5, 6, 7, 8, 9, 13, 31, 48, 65, 100, 257, 300}) {
    for (const std::size_t k : {1, 2, 3, 16, 64, 255, 256, 257, 600}) {
      Guarded<T> e(n, k, n % 3, n % 4);
      e.fill_normal(n * 1000 + k);
      Guarded<T> out(n, n, 1);
      matmul_nt<T>(out.view(), e.view(), e.view());
      std::size_t different = 0;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j) different += std::memcmp(&out(i, j), &out(j, i), sizeof(T)) == 0 ? 0 : 1;
      }
      CAPTURE(n);
      CAPTURE(k);
      CHECK(different == 0);
    }
  }
}

TEST_CASE_TEMPLATE("an entry's bits do not depend on the block of rows or columns in which it is computed", T, float,
                   double) {
  // More rows than a block of parts; columns and depth beyond a block of b.
  const std::size_t m = 23;
  const std::size_t n = 270;
  const std::size_t k = 300;
  for (const Form form : kForms) {
    const Guarded<T> a = left<T>(form, m, k, 5);
    const Guarded<T> b = right<T>(form, k, n, 6);
    Guarded<T> whole(m, n);
    multiply<T>(form, whole.view(), a.view(), b.view());
    for (const std::size_t rows : {1, 2, 3, 4, 5, 6, 13}) {
      for (const std::size_t cols : {1, 9, 100}) {
        Guarded<T> parts(m, n);
        for (std::size_t i = 0; i < m; i += rows) {
          for (std::size_t j = 0; j < n; j += cols) {
            const std::size_t height = i + rows < m ? rows : m - i;
            const std::size_t width = j + cols < n ? cols : n - j;
            const auto av = a.view();
            const auto bv = b.view();
            const ConstMatrixView<T> a_part =
                form == Form::kTN ? ConstMatrixView<T>(av.data + i, k, height, av.stride) : av.row_block(i, height);
            const ConstMatrixView<T> b_part =
                form == Form::kNT ? bv.row_block(j, width) : ConstMatrixView<T>(bv.data + j, k, width, bv.stride);
            const auto pv = parts.view();
            multiply<T>(form, MatrixView<T>(&pv(i, j), height, width, pv.stride), a_part, b_part);
          }
        }
        std::size_t different = 0;
        for (std::size_t i = 0; i < m; ++i) {
          for (std::size_t j = 0; j < n; ++j) different += parts(i, j) == whole(i, j) ? 0 : 1;
        }
        CHECK(different == 0);
      }
    }
  }
}

TEST_CASE_TEMPLATE("causal products equal whole ones to the bit except in masked entries", T, float, double) {
  for (const std::size_t row_offset : {0, 1, 7, 100, 300}) {
    for (const std::size_t rows : {1, 3, 4, 6, 7, 20, 64, 65}) {
      const std::size_t cols = rows + row_offset;
      const std::size_t width = row_offset % 2 == 0 ? 16 : 9;
      Guarded<T> queries(rows, width, 3, 1);
      Guarded<T> keys(cols, width, 5, 2);
      Guarded<T> scores(rows, cols, 2, 3);
      queries.fill_normal(rows);
      keys.fill_normal(cols);
      scores.fill_normal(rows + cols);
      Guarded<T> wanted(rows, cols);
      Guarded<T> got(rows, cols, 1, 1);
      matmul_nt<T>(wanted.view(), queries.view(), keys.view());
      matmul_nt<T>(got.view(), queries.view(), keys.view(), Accumulate::kOverwrite, row_offset);
      std::size_t different = 0;
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < cols; ++j) {
          if (j <= i + row_offset) {
            different += got(i, j) == wanted(i, j) ? 0 : 1;
          } else {
            scores(i, j) = 0;
          }
        }
      }
      CHECK(got.untouched_outside());
      for (const Accumulate accumulate : {Accumulate::kOverwrite, Accumulate::kAdd}) {
        Guarded<T> mixed(rows, width);
        mixed.fill_normal(1);
        Guarded<T> causal_mixed = mixed;
        matmul_nn<T>(mixed.view(), scores.view(), keys.view(), accumulate);
        matmul_nn<T>(causal_mixed.view(), scores.view(), keys.view(), accumulate, row_offset);
        Guarded<T> back(cols, width);
        back.fill_normal(2);
        Guarded<T> causal_back = back;
        matmul_tn<T>(back.view(), scores.view(), queries.view(), accumulate);
        matmul_tn<T>(causal_back.view(), scores.view(), queries.view(), accumulate, row_offset);
        for (std::size_t j = 0; j < width; ++j) {
          for (std::size_t i = 0; i < rows; ++i) different += mixed(i, j) == causal_mixed(i, j) ? 0 : 1;
          for (std::size_t i = 0; i < cols; ++i) different += back(i, j) == causal_back(i, j) ? 0 : 1;
        }
      }
      CAPTURE(rows);
      CAPTURE(row_offset);
      CHECK(different == 0);
    }
  }
}

TEST_CASE("NaN and infinity reach exactly the entries whose sums hold them") {
  const std::size_t n = 13;
  // Row by row, tiles with missing rows, b in place (n = 16), and b packed with padding.
  for (const std::size_t m : {2, 7, 11, 70}) {
    for (const std::size_t k : {9, 300}) {
      for (const Form form : kForms) {
        for (const float special : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
          const std::size_t row = m - 1;
          const std::size_t col = n - 2;
          CAPTURE(m);
          CAPTURE(k);
          CAPTURE(static_cast<int>(form));
          const Guarded<float> a = left<float>(form, m, k, 1);
          const Guarded<float> b = right<float>(form, k, n, 2);
          Guarded<float> out(m, n);
          Guarded<float> special_a = a;
          (form == Form::kTN ? special_a(3, row) : special_a(row, 3)) = special;
          multiply<float>(form, out.view(), special_a.view(), b.view());
          std::size_t wrong = 0;
          for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = 0; j < n; ++j) wrong += std::isfinite(out(i, j)) == (i != row) ? 0 : 1;
          }
          CHECK(wrong == 0);
          Guarded<float> special_b = b;
          (form == Form::kNT ? special_b(col, 3) : special_b(3, col)) = special;
          multiply<float>(form, out.view(), a.view(), special_b.view());
          wrong = 0;
          for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = 0; j < n; ++j) wrong += std::isfinite(out(i, j)) == (j != col) ? 0 : 1;
          }
          CHECK(wrong == 0);
        }
      }
    }
  }
}

TEST_CASE_TEMPLATE("an infinity times itself stays infinite: padding adds no NaN", T, float, double) {
  const T infinity = std::numeric_limits<T>::infinity();
  for (const Form form : kForms) {
    for (const std::size_t m : {1, 4, 6, 7}) {
      for (const std::size_t n : {1, 7, 9, 17}) {
        Guarded<T> a = form == Form::kTN ? Guarded<T>(5, m, 3, 1) : Guarded<T>(m, 5, 3, 1);
        Guarded<T> b = form == Form::kNT ? Guarded<T>(n, 5, 1, 3) : Guarded<T>(5, n, 1, 3);
        for (std::size_t k = 0; k < 5; ++k) {
          for (std::size_t i = 0; i < m; ++i) (form == Form::kTN ? a(k, i) : a(i, k)) = infinity;
          for (std::size_t j = 0; j < n; ++j) (form == Form::kNT ? b(j, k) : b(k, j)) = T(0.5);
        }
        Guarded<T> out(m, n, 2, 1);
        multiply<T>(form, out.view(), a.view(), b.view());
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < m; ++i) {
          for (std::size_t j = 0; j < n; ++j) wrong += out(i, j) == infinity ? 0 : 1;
        }
        CHECK(wrong == 0);
        CHECK(out.untouched_outside());
      }
    }
  }
}

TEST_CASE_TEMPLATE("denormal factors and results are not flushed to zero", T, float, double) {
  const T smallest = std::numeric_limits<T>::denorm_min();
  for (const Form form : kForms) {
    for (const std::size_t m : {1, 7, 20}) {
      const std::size_t n = 18;
      const std::size_t k = 6;
      Guarded<T> a = form == Form::kTN ? Guarded<T>(k, m) : Guarded<T>(m, k);
      Guarded<T> b = form == Form::kNT ? Guarded<T>(n, k) : Guarded<T>(k, n);
      for (std::size_t p = 0; p < k; ++p) {
        for (std::size_t i = 0; i < m; ++i) (form == Form::kTN ? a(p, i) : a(i, p)) = smallest * static_cast<T>(i + 1);
        for (std::size_t j = 0; j < n; ++j) (form == Form::kNT ? b(j, p) : b(p, j)) = static_cast<T>(j + 1);
      }
      Guarded<T> out(m, n);
      multiply<T>(form, out.view(), a.view(), b.view());
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          // An integer multiple of the smallest denormal, hence without any rounding.
          wrong += out(i, j) == smallest * static_cast<T>((i + 1) * (j + 1) * k) ? 0 : 1;
        }
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("products have these bits on every machine") {
  if (!test::has_baseline_bits()) return;
  // Recorded with the native build.
  Guarded<float> a(70, 300);
  Guarded<float> b(90, 300);
  a.fill_normal(11);
  b.fill_normal(12);
  Guarded<float> out(70, 90);
  matmul_nt<float>(out.view(), a.view(), b.view());
  CHECK(test::hash_of_bits(out.view()) == 0xfb8f713418c3380c);
}
