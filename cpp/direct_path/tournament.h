// The best symmetric logits of a bigram table whose row sums and column sums differ.
#pragma once

#include "linalg/matrix_view.h"

namespace tied {

// The lowest cross-entropy of any symmetric matrix of logits, nats per token, for J = scale * weights with row sums
// `row_sums` [n]. The method is described in bigram_bounds.h. T = float or double.
// Errors: kOutOfMemory.
template <class T>
Result<double> symmetric_logit_floor(ConstMatrixView<T> weights, const double* row_sums, double scale);

}  // namespace tied
