// Markov chains: texts whose statistics are known exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/error.h"
#include "linalg/matrix_view.h"

namespace tied {

// The largest chain: elimination takes states^3 / 3 multiply-adds.
inline constexpr std::size_t kLargestChain = 2048;
// The most states per call.
inline constexpr std::size_t kLongestSample = std::size_t{1} << 28;
// Largest deviation of a row's sum from 1: enough for probabilities with four or five decimals.
inline constexpr double kRowSumTolerance = 1e-4;

// A random chain P [states, states]. Every row is an independent draw from the symmetric Dirichlet distribution with
// parameter `concentration` (small = few likely successors), mixed with a millionth of the uniform distribution, so
// that every transition is possible and the stationary distribution unique. Rows sum to 1 up to float rounding.
// Errors: kInvalidArgument unless 2 <= states <= kLargestChain and 1e-3 <= concentration <= 1e6; kOutOfMemory.
// Source: Devroye, "Non-uniform random variate generation", 1986, chapter XI.4 (normalised gamma variates).
Result<Matrix<float>> random_markov_chain(std::size_t states, std::uint64_t seed, double concentration);

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

// `length` states drawn from the chain, starting from its stationary distribution. A seed gives the same states on
// every machine. Errors: those of stationary_distribution; kInvalidArgument unless 1 <= length <= kLongestSample;
// kOutOfMemory.
Result<std::vector<std::uint32_t>> sample_markov_chain(ConstMatrixView<float> transition, std::size_t length,
                                                       std::uint64_t seed);

}  // namespace tied
