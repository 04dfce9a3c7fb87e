#include "text/markov_chain.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/elementary.h"
#include "base/random.h"
#include "linalg/reduce.h"
#include "text/limits.h"

namespace tied {
namespace {

constexpr double kUniformShare = 1e-6;

// ln of a gamma variate with shape `shape` + 1, by Marsaglia and Tsang, "A simple method for generating gamma
// variables", ACM Transactions on Mathematical Software 26(3), 2000, for shapes of at least 1.
double log_gamma_variate_plus_one(Random& random, double shape) {
  const double d = shape + 1 - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = random.normal();
    const double root = 1 + c * x;
    const double u = 1 - random.uniform_double();  // in (0, 1]
    if (root <= 0) continue;
    const double log_v = 3 * natural_log(root);
    const double v = root * root * root;
    if (natural_log(u) < x * x / 2 + d - d * v + d * log_v) return natural_log(d) + log_v;
  }
}

// ln of a gamma variate with shape `shape` > 0: G(shape) = G(shape + 1) U^(1 / shape), in logarithms because for small
// shapes the power is far below the smallest double.
double log_gamma_variate(Random& random, double shape) {
  const double above = log_gamma_variate_plus_one(random, shape);
  const double u = 1 - random.uniform_double();
  return above + natural_log(u) / shape;
}

}  // namespace

Result<Matrix<float>> random_markov_chain(std::size_t states, std::uint64_t seed, double concentration) {
  if (states < 2 || states > kLargestChain) {
    return make_error(ErrorCode::kInvalidArgument, "states", states, "an integer from 2 to 2048");
  }
  if (!(concentration >= 1e-3 && concentration <= 1e6)) {
    return make_error(ErrorCode::kInvalidArgument, "concentration", concentration, "a number from 0.001 to 1000000");
  }
  auto transition = Matrix<float>::create(states, states);
  if (!transition) return transition;
  auto logs = AlignedBuffer<double>::create(states);
  if (!logs) return logs.failure();
  double* const weights = logs.value().data();
  Random random(seed, stream_of("text:random-markov-chain"));
  for (std::size_t i = 0; i < states; ++i) {
    for (std::size_t j = 0; j < states; ++j) weights[j] = log_gamma_variate(random, concentration);
    // Relative to the largest, so that at least one weight is 1.
    const double largest = weights[argmax(weights, states)];
    double total = 0;
    for (std::size_t j = 0; j < states; ++j) {
      weights[j] = exponential(weights[j] - largest);
      total += weights[j];
    }
    const double uniform = kUniformShare / static_cast<double>(states);
    for (std::size_t j = 0; j < states; ++j) {
      transition.value()(i, j) = static_cast<float>((1 - kUniformShare) * (weights[j] / total) + uniform);
    }
  }
  return transition;
}

MarkovSampler::MarkovSampler(Matrix<double> sums, std::size_t length, std::uint64_t seed)
    : sums_(std::move(sums)),
      random_(seed, stream_of("text:sample-markov-chain")),
      remaining_(length),
      row_(sums_.cols()) {}

Result<MarkovSampler> MarkovSampler::create(ConstMatrixView<float> transition, std::size_t length, std::uint64_t seed) {
  if (length == 0 || length > kLongestSample) {
    return make_error(ErrorCode::kInvalidArgument, "length", length, "an integer from 1 to 268435456");
  }
  auto stationary = stationary_distribution(transition);
  if (!stationary) return stationary.failure();
  const std::size_t states = transition.rows;
  auto sums = Matrix<double>::create(states + 1, states);
  if (!sums) return sums.failure();
  for (std::size_t i = 0; i <= states; ++i) {
    double total = 0;
    for (std::size_t j = 0; j < states; ++j) {
      total += i < states ? static_cast<double>(transition(i, j)) : stationary.value()[j];
      sums.value()(i, j) = total;
    }
  }
  return MarkovSampler(std::move(sums).value(), length, seed);
}

void MarkovSampler::draw(std::span<std::uint32_t> states) {
  TIED_ASSERT(states.size() <= remaining_);
  remaining_ -= states.size();
  const std::size_t count = sums_.cols();
  for (std::uint32_t& state : states) {
    const double* const sums = sums_.view().row(row_);
    const double u = random_.uniform_double() * sums[count - 1];
    // The first state whose running sum is above u. States of probability 0 have an empty interval and are never drawn.
    std::size_t next = 0;
    for (std::size_t size = count; size > 0; size /= 2) {
      const std::size_t middle = next + size / 2;
      if (sums[middle] <= u) {
        next = middle + 1;
        --size;
      }
    }
    // u can round up to the total: take the last state with a non-empty interval.
    while (next >= count || (next > 0 && sums[next] == sums[next - 1])) --next;
    state = static_cast<std::uint32_t>(next);
    row_ = next;
  }
}

Result<std::vector<std::uint32_t>> sample_markov_chain(ConstMatrixView<float> transition, std::size_t length,
                                                       std::uint64_t seed) {
  auto sampler = MarkovSampler::create(transition, length, seed);
  if (!sampler) return sampler.failure();
  if (auto memory = check_memory("length", length, std::uint64_t{4} * length); !memory) return memory;
  std::vector<std::uint32_t> sequence(length);
  sampler.value().draw(sequence);
  return sequence;
}

}  // namespace tied
