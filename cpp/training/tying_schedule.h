// Tying that changes during training: one matrix becomes two, or two become one.
#pragma once

#include <cstdint>

#include "model/config.h"
#include "model/parameter_store.h"

namespace tied {

// Whether input and output embedding share storage after `steps_done` steps, for a config that changes_tying(). At the
// named step the change is already done.
bool is_joined_at(const ModelConfig& config, std::uint64_t steps_done);

// To be called after each step: if the tying changes at `steps_done`, changes the parameters and the optimizer's
// `state` (in the layout of Optimizer).
//
// Untying: both matrices and their optimizer states start as bit copies of the shared ones.
//
// Tying: the matrix is the mean of the two. The gradient of a shared matrix is the sum of its two parts, so
//   - first moments and velocities, running sums of gradients, are added: the same as if the parts had been added from
//     the beginning;
//   - second moments are added as well: the mean of (a + b)^2 is that of a^2 plus that of b^2 if the parts are
//     uncorrelated, and never more than twice their sum; their mean would make the first steps too large.
template <class T>
void change_tying(const ModelConfig& config, std::uint64_t steps_done, ParameterStore<T>& parameters,
                  AlignedBuffer<T>& state);

}  // namespace tied
