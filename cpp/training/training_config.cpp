#include "training/training_config.h"

#include <string_view>

namespace tied {
namespace {

// Comparisons are written so that NaN fails them.
Status check(std::string_view name, double value, bool holds, std::string_view expected) {
  if (holds) return {};
  return make_error(ErrorCode::kInvalidArgument, name, value, expected);
}

}  // namespace

Status validate(const TrainingConfig& config, bool needs_batches) {
  constexpr double kLargest = 1e30;  // far from overflow in single precision
  const auto decay_rate = [](double beta) { return beta >= 0 && beta < 1; };
  if (config.optimizer != OptimizerKind::kAdamW && config.optimizer != OptimizerKind::kSgd) {
    return make_error(ErrorCode::kInvalidArgument, "optimizer", static_cast<int>(config.optimizer), "'adamw' or 'sgd'");
  }
  if (config.decay != Decay::kConstant && config.decay != Decay::kCosine) {
    return make_error(ErrorCode::kInvalidArgument, "decay", static_cast<int>(config.decay), "'constant' or 'cosine'");
  }
  const Status checks[] = {
      check("learning_rate", config.learning_rate, config.learning_rate >= 0 && config.learning_rate <= kLargest,
            "a finite number, not negative"),
      check("final_learning_rate_fraction", config.final_learning_rate_fraction,
            config.final_learning_rate_fraction >= 0 && config.final_learning_rate_fraction <= 1,
            "a number from 0 to 1"),
      check("weight_decay", config.weight_decay, config.weight_decay >= 0 && config.weight_decay <= kLargest,
            "a finite number, not negative"),
      check("gradient_clip", config.gradient_clip, config.gradient_clip >= 0 && config.gradient_clip <= kLargest,
            "a positive finite number, or 0 for no clipping"),
      check("momentum", config.momentum, decay_rate(config.momentum), "a number from 0 to less than 1"),
      check("beta1", config.beta1, decay_rate(config.beta1), "a number from 0 to less than 1"),
      check("beta2", config.beta2, decay_rate(config.beta2), "a number from 0 to less than 1"),
      check("epsilon", config.epsilon, config.epsilon > 0 && config.epsilon <= kLargest, "a positive finite number"),
      check("input_gradient_scale", config.input_gradient_scale,
            config.input_gradient_scale >= 0 && config.input_gradient_scale <= kLargest,
            "a finite number, not negative"),
  };
  for (const Status& status : checks) {
    if (!status) return status;
  }
  if (config.decay == Decay::kCosine && config.total_steps <= config.warmup_steps) {
    return make_error(ErrorCode::kInvalidArgument, "total_steps", config.total_steps,
                      "more steps than the warm-up has, where the decay is 'cosine'");
  }
  if (needs_batches && (config.batch_size < 1 || config.batch_size > kMaxBatchSize)) {
    return make_error(ErrorCode::kInvalidArgument, "batch_size", config.batch_size, "1 to 4194304 pairs");
  }
  return {};
}

}  // namespace tied
