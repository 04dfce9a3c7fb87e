// Tying that changes more than once.
#include "training/tying_schedule.h"

namespace tied {
namespace {

std::size_t change_count(const ModelConfig& config) { return 1 + static_cast<std::size_t>(config.n_further_changes); }

TyingChange change_of(const ModelConfig& config, std::size_t index) {
  if (index > 0) return config.further_changes[index - 1];
  return {.at_step = config.untie_at_step + config.tie_at_step,
          .condition = config.tying_condition,
          .share = config.tying_share,
          .over = config.tying_over,
          .from = config.tying_from};
}

// The step from which a change is measured: that of the change before it, whether that was made or left out. If it was
// left out, it is a change at a given step.
std::uint64_t step_before(const ModelConfig& config, std::size_t index, const TyingProgress& progress) {
  if (index == 0) return 0;
  const std::uint64_t made = progress.changes[index - 1];
  return made != 0 ? made : change_of(config, index - 1).at_step;
}

}  // namespace

bool next_needs_input_share(const ModelConfig& config, std::uint64_t steps_done, const TyingProgress& progress) {
  const auto next = static_cast<std::size_t>(progress.passed);
  if (next == change_count(config)) return false;
  const TyingChange change = change_of(config, next);
  return change.at_step == 0 && steps_done >= step_before(config, next, progress) + change.from;
}

void pass_given_step(const ModelConfig& config, std::uint64_t steps_done, TyingProgress& progress) {
  const auto next = static_cast<std::size_t>(progress.passed);
  for (std::size_t i = next; i < change_count(config); ++i) {
    if (change_of(config, i).at_step != steps_done) continue;
    // The changes between are left out. If their number is odd, the tying is already what this change would make it.
    if ((i - next) % 2 == 0) progress.changes[i] = steps_done;
    progress.passed = i + 1;
    progress.sum = 0;
    progress.count = 0;
    return;
  }
}

void add_input_share_of_next(const ModelConfig& config, std::uint64_t steps_done, double share,
                             TyingProgress& progress) {
  // A given step may have come first.
  if (!next_needs_input_share(config, steps_done - 1, progress)) return;
  const auto next = static_cast<std::size_t>(progress.passed);
  if (!ends_with(change_of(config, next), share, progress)) return;
  progress.changes[next] = steps_done;
  progress.passed = next + 1;
}

ChangesMade changes_made(const TyingProgress& progress) {
  ChangesMade made;
  for (const std::uint64_t step : progress.changes) {
    if (step == 0) continue;
    ++made.count;
    made.last = step;
  }
  return made;
}

bool are_possible(const ModelConfig& config, std::uint64_t steps_done, const TyingProgress& progress) {
  const std::size_t count = change_count(config);
  bool possible = progress.changed_at == 0 && progress.passed <= count;
  std::uint64_t before = 0;
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < kMaxTyingChanges; ++i) {
    const std::uint64_t made = progress.changes[i];
    const TyingChange change = i < count ? change_of(config, i) : TyingChange{};
    const std::uint64_t given = change.at_step;
    if (i >= progress.passed) {
      // A given step that has been reached must have been passed.
      possible &= made == 0 && (given == 0 || given > steps_done);
    } else if (given != 0) {
      possible &= given > before && given <= steps_done && made == (left_out % 2 == 0 ? given : 0);
      before = given;
      left_out = 0;
    } else if (made == 0) {
      ++left_out;
    } else {
      // Differences, since sums could wrap.
      possible &= left_out == 0 && made <= steps_done && made > before && made - before > change.from &&
                  made - before - change.from >= change.over;
      before = made;
    }
  }
  if (!possible || left_out != 0) return false;
  const auto next = static_cast<std::size_t>(progress.passed);
  if (next == count || change_of(config, next).at_step != 0) return progress.sum == 0 && progress.count == 0;
  const TyingChange change = change_of(config, next);
  const std::uint64_t measured = steps_done - before > change.from ? steps_done - before - change.from : 0;
  return is_possible_block(change.over, measured, progress);
}

}  // namespace tied
