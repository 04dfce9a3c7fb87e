#include "linalg/muon.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/matmul.h"
#include "linalg/optimizer_kernels.h"
#include "linalg/reduce.h"

namespace tied {
namespace {

constexpr double kA = 3.4445;
constexpr double kB = -4.7750;
constexpr double kC = 2.0315;
constexpr int kNewtonSchulzSteps = 5;
constexpr double kSmallestNorm = 1e-7;

// Every array of the workspace starts on a cache line.
constexpr std::uint64_t whole_lines(std::uint64_t elements) { return (elements + 15) / 16 * 16; }

}  // namespace

std::uint64_t muon_extent(std::uint64_t rows, std::uint64_t cols) {
  const std::uint64_t k = std::min(rows, cols);
  return 2 * whole_lines(rows * cols) + 2 * whole_lines(k * k);
}

template <class T>
MatrixView<T> orthogonalized(const MatrixView<T>& x, T* workspace) {
  const bool is_wide = x.rows <= x.cols;
  const std::size_t k = std::min(x.rows, x.cols);
  const std::size_t size = x.rows * x.cols;
  MatrixView<T> from = x;
  MatrixView<T> to(workspace, x.rows, x.cols);
  const MatrixView<T> gram(workspace + whole_lines(size), k, k);
  const MatrixView<T> polynomial(gram.data + whole_lines(k * k), k, k);
  scale(x.data, size, static_cast<T>(1 / std::max(std::sqrt(squared_norm(x.data, size)), kSmallestNorm)));
  for (int step = 0; step < kNewtonSchulzSteps; ++step) {
    if (is_wide) {
      matmul_nt<T>(gram, from, from);
    } else {
      matmul_tn<T>(gram, from, from);
    }
    // It is symmetric.
    matmul_nt<T>(polynomial, gram, gram);
    scale(polynomial.data, k * k, static_cast<T>(kC));
    add_scaled(polynomial.data, gram.data, k * k, static_cast<T>(kB));
    for (std::size_t i = 0; i < k; ++i) polynomial(i, i) += static_cast<T>(kA);
    if (is_wide) {
      matmul_nn<T>(to, polynomial, from);
    } else {
      matmul_nn<T>(to, from, polynomial);
    }
    std::swap(from, to);
  }
  return from;
}

template <class T>
void muon_update(T* w, T* m, const T* gradient, std::size_t rows, std::size_t cols, double learning_rate,
                 double momentum, double weight_decay, double update_scale, double gradient_scale, T* workspace) {
  const std::size_t size = rows * cols;
  const T share = static_cast<T>((1 - momentum) * gradient_scale);
  const auto add_gradient = [&](T* to) {
    scale(to, size, static_cast<T>(momentum));
    add_scaled(to, gradient, size, share);
  };
  add_gradient(m);
  std::copy_n(m, size, workspace);
  add_gradient(workspace);
  const MatrixView<T> update = orthogonalized(MatrixView<T>(workspace, rows, cols), workspace + whole_lines(size));
  sgd_update<T>(w, nullptr, update.data, size, learning_rate, 0, weight_decay, update_scale);
}

#define TIED_INSTANTIATE(T)                                           \
  template MatrixView<T> orthogonalized<T>(const MatrixView<T>&, T*); \
  template void muon_update<T>(T*, T*, const T*, std::size_t, std::size_t, double, double, double, double, double, T*)
TIED_INSTANTIATE(float);
TIED_INSTANTIATE(double);
#undef TIED_INSTANTIATE

}  // namespace tied
