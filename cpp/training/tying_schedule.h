// Tying that changes during training: one matrix becomes two, or two become one.
#pragma once

#include <cstdint>

#include "model/config.h"
#include "model/parameter_store.h"

namespace tied {

// What a run has measured for the condition of its model: part of its state, like the weights. All 0 without a
// condition, and before any step.
struct TyingProgress {
  // Of the open block: the sum of the input shares so far, and their number, which is less than tying_over.
  double sum = 0;
  std::uint64_t count = 0;
  // For a single change: the step at which the tying changed; 0 = not yet.
  std::uint64_t changed_at = 0;
  // For several: how many have passed, and the step of each; 0 for one that was left out, and for those to come.
  std::uint64_t passed = 0;
  std::uint64_t changes[kMaxTyingChanges] = {};

  friend bool operator==(const TyingProgress&, const TyingProgress&) = default;
};

// For several changes, in further_changes.cpp: whether the next one needs the input share of the step after
// `steps_done` steps.
bool next_needs_input_share(const ModelConfig& config, std::uint64_t steps_done, const TyingProgress& progress);
// To be called after each step, before add_input_share: makes the change at step `steps_done`, if one is given.
void pass_given_step(const ModelConfig& config, std::uint64_t steps_done, TyingProgress& progress);
void add_input_share_of_next(const ModelConfig& config, std::uint64_t steps_done, double share,
                             TyingProgress& progress);
bool are_possible(const ModelConfig& config, std::uint64_t steps_done, const TyingProgress& progress);
// The number of changes that were made and not left out, and the step of the last; 0 = none.
struct ChangesMade {
  std::size_t count = 0;
  std::uint64_t last = 0;
};
ChangesMade changes_made(const TyingProgress& progress);

// Whether the condition needs the input share of the step after `steps_done` steps.
inline bool needs_input_share(const ModelConfig& config, std::uint64_t steps_done, const TyingProgress& progress) {
  if (config.changes_again()) return next_needs_input_share(config, steps_done, progress);
  return config.has_tying_condition() && progress.changed_at == 0 && steps_done >= config.tying_from;
}

// Adds the input share of a step that needed it; `steps_done` includes this step. At the end of a block, either the
// tying changes at this step, or the next block begins. After a share that is NaN, because its norms were too large to
// be squared, the next block begins.
void add_input_share(const ModelConfig& config, std::uint64_t steps_done, double share, TyingProgress& progress);

// Adds a share to the open block of a condition. Returns whether this ends the block and the condition holds.
bool ends_with(const TyingChange& change, double share, TyingProgress& progress);

// Whether the open block of a condition is possible after `measured` steps that count for it.
bool is_possible_block(std::uint64_t over, std::uint64_t measured, const TyingProgress& progress);

// The step at which the tying last changed, after `steps_done` steps; 0 = it has not.
std::uint64_t tying_changed_at(const ModelConfig& config, std::uint64_t steps_done, const TyingProgress& progress);

// Whether input and output embedding share storage after `steps_done` steps, for a config that changes_tying(). At the
// step of a change, the change has already been made.
bool is_joined_at(const ModelConfig& config, std::uint64_t steps_done, const TyingProgress& progress);

// Whether a file's progress is possible after `steps_done` steps.
bool is_possible(const ModelConfig& config, std::uint64_t steps_done, const TyingProgress& progress);

// To be called after each step: if the matrices are not `joined` but should be, or the reverse, changes the parameters
// and the optimizer's `state` (in the layout of Optimizer).
//
// Untying: both matrices and their optimizer states start as bit copies of the shared ones.
//
// Tying: the matrix is the mean of the two. The gradient of a shared matrix is the sum of its two parts, so
//   - first moments and velocities, running sums of gradients, are added: the same as if the parts had been added from
//     the beginning;
//   - second moments are added as well: the mean of (a + b)^2 is that of a^2 plus that of b^2 if the parts are
//     uncorrelated, and never more than twice their sum; their mean would make the first steps too large.
template <class T>
void change_tying(bool joined, ParameterStore<T>& parameters, AlignedBuffer<T>& state);

}  // namespace tied
