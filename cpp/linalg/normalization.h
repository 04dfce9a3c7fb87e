// Root-mean-square norm and layer norm over rows, forward and backward. T = float or double.
//
// A null weight stands for ones, a null bias for zeros. Rows have at least one column. Sums over a row run in a fixed
// order; gradients of weights accumulate row by row.
#pragma once

#include "linalg/matrix_view.h"

namespace tied {

// out_ij = x_ij w_j r_i,   r_i = 1 / sqrt(mean_j x_ij^2 + epsilon)
// Stores r in `inverse` [rows] for the backward pass. out may be x.
// B. Zhang, R. Sennrich, "Root mean square layer normalization", NeurIPS 2019.
template <class T>
void rms_norm(MatrixView<T> out, T* inverse, Deduced<ConstMatrixView<T>> x, const T* weight, double epsilon);

// With g_ij = dout_ij w_j and y_ij = x_ij r_i:
//   dx_ij += r_i (g_ij - y_ij mean_k g_ik y_ik),   dweight_j += sum_i dout_ij y_ij
// dweight is null exactly if weight is. dx must not overlap dout or x.
template <class T>
void rms_norm_backward(MatrixView<T> dx, T* dweight, Deduced<ConstMatrixView<T>> dout, Deduced<ConstMatrixView<T>> x,
                       const T* weight, const T* inverse);

// out_ij = (x_ij - m_i) r_i w_j + b_j,   m_i = mean_j x_ij,   r_i = 1 / sqrt(mean_j (x_ij - m_i)^2 + epsilon);
// Stores m and r in `mean` and `inverse` [rows] for the backward pass. out may be x.
// J. L. Ba, J. R. Kiros, G. E. Hinton, "Layer normalization", arXiv 1607.06450, section 3.
template <class T>
void layer_norm(MatrixView<T> out, T* mean, T* inverse, Deduced<ConstMatrixView<T>> x, const T* weight, const T* bias,
                double epsilon);

// With g_ij = dout_ij w_j and y_ij = (x_ij - m_i) r_i:
//   dx_ij += r_i (g_ij - mean_k g_ik - y_ij mean_k g_ik y_ik),   dweight_j += sum_i dout_ij y_ij,
//   dbias_j += sum_i dout_ij
// dweight is null exactly if weight is; dbias may be null. dx must not overlap dout or x.
template <class T>
void layer_norm_backward(MatrixView<T> dx, T* dweight, T* dbias, Deduced<ConstMatrixView<T>> dout,
                         Deduced<ConstMatrixView<T>> x, const T* weight, const T* mean, const T* inverse);

}  // namespace tied
