// Row softmax and the fused softmax-cross-entropy, forward and backward. T = float or double.
#pragma once

#include <cstdint>

#include "linalg/matrix_view.h"

namespace tied {

// out_ij = exp(x_ij - max_i) / sum_j exp(x_ij - max_i). out may be x itself.
template <class T>
void softmax_rows(MatrixView<T> out, Deduced<ConstMatrixView<T>> x);

// out_ij = x_ij - log sum_j exp(x_ij), the log-probabilities. out may be x itself.
template <class T>
void log_softmax_rows(MatrixView<T> out, Deduced<ConstMatrixView<T>> x);

// Cross-entropy of row i against the token targets[i], and its gradient with respect to the logits in the same pass.
//   loss    = weight * sum_i (log sum_j exp(z_ij) - z_i,targets[i])      (nats; pass weight = 1 / n_rows for a mean)
//   dlogits = weight * (softmax(z) - onehot(targets))                    written over `logits` where `backward`
// targets: one id < logits.cols per row. Returns the weighted loss, summed in double in row order.
template <class T>
double cross_entropy_tokens(MatrixView<T> logits, const std::uint32_t* targets, double weight, bool backward);

// Cross-entropy of row i against a whole distribution: joint [rows, cols] with joint_ij >= 0.
//   loss    = sum_ij joint_ij (log sum_k exp(z_ik) - z_ij)               (nats; joint sums to 1 over the table for a
//   mean) dlogits = r_i softmax(z)_ij - joint_ij,  r_i = sum_j joint_ij        written over `logits` where `backward`
template <class T>
double cross_entropy_joint(MatrixView<T> logits, Deduced<ConstMatrixView<T>> joint, bool backward);

}  // namespace tied
