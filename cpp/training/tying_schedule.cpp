#include "training/tying_schedule.h"

#include <cmath>
#include <cstring>

#include "linalg/reduce.h"

namespace tied {

bool ends_with(const TyingChange& change, double share, TyingProgress& progress) {
  progress.sum += share;
  ++progress.count;
  const bool finite = std::isfinite(share);
  if (finite && progress.count < change.over) return false;
  const double mean = progress.sum / static_cast<double>(progress.count);
  progress.sum = 0;
  progress.count = 0;
  return finite && (change.condition == TyingCondition::kAbove ? mean > change.share : mean < change.share);
}

void add_input_share(const ModelConfig& config, std::uint64_t steps_done, double share, TyingProgress& progress) {
  if (config.changes_again()) return add_input_share_of_next(config, steps_done, share, progress);
  const TyingChange change{.condition = config.tying_condition, .share = config.tying_share, .over = config.tying_over};
  if (ends_with(change, share, progress)) progress.changed_at = steps_done;
}

std::uint64_t tying_changed_at(const ModelConfig& config, std::uint64_t steps_done, const TyingProgress& progress) {
  if (config.changes_again()) return changes_made(progress).last;
  // At most one of the three is not 0.
  const std::uint64_t at = config.untie_at_step + config.tie_at_step + progress.changed_at;
  return at <= steps_done ? at : 0;
}

bool is_joined_at(const ModelConfig& config, std::uint64_t steps_done, const TyingProgress& progress) {
  const bool changed = config.changes_again() ? changes_made(progress).count % 2 != 0
                                              : tying_changed_at(config, steps_done, progress) != 0;
  return (config.tying == Tying::kTied) != changed;
}

bool is_possible_block(std::uint64_t over, std::uint64_t measured, const TyingProgress& progress) {
  const double sum = progress.sum;
  const std::uint64_t count = progress.count;
  // Rounding leaves a sum of shares at most as large as their number.
  return count < over && count <= measured && sum >= 0 && sum <= static_cast<double>(count);
}

bool is_possible(const ModelConfig& config, std::uint64_t steps_done, const TyingProgress& progress) {
  if (config.changes_again()) return are_possible(config, steps_done, progress);
  const std::uint64_t changed_at = progress.changed_at;
  if (!config.has_tying_condition()) return progress == TyingProgress{};
  if (changed_at != 0) {
    // The difference, since the sum could wrap.
    return progress == TyingProgress{.changed_at = changed_at} && changed_at <= steps_done &&
           changed_at > config.tying_from && changed_at - config.tying_from >= config.tying_over;
  }
  const std::uint64_t measured = steps_done > config.tying_from ? steps_done - config.tying_from : 0;
  return is_possible_block(config.tying_over, measured, progress);
}

template <class T>
void change_tying(bool joined, ParameterStore<T>& parameters, AlignedBuffer<T>& state) {
  const Parameter* joinable = parameters.table().joinable();
  if (joinable == nullptr || joined == !joinable->owns_storage()) return;

  AlignedBuffer<T>& values = parameters.all_values();
  const auto size = static_cast<std::size_t>(joinable->size());
  const auto own = static_cast<std::size_t>(joinable->own_offset);
  const auto other = static_cast<std::size_t>(parameters.table().list()[joinable->partner].offset);
  const auto bytes = size * sizeof(T);
  if (joined) {
    // Halved before the sum, so that large values stay finite.
    scale(values.data() + other, size, T{0.5});
    add_scaled(values.data() + other, values.data() + own, size, T{0.5});
  } else {
    std::memcpy(values.data() + own, values.data() + other, bytes);
  }
  for (std::size_t first = 0; first < state.size(); first += values.size()) {
    T* numbers = state.data() + first;
    if (joined) {
      add_scaled(numbers + other, numbers + own, size, T{1});
    } else {
      std::memcpy(numbers + own, numbers + other, bytes);
    }
  }
  parameters.set_joined(joined);
}

template void change_tying(bool, ParameterStore<float>&, AlignedBuffer<float>&);
template void change_tying(bool, ParameterStore<double>&, AlignedBuffer<double>&);

}  // namespace tied
