#include "model/feed_forward.h"

#include "linalg/activation.h"
#include "linalg/reduce.h"
#include "model/linear.h"

namespace tied {

template <class T>
void feed_forward(const FeedForwardRows<T>& rows, const Deduced<ConstMatrixView<T>>& x,
                  const ParameterStore<T>& parameters, const LayerParameters& layer, bool stores_for_backward) {
  const std::size_t size = rows.up.rows * rows.up.cols;
  linear(rows.up, x, parameters, layer.up);
  if (!layer.gate.exists()) {
    gelu(rows.activation.data, stores_for_backward ? rows.up.data : nullptr, rows.up.data, size);
  } else {
    linear(rows.gate, x, parameters, layer.gate);
    silu_gate(rows.activation.data, rows.gate.data, rows.up.data, size);
  }
}

template <class T>
void feed_forward_backward(const MatrixView<T>& dx, const MatrixView<T>& dactivation, const FeedForwardRows<T>& rows,
                           const Deduced<ConstMatrixView<T>>& x, ParameterStore<T>& parameters,
                           const LayerParameters& layer) {
  const std::size_t size = rows.up.rows * rows.up.cols;
  if (!layer.gate.exists()) {
    multiply(dactivation.data, rows.up.data, size);
    linear_backward(dx, dactivation, x, parameters, layer.up);
  } else {
    silu_gate_backward(rows.gate.data, rows.up.data, rows.gate.data, rows.up.data, dactivation.data, size);
    linear_backward(dx, rows.up, x, parameters, layer.up);
    linear_backward(dx, rows.gate, x, parameters, layer.gate, Accumulate::kAdd);
  }
}

#define TIED_INSTANTIATE(T)                                                                                     \
  template void feed_forward<T>(const FeedForwardRows<T>&, const ConstMatrixView<T>&, const ParameterStore<T>&, \
                                const LayerParameters&, bool);                                                  \
  template void feed_forward_backward<T>(const MatrixView<T>&, const MatrixView<T>&, const FeedForwardRows<T>&, \
                                         const ConstMatrixView<T>&, ParameterStore<T>&, const LayerParameters&)
TIED_INSTANTIATE(float);
TIED_INSTANTIATE(double);
#undef TIED_INSTANTIATE

}  // namespace tied
