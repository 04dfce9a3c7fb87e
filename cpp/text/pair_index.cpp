#include "text/pair_index.h"

#include "base/error.h"
#include "base/memory.h"

namespace tied {

std::size_t PairIndex::slot_of(TokenPair pair) const {
  const std::size_t mask = slots_.size() - 1;
  // Multiplicative hashing (Knuth): the high half of the product with an odd constant.
  std::uint64_t hash = (std::uint64_t{pair.left} << 32 | pair.right) * 0x9E3779B97F4A7C15u;
  hash ^= hash >> 32;
  std::size_t slot = static_cast<std::size_t>(hash) & mask;
  while (slots_[slot].number != kNone && !(slots_[slot].pair == pair)) slot = (slot + 1) & mask;
  return slot;
}

std::uint32_t PairIndex::find(TokenPair pair) const {
  if (slots_.empty()) return kNone;
  return slots_[slot_of(pair)].number;
}

std::uint32_t PairIndex::find_or_insert(TokenPair pair, std::uint32_t number) {
  TIED_ASSERT(number != kNone);
  if ((size_ + 1) * 2 > slots_.size() && !out_of_memory_) out_of_memory_ = !grow();
  if (out_of_memory_) return kNone;
  Slot& slot = slots_[slot_of(pair)];
  if (slot.number == kNone) {
    slot = {pair, number};
    ++size_;
  }
  return slot.number;
}

bool PairIndex::grow() {
  const std::size_t slots = slots_.empty() ? 64 : slots_.size() * 2;
  if (!has_memory(std::uint64_t{slots} * sizeof(Slot))) return false;
  std::vector<Slot> old(slots);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.number != kNone) slots_[slot_of(slot.pair)] = slot;
  }
  return true;
}

}  // namespace tied
