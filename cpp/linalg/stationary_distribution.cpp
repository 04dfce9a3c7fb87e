#include "linalg/stationary_distribution.h"

#include <cmath>
#include <cstdint>
#include <vector>

#include "linalg/reduce.h"

namespace tied {
namespace {

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

}  // namespace tied
