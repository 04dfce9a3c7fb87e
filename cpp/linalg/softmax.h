// Row softmax and the fused softmax-cross-entropy, forward and backward. T = float or double.
#pragma once

#include <cstdint>

#include "linalg/matrix_view.h"

namespace tied {

// out_ij = exp(x_ij - max_i) / sum_j exp(x_ij - max_i). out may be x.
template <class T>
void softmax_rows(MatrixView<T> out, Deduced<ConstMatrixView<T>> x);

// Log-probabilities: out_ij = x_ij - log sum_j exp(x_ij). out may be x.
template <class T>
void log_softmax_rows(MatrixView<T> out, Deduced<ConstMatrixView<T>> x);

// log sum_j exp(z_j) of a row as maximum + log_sum: a large maximum would absorb the rest.
struct LogSum {
  double maximum = 0;
  double log_sum = 0;

  // -log softmax(z)_j
  double loss_of(double z_j) const { return (maximum - z_j) + log_sum; }
};
template <class T>
LogSum log_sum_exp(const T* z, std::size_t size);
// Also writes out = softmax(z), minus p unless p is null. out must not overlap z.
template <class T>
LogSum softmax_minus(T* out, const T* z, const T* p, std::size_t size);

// Cross-entropy of row i against the token targets[i], in nats, and its gradient with respect to the logits z:
//   loss    = weight * sum_i (log sum_j exp(z_ij) - z_i,targets[i])
//   dlogits = weight * (softmax(z) - onehot(targets))
// targets: one id < logits.cols per row. Pass weight = 1 / rows for a mean. With `backward`, dlogits overwrites
// `logits`. margin: elements after each row that may be read and written, so that its last batch can be whole.
// Returns the loss, summed in double in row order.
template <class T>
double cross_entropy_tokens(MatrixView<T> logits, const std::uint32_t* targets, double weight, bool backward,
                            std::size_t margin = 0);

// Cross-entropy of row i against a whole distribution, in nats, and its gradient with respect to the logits z:
//   loss    = sum_ij joint_ij (log sum_k exp(z_ik) - z_ij)
//   dlogits = r_i softmax(z)_ij - joint_ij,   r_i = sum_j joint_ij
// joint [rows, cols], joint_ij >= 0; the loss is a mean if joint sums to 1. With `backward`, dlogits overwrites
// `logits`.
template <class T>
double cross_entropy_joint(MatrixView<T> logits, Deduced<ConstMatrixView<T>> joint, bool backward);

}  // namespace tied
