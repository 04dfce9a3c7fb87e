#include "model/linear.h"

#include "linalg/normalization.h"
#include "linalg/reduce.h"

namespace tied {
namespace {

template <class T>
const T* values_or_null(const ParameterStore<T>& parameters, ParameterIndex index) {
  return index == kNoParameter ? nullptr : parameters.values(index).data;
}

template <class T>
T* gradient_or_null(ParameterStore<T>& parameters, ParameterIndex index) {
  return index == kNoParameter ? nullptr : parameters.gradient(index).data;
}

}  // namespace

template <class T>
void linear(const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& x, const ParameterStore<T>& parameters,
            const WeightAndBias& map, Accumulate accumulate) {
  const ConstMatrixView<T> weight = parameters.values(map.weight);
  if (const T* packed = parameters.packed_values(map.weight)) {
    matmul_packed(out, x, weight, packed, accumulate);
  } else {
    matmul_nt(out, x, weight, accumulate);
  }
  if (map.bias != kNoParameter) add_row_to_rows(out, parameters.values(map.bias).data);
}

template <class T>
void linear_backward(const MatrixView<T>& dx, const Deduced<ConstMatrixView<T>>& dout,
                     const Deduced<ConstMatrixView<T>>& x, ParameterStore<T>& parameters, const WeightAndBias& map,
                     Accumulate accumulate) {
  if (!parameters.tables_alone()) {
    matmul_tn(parameters.gradient(map.weight), dout, x, Accumulate::kAdd);
    if (map.bias != kNoParameter) add_column_sums(parameters.gradient(map.bias).data, dout);
  }
  matmul_nn(dx, dout, parameters.values(map.weight), accumulate);
}

template <class T>
void norm(const MatrixView<T>& out, T* statistics, const Deduced<ConstMatrixView<T>>& x,
          const ParameterStore<T>& parameters, const WeightAndBias& map, const ModelConfig& config) {
  const T* weight = parameters.values(map.weight).data;
  if (config.norm == Norm::kRms) {
    rms_norm(out, statistics, x, weight, config.norm_epsilon);
  } else {
    layer_norm(out, statistics, statistics + x.rows, x, weight, values_or_null(parameters, map.bias),
               config.norm_epsilon);
  }
}

template <class T>
void norm_backward(const MatrixView<T>& dx, const Deduced<ConstMatrixView<T>>& dout, const T* statistics,
                   const Deduced<ConstMatrixView<T>>& x, ParameterStore<T>& parameters, const WeightAndBias& map,
                   const ModelConfig& config) {
  const T* weight = parameters.values(map.weight).data;
  T* dweight = parameters.gradient(map.weight).data;
  if (config.norm == Norm::kRms) {
    rms_norm_backward(dx, dweight, dout, x, weight, statistics);
  } else {
    layer_norm_backward(dx, dweight, gradient_or_null(parameters, map.bias), dout, x, weight, statistics,
                        statistics + x.rows);
  }
}

#define TIED_INSTANTIATE(T)                                                                                            \
  template void linear<T>(const MatrixView<T>&, const ConstMatrixView<T>&, const ParameterStore<T>&,                   \
                          const WeightAndBias&, Accumulate);                                                           \
  template void linear_backward<T>(const MatrixView<T>&, const ConstMatrixView<T>&, const ConstMatrixView<T>&,         \
                                   ParameterStore<T>&, const WeightAndBias&, Accumulate);                              \
  template void norm<T>(const MatrixView<T>&, T*, const ConstMatrixView<T>&, const ParameterStore<T>&,                 \
                        const WeightAndBias&, const ModelConfig&);                                                     \
  template void norm_backward<T>(const MatrixView<T>&, const ConstMatrixView<T>&, const T*, const ConstMatrixView<T>&, \
                                 ParameterStore<T>&, const WeightAndBias&, const ModelConfig&)
TIED_INSTANTIATE(float);
TIED_INSTANTIATE(double);
#undef TIED_INSTANTIATE

}  // namespace tied
