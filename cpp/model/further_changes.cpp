// Tying that changes more than once.
#include "model/config.h"

namespace tied {

Status check_further_changes(const ModelConfig& config) {
  constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 53;
  const std::uint64_t count = config.n_further_changes;
  if (count == 0) return {};
  bool valid = count < kMaxTyingChanges && config.changes_tying();
  std::uint64_t last_step = config.untie_at_step + config.tie_at_step;
  for (std::size_t i = 0; valid && i < count; ++i) {
    const TyingChange& change = config.further_changes[i];
    const auto& [at_step, condition, share, over, from] = change;
    if (at_step != 0) {
      valid = change == TyingChange{.at_step = at_step} && at_step > last_step && at_step <= kMostSteps;
      last_step = at_step;
    } else {
      const bool has_limit = condition == TyingCondition::kAbove || condition == TyingCondition::kBelow;
      valid = has_limit && share >= 0 && share <= 1 && over >= 1 && over <= kMostSteps && from <= kMostSteps;
    }
  }
  if (valid) return {};
  return make_error(ErrorCode::kInvalidArgument, "further_changes", count,
                    "up to 7 after a first one, each at a later step or on a condition");
}

}  // namespace tied
