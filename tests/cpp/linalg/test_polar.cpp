#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "../../reference/polar_reference.h"
#include "linalg/polar.h"
#include "support.h"

using namespace tied;
using tied::test::Guarded;

namespace {

// An orthogonal matrix of determinant (-1)^reflections, exact to rounding.
Guarded<double> reflections(std::size_t n, int count, std::uint64_t seed) {
  Random random(seed, stream_of("reflections"));
  Guarded<double> q(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) q(i, j) = i == j ? 1 : 0;
  }
  std::vector<double> v(n);
  for (int r = 0; r < count; ++r) {
    double norm = 0;
    for (double& x : v) {
      x = random.normal();
      norm += x * x;
    }
    for (std::size_t i = 0; i < n; ++i) {
      double along = 0;
      for (std::size_t j = 0; j < n; ++j) along += q(i, j) * v[j];
      for (std::size_t j = 0; j < n; ++j) q(i, j) -= 2 * along * v[j] / norm;
    }
  }
  return q;
}

template <class A, class B>
Guarded<double> product(const A& a, bool a_transposed, const B& b, bool b_transposed) {
  const auto rows = a_transposed ? a.view().cols : a.view().rows;
  const auto depth = a_transposed ? a.view().rows : a.view().cols;
  const auto cols = b_transposed ? b.view().rows : b.view().cols;
  Guarded<double> out(rows, cols);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < depth; ++k) {
        sum += static_cast<double>(a_transposed ? a(k, i) : a(i, k)) *
               static_cast<double>(b_transposed ? b(j, k) : b(k, j));
      }
      out(i, j) = sum;
    }
  }
  return out;
}

// U diag(values) V^T with U [rows, n] and V [n, n] made of reflections; rounded to T.
template <class T>
Guarded<T> with_singular_values(std::size_t rows, const std::vector<double>& values, std::uint64_t seed) {
  const std::size_t n = values.size();
  Guarded<double> u = reflections(rows, 3, seed);
  const Guarded<double> v = reflections(n, 2, seed + 1);
  Guarded<double> scaled(rows, n);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < n; ++j) scaled(i, j) = u(i, j) * values[j];
  }
  const Guarded<double> whole = product(scaled, false, v, true);
  Guarded<T> m(rows, n, 3, 1);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < n; ++j) m(i, j) = static_cast<T>(whole(i, j));
  }
  return m;
}

std::vector<double> spread(std::size_t n, double condition) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double place = n == 1 ? 0 : static_cast<double>(i) / static_cast<double>(n - 1);
    values[i] = std::pow(condition, -place);
  }
  return values;
}

template <class A, class B>
double largest_difference(const A& a, const B& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.view().rows; ++i) {
    for (std::size_t j = 0; j < a.view().cols; ++j) {
      largest = std::max(largest, std::fabs(static_cast<double>(a(i, j)) - static_cast<double>(b(i, j))));
    }
  }
  return largest;
}

// max |Q^T Q - I|
template <class T>
double orthogonality_error(const Guarded<T>& q) {
  return largest_difference(product(q, true, q, false), reflections(q.view().cols, 0, 1));
}

template <class T>
Guarded<T> polar_factor(const Guarded<T>& a) {
  Guarded<T> q(a.view().rows, a.view().cols, 2, 3);
  auto solver = PolarSolver<T>::create(a.view().rows, a.view().cols);
  REQUIRE(solver.ok());
  REQUIRE(solver.value().factor(q.view(), a.view()).ok());
  CHECK(q.untouched_outside());
  return q;
}

// Rounding errors of a step grow at most with the root of the size, and there are a handful of steps.
template <class T>
double rounding(std::size_t n) {
  return 16 * test::kRoundoff<T> * std::sqrt(static_cast<double>(n) + 8);
}

// Extra error of the steps with large weights, which run in double: half a root of the weight c times the weight a,
// about condition^(4/3) roundings of double.
template <class T>
double rounding(std::size_t n, double condition) {
  return 2 * rounding<T>(n) + test::kRoundoff<double> * std::pow(condition, 4.0 / 3);
}

// Sizes around the blocks of the factor (32 columns) and the tiles of the products.
const std::size_t kSizes[] = {1, 2, 3, 7, 31, 32, 33, 64, 65, 97, 130};

}  // namespace

TEST_CASE_TEMPLATE("a rotation times a positive definite matrix gives back the rotation", T, float, double) {
  // H = [[2, 1], [1, 3]]; Q rotates by an angle whose sine and cosine are exact.
  const double c = 0.6;
  const double s = 0.8;
  Guarded<T> a(2, 2);
  a(0, 0) = static_cast<T>(2 * c - s);
  a(0, 1) = static_cast<T>(c - 3 * s);
  a(1, 0) = static_cast<T>(2 * s + c);
  a(1, 1) = static_cast<T>(s + 3 * c);
  const Guarded<T> q = polar_factor(a);
  CHECK(std::fabs(static_cast<double>(q(0, 0)) - c) < 4 * test::kRoundoff<T>);
  CHECK(std::fabs(static_cast<double>(q(0, 1)) + s) < 4 * test::kRoundoff<T>);
  CHECK(std::fabs(static_cast<double>(q(1, 0)) - s) < 4 * test::kRoundoff<T>);
  CHECK(std::fabs(static_cast<double>(q(1, 1)) - c) < 4 * test::kRoundoff<T>);
}

TEST_CASE_TEMPLATE("the factor of a 1 x 1 matrix is its sign", T, float, double) {
  for (const double x : {3.0, -0.25, 1e-30, -1e30}) {
    Guarded<T> a(1, 1);
    a(0, 0) = static_cast<T>(x);
    CHECK(static_cast<double>(polar_factor(a)(0, 0)) == doctest::Approx(x > 0 ? 1 : -1).epsilon(rounding<T>(1)));
  }
}

TEST_CASE_TEMPLATE("the factor is orthonormal and Q^T a symmetric, for any size and condition", T, float, double) {
  for (const std::size_t n : kSizes) {
    for (const double condition : {1.0, 30.0, 1e4, 1e6}) {
      for (const std::size_t rows : {n, n + 5, 2 * n + 3}) {
        if (rows > n && n > 65) continue;
        CAPTURE(n);
        CAPTURE(rows);
        CAPTURE(condition);
        const Guarded<T> a = with_singular_values<T>(rows, spread(n, condition), n);
        const Guarded<T> q = polar_factor(a);
        CHECK(orthogonality_error(q) < rounding<T>(n));
        // H = Q^T a is symmetric, and Q H is a again.
        const Guarded<double> h = product(q, true, a, false);
        Guarded<double> symmetric(n, n);
        for (std::size_t i = 0; i < n; ++i) {
          for (std::size_t j = 0; j < n; ++j) symmetric(i, j) = (h(i, j) + h(j, i)) / 2;
        }
        CHECK(largest_difference(h, symmetric) < rounding<T>(n, condition));
        CHECK(largest_difference(product(q, false, symmetric, false), a) < rounding<T>(n, condition));
      }
    }
  }
}

TEST_CASE_TEMPLATE("an orthogonal matrix is its own factor, whatever its determinant", T, float, double) {
  for (const std::size_t n : kSizes) {
    for (const int count : {1, 2}) {
      const Guarded<double> q = reflections(n, count, n);
      Guarded<T> a(n, n);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) a(i, j) = static_cast<T>(q(i, j));
      }
      CHECK(largest_difference(polar_factor(a), q) < rounding<T>(n));
    }
  }
}

TEST_CASE_TEMPLATE("factors are those of LAPACK's singular value decomposition", T, float, double) {
  for (const reference::PolarCase& expected : reference::kPolarCases) {
    CAPTURE(expected.condition);
    Guarded<T> a(expected.rows, expected.cols);
    Guarded<double> q(expected.rows, expected.cols);
    for (std::size_t i = 0; i < expected.rows; ++i) {
      for (std::size_t j = 0; j < expected.cols; ++j) {
        a(i, j) = static_cast<T>(expected.matrix[i * expected.cols + j]);
        q(i, j) = expected.factor[i * expected.cols + j];
      }
    }
    // Rounding the matrix rotates the factor by as many roundings as its condition number.
    const double tolerance = 2 * expected.condition * rounding<T>(expected.cols, expected.condition);
    CHECK(largest_difference(polar_factor(a), q) < tolerance);
  }
}

TEST_CASE_TEMPLATE("a matrix of lower rank gives a factor that is orthonormal on its range", T, float, double) {
  for (const std::size_t n : {2, 5, 33, 70}) {
    for (const std::size_t rank : {std::size_t{1}, n / 2, n - 1}) {
      CAPTURE(n);
      CAPTURE(rank);
      std::vector<double> values(n, 0.0);
      std::fill_n(values.begin(), rank, 1.5);
      const Guarded<T> a = with_singular_values<T>(n + 1, values, n);
      const Guarded<T> q = polar_factor(a);
      for (std::size_t i = 0; i < n + 1; ++i) {
        for (std::size_t j = 0; j < n; ++j) REQUIRE(std::isfinite(q(i, j)));
      }
      // a = Q H with H = V diag(values) V^T, so Q maps H's range as `a` does.
      const Guarded<double> v = reflections(n, 2, n + 1);
      const Guarded<double> mapped = product(q, false, v, false);
      const Guarded<double> u = reflections(n + 1, 3, n);
      const double tolerance = rounding<T>(n, 1 / kPolarRankTolerance);
      for (std::size_t j = 0; j < rank; ++j) {
        for (std::size_t i = 0; i < n + 1; ++i) CHECK(std::fabs(mapped(i, j) - u(i, j)) < tolerance);
      }
      // No singular value of Q exceeds 1.
      const Guarded<double> gram = product(mapped, true, mapped, false);
      for (std::size_t j = 0; j < n; ++j) CHECK(gram(j, j) < 1 + tolerance);
    }
  }
}

TEST_CASE_TEMPLATE("equal columns, zero columns and zero matrices have a factor", T, float, double) {
  Guarded<T> a(4, 3);
  for (std::size_t i = 0; i < 4; ++i) {
    a(i, 0) = a(i, 2) = static_cast<T>(i + 1);
    a(i, 1) = 0;
  }
  // a = u (1, 0, 1) |x| with x = (1, 2, 3, 4), u = x / |x|: Q is u (1, 0, 1) / sqrt(2).
  const Guarded<T> q = polar_factor(a);
  const double tolerance = rounding<T>(3, 1 / kPolarRankTolerance);
  for (std::size_t i = 0; i < 4; ++i) {
    const double expected = static_cast<double>(i + 1) / std::sqrt(60.0);
    CHECK(std::fabs(static_cast<double>(q(i, 0)) - expected) < tolerance);
    CHECK(std::fabs(static_cast<double>(q(i, 1))) < tolerance);
    CHECK(std::fabs(static_cast<double>(q(i, 2)) - expected) < tolerance);
  }
  Guarded<T> zeros(5, 4);
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 4; ++j) zeros(i, j) = 0;
  }
  const Guarded<T> none = polar_factor(zeros);
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 4; ++j) CHECK(none(i, j) == T{0});
  }
}

TEST_CASE_TEMPLATE("scaling by a power of two changes no bit, down to the smallest values", T, float, double) {
  Guarded<T> a(37, 33);
  a.fill_normal(5);
  const Guarded<T> q = polar_factor(a);
  const int least = std::numeric_limits<T>::min_exponent + 30;
  for (const int exponent : {-least, least, 20}) {
    Guarded<T> scaled(37, 33);
    for (std::size_t i = 0; i < 37; ++i) {
      for (std::size_t j = 0; j < 33; ++j) scaled(i, j) = std::ldexp(a(i, j), exponent);
    }
    CHECK(largest_difference(polar_factor(scaled), q) == 0);
  }
  Guarded<T> denormal(2, 2);
  denormal(0, 0) = denormal(1, 1) = 0;
  denormal(0, 1) = std::numeric_limits<T>::denorm_min();
  denormal(1, 0) = -std::numeric_limits<T>::denorm_min();
  const Guarded<T> turn = polar_factor(denormal);
  CHECK(static_cast<double>(turn(0, 1)) == doctest::Approx(1).epsilon(rounding<T>(2)));
  CHECK(static_cast<double>(turn(1, 0)) == doctest::Approx(-1).epsilon(rounding<T>(2)));
  CHECK(turn(0, 0) == T{0});
}

TEST_CASE("orthogonal Procrustes: the factor of X^T Y is the rotation that turned X into Y") {
  const std::size_t n = 48;
  Guarded<float> x(200, n);
  x.fill_normal(3);
  const Guarded<double> rotation = reflections(n, 4, 8);
  const Guarded<double> y = product(x, false, rotation, false);
  const Guarded<double> cross = product(x, true, y, false);
  Guarded<float> m(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) m(i, j) = static_cast<float>(cross(i, j));
  }
  CHECK(largest_difference(polar_factor(m), rotation) < 10 * rounding<float>(n));
}

TEST_CASE("a solver can be reused, and its output may be its input") {
  auto solver = PolarSolver<float>::create(40, 40);
  REQUIRE(solver.ok());
  Guarded<float> a(40, 40);
  a.fill_normal(1);
  const Guarded<float> expected = polar_factor(a);
  Guarded<float> other(40, 40);
  other.fill_normal(2);
  REQUIRE(solver.value().factor(other.view(), other.view()).ok());
  REQUIRE(solver.value().factor(a.view(), a.view()).ok());
  CHECK(largest_difference(a, expected) == 0);
  CHECK(solver.value().steps() >= 2);
  CHECK(solver.value().steps() <= 6);
}

TEST_CASE("wide matrices and elements that are not finite are refused, and nothing is written") {
  const auto wide = PolarSolver<float>::create(3, 4);
  REQUIRE_FALSE(wide.ok());
  CHECK(wide.error().code == ErrorCode::kShapeMismatch);
  auto solver = PolarSolver<double>::create(3, 2);
  REQUIRE(solver.ok());
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Guarded<double> a(3, 2);
    a.fill_normal(1);
    a(2, 1) = bad;
    Guarded<double> out(3, 2);
    const auto status = solver.value().factor(out.view(), a.view());
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().code == ErrorCode::kNotFinite);
    CHECK(out(0, 0) == Guarded<double>::kGuard);
  }
  // An empty matrix is not an error.
  auto empty = PolarSolver<double>::create(3, 0);
  REQUIRE(empty.ok());
  CHECK(empty.value().factor(MatrixView<double>(nullptr, 3, 0), MatrixView<double>(nullptr, 3, 0)).ok());
}
