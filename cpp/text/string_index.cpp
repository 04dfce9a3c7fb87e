#include "text/string_index.h"

#include <cstring>

#include "base/error.h"

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

std::uint32_t StringIndex::add(std::string_view text) {
  if ((size() + 1) * 2 > slots_.size()) grow();
  const std::uint32_t hash = hash_of(text);
  const std::size_t slot = slot_of(text, hash);
  if (slots_[slot] != 0) return slots_[slot] - 1;
  bytes_.append(text);
  ends_.push_back(bytes_.size());
  hashes_.push_back(hash);
  slots_[slot] = static_cast<std::uint32_t>(size());
  return slots_[slot] - 1;
}

std::uint32_t StringIndex::append(std::string_view text) {
  const auto number = static_cast<std::uint32_t>(size());
  if (add(text) != number) {
    bytes_.append(text);
    ends_.push_back(bytes_.size());
    hashes_.push_back(hash_of(text));
  }
  return number;
}

void StringIndex::grow() {
  slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t number = 0; number < size(); ++number) {
    std::size_t slot = hashes_[number] & mask;
    bool known = false;
    // Appended twins stay out of the table.
    while (slots_[slot] != 0 && !known) {
      const std::uint32_t other = slots_[slot] - 1;
      known = hashes_[other] == hashes_[number] && at(other) == at(number);
      slot = (slot + 1) & mask;
    }
    if (!known) slots_[slot] = number + 1;
  }
}

}  // namespace tied
