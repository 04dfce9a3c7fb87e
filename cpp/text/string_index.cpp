#include "text/string_index.h"

#include <cstring>

#include "base/memory.h"

namespace tied {
namespace {

// FNV-1a's steps on four bytes at a time, with a final mixing so that the low bits depend on all others.
std::uint32_t hash_of(std::string_view text) {
  std::uint32_t hash = 2166136261u ^ static_cast<std::uint32_t>(text.size());
  std::size_t i = 0;
  for (; i + 4 <= text.size(); i += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, text.data() + i, 4);  // little-endian on every machine we build for; order affects speed only
    hash = (hash ^ word) * 16777619u;
    hash ^= hash >> 15;
  }
  for (; i < text.size(); ++i) hash = (hash ^ static_cast<unsigned char>(text[i])) * 16777619u;
  hash ^= hash >> 16;
  hash *= 0x7FEB352Du;
  hash ^= hash >> 15;
  return hash;
}

}  // namespace

std::size_t StringIndex::slot_of(std::string_view text, std::uint32_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (slots_[slot] != 0) {
    const std::uint32_t number = slots_[slot] - 1;
    if (hashes_[number] == hash && at(number) == text) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

std::uint32_t StringIndex::find(std::string_view text) const {
  if (slots_.empty()) return kNone;
  return slots_[slot_of(text, hash_of(text))] - 1;  // 0 - 1 = kNone
}

std::uint32_t StringIndex::put(std::string_view text, bool always) {
  const std::uint32_t hash = hash_of(text);
  if (!always && !slots_.empty()) {
    const std::uint32_t known = slots_[slot_of(text, hash)];
    if (known != 0) return known - 1;
  }
  if (!out_of_memory_) out_of_memory_ = !reserve_for(text);
  if (out_of_memory_) return kNone;
  std::uint32_t& slot = slots_[slot_of(text, hash)];
  bytes_.append(text);
  ends_.push_back(static_cast<std::uint32_t>(bytes_.size()));
  hashes_.push_back(hash);
  const auto number = static_cast<std::uint32_t>(size());
  if (slot == 0) slot = number;
  return number - 1;
}

// Grows all buffers that have no capacity for one more string, so that it is inserted as a whole or not at all. False
// if memory runs out.
bool StringIndex::reserve_for(std::string_view text) {
  return try_reserve(bytes_, text.size()) && try_reserve(ends_) && try_reserve(hashes_) &&
         ((size() + 1) * 2 <= slots_.size() || grow());
}

bool StringIndex::grow() {
  const std::size_t slots = slots_.empty() ? 64 : slots_.size() * 2;
  if (!has_memory(std::uint64_t{slots} * sizeof(std::uint32_t))) return false;
  slots_.assign(slots, 0);
  for (std::uint32_t number = 0; number < size(); ++number) {
    std::uint32_t& slot = slots_[slot_of(at(number), hashes_[number])];
    if (slot == 0) slot = number + 1;  // otherwise an appended duplicate, which stays out of the table
  }
  return true;
}

bool count_number(std::vector<std::uint32_t>& counts, std::uint32_t number) {
  if (number == StringIndex::kNone) return false;
  if (number == counts.size()) {
    if (!try_reserve(counts)) return false;
    counts.push_back(0);
  }
  ++counts[number];
  return true;
}

}  // namespace tied
