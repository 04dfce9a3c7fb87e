// Tying that changes more than once. A program that defines these functions itself, as core.wasm does
// (bindings/only_one_tying_change.cpp), is linked without what follows from them: the linker takes this file from the
// library only where they are missing.
#include "model/config.h"

namespace tied {
namespace {

Status refused(std::size_t change, std::string_view found, std::string_view expected) {
  return make_error(ErrorCode::kInvalidArgument, "further_changes",
                    "change " + text_of(change) + " " + std::string(found), expected);
}

constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 53;

}  // namespace

bool has_further_changes() { return true; }

Status check_further_changes(const ModelConfig& config) {
  if (config.n_further_changes == 0) return {};
  if (config.n_further_changes >= kMaxTyingChanges) {
    return make_error(ErrorCode::kInvalidArgument, "further_changes", config.n_further_changes,
                      "at most " + text_of(kMaxTyingChanges - 1) + ", besides the first");
  }
  if (!config.changes_tying()) return refused(1, "follows none", "a first change before any other");
  std::uint64_t last_step = config.untie_at_step + config.tie_at_step;
  for (std::size_t i = 0; i < config.n_further_changes; ++i) {
    const auto& [at_step, condition, share, over, from] = config.further_changes[i];
    if (at_step != 0) {
      if (TyingChange{.at_step = at_step} != config.further_changes[i]) {
        return refused(i + 1, "has a step and a condition", "one of the two");
      }
      if (at_step <= last_step || at_step > kMostSteps) {
        return refused(i + 1, "is at step " + text_of(at_step), "a step after " + text_of(last_step));
      }
      last_step = at_step;
      continue;
    }
    if (condition != TyingCondition::kAbove && condition != TyingCondition::kBelow) {
      return refused(i + 1, "has neither step nor condition", "one of the two");
    }
    if (!(share >= 0 && share <= 1) || over < 1 || over > kMostSteps || from > kMostSteps) {
      return refused(i + 1, "has a condition out of range", "a share of 0 to 1 in blocks of 1 to 2^53 steps");
    }
  }
  return {};
}

}  // namespace tied
