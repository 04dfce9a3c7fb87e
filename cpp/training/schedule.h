// The learning rate as a function of the step.
#pragma once

#include <cstdint>

#include "training/training_config.h"

namespace tied {

// `rate` with the warm-up and the decay of `config`, for the step from `steps_done` to `steps_done + 1`. Without libm:
// the same bits on every machine.
double learning_rate_at(const TrainingConfig& config, double rate, std::uint64_t steps_done);

// base^exponent by repeated squaring: the same bits on every machine.
double integer_power(double base, std::uint64_t exponent);

}  // namespace tied
