// The stationary distribution of a Markov chain.
#pragma once

#include <cstddef>

#include "base/aligned_buffer.h"
#include "base/error.h"
#include "linalg/matrix_view.h"

namespace tied {

// The largest chain: elimination takes states^3 / 3 multiply-adds.
inline constexpr std::size_t kLargestChain = 2048;
// Largest deviation of a row's sum from 1: enough for probabilities with four or five decimals.
inline constexpr double kRowSumTolerance = 1e-4;

// Checks that `transition` is a transition matrix. Errors: kShapeMismatch unless square with at least one row;
// kNotFinite, and kInvalidArgument for a negative entry or a row whose sum differs from 1 by more than
// kRowSumTolerance, each naming the entry or row; kInvalidArgument for more than kLargestChain states.
Status check_transition(ConstMatrixView<float> transition);

// pi [states] with pi = pi P, pi >= 0, sum pi = 1. Rows of P are first scaled to sum to exactly 1. Periodic chains have
// one as well; transient states get probability 0.
// Computed by elimination without subtraction, so every entry has nearly full relative precision.
// Errors: those of check_transition; kInvalidArgument if the chain has more than one closed class of states, since its
// stationary distribution then depends on the initial state; kNotFinite if probabilities leave the range of double;
// kOutOfMemory.
// Source: Grassmann, Taksar, Heyman, "Regenerative analysis and steady state distributions for Markov chains",
// Operations Research 33(5), 1985.
Result<AlignedBuffer<double>> stationary_distribution(ConstMatrixView<float> transition);

}  // namespace tied
