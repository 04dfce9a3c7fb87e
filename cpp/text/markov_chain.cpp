#include "text/markov_chain.h"

#include <algorithm>
#include <cmath>

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

// Marks the states that can be reached from `start`, including it; along reversed transitions if `backwards`. Returns
// the number of newly marked states.
std::size_t mark_reachable(std::vector<std::uint32_t>& marks, ConstMatrixView<float> transition, std::uint32_t start,
                           bool backwards) {
  std::vector<std::uint32_t> reached{start};
  marks[start] = 1;
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const std::uint32_t i = reached[next];
    for (std::uint32_t j = 0; j < transition.rows; ++j) {
      if (marks[j] != 0 || !((backwards ? transition(j, i) : transition(i, j)) > 0)) continue;
      marks[j] = 1;
      reached.push_back(j);
    }
  }
  return reached.size();
}

// The states of the only closed class; empty if there are several.
std::vector<std::uint32_t> closed_class(ConstMatrixView<float> transition) {
  const std::size_t states = transition.rows;
  // If some state can be reached from every other, so can the last one from which a search along reversed transitions
  // had to restart.
  std::vector<std::uint32_t> marks(states);
  std::uint32_t candidate = 0;
  for (std::uint32_t i = 0; i < states; ++i) {
    if (marks[i] != 0) continue;
    candidate = i;
    mark_reachable(marks, transition, i, true);
  }
  std::vector<std::uint32_t> result;
  marks.assign(states, 0);
  if (mark_reachable(marks, transition, candidate, true) < states) return result;
  marks.assign(states, 0);
  mark_reachable(marks, transition, candidate, false);
  for (std::uint32_t i = 0; i < states; ++i) {
    if (marks[i] != 0) result.push_back(i);
  }
  return result;
}

// In place, on an irreducible chain p: removes states one by one from the last, adding their transitions to the others;
// then builds up pi from the first state. Nothing is subtracted.
void eliminate(double* pi, MatrixView<double> p) {
  const std::size_t n = p.rows;
  for (std::size_t k = n - 1; k > 0; --k) {
    double leaving = 0;
    for (std::size_t j = 0; j < k; ++j) leaving += p(k, j);
    for (std::size_t i = 0; i < k; ++i) {
      const double share = p(i, k) / leaving;
      p(i, k) = share;
      if (share == 0) continue;
      add_scaled(p.row(i), p.row(k), k, share);
    }
  }
  double total = 1;
  pi[0] = 1;
  for (std::size_t k = 1; k < n; ++k) {
    pi[k] = 0;
    for (std::size_t i = 0; i < k; ++i) pi[k] += pi[i] * p(i, k);
    total += pi[k];
  }
  for (std::size_t k = 0; k < n; ++k) pi[k] /= total;
}

}  // namespace

Result<Matrix<float>> random_markov_chain(std::size_t states, std::uint64_t seed, double concentration) {
  if (states < 2 || states > kLargestChain) {
    return make_error(ErrorCode::kInvalidArgument, "states", states, "a whole number from 2 to 2048");
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

Status check_transition(ConstMatrixView<float> transition) {
  const std::size_t states = transition.rows;
  if (states != transition.cols || states == 0) {
    return make_error(ErrorCode::kShapeMismatch, "transition", text_of(states) + " x " + text_of(transition.cols),
                      "a square matrix with at least one row");
  }
  if (states > kLargestChain) {
    return make_error(ErrorCode::kInvalidArgument, "transition rows", states, "at most 2048");
  }
  for (std::size_t i = 0; i < states; ++i) {
    const auto name = [&](std::size_t j) { return "transition[" + text_of(i) + ", " + text_of(j) + "]"; };
    const std::size_t not_finite = first_not_finite(transition.row(i), states);
    if (not_finite < states) {
      return make_error(ErrorCode::kNotFinite, name(not_finite), static_cast<double>(transition(i, not_finite)),
                        "a probability");
    }
    for (std::size_t j = 0; j < states; ++j) {
      if (transition(i, j) >= 0) continue;
      return make_error(ErrorCode::kInvalidArgument, name(j), static_cast<double>(transition(i, j)),
                        "a probability, not negative");
    }
    const double total = sum(transition.row(i), states);
    if (std::fabs(total - 1) > kRowSumTolerance) {
      return make_error(ErrorCode::kInvalidArgument, "sum of transition row " + text_of(i), total, "1, within 0.0001");
    }
  }
  return {};
}

Result<AlignedBuffer<double>> stationary_distribution(ConstMatrixView<float> transition) {
  if (auto status = check_transition(transition); !status) return status;
  const std::vector<std::uint32_t> closed_states = closed_class(transition);
  if (closed_states.empty()) {
    return make_error(ErrorCode::kInvalidArgument, "transition", "a chain with more than one closed class of states",
                      "a chain whose stationary distribution does not depend on where it starts");
  }
  auto result = AlignedBuffer<double>::create(transition.rows);
  if (!result) return result;
  auto closed = Matrix<double>::create(closed_states.size(), closed_states.size());
  if (!closed) return closed.failure();
  auto solution = AlignedBuffer<double>::create(closed_states.size());
  if (!solution) return solution;
  for (std::size_t i = 0; i < closed_states.size(); ++i) {
    const double total = sum(transition.row(closed_states[i]), transition.cols);
    for (std::size_t j = 0; j < closed_states.size(); ++j) {
      closed.value()(i, j) = static_cast<double>(transition(closed_states[i], closed_states[j])) / total;
    }
  }
  eliminate(solution.value().data(), closed.value().view());
  if (!all_finite(solution.value().data(), closed_states.size())) {
    return make_error(ErrorCode::kNotFinite, "transition",
                      "a chain whose states differ in probability by more than 1e300",
                      "a stationary distribution that can be written in double precision");
  }
  for (std::size_t i = 0; i < closed_states.size(); ++i) result.value()[closed_states[i]] = solution.value()[i];
  return result;
}

Result<std::vector<std::uint32_t>> sample_markov_chain(ConstMatrixView<float> transition, std::size_t length,
                                                       std::uint64_t seed) {
  if (length == 0 || length > kLongestSample) {
    return make_error(ErrorCode::kInvalidArgument, "length", length, "a whole number from 1 to 268435456");
  }
  auto stationary = stationary_distribution(transition);
  if (!stationary) return stationary.failure();
  // Running sums: row i for the transitions of state i, and the stationary distribution in the last row.
  const std::size_t states = transition.rows;
  auto cumulative = Matrix<double>::create(states + 1, states);
  if (!cumulative) return cumulative.failure();
  if (auto memory = check_memory("length", length, std::uint64_t{4} * length); !memory) return memory;
  for (std::size_t i = 0; i <= states; ++i) {
    double total = 0;
    for (std::size_t j = 0; j < states; ++j) {
      total += i < states ? static_cast<double>(transition(i, j)) : stationary.value()[j];
      cumulative.value()(i, j) = total;
    }
  }
  Random random(seed, stream_of("text:sample-markov-chain"));
  std::vector<std::uint32_t> sequence(length);
  std::size_t row = states;
  for (std::uint32_t& state : sequence) {
    const double* const sums = cumulative.value().view().row(row);
    const double u = random.uniform_double() * sums[states - 1];
    // The first state whose running sum is above u. States of probability 0 have an empty interval and are never drawn.
    std::size_t next = 0;
    for (std::size_t size = states; size > 0; size /= 2) {
      const std::size_t middle = next + size / 2;
      if (sums[middle] <= u) {
        next = middle + 1;
        --size;
      }
    }
    // u can round up to the total: take the last state with a non-empty interval.
    while (next >= states || (next > 0 && sums[next] == sums[next - 1])) --next;
    state = static_cast<std::uint32_t>(next);
    row = next;
  }
  return sequence;
}

}  // namespace tied
