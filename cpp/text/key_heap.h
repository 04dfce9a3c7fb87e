// Sorting and priority queues of 64-bit keys: whatever has an order is packed into a number, so that one piece of code
// serves all (every type that std::sort and std::push_heap meet costs the module kilobytes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tied {

// A binary heap with the smallest key on top.
class KeyHeap {
 public:
  bool empty() const { return keys_.empty(); }
  std::size_t size() const { return keys_.size(); }
  void clear() { keys_.clear(); }

  std::uint64_t smallest() const { return keys_.front(); }
  void push(std::uint64_t key);
  // The smallest, which is taken out. The heap is not empty.
  std::uint64_t pop();

 private:
  std::vector<std::uint64_t> keys_;
};

// Ascending, in place.
void sort_keys(std::vector<std::uint64_t>& keys);

// Order first, number last: as one key.
inline std::uint64_t key_of(std::uint32_t order, std::uint32_t number) { return std::uint64_t{order} << 32 | number; }
inline std::uint32_t number_of(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

}  // namespace tied
