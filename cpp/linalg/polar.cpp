// The parts of one step X <- (b / c) X + (a - b / c) X Z^-1, Z = I + c X^T X = L L^T:
//
//   Gram matrix    the lower triangle of X^T X, by blocks of columns
//   factor         L, by blocks of kBlock columns; diagonal blocks are stored as inverses, so the rest is products
//   two solves     X L^-T, then that times L^-1, by blocks of columns
//
// Products can be added but not subtracted, so Z is formed with the opposite sign. That leaves -L below the diagonal,
// and later subtractions become additions.
#include "linalg/polar.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/allocate.h"
#include "base/random.h"
#include "linalg/blocks.h"
#include "linalg/matmul.h"
#include "linalg/reduce.h"

namespace tied {
namespace {

// Columns per block. Diagonal blocks are vector work and favor small blocks; products favor wide ones.
constexpr std::size_t kBlock = 32;

// Number of random vectors that estimate the extreme singular values, and of multiplications of each.
constexpr std::size_t kProbes = 3;
constexpr int kNormRounds = 8;
constexpr int kInverseRounds = 3;
// The estimate of the largest singular value is a few per cent too small, that of the smallest too large. Values
// slightly outside the assumed range converge as well.
constexpr double kNormMargin = 1.05;
constexpr double kSmallestMargin = 0.8;

// With a larger weight c, I + c X^T X in float would lose too much: its error is about c roundings of 1.
constexpr double kMaxNarrowWeight = 100;

// Singular values this close to 1 have converged: another step would only add rounding.
template <class T>
constexpr double kConverged = 2 * static_cast<double>(std::numeric_limits<T>::epsilon());

constexpr int kMaxSteps = 12;

template <class U>
using View = MatrixView<U>;

// Inverts the Cholesky factor of the symmetric s [n, n] = L L^T, n <= kBlock: out = L^-1; s is overwritten. The row
// operations that turn s into L^T turn the identity into L^-1.
template <class U>
void invert_factor(View<U> out, View<U> s) {
  const std::size_t n = s.rows;
  for (std::size_t i = 0; i < n; ++i) {
    std::fill_n(out.row(i), n, U{0});
    out(i, i) = U{1};
  }
  for (std::size_t k = 0; k < n; ++k) {
    // A pivot that rounding made negative belongs to a singular value of about 0.
    const U pivot = std::max(s(k, k), std::numeric_limits<U>::min());
    const U factor = U{1} / std::sqrt(pivot);
    scale(s.row(k) + k, n - k, factor);
    scale(out.row(k), k + 1, factor);
    for (std::size_t i = k + 1; i < n; ++i) {
      const U entry = -s(k, i);
      add_scaled(s.row(i) + i, s.row(k) + i, n - i, entry);
      add_scaled(out.row(i), out.row(k), k + 1, entry);
    }
  }
}

// z holds the lower triangle of -L L^T. Leaves -L below its diagonal blocks, and the inverses of L's diagonal blocks in
// `inverses` [n, kBlock].
template <class U>
void factor_negative(View<U> z, View<U> inverses, View<U> part) {
  const std::size_t n = z.rows;
  for (std::size_t j = 0; j < n; j += kBlock) {
    const std::size_t width = std::min(kBlock, n - j);
    const std::size_t below = n - j - width;
    if (j > 0) {
      matmul_nt<U>(block_of(z, j, j, n - j, width), block_of(z, j, 0, n - j, j), block_of(z, j, 0, width, j),
                   Accumulate::kAdd);
    }
    const View<U> diagonal = block_of(part, 0, 0, width, width);
    for (std::size_t r = 0; r < width; ++r) {
      for (std::size_t c = 0; c < width; ++c) diagonal(r, c) = -z(j + std::max(r, c), j + std::min(r, c));
    }
    const View<U> inverse = block_of(inverses, j, 0, width, width);
    invert_factor(inverse, diagonal);
    if (below == 0) continue;
    const View<U> under = block_of(z, j + width, j, below, width);
    const View<U> copy = block_of(part, 0, 0, below, width);
    convert<U, U>(copy, under);
    matmul_nt<U>(under, copy, inverse);
  }
}

// out = x L^-T. out may not be x.
template <class U>
void solve_first(View<U> out, View<U> x, View<U> z, View<U> inverses, View<U> part) {
  for (std::size_t j = 0; j < z.rows; j += kBlock) {
    const std::size_t width = std::min(kBlock, z.rows - j);
    const View<U> rest = block_of(part, 0, 0, x.rows, width);
    convert<U, U>(rest, columns(x, j, width));
    if (j > 0) matmul_nt<U>(rest, columns(out, 0, j), block_of(z, j, 0, width, j), Accumulate::kAdd);
    matmul_nt<U>(columns(out, j, width), rest, block_of(inverses, j, 0, width, width));
  }
}

// x = x L^-1
template <class U>
void solve_second(View<U> x, View<U> z, View<U> inverses, View<U> part) {
  const std::size_t n = z.rows;
  for (std::size_t j = (n - 1) / kBlock * kBlock;; j -= kBlock) {
    const std::size_t width = std::min(kBlock, n - j);
    const std::size_t end = j + width;
    const View<U> rest = block_of(part, 0, 0, x.rows, width);
    convert<U, U>(rest, columns(x, j, width));
    if (end < n) {
      matmul_nn<U>(rest, columns(x, end, n - end), block_of(z, end, j, n - end, width), Accumulate::kAdd);
    }
    matmul_nn<U>(columns(x, j, width), rest, block_of(inverses, j, 0, width, width));
    if (j == 0) break;
  }
}

// Weights of the step that maps singular values from [l, 1] into [next, 1] with the largest possible `next`.
struct Weights {
  double a;
  double b;
  double c;
  double next;
};
Weights weights_of(double l) {
  const double square = l * l;
  const double d = std::cbrt(4 * (1 - square) / (square * square));
  const double root = std::sqrt(1 + d);
  Weights w;
  w.a = root + std::sqrt(std::max(0.0, 8 - 4 * d + 8 * (2 - square) / (square * root))) / 2;
  w.b = (w.a - 1) * (w.a - 1) / 4;
  w.c = w.a + w.b - 1;
  w.next = std::min(1.0, l * (w.a + w.b * square) / (1 + w.c * square));
  return w;
}

// Scales every row to length 1. Returns the largest length before.
double normalize_rows(View<double> rows) {
  double longest = 0;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const double length = std::sqrt(squared_norm(rows.row(i), rows.cols));
    longest = std::max(longest, length);
    if (length > 0) scale(rows.row(i), rows.cols, 1 / length);
  }
  return longest;
}

void fill_normal(View<double> rows) {
  Random random(1, stream_of("polar"));
  for (std::size_t i = 0; i < rows.rows; ++i) {
    for (std::size_t j = 0; j < rows.cols; ++j) rows(i, j) = random.normal();
  }
}

// Allocates the workspace of one precision and cuts it into views.
template <class U>
Status plan(PolarWorkspace<U>& space, std::size_t rows, std::size_t cols, std::size_t probes) {
  const std::size_t width = std::min(kBlock, cols);
  const std::uint64_t square = (2 * std::uint64_t{rows} + cols + width + 2 * probes) * cols;
  const std::uint64_t size = square + std::uint64_t{std::max(rows, probes)} * width;
  if (Status status = allocate(space.buffer, size); !status) return status;
  U* next = space.buffer.data();
  const auto take = [&](std::size_t r, std::size_t c) { return View<U>(std::exchange(next, next + r * c), r, c); };
  space.x = take(rows, cols);
  space.solved = take(rows, cols);
  space.gram = take(cols, cols);
  space.inverses = take(cols, width);
  space.part = take(std::max(rows, probes), width);
  space.probes = take(probes, cols);
  space.images = take(probes, cols);
  return Status();
}

// Scales x and its Gram matrix to ||x||_2 = 1. Returns a low estimate of the smallest singular value, at least
// kPolarRankTolerance.
double scale_to_norm(PolarWorkspace<double>& s) {
  const std::size_t n = s.gram.rows;
  mirror_lower(s.gram);
  fill_normal(s.probes);
  normalize_rows(s.probes);
  double square = 0;
  for (int round = 0; round < kNormRounds; ++round) {
    matmul_nn<double>(s.images, s.probes, s.gram);
    square = normalize_rows(s.images);
    std::swap(s.probes, s.images);
  }
  square *= kNormMargin * kNormMargin;
  scale(s.x.data, s.x.rows * n, 1 / std::sqrt(square));
  scale(s.gram.data, n * n, 1 / square);

  // Inverse iteration with G + shift, where the shift is about the rounding error of G.
  const View<double> z(s.solved.data, n, n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) z(i, j) = -s.gram(i, j);
    z(i, i) -= kPolarRankTolerance * kPolarRankTolerance;
  }
  factor_negative(z, s.inverses, s.part);
  fill_normal(s.probes);
  normalize_rows(s.probes);
  double inverse = 1;
  for (int round = 0; round < kInverseRounds; ++round) {
    solve_first(s.images, s.probes, z, s.inverses, s.part);
    solve_second(s.images, z, s.inverses, s.part);
    inverse = normalize_rows(s.images);
    std::swap(s.probes, s.images);
  }
  return std::clamp(kSmallestMargin / std::sqrt(inverse), kPolarRankTolerance, 1.0);
}

// x <- (b / c) x + (a - b / c) x (I + c x^T x)^-1, given x^T x in s.gram.
template <class U>
void step(PolarWorkspace<U>& s, const Weights& w) {
  for (std::size_t i = 0; i < s.gram.rows; ++i) {
    scale(s.gram.row(i), i + 1, static_cast<U>(-w.c));
    s.gram(i, i) -= U{1};
  }
  factor_negative(s.gram, s.inverses, s.part);
  solve_first(s.solved, s.x, s.gram, s.inverses, s.part);
  solve_second(s.solved, s.gram, s.inverses, s.part);
  const std::size_t size = s.x.rows * s.x.cols;
  scale(s.x.data, size, static_cast<U>(w.b / w.c));
  add_scaled(s.x.data, s.solved.data, size, static_cast<U>(w.a - w.b / w.c));
}

// x <- x (3 I - x^T x) / 2, given x^T x in s.gram: cheaper than a step, and maps singular values 1 - e to 1 - 3/2 e^2.
template <class U>
void last_step(PolarWorkspace<U>& s) {
  mirror_lower(s.gram);
  scale(s.gram.data, s.gram.rows * s.gram.cols, U(-0.5));
  for (std::size_t i = 0; i < s.gram.rows; ++i) s.gram(i, i) += U(1.5);
  matmul_nn<U>(s.solved, s.x, s.gram);
  std::swap(s.x, s.solved);
}

// One step of x, whose smallest singular value is about `smallest`. Returns the smallest one afterwards. `has_gram`:
// s.gram already holds x^T x.
template <class T, class U>
double advance(PolarWorkspace<U>& s, double smallest, bool has_gram) {
  if (!has_gram) gram_lower(s.gram, s.x);
  if (1.5 * (1 - smallest) * (1 - smallest) < kConverged<T>) {
    last_step(s);
    return 1;
  }
  const Weights weights = weights_of(smallest);
  step(s, weights);
  return weights.next;
}

}  // namespace

template <class T>
Result<PolarSolver<T>> PolarSolver<T>::create(std::size_t rows, std::size_t cols) {
  if (rows < cols) return make_error(ErrorCode::kShapeMismatch, "rows", rows, "at least as many rows as columns");
  PolarSolver solver;
  if (Status status = plan(solver.wide_, rows, cols, kProbes); !status) return status;
  if constexpr (!std::is_same_v<T, double>) {
    if (Status status = plan(solver.narrow_, rows, cols, 0); !status) return status;
  }
  return solver;
}

template <class T>
Status PolarSolver<T>::factor(const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& matrix) {
  TIED_ASSERT(matrix.rows == wide_.x.rows && matrix.cols == wide_.x.cols);
  TIED_ASSERT(out.rows == wide_.x.rows && out.cols == wide_.x.cols);
  double largest = 0;
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    const std::size_t j = first_not_finite(matrix.row(i), matrix.cols);
    if (j < matrix.cols) {
      return make_error(ErrorCode::kNotFinite, "matrix", static_cast<double>(matrix(i, j)), "finite numbers");
    }
    largest = std::max(largest, max_abs(matrix.row(i), matrix.cols));
  }
  steps_ = 0;
  if (largest == 0) {
    for (std::size_t i = 0; i < out.rows; ++i) std::fill_n(out.row(i), out.cols, T{0});
    return Status();
  }
  // Divide: 1 / largest is infinite if `largest` is denormal.
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    for (std::size_t j = 0; j < matrix.cols; ++j) wide_.x(i, j) = static_cast<double>(matrix(i, j)) / largest;
  }
  gram_lower(wide_.gram, wide_.x);
  double smallest = scale_to_norm(wide_);
  for (; steps_ < kMaxSteps && smallest < 1 - kConverged<T>; ++steps_) {
    if (weights_of(smallest).c <= kMaxNarrowWeight && !std::is_same_v<T, double>) break;
    smallest = advance<T>(wide_, smallest, steps_ == 0);
  }
  if constexpr (std::is_same_v<T, double>) {
    convert<T, double>(out, wide_.x);
  } else {
    convert<T, double>(narrow_.x, wide_.x);
    for (; steps_ < kMaxSteps && smallest < 1 - kConverged<T>; ++steps_)
      smallest = advance<T>(narrow_, smallest, false);
    convert<T, T>(out, narrow_.x);
  }
  return Status();
}

template class PolarSolver<float>;
template class PolarSolver<double>;

}  // namespace tied
