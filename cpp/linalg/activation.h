// Activations of the feed-forward layers, over arrays. T = float or double.
#pragma once

#include <cstddef>

namespace tied {

// GELU in its tanh approximation, and its derivative unless `slope` is null:
//   out_i = gelu(x_i),   slope_i = gelu'(x_i)
//   gelu(x) = x/2 (1 + tanh(u)) = x s,   s = sigmoid(2 u),   u = sqrt(2 / pi) (x + 0.044715 x^3)
//   gelu'(x) = s + x s (1 - s) 2 u',   u' = sqrt(2 / pi) (1 + 3 * 0.044715 x^2)
// The forward pass stores the slope, since computing it in the backward pass would take a second exponential. out or
// slope may be x.
// D. Hendrycks, K. Gimpel, "Gaussian error linear units (GELUs)", arXiv 1606.08415, section 2.
template <class T>
void gelu(T* out, T* slope, const T* x, std::size_t size);

// out_i = silu(gate_i) up_i,   silu(x) = x sigmoid(x). out may be gate or up.
// N. Shazeer, "GLU variants improve transformer", arXiv 2002.05202, section 2 (there Swish with beta = 1).
template <class T>
void silu_gate(T* out, const T* gate, const T* up, std::size_t size);

// Gradients of silu_gate. With s = sigmoid(gate_i):
//   dgate_i = dout_i up_i (s + gate_i s (1 - s)),   dup_i = dout_i gate_i s
// Overwrites dgate and dup. dgate may be gate, dup may be up, and either may be dout.
template <class T>
void silu_gate_backward(T* dgate, T* dup, const T* gate, const T* up, const T* dout, std::size_t size);

}  // namespace tied
