#include "linalg/tridiagonal.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/allocate.h"
#include "linalg/reduce.h"
#include "linalg/simd.h"

namespace tied {
namespace {

using simd::Batch;

// The limit of steps per eigenvalue, on average; usually two are enough.
constexpr std::size_t kMostSteps = 30;
// A squared length that, next to 1, changes no eigenvalue; the length of a shorter vector would be inexact.
constexpr double kNegligible = 0x1p-200;

Status beyond_range() {
  return make_error(ErrorCode::kNotFinite, "symmetric", "a matrix whose eigenvalues were not found",
                    "elements within the range of double");
}

// A -= u w^T + w u^T in row i, from column i on; then adds the changed row's part of out = A x.
struct Sweep {
  const double* u;
  const double* w;
  const double* x;
  double* out;
};
void sweep_row(const Sweep& s, double* row, std::size_t i, std::size_t size) {
  const double u = s.u[i];
  const double w = s.w[i];
  const double x = s.x[i];
  row[i] -= 2 * u * w;
  Batch<double> sums(0.0);
  std::size_t j = i + 1;
  for (; j + 2 <= size; j += 2) {
    const Batch<double> changed =
        simd::load(row + j) - (Batch<double>(u) * simd::load(s.w + j) + Batch<double>(w) * simd::load(s.u + j));
    simd::store(row + j, changed);
    sums += changed * simd::load(s.x + j);
    simd::store(s.out + j, simd::load(s.out + j) + Batch<double>(x) * changed);
  }
  double sum = row[i] * x + simd::sum_of_lanes(sums);
  for (; j < size; ++j) {
    row[j] -= u * s.w[j] + w * s.u[j];
    sum += row[j] * s.x[j];
    s.out[j] += x * row[j];
  }
  s.out[i] += sum;
}

// Replaces x [n], whose squared length is within the range of double, by v with
// (I - 2 v v^T / |v|^2) x = (-sign(x_0) |x|, 0, ...), and returns that first entry. v has length sqrt(2), so the
// reflection is I - v v^T; v is zero if x needs no reflection.
double reflect(double* x, std::size_t n) {
  const double first = x[0];
  const double rest = squared_norm(x + 1, n - 1);
  if (rest < kNegligible) {
    std::fill_n(x, n, 0.0);
    return first;
  }
  const double length = std::sqrt(first * first + rest);
  const double image = first > 0 ? -length : length;
  x[0] -= image;
  // |v|^2 = 2 length (length + |first|)
  scale(x, n, 1 / std::sqrt(length * (length + std::fabs(first))));
  return image;
}

// The power of two by which a matrix is divided to keep the squares of its entries within the range of double.
double unit_of(double largest) {
  int exponent = 0;
  std::frexp(largest, &exponent);
  return std::ldexp(1.0, exponent);
}

}  // namespace

Result<Tridiagonal> tridiagonal_of(const MatrixView<double>& a, const double* first) {
  TIED_ASSERT(a.rows == a.cols);
  const std::size_t n = a.rows;
  Tridiagonal found;
  AlignedBuffer<double> u;
  AlignedBuffer<double> w;
  AlignedBuffer<double> x;
  AlignedBuffer<double> product;
  for (auto* buffer : {&found.diagonal, &u, &w, &x, &product}) {
    if (Status status = allocate(*buffer, n); !status) return status;
  }
  if (Status status = allocate(found.beside, n == 0 ? 0 : n - 1); !status) return status;
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!all_finite(a.row(i) + i, n - i)) return beyond_range();
    largest = std::max(largest, max_abs(a.row(i) + i, n - i));
  }
  if (!(largest > 0)) return found;
  const double unit = unit_of(largest);
  for (std::size_t i = 0; i < n; ++i) scale(a.row(i) + i, n - i, 1 / unit);
  // Step 0 reflects `first` onto the first axis; step k > 0 reflects row k - 1 beyond its diagonal onto axis k. The
  // changes of step k are applied when row k is read and when the products of step k + 1 are computed.
  if (first != nullptr) {
    const double most = max_abs(first, n);
    if (most > 0) {
      for (std::size_t j = 0; j < n; ++j) x[j] = first[j] / most;
      reflect(x.data(), n);
    }
  }
  std::size_t from = 0;
  for (std::size_t k = 0;; ++k) {
    // In the rows from `from` on, the changes of u and w are still pending; x is the reflection of step k, on the rows
    // from k on.
    product.fill(0);
    for (std::size_t i = from; i < n; ++i) sweep_row({u.data(), w.data(), x.data(), product.data()}, a.row(i), i, n);
    // P A P = A - x y^T - y x^T with y = A x - x (x^T A x) / 2
    std::swap(u, x);
    const double half = dot(u.data() + k, product.data() + k, n - k) / 2;
    for (std::size_t j = k; j < n; ++j) w[j] = product[j] - half * u[j];
    // The final row k.
    double* row = a.row(k);
    for (std::size_t j = k; j < n; ++j) row[j] -= u[k] * w[j] + w[k] * u[j];
    found.diagonal[k] = row[k] * unit;
    if (k + 1 == n) break;
    x.fill(0);
    std::copy_n(row + k + 1, n - k - 1, x.data() + k + 1);
    found.beside[k] = reflect(x.data() + k + 1, n - k - 1) * unit;
    from = k + 1;
  }
  return found;
}

Result<AlignedBuffer<double>> eigenvalues_of(const Tridiagonal& t, double change) {
  const std::size_t n = t.diagonal.size();
  AlignedBuffer<double> d;
  AlignedBuffer<double> e;
  if (Status status = allocate(d, n); !status) return status;
  if (Status status = allocate(e, n); !status) return status;
  if (n == 0) return d;
  // Reversed, since the large entries are mostly the first ones, and the iteration below finds the last eigenvalues
  // last.
  for (std::size_t k = 0; k < n; ++k) d[n - 1 - k] = t.diagonal[k];
  for (std::size_t k = 0; k + 1 < n; ++k) e[n - 2 - k] = t.beside[k];
  e[n - 1] = 0;
  d[n - 1] += change;
  if (!all_finite(d.data(), n) || !all_finite(e.data(), n)) return beyond_range();
  const double largest = std::max(max_abs(d.data(), n), max_abs(e.data(), n));
  if (largest == 0) return d;
  const double unit = unit_of(largest);
  scale(d.data(), n, 1 / unit);
  scale(e.data(), n, 1 / unit);
  // QL with implicit shifts on the block that begins at `first` and ends where an off-diagonal entry is negligible
  // compared with its neighbors. https://en.wikipedia.org/wiki/QR_algorithm
  std::size_t steps = 0;
  for (std::size_t first = 0; first < n; ++first) {
    for (;; ++steps) {
      std::size_t last = first;
      for (; last + 1 < n; ++last) {
        const double beside = std::fabs(d[last]) + std::fabs(d[last + 1]);
        if (std::fabs(e[last]) <= 0x1p-53 * beside + 0x1p-70) break;
      }
      if (last == first) break;
      if (steps == kMostSteps * n) return beyond_range();
      const double mean = (d[first + 1] - d[first]) / (2 * e[first]);
      const double root = std::sqrt(mean * mean + 1);
      double g = d[last] - d[first] + e[first] / (mean + std::copysign(root, mean));
      double sine = 1;
      double cosine = 1;
      double shift = 0;
      std::size_t i = last;
      for (; i-- > first;) {
        const double f = sine * e[i];
        const double b = cosine * e[i];
        const double length = std::sqrt(f * f + g * g);
        e[i + 1] = length;
        if (length == 0) {
          // The block splits in two.
          d[i + 1] -= shift;
          e[last] = 0;
          break;
        }
        sine = f / length;
        cosine = g / length;
        g = d[i + 1] - shift;
        const double turned = (d[i] - g) * sine + 2 * cosine * b;
        shift = sine * turned;
        d[i + 1] = g + shift;
        g = cosine * turned - b;
      }
      if (i != first - 1) continue;
      d[first] -= shift;
      e[first] = g;
      e[last] = 0;
    }
  }
  scale(d.data(), n, unit);
  std::sort(d.begin(), d.end());
  return d;
}

}  // namespace tied
