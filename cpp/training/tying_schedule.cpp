#include "training/tying_schedule.h"

#include <cstring>

#include "linalg/reduce.h"

namespace tied {

bool is_joined_at(const ModelConfig& config, std::uint64_t steps_done) {
  return config.untie_at_step != 0 ? steps_done < config.untie_at_step : steps_done >= config.tie_at_step;
}

template <class T>
void change_tying(const ModelConfig& config, std::uint64_t steps_done, ParameterStore<T>& parameters,
                  AlignedBuffer<T>& state) {
  const Parameter* joinable = parameters.table().joinable();
  if (joinable == nullptr) return;
  const bool joined = is_joined_at(config, steps_done);
  if (joined == !joinable->owns_storage()) return;

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

template void change_tying(const ModelConfig&, std::uint64_t, ParameterStore<float>&, AlignedBuffer<float>&);
template void change_tying(const ModelConfig&, std::uint64_t, ParameterStore<double>&, AlignedBuffer<double>&);

}  // namespace tied
