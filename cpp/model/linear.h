// Linear maps and norms inside a model: kernels applied to parameters. T = float or double.
#pragma once

#include "linalg/matmul.h"
#include "model/config.h"
#include "model/parameter_store.h"

namespace tied {

// out (+)= x W^T + b, with the bias if there is one. out [rows, out], x [rows, in].
template <class T>
void linear(const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& x, const ParameterStore<T>& parameters,
            const WeightAndBias& map, Accumulate accumulate = Accumulate::kOverwrite);

// dW += dout^T x, db += sums of dout's columns, dx (+)= dout W. dx must not overlap dout. With
// parameters.tables_alone() only dx.
template <class T>
void linear_backward(const MatrixView<T>& dx, const Deduced<ConstMatrixView<T>>& dout,
                     const Deduced<ConstMatrixView<T>>& x, ParameterStore<T>& parameters, const WeightAndBias& map,
                     Accumulate accumulate = Accumulate::kOverwrite);

// The configured norm of the rows of x [rows, d]. statistics [2 rows]: receives what the backward pass needs. out may
// be x.
template <class T>
void norm(const MatrixView<T>& out, T* statistics, const Deduced<ConstMatrixView<T>>& x,
          const ParameterStore<T>& parameters, const WeightAndBias& map, const ModelConfig& config);

// dx += ..., dweight += ..., dbias += .... statistics: as written by `norm` for the same rows. dx must not overlap dout
// or x.
template <class T>
void norm_backward(const MatrixView<T>& dx, const Deduced<ConstMatrixView<T>>& dout, const T* statistics,
                   const Deduced<ConstMatrixView<T>>& x, ParameterStore<T>& parameters, const WeightAndBias& map,
                   const ModelConfig& config);

}  // namespace tied
