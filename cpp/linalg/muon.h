// One update of Muon over one matrix of parameters. T = float or double. Arrays must not overlap.
#pragma once

#include <cstddef>
#include <cstdint>

#include "linalg/matrix_view.h"

namespace tied {

// Elements of workspace for a matrix [rows, cols].
std::uint64_t muon_extent(std::uint64_t rows, std::uint64_t cols);

// Five steps of a Newton-Schulz iteration that brings all singular values of x [rows, cols] close to 1, without
// computing them. With x divided by its Frobenius norm (at least 1e-7, so a gradient of zeros stays zero), k =
// min(rows, cols), and G [k, k] = x x^T or x^T x:
//   x <- (a I + b G + c G^2) x, from the left if rows <= cols, else from the right
// which takes each singular value s to a s + b s^3 + c s^5 and keeps the singular vectors. The coefficients do not make
// the iteration converge, but make it steep at 0: singular values from 0.0015 to 1 end between 0.67 and 1.21, smaller
// ones are up to 485 times as large. `x` is overwritten; returns a view of x or of `workspace`, which has
// muon_extent(rows, cols) elements.
// K. Jordan and others, "Muon: An optimizer for hidden layers in neural networks", 2024,
// kellerjordan.github.io/posts/muon; there in bfloat16.
template <class T>
MatrixView<T> orthogonalized(const MatrixView<T>& x, T* workspace);

// As in PyTorch's torch.optim.Muon, with Nesterov's momentum. With g = gradient_scale * gradient:
//   m  = momentum m + (1 - momentum) g
//   w -= learning_rate weight_decay w
//   w -= learning_rate update_scale orthogonalized(momentum m + (1 - momentum) g)
// w, m, gradient: [rows, cols], contiguous; workspace: muon_extent(rows, cols) elements.
template <class T>
void muon_update(T* w, T* m, const T* gradient, std::size_t rows, std::size_t cols, double learning_rate,
                 double momentum, double weight_decay, double update_scale, double gradient_scale, T* workspace);

}  // namespace tied
