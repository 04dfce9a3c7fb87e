#include "training/training_config.h"

#include <string_view>

namespace tied {
namespace {

// A real number from `least` to `most`, both allowed. Comparisons are written so that NaN fails them.
struct Range {
  std::string_view name;
  double TrainingConfig::* field;
  double least;
  double most;
  std::string_view expected;
};

constexpr double kLargest = 1e30;  // far from overflow in single precision
// Above 0 in single precision, in which Adam divides by it.
constexpr double kSmallest = 1e-30;
constexpr double kBelowOne = 1 - 0x1p-53;
constexpr std::string_view kNotNegative = "a finite number, not negative";
constexpr std::string_view kDecayRate = "a number from 0 to less than 1";

constexpr Range kRanges[] = {
    {"learning_rate", &TrainingConfig::learning_rate, 0, kLargest, kNotNegative},
    {"final_learning_rate_fraction", &TrainingConfig::final_learning_rate_fraction, 0, 1, "a number from 0 to 1"},
    {"weight_decay", &TrainingConfig::weight_decay, 0, kLargest, kNotNegative},
    {"gradient_clip", &TrainingConfig::gradient_clip, 0, kLargest, kNotNegative},
    {"momentum", &TrainingConfig::momentum, 0, kBelowOne, kDecayRate},
    {"beta1", &TrainingConfig::beta1, 0, kBelowOne, kDecayRate},
    {"beta2", &TrainingConfig::beta2, 0, kBelowOne, kDecayRate},
    {"epsilon", &TrainingConfig::epsilon, kSmallest, kLargest, "a number from 1e-30 to 1e30"},
    {"embedding_rate", &TrainingConfig::embedding_rate, 0, kLargest, kNotNegative},
    {"unembedding_rate", &TrainingConfig::unembedding_rate, 0, kLargest, kNotNegative},
    {"inner_rate", &TrainingConfig::inner_rate, 0, kLargest, kNotNegative},
};

Status validate(const InputGradientScale& scale) {
  if (scale.n_points < 1 || scale.n_points > InputGradientScale::kMostPoints) {
    return make_error(ErrorCode::kInvalidArgument, "input_gradient_scale.length", scale.n_points, "1 to 16 points");
  }
  for (std::size_t i = 0; i < scale.n_points; ++i) {
    const InputGradientScale::Point& point = scale.points[i];
    if (!(point.value >= 0 && point.value <= kLargest)) {
      return make_error(ErrorCode::kInvalidArgument, "input_gradient_scale", point.value, kNotNegative);
    }
    if (i > 0 && point.step <= scale.points[i - 1].step) {
      return make_error(ErrorCode::kInvalidArgument, "input_gradient_scale", "step " + text_of(point.step),
                        "steps in ascending order, each later than the one before");
    }
  }
  return {};
}

}  // namespace

double InputGradientScale::at(std::uint64_t steps_done) const {
  if (steps_done <= points[0].step) return points[0].value;
  for (std::size_t i = 1; i < n_points; ++i) {
    const Point& from = points[i - 1];
    const Point& to = points[i];
    if (steps_done >= to.step) continue;
    const double share = static_cast<double>(steps_done - from.step) / static_cast<double>(to.step - from.step);
    return from.value + share * (to.value - from.value);
  }
  return points[n_points - 1].value;
}

Status validate(const TrainingConfig& config, bool needs_batches) {
  if (Status status = validate(config.input_gradient_scale); !status) return status;
  if (config.optimizer != OptimizerKind::kAdamW && config.optimizer != OptimizerKind::kSgd) {
    return make_error(ErrorCode::kInvalidArgument, "optimizer", static_cast<unsigned>(config.optimizer),
                      "'adamw' or 'sgd'");
  }
  if (config.decay != Decay::kConstant && config.decay != Decay::kCosine) {
    return make_error(ErrorCode::kInvalidArgument, "decay", static_cast<unsigned>(config.decay),
                      "'constant' or 'cosine'");
  }
  for (const Range& range : kRanges) {
    const double value = config.*range.field;
    if (value >= range.least && value <= range.most) continue;
    return make_error(ErrorCode::kInvalidArgument, range.name, value, range.expected);
  }
  if (config.decay == Decay::kCosine && config.total_steps <= config.warmup_steps) {
    return make_error(ErrorCode::kInvalidArgument, "total_steps", config.total_steps,
                      "more steps than the warm-up has, where the decay is 'cosine'");
  }
  if (!needs_batches) return {};
  if (config.batch_size < 1 || config.batch_size > kMaxBatchSize) {
    return make_error(ErrorCode::kInvalidArgument, "batch_size", config.batch_size, "1 to 4194304 pairs or sequences");
  }
  if (config.gradient_accumulation < 1 || config.gradient_accumulation > kMaxBatchSize / config.batch_size) {
    return make_error(ErrorCode::kInvalidArgument, "gradient_accumulation", config.gradient_accumulation,
                      "at least 1, and at most 4194304 pairs or sequences a step");
  }
  return {};
}

}  // namespace tied
