// Sorting and priority queues of 64-bit keys. Everything with an order is packed into such keys, so that one
// implementation serves all: each type that std::sort or std::push_heap is instantiated for costs kilobytes of payload.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tied {

// A binary heap with the smallest key on top.
class KeyHeap {
 public:
  bool empty() const { return keys_.empty(); }
  void clear() { keys_.clear(); }

  // False if memory runs out.
  [[nodiscard]] bool push(std::uint64_t key);
  // Removes and returns the smallest key. The heap must not be empty.
  std::uint64_t pop();

 private:
  std::vector<std::uint64_t> keys_;
};

// Sorts ascending, in place.
void sort_keys(std::vector<std::uint64_t>& keys);

// Packs an order (high bits) and a number (low bits) into one key.
inline std::uint64_t key_of(std::uint32_t order, std::uint32_t number) { return std::uint64_t{order} << 32 | number; }
inline std::uint32_t number_of(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

}  // namespace tied
