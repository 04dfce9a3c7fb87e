// One step of an optimizer over one array of parameters. T = float or double. Arrays must not overlap.
#pragma once

#include <cstddef>

namespace tied {

// AdamW with decoupled weight decay, as PyTorch computes it. With g the gradient times gradient_scale:
//   w -= learning_rate weight_decay w
//   m  = beta1 m + (1 - beta1) g
//   v  = beta2 v + (1 - beta2) g^2
//   w -= learning_rate / bias_correction1 * m / (sqrt(v) / sqrt(bias_correction2) + epsilon)
// At step t = 1, 2, ...: bias_correction1 = 1 - beta1^t, bias_correction2 = 1 - beta2^t.
// w, m, v, gradient: [size]. gradient_scale carries the clipping of the whole gradient's norm, 1 for none.
// I. Loshchilov, F. Hutter, "Decoupled weight decay regularization", ICLR 2019, algorithm 2.
template <class T>
void adamw_update(T* w, T* m, T* v, const T* gradient, std::size_t size, double learning_rate, double beta1,
                  double beta2, double epsilon, double weight_decay, double bias_correction1, double bias_correction2,
                  double gradient_scale);

// Stochastic gradient descent with momentum as PyTorch computes it (no dampening), but with decoupled weight decay:
//   w -= learning_rate weight_decay w
//   velocity = momentum velocity + g
//   w -= learning_rate velocity
// velocity: [size], or null where momentum is 0; then w -= learning_rate g.
template <class T>
void sgd_update(T* w, T* velocity, const T* gradient, std::size_t size, double learning_rate, double momentum,
                double weight_decay, double gradient_scale);

}  // namespace tied
