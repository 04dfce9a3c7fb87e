// Snapshots of a run, so that any earlier state can be had again bit for bit: the nearest snapshot before it is
// restored and the steps from there are repeated.
#pragma once

#include <cstdint>
#include <vector>

#include "base/aligned_buffer.h"

namespace tied {

// A state is two blocks: parameters' values and optimizer state.
//
// An edit by hand (set_matrix) at step s makes the state after s steps the edited one, and ends what was known of the
// steps after s. States before s are reached from snapshots before it; replay never runs across an edit.
template <class T>
class Timeline {
 public:
  Timeline() = default;

  // Room for the start and `slots` >= 1 snapshots more. The start is always kept, without optimizer state: that is
  // zero. Errors: kOutOfMemory.
  Status allocate(std::size_t values, std::size_t state, std::size_t slots);

  // The state before any step; forgets everything else.
  void set_start(const AlignedBuffer<T>& values);
  // For drift, and for files.
  const AlignedBuffer<T>& start() const { return start_; }
  // Last step that is reached from the start without an edit; kForever where there was none.
  std::uint64_t start_valid_until() const { return edits_.empty() ? kForever : edits_.front() - 1; }

  // After each step: takes a snapshot where one is due. They are `interval` steps apart; when the room is full every
  // second one is dropped and the interval doubles. Allocates nothing.
  void after_step(std::uint64_t step, const AlignedBuffer<T>& values, const AlignedBuffer<T>& state);

  // After an edit at `step` > 0: always kept, at the expense of others.
  void after_edit(std::uint64_t step, const AlignedBuffer<T>& values, const AlignedBuffer<T>& state);

  // After set_start, for a file: the state at `step` > 0 of a run that is known from the start up to
  // `start_valid_until` only. Always kept, as an edit is: replaying what came before it may take any time.
  void resume(std::uint64_t step, std::uint64_t start_valid_until, const AlignedBuffer<T>& values,
              const AlignedBuffer<T>& state);

  // Forgets all that lies after `step`; called when a run leaves the recorded timeline.
  void forget_after(std::uint64_t step);
  bool has_edit_after(std::uint64_t step) const { return !edits_.empty() && edits_.back() > step; }
  // Whether the state after `step` > 0 steps came from outside: by an edit, or from a file.
  bool is_given(std::uint64_t step) const;

  // Whether `step` can be reached by restore and replay.
  bool reaches(std::uint64_t step) const;
  // The step that restore(step) would return.
  std::uint64_t restore_step(std::uint64_t step) const;
  // Restores the latest snapshot from which `step` is reached, and returns its step; reaches(step) must hold.
  std::uint64_t restore(std::uint64_t step, AlignedBuffer<T>& values, AlignedBuffer<T>& state) const;

  static constexpr std::uint64_t kForever = ~std::uint64_t{0};
  static constexpr std::uint64_t kFirstInterval = 16;

 private:
  struct Slot {
    bool used = false;
    bool given = false;
    std::uint64_t step = 0;
    AlignedBuffer<T> values;
    AlignedBuffer<T> state;
  };

  Slot* free_slot();
  Slot* slot_to_give_up();
  void thin_out();
  void store(Slot& slot, std::uint64_t step, bool given, const AlignedBuffer<T>& values, const AlignedBuffer<T>& state);
  bool is_edit(std::uint64_t step) const;
  bool has_edit_between(std::uint64_t after, std::uint64_t up_to) const;
  const Slot* best_slot(std::uint64_t step) const;

  AlignedBuffer<T> start_;
  std::uint64_t interval_ = kFirstInterval;
  std::vector<Slot> slots_;
  // Steps of all edits, ascending; of some the snapshot may have been given up.
  std::vector<std::uint64_t> edits_;
};

}  // namespace tied
