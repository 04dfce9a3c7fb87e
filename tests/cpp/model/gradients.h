// Gradients of a loss compared with central differences.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include "support.h"

namespace tied::test::inline model_tests {

// The largest |analytic - numeric| over all elements of all parameters, for a loss of `model` in double precision. A
// central difference with step h = 1e-5 has an error of h^2 / 6 times the third derivative (about 1e-10 for values of
// size one) and a rounding error of 2^-52 / h = 2e-11. With `stride` > 1 only every stride-th element is compared. The
// gradient of every parameter must be at least `least` in total.
inline double largest_gradient_error(Model<double>& model, const std::function<double(Pass)>& loss,
                                     std::size_t stride = 1, double least = 1e-3) {
  constexpr double kStep = 1e-5;
  ParameterStore<double>& parameters = model.parameters();
  model.zero_gradients();
  loss(Pass::kForwardBackward);
  parameters.combine_gradients(1, 1);
  double largest = 0;
  for (const Parameter& parameter : parameters.table().list()) {
    if (!parameter.owns_storage()) continue;
    const MatrixView<double> values = parameters.values(parameter);
    const MatrixView<double> gradient = parameters.gradient(parameter);
    double norm = 0;
    for (std::size_t i = 0; i < values.rows * values.cols; ++i) {
      norm += std::fabs(gradient.data[i]);
      if (i % stride != 0) continue;
      const double here = values.data[i];
      values.data[i] = here + kStep;
      const double above = loss(Pass::kForward);
      values.data[i] = here - kStep;
      const double below = loss(Pass::kForward);
      values.data[i] = here;
      largest = std::fmax(largest, std::fabs((above - below) / (2 * kStep) - gradient.data[i]));
    }
    CHECK_MESSAGE(norm > least, parameter.name, " has no gradient to compare");
  }
  return largest;
}

}  // namespace tied::test::inline model_tests
