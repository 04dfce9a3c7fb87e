// One update of an optimizer over one array of parameters. T = float or double. Arrays must not overlap.
#pragma once

#include <cstddef>

namespace tied {

// AdamW with decoupled weight decay, as in PyTorch. With g = gradient_scale * gradient:
//   w -= learning_rate weight_decay w
//   m  = beta1 m + (1 - beta1) g
//   v  = beta2 v + (1 - beta2) g^2
//   w -= learning_rate / bias_correction1 * m / (sqrt(v) / sqrt(bias_correction2) + epsilon)
// At step t = 1, 2, ...: bias_correction1 = 1 - beta1^t, bias_correction2 = 1 - beta2^t.
// w, m, v, gradient: [size]. gradient_scale applies the clipping of the global gradient norm; 1 means no clipping.
// I. Loshchilov, F. Hutter, "Decoupled weight decay regularization", ICLR 2019, algorithm 2.
template <class T>
void adamw_update(T* w, T* m, T* v, const T* gradient, std::size_t size, double learning_rate, double beta1,
                  double beta2, double epsilon, double weight_decay, double bias_correction1, double bias_correction2,
                  double gradient_scale);

// The same for a table whose rows share their second moments. With the mean of g^2 over the rows, by column:
//   v  = beta2 v + (1 - beta2) mean g^2
// w, m, gradient: [rows, cols]; v: [cols].
// F. Stollenwerk, T. Stollenwerk, "Better embeddings with coupled Adam", ACL 2025 (arXiv 2502.08441).
template <class T>
void coupled_adamw_update(T* w, T* m, T* v, const T* gradient, std::size_t rows, std::size_t cols, double learning_rate,
                          double beta1, double beta2, double epsilon, double weight_decay, double bias_correction1,
                          double bias_correction2, double gradient_scale);

// Stochastic gradient descent with momentum as in PyTorch (no dampening), but with decoupled weight decay:
//   w -= learning_rate weight_decay w
//   velocity = momentum velocity + g
//   w -= learning_rate velocity
// velocity: [size], or null if momentum is 0; then w -= learning_rate g.
template <class T>
void sgd_update(T* w, T* velocity, const T* gradient, std::size_t size, double learning_rate, double momentum,
                double weight_decay, double gradient_scale);

}  // namespace tied
