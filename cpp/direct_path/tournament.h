// The best symmetric logits of a bigram table whose row sums and column sums differ.
#pragma once

#include "direct_path/joint.h"

namespace tied {

// The lowest cross-entropy of any symmetric matrix of logits, in nats per token, for J [n, n] with row sums `row_sums`
// [n]. bigram_bounds.h describes the method. Errors: kOutOfMemory.
Result<double> symmetric_logit_floor(const Joint& joint, const double* row_sums);

}  // namespace tied
