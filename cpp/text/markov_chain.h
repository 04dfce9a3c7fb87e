// Markov chains: texts whose statistics are known exactly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "linalg/matrix_view.h"
#include "linalg/stationary_distribution.h"

namespace tied {

// The maximum number of states per call.
inline constexpr std::size_t kLongestSample = std::size_t{1} << 28;

// A random chain P [states, states]. Every row is an independent draw from the symmetric Dirichlet distribution with
// parameter `concentration` (small = few likely successors), mixed with a millionth of the uniform distribution, so
// every transition is possible and the stationary distribution is unique. Rows sum to 1 up to float rounding.
// Errors: kInvalidArgument unless 2 <= states <= kLargestChain and 1e-3 <= concentration <= 1e6; kOutOfMemory.
// Source: Devroye, "Non-uniform random variate generation", 1986, chapter XI.4 (normalized gamma variates).
Result<Matrix<float>> random_markov_chain(std::size_t states, std::uint64_t seed, double concentration);

// `length` states drawn from a chain, starting from its stationary distribution. A seed gives the same states on every
// machine.
class MarkovSampler {
 public:
  // Errors: those of stationary_distribution; kInvalidArgument unless 1 <= length <= kLongestSample; kOutOfMemory.
  static Result<MarkovSampler> create(ConstMatrixView<float> transition, std::size_t length, std::uint64_t seed);

  // How many states are still to be drawn.
  std::size_t remaining() const { return remaining_; }
  // Draws the next states, at most remaining().
  void draw(std::span<std::uint32_t> states);

 private:
  MarkovSampler(Matrix<double> sums, std::size_t length, std::uint64_t seed);

  // Running sums: row i for the transitions of state i, and the stationary distribution in the last row.
  Matrix<double> sums_;
  Random random_;
  std::size_t remaining_;
  std::size_t row_;
};

// All of them. Errors: as above.
Result<std::vector<std::uint32_t>> sample_markov_chain(ConstMatrixView<float> transition, std::size_t length,
                                                       std::uint64_t seed);

}  // namespace tied
