// The feed-forward part of a layer, between its norm and the map that writes into the residual stream.
#pragma once

#include "linalg/matrix_view.h"
#include "model/parameter_store.h"
#include "model/transformer_parameters.h"

namespace tied {

// Rows of one layer, each [rows, f].
template <class T>
struct FeedForwardRows {
  MatrixView<T> up;
  MatrixView<T> gate;  // SwiGLU only
  MatrixView<T> activation;
};

// up = x W_up^T + b;  activation = gelu(up), or silu(x W_gate^T + b) * up. x [rows, d]. Stores all of them for the
// backward pass, which needs only the derivative of gelu: that overwrites `up`.
// N. Shazeer, "GLU variants improve transformer", arXiv 2002.05202, section 2.
template <class T>
void feed_forward(const FeedForwardRows<T>& rows, const Deduced<ConstMatrixView<T>>& x,
                  const ParameterStore<T>& parameters, const LayerParameters& layer, bool stores_for_backward);

// dx = ..., and the gradients of the maps (+=). Overwrites dactivation, and up and gate of `rows`.
template <class T>
void feed_forward_backward(const MatrixView<T>& dx, const MatrixView<T>& dactivation, const FeedForwardRows<T>& rows,
                           const Deduced<ConstMatrixView<T>>& x, ParameterStore<T>& parameters,
                           const LayerParameters& layer);

}  // namespace tied
