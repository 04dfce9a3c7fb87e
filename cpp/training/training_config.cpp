#include "training/training_config.h"

#include <iterator>
#include <string>

#include "base/hash.h"
#include "model/config.h"

namespace tied {
namespace {

constexpr double kLargest = 1e30;  // far from overflow in single precision
// Above 0 in single precision, since Adam divides by it.
constexpr double kSmallest = 1e-30;
constexpr double kBelowOne = 1 - 0x1p-53;
constexpr const char* kNotNegative = "a finite number, not negative";

constexpr std::string_view kOptimizers[] = {"adamw", "sgd", "coupled-adamw", "muon"};
constexpr std::string_view kMuonScales[] = {"match-rms-adamw", "original"};
constexpr std::string_view kDecays[] = {"constant", "cosine"};

template <class... Kinds>
consteval Condition optimizer_is(Kinds... kinds) {
  return {offsetof(TrainingConfig, optimizer), values_of(kinds...)};
}
constexpr Condition kMuon = optimizer_is(OptimizerKind::kMuon);
constexpr Condition kHasMomentum = optimizer_is(OptimizerKind::kSgd, OptimizerKind::kMuon);
constexpr Condition kAdam = optimizer_is(OptimizerKind::kAdamW, OptimizerKind::kCoupledAdamW, OptimizerKind::kMuon);

constexpr Field kFields[] = {
    Field{TIED_FIELD(TrainingConfig, optimizer)}.one_of(kOptimizers),
    Field{TIED_FIELD(TrainingConfig, learning_rate)}.range(0, kLargest).required(),
    Field{TIED_FIELD(TrainingConfig, warmup_steps)},
    Field{TIED_FIELD(TrainingConfig, decay)}.one_of(kDecays),
    Field{TIED_FIELD(TrainingConfig, total_steps)}.optional(),
    Field{TIED_FIELD(TrainingConfig, final_learning_rate_fraction)}.range(0, 1),
    Field{TIED_FIELD(TrainingConfig, weight_decay)}.range(0, kLargest),
    Field{TIED_FIELD(TrainingConfig, gradient_clip)}.range(0, kLargest).optional(),
    Field{TIED_FIELD(TrainingConfig, momentum)}.range(0, kBelowOne).only_if(kHasMomentum),
    Field{TIED_FIELD(TrainingConfig, muon_learning_rate)}.range(0, kLargest).optional().only_if(kMuon),
    Field{TIED_FIELD(TrainingConfig, muon_scale)}.one_of(kMuonScales).only_if(kMuon),
    Field{TIED_FIELD(TrainingConfig, beta1)}.range(0, kBelowOne).only_if(kAdam),
    Field{TIED_FIELD(TrainingConfig, beta2)}.range(0, kBelowOne).only_if(kAdam),
    Field{TIED_FIELD(TrainingConfig, epsilon)}.range(kSmallest, kLargest).only_if(kAdam),
    Field{TIED_FIELD(TrainingConfig, batch_size)}.range(0, kMaxBatchSize).optional(),
    Field{TIED_FIELD(TrainingConfig, gradient_accumulation)}.range(1, kMaxBatchSize),
    Field{TIED_FIELD(TrainingConfig, shards)}.range(1, kMaxShards).omitted(),
    Field{TIED_FIELD(TrainingConfig, decays_embeddings)}.range(0, 1).at("decayEmbeddings"),
    Field{TIED_FIELD(TrainingConfig, label_smoothing)}.range(0, kBelowOne).omitted(),
    Field{TIED_FIELD(TrainingConfig, temperature)}.range(1e-3, 1e3).omitted(),
    Field{TIED_FIELD(TrainingConfig, seed)}.required(),
    Field{TIED_FIELD(TrainingConfig, init_seed)}.required(),
};

Status validate(const char* name, const FactorSchedule& schedule) {
  if (schedule.n_points < 1 || schedule.n_points > FactorSchedule::kMaxPoints) {
    return make_error(ErrorCode::kInvalidArgument, std::string(name) + ".length", schedule.n_points, "1 to 16 points");
  }
  for (std::size_t i = 0; i < schedule.n_points; ++i) {
    const FactorSchedule::Point& point = schedule.points[i];
    if (!(point.value >= 0 && point.value <= kLargest)) {
      return make_error(ErrorCode::kInvalidArgument, name, point.value, kNotNegative);
    }
    if (i > 0 && point.step <= schedule.points[i - 1].step) {
      return make_error(ErrorCode::kInvalidArgument, name, "step " + text_of(point.step),
                        "steps in ascending order, each later than the one before");
    }
  }
  return {};
}

}  // namespace

double FactorSchedule::at(std::uint64_t steps_done) const {
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

std::span<const Field> fields_of(const TrainingConfig&) { return kFields; }

std::uint32_t fields_version() {
  return static_cast<std::uint32_t>(hash_of(kFields, hash_of(fields_of(ModelConfig{}), fnv1a_64({})))) +
         static_cast<std::uint32_t>(std::size(kSchedules));
}

Status validate(const TrainingConfig& config, bool needs_batches) {
  for (const ScheduleField& field : kSchedules) {
    if (Status status = validate(field.name, config.*field.schedule); !status) return status;
  }
  if (Status status = check_fields(config); !status) return status;
  if (config.decay == Decay::kCosine && config.total_steps <= config.warmup_steps) {
    return make_error(ErrorCode::kInvalidArgument, "total_steps", config.total_steps,
                      "more steps than the warm-up has, if the decay is 'cosine'");
  }
  if (needs_batches && (config.batch_size < 1 || config.batch_size > kMaxBatchSize)) {
    return make_error(ErrorCode::kInvalidArgument, "batch_size", config.batch_size, "1 to 4194304 pairs or sequences");
  }
  if (config.shards > (needs_batches ? config.batch_size : 1)) {
    return make_error(ErrorCode::kInvalidArgument, "shards", config.shards, "at most batch_size; 1 without batches");
  }
  if (needs_batches && config.gradient_accumulation > kMaxBatchSize / config.batch_size) {
    return make_error(ErrorCode::kInvalidArgument, "gradient_accumulation", config.gradient_accumulation,
                      "at least 1, and at most 4194304 pairs or sequences per step");
  }
  return {};
}

}  // namespace tied
