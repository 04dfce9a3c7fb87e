// Markov chains: text whose statistics are known exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/error.h"
#include "linalg/matrix_view.h"

namespace tied {

// Largest chain that is made or solved: elimination takes states^3 / 3 multiply-adds.
inline constexpr std::size_t kLargestChain = 2048;
// The most states that one call draws.
inline constexpr std::size_t kLongestSample = std::size_t{1} << 28;
// How far a row's sum may be from 1: enough for probabilities that were written down with four or five decimals.
inline constexpr double kRowSumTolerance = 1e-4;

// A random chain P [states, states]: every row an independent draw from the symmetric Dirichlet distribution with
// parameter `concentration` (small = few likely successors), mixed with a millionth of the uniform distribution, so
// that every transition is possible and the stationary distribution unique. Rows sum to 1 but for float rounding.
// Errors: kInvalidArgument unless 2 <= states <= kLargestChain and 1e-3 <= concentration <= 1e6; kOutOfMemory.
// Source: Devroye, "Non-uniform random variate generation", 1986, chapter XI.4 (normalised gamma variates).
Result<Matrix<float>> random_markov_chain(std::size_t states, std::uint64_t seed, double concentration);

// Refuses what is no transition matrix. Errors: kShapeMismatch for a matrix that is not square or has no row;
// kNotFinite, kInvalidArgument for a negative entry or for a row whose sum is further than kRowSumTolerance from 1
// (each naming the place); kInvalidArgument for more than kLargestChain states.
Status check_transition(ConstMatrixView<float> transition);

// pi [states] with pi = pi P, pi >= 0, sum pi = 1; rows of P are first scaled to sum to 1 exactly. Periodic chains have
// one as well; states that are left for good get probability 0.
// By elimination without subtraction, so that every entry has nearly full relative precision.
// Errors: those of check_transition; kInvalidArgument where the chain has more than one closed class of states, because
// its stationary distribution then depends on where it starts; kNotFinite where probabilities leave the range of
// double; kOutOfMemory. Source: Grassmann, Taksar, Heyman, "Regenerative analysis and steady state distributions for
// Markov chains", Operations Research 33(5), 1985.
Result<AlignedBuffer<double>> stationary_distribution(ConstMatrixView<float> transition);

// `length` states drawn from the chain, the first of them from its stationary distribution. The same seed gives the
// same states on every machine. Errors: those of stationary_distribution; kInvalidArgument unless 1 <= length <=
// kLongestSample; kOutOfMemory.
Result<std::vector<std::uint32_t>> sample_markov_chain(ConstMatrixView<float> transition, std::size_t length,
                                                       std::uint64_t seed);

}  // namespace tied
