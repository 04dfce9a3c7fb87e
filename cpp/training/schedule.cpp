#include "training/schedule.h"

namespace tied {
namespace {

// cos(pi x) for x in [0, 1], as -sin(pi (x - 1/2)) by its Taylor series, whose first omitted term is below 1e-18.
double cosine_of_half_turns(double x) {
  constexpr double kPi = 3.14159265358979323846;
  constexpr int kTerms = 12;
  const double angle = kPi * (0.5 - x);
  const double square = angle * angle;
  double term = angle;
  double sum = angle;
  for (int k = 1; k < kTerms; ++k) {
    term *= -square / ((2 * k) * (2 * k + 1));
    sum += term;
  }
  return sum;
}

}  // namespace

double learning_rate_at(const TrainingConfig& config, double rate, std::uint64_t steps_done) {
  if (steps_done < config.warmup_steps) {
    return rate * (static_cast<double>(steps_done + 1) / static_cast<double>(config.warmup_steps));
  }
  if (config.decay == Decay::kConstant) return rate;
  const double fraction = config.final_learning_rate_fraction;
  if (steps_done >= config.total_steps) return rate * fraction;
  const double progress = static_cast<double>(steps_done - config.warmup_steps) /
                          static_cast<double>(config.total_steps - config.warmup_steps);
  return rate * (fraction + (1 - fraction) * 0.5 * (1 + cosine_of_half_turns(progress)));
}

double integer_power(double base, std::uint64_t exponent) {
  double result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result *= base;
    base *= base;
  }
  return result;
}

}  // namespace tied
