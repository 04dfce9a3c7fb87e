// Snapshots of a run, from which any earlier state is restored bit for bit: the nearest snapshot before it, then a
// replay of the steps from there.
#pragma once

#include <cstdint>
#include <vector>

#include "base/aligned_buffer.h"
#include "training/tying_schedule.h"

namespace tied {

// A state is two buffers, the parameters' values and the optimizer state, and the progress of the tying's condition.
//
// An edit by hand (set_matrix) at step s replaces the state after s steps and invalidates all later ones. States before
// s are reached from snapshots before it; a replay never crosses an edit.
template <class T>
class Timeline {
 public:
  Timeline() = default;

  // Allocates the start and `slots` snapshots. The start is always stored: the values alone, since the rest of its
  // state is zero. Errors: kOutOfMemory.
  Status allocate(std::size_t values, std::size_t state, std::size_t slots);

  // Sets the state before any step and discards everything else.
  void set_start(const AlignedBuffer<T>& values);
  // For drifts and files.
  const AlignedBuffer<T>& start() const { return start_; }
  // Last step that is reached from the start without an edit; kForever if there is none.
  std::uint64_t start_valid_until() const { return edits_.empty() ? kForever : edits_.front() - 1; }

  // To be called after each step: takes a snapshot if one is due, every `interval` steps. When all slots are full,
  // every second snapshot is dropped and the interval doubles. Allocates nothing.
  void after_step(std::uint64_t step, const AlignedBuffer<T>& values, const AlignedBuffer<T>& state,
                  const TyingProgress& tying);

  // Makes sure that there is a slot, which an edit needs. Errors: kOutOfMemory.
  Status need_slot();

  // To be called after an edit at `step` > 0; there must be a slot. Always takes a snapshot, dropping others if
  // necessary.
  void after_edit(std::uint64_t step, const AlignedBuffer<T>& values, const AlignedBuffer<T>& state,
                  const TyingProgress& tying);

  // After set_start, for a file: the state at `step` > 0 of a run that can be replayed from the start only up to
  // `start_valid_until`. Takes a snapshot if there is a slot, because replaying earlier steps can take long; there must
  // be one if the start does not reach `step`.
  void resume(std::uint64_t step, std::uint64_t start_valid_until, const AlignedBuffer<T>& values,
              const AlignedBuffer<T>& state, const TyingProgress& tying);

  // Discards all states after `step`; called when a run leaves the recorded timeline.
  void discard_after(std::uint64_t step);
  bool has_edit_after(std::uint64_t step) const { return !edits_.empty() && edits_.back() > step; }
  // Whether the state after `step` > 0 steps came from an edit or a file.
  bool is_given(std::uint64_t step) const;

  // Whether `step` can be reached by restore and replay.
  bool reaches(std::uint64_t step) const;
  // The step that restore(step) would return.
  std::uint64_t restore_step(std::uint64_t step) const;
  // Restores the latest snapshot from which `step` is reached, and returns its step; reaches(step) must hold.
  std::uint64_t restore(std::uint64_t step, AlignedBuffer<T>& values, AlignedBuffer<T>& state,
                        TyingProgress& tying) const;

  static constexpr std::uint64_t kForever = ~std::uint64_t{0};
  static constexpr std::uint64_t kFirstInterval = 16;

 private:
  struct Slot {
    bool used = false;
    bool given = false;
    std::uint64_t step = 0;
    TyingProgress tying;
    AlignedBuffer<T> values;
    AlignedBuffer<T> state;
  };

  Status add_slots(std::size_t count);
  Slot* free_slot();
  Slot* slot_to_drop();
  void double_interval();
  void store(Slot& slot, std::uint64_t step, bool given, const AlignedBuffer<T>& values, const AlignedBuffer<T>& state,
             const TyingProgress& tying);
  bool is_edit(std::uint64_t step) const;
  bool has_edit_between(std::uint64_t after, std::uint64_t up_to) const;
  const Slot* best_slot(std::uint64_t step) const;

  AlignedBuffer<T> start_;
  std::uint64_t interval_ = kFirstInterval;
  std::size_t values_ = 0;
  std::size_t state_ = 0;
  std::vector<Slot> slots_;
  // Steps of all edits, ascending; the snapshots of some may have been dropped.
  std::vector<std::uint64_t> edits_;
};

}  // namespace tied
