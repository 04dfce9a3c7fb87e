#include "training/timeline.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/allocate.h"

namespace tied {
namespace {

template <class T>
void copy(AlignedBuffer<T>& to, const AlignedBuffer<T>& from) {
  TIED_ASSERT(to.size() == from.size());
  if (from.size() != 0) std::memcpy(to.data(), from.data(), from.size_bytes());
}

}  // namespace

template <class T>
Status Timeline<T>::allocate(std::size_t values, std::size_t state, std::size_t slots) {
  if (Status status = tied::allocate(start_, values); !status) return status;
  values_ = values;
  state_ = state;
  return add_slots(slots);
}

template <class T>
Status Timeline<T>::add_slots(std::size_t count) {
  std::vector<Slot> slots(count);
  for (Slot& slot : slots) {
    // Some forty megabytes that most runs never fill: left unset, they cost no time before the first step.
    if (Status status = tied::allocate(slot.values, values_, Initially::kUnset); !status) return status;
    if (Status status = tied::allocate(slot.state, state_, Initially::kUnset); !status) return status;
  }
  slots_ = std::move(slots);
  return {};
}

template <class T>
Status Timeline<T>::need_slot() {
  return slots_.empty() ? add_slots(1) : Status{};
}

template <class T>
void Timeline<T>::set_start(const AlignedBuffer<T>& values) {
  copy(start_, values);
  edits_.clear();
  interval_ = kFirstInterval;
  for (Slot& slot : slots_) slot.used = false;
}

template <class T>
void Timeline<T>::store(Slot& slot, std::uint64_t step, bool given, const AlignedBuffer<T>& values,
                        const AlignedBuffer<T>& state, const TyingProgress& tying) {
  copy(slot.values, values);
  copy(slot.state, state);
  slot.tying = tying;
  slot.used = true;
  slot.given = given;
  slot.step = step;
}

template <class T>
typename Timeline<T>::Slot* Timeline<T>::free_slot() {
  for (Slot& slot : slots_) {
    if (!slot.used) return &slot;
  }
  return nullptr;
}

// Snapshots that only save time go first, the latest first, since early ones save the most; then the oldest given
// state.
template <class T>
typename Timeline<T>::Slot* Timeline<T>::slot_to_drop() {
  const auto drops_before = [](const Slot& a, const Slot& b) {
    if (a.given != b.given) return b.given;
    return a.given ? a.step < b.step : a.step > b.step;
  };
  return &*std::min_element(slots_.begin(), slots_.end(), drops_before);
}

// Doubles the interval and drops all snapshots off it, until a slot is free; given states stay. Does nothing if all are
// given.
template <class T>
void Timeline<T>::double_interval() {
  const auto is_plain = [](const Slot& slot) { return !slot.given; };
  // Also if there is no slot.
  if (std::none_of(slots_.begin(), slots_.end(), is_plain)) return;
  while (free_slot() == nullptr) {
    interval_ *= 2;
    for (Slot& slot : slots_) {
      if (!slot.given && slot.step % interval_ != 0) slot.used = false;
    }
  }
}

template <class T>
void Timeline<T>::after_step(std::uint64_t step, const AlignedBuffer<T>& values, const AlignedBuffer<T>& state,
                             const TyingProgress& tying) {
  if (step % interval_ != 0) return;
  for (const Slot& slot : slots_) {
    if (slot.used && slot.step == step) return;  // repeated after a rewind
  }
  Slot* slot = free_slot();
  if (slot == nullptr) {
    double_interval();
    if (step % interval_ != 0) return;
    slot = free_slot();
  }
  if (slot != nullptr) store(*slot, step, false, values, state, tying);
}

template <class T>
void Timeline<T>::after_edit(std::uint64_t step, const AlignedBuffer<T>& values, const AlignedBuffer<T>& state,
                             const TyingProgress& tying) {
  TIED_ASSERT(step > 0 && !slots_.empty());
  discard_after(step);
  for (Slot& slot : slots_) {
    if (slot.step == step) slot.used = false;
  }
  if (!is_edit(step)) edits_.push_back(step);
  Slot* slot = free_slot();
  store(slot != nullptr ? *slot : *slot_to_drop(), step, true, values, state, tying);
}

template <class T>
void Timeline<T>::resume(std::uint64_t step, std::uint64_t start_valid_until, const AlignedBuffer<T>& values,
                         const AlignedBuffer<T>& state, const TyingProgress& tying) {
  TIED_ASSERT(step > 0 && (!slots_.empty() || start_valid_until >= step));
  if (start_valid_until < step) edits_.push_back(start_valid_until + 1);
  if (slots_.empty()) return;
  TIED_ASSERT(!slots_.front().used);
  store(slots_.front(), step, true, values, state, tying);
}

template <class T>
void Timeline<T>::discard_after(std::uint64_t step) {
  for (Slot& slot : slots_) {
    if (slot.step > step) slot.used = false;
  }
  while (has_edit_after(step)) edits_.pop_back();
}

template <class T>
bool Timeline<T>::is_given(std::uint64_t step) const {
  const auto holds_it = [&](const Slot& slot) { return slot.used && slot.given && slot.step == step; };
  return is_edit(step) || std::any_of(slots_.begin(), slots_.end(), holds_it);
}

template <class T>
bool Timeline<T>::is_edit(std::uint64_t step) const {
  return std::binary_search(edits_.begin(), edits_.end(), step);
}

// Whether there is an edit at a step in (after, up_to].
template <class T>
bool Timeline<T>::has_edit_between(std::uint64_t after, std::uint64_t up_to) const {
  const auto next = std::upper_bound(edits_.begin(), edits_.end(), after);
  return next != edits_.end() && *next <= up_to;
}

// The latest snapshot at or before `step` from which `step` is reached without an edit; null if there is none.
template <class T>
const typename Timeline<T>::Slot* Timeline<T>::best_slot(std::uint64_t step) const {
  const Slot* best = nullptr;
  for (const Slot& slot : slots_) {
    if (!slot.used || slot.step > step || has_edit_between(slot.step, step)) continue;
    if (best == nullptr || slot.step > best->step) best = &slot;
  }
  return best;
}

template <class T>
bool Timeline<T>::reaches(std::uint64_t step) const {
  return !has_edit_between(0, step) || best_slot(step) != nullptr;
}

template <class T>
std::uint64_t Timeline<T>::restore_step(std::uint64_t step) const {
  const Slot* slot = best_slot(step);
  return slot == nullptr ? 0 : slot->step;
}

template <class T>
std::uint64_t Timeline<T>::restore(std::uint64_t step, AlignedBuffer<T>& values, AlignedBuffer<T>& state,
                                   TyingProgress& tying) const {
  TIED_ASSERT(reaches(step));
  if (const Slot* slot = best_slot(step); slot != nullptr) {
    copy(values, slot->values);
    copy(state, slot->state);
    tying = slot->tying;
    return slot->step;
  }
  copy(values, start_);
  state.fill(T{0});
  tying = {};
  return 0;
}

template class Timeline<float>;
template class Timeline<double>;

}  // namespace tied
