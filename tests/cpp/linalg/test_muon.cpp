#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "../../reference/muon_reference.h"
#include "linalg/muon.h"
#include "support.h"

using namespace tied;
using tied::test::Guarded;

namespace {

// Column j of the orthogonal cosine transform of size n: DCT-II, the columns of which are orthonormal.
double cosine_basis(std::size_t n, std::size_t i, std::size_t j) {
  constexpr double kPi = 3.14159265358979323846;
  const auto size = static_cast<double>(n);
  if (j == 0) return std::sqrt(1 / size);
  return std::sqrt(2 / size) * std::cos(kPi * (static_cast<double>(i) + 0.5) * static_cast<double>(j) / size);
}

// The matrix [rows, cols] with these singular values, whose singular vectors are columns of two cosine transforms.
double of_singular_values(const std::vector<double>& singular, std::size_t rows, std::size_t cols, std::size_t i,
                          std::size_t j) {
  double sum = 0;
  for (std::size_t k = 0; k < singular.size(); ++k) {
    sum += singular[k] * cosine_basis(rows, i, k) * cosine_basis(cols, j, k);
  }
  return sum;
}

double iterated(double s) {
  for (int step = 0; step < 5; ++step) s = 3.4445 * s - 4.7750 * s * s * s + 2.0315 * s * s * s * s * s;
  return s;
}

// The largest difference of any element from the matrix with the same singular vectors and the values `expected`.
template <class T>
double largest_error(const std::vector<double>& singular, const std::vector<double>& expected, std::size_t rows,
                     std::size_t cols) {
  Guarded<T> x(rows, cols);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) {
      x(i, j) = static_cast<T>(of_singular_values(singular, rows, cols, i, j));
    }
  }
  Guarded<T> workspace(1, static_cast<std::size_t>(muon_extent(rows, cols)));
  const MatrixView<T> found = orthogonalized(x.view(), workspace.view().data);
  CHECK(x.untouched_outside());
  CHECK(workspace.untouched_outside());
  double largest = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) {
      const double wanted = of_singular_values(expected, rows, cols, i, j);
      largest = std::max(largest, std::fabs(static_cast<double>(found(i, j)) - wanted));
    }
  }
  return largest;
}

struct MapShape {
  std::size_t rows;
  std::size_t cols;
};
constexpr MapShape kMapShapes[] = {{1, 1}, {1, 7}, {7, 1}, {5, 5}, {8, 12}, {12, 8}, {3, 40}, {40, 3}, {33, 17}};

}  // namespace

TEST_CASE("the singular values of an orthogonalized matrix are those of PyTorch, and its singular vectors stay") {
  for (const auto& [before, after] : muon_reference::kSingularValues) {
    // The Frobenius norm, by which the matrix is divided, is 1.
    const double rest = std::sqrt(1 - before * before);
    for (const auto& [rows, cols] : {kMapShapes[3], kMapShapes[4], kMapShapes[5]}) {
      CHECK(largest_error<double>({before, rest}, {after, iterated(rest)}, rows, cols) < 1e-12);
    }
  }
}

TEST_CASE_TEMPLATE("a matrix of any shape and size keeps its singular vectors, and its singular values come close to 1",
                   T, float, double) {
  for (const auto& [rows, cols] : kMapShapes) {
    for (const double size : {1e-3, 1.0, 1e8}) {
      std::vector<double> singular;
      double square = 0;
      for (std::size_t k = 0; k < std::min(rows, cols); ++k) {
        singular.push_back(size / (1 + static_cast<double>(k)));
        square += singular.back() * singular.back();
      }
      std::vector<double> expected;
      for (const double s : singular) {
        expected.push_back(iterated(s / std::sqrt(square)));
        CHECK(expected.back() > 0.67);
        CHECK(expected.back() < 1.21);
      }
      // Five steps, each of which can multiply an error by up to 3.4; elements are at most of size one.
      CHECK(largest_error<T>(singular, expected, rows, cols) < 500 * test::kRoundoff<T>);
    }
  }
}

TEST_CASE("singular values from 0.0015 of the norm on end between 0.67 and 1.21") {
  for (int i = 0; i <= 100'000; ++i) {
    const double after = iterated(0.0015 * std::pow(1 / 0.0015, i / 1e5));
    REQUIRE(after > 0.67);
    REQUIRE(after < 1.21);
  }
}

TEST_CASE("a matrix of zeros stays one, and a tiny one stays small") {
  for (const double size : {0.0, 1e-12}) {
    Guarded<float> x(3, 4);
    for (std::size_t i = 0; i < 3; ++i) std::fill_n(x.view().row(i), 4, static_cast<float>(size));
    std::vector<float> workspace(static_cast<std::size_t>(muon_extent(3, 4)));
    const MatrixView<float> found = orthogonalized(x.view(), workspace.data());
    // Divided by 1e-7 instead of its norm, then multiplied by at most 3.4445^5.
    for (std::size_t i = 0; i < 12; ++i) CHECK(std::fabs(static_cast<double>(found.data[i])) <= size / 1e-7 * 485);
  }
}

TEST_CASE_TEMPLATE("muon agrees with its formula over several steps at every shape", T, float, double) {
  constexpr double kRate = 0.02;
  constexpr double kMomentum = 0.9;
  constexpr double kDecay = 0.1;
  constexpr double kScale = 1.5;
  constexpr double kClip = 0.5;
  for (const auto& [rows, cols] : kMapShapes) {
    const std::size_t size = rows * cols;
    Guarded<T> w(rows, cols, 0, 1);
    Guarded<T> m(rows, cols, 0, 2);
    w.fill_normal(1);
    m.fill_normal(2, 0);
    std::vector<double> plain_w(size);
    std::vector<double> plain_m(size, 0);
    for (std::size_t i = 0; i < size; ++i) plain_w[i] = static_cast<double>(w.view().data[i]);
    Guarded<T> workspace(1, static_cast<std::size_t>(muon_extent(rows, cols)));
    for (std::uint64_t step = 1; step <= 3; ++step) {
      Guarded<T> gradient(rows, cols, 0, 3);
      gradient.fill_normal(step + 10);
      muon_update<T>(w.view().data, m.view().data, gradient.view().data, rows, cols, kRate, kMomentum, kDecay, kScale,
                     kClip, workspace.view().data);
      // The direction in double precision, orthogonalized by what other tests compare with closed forms.
      std::vector<double> direction(size);
      for (std::size_t i = 0; i < size; ++i) {
        const double g = kClip * static_cast<double>(gradient.view().data[i]);
        plain_m[i] = kMomentum * plain_m[i] + (1 - kMomentum) * g;
        direction[i] = kMomentum * plain_m[i] + (1 - kMomentum) * g;
      }
      std::vector<double> scratch(static_cast<std::size_t>(muon_extent(rows, cols)));
      const MatrixView<double> update =
          orthogonalized(MatrixView<double>(direction.data(), rows, cols), scratch.data());
      for (std::size_t i = 0; i < size; ++i) plain_w[i] -= kRate * (kDecay * plain_w[i] + kScale * update.data[i]);
    }
    for (std::size_t i = 0; i < size; ++i) {
      // As above for the updates, of which three are added, times the rate and the scale.
      CHECK(std::fabs(static_cast<double>(w.view().data[i]) - plain_w[i]) <= 100 * test::kRoundoff<T>);
    }
    CHECK(w.untouched_outside());
    CHECK(m.untouched_outside());
    CHECK(workspace.untouched_outside());
  }
}
