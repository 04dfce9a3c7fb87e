// Tying that changes while a model trains: one matrix becomes two, or two become one.
#pragma once

#include <cstdint>

#include "model/config.h"
#include "model/parameter_store.h"

namespace tied {

// Whether the matrix that reads and the one that writes are one after `steps_done` steps; only of a config that
// changes_tying(). At the step that is named the change has happened already.
bool is_joined_at(const ModelConfig& config, std::uint64_t steps_done);

// Called when `steps_done` steps are done: if the tying changes there, changes the parameters and the optimizer's
// `state` (laid out as in Optimizer).
//
// Untying: both matrices begin as bit copies of the one, and so do their optimizer states.
//
// Tying: the matrix is the mean of the two. The gradient of a shared matrix is the sum of its two parts, so that
//   - first moments and velocities, running sums of gradients, are added: that is what they would be had the parts been
//     added from the beginning;
//   - second moments are added as well: the mean of (a + b)^2 is that of a^2 plus that of b^2 where the parts are not
//     correlated, and never more than twice their sum; their mean would make the first steps too large.
template <class T>
void change_tying(const ModelConfig& config, std::uint64_t steps_done, ParameterStore<T>& parameters,
                  AlignedBuffer<T>& state);

}  // namespace tied
