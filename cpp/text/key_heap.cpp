#include "text/key_heap.h"

#include "base/error.h"
#include "base/heap.h"
#include "base/memory.h"

namespace tied {
namespace {

// One type for both orders, so there is only one instance of the code.
struct Order {
  bool largest_on_top;
  bool operator()(std::uint64_t a, std::uint64_t b) const { return largest_on_top ? b < a : a < b; }
};

}  // namespace

bool KeyHeap::push(std::uint64_t key) {
  if (!try_reserve(keys_)) return false;
  keys_.push_back(key);
  heap_push(keys_.data(), keys_.size() - 1, key, Order{false});
  return true;
}

std::uint64_t KeyHeap::pop() {
  TIED_ASSERT(!keys_.empty());
  const std::uint64_t result = keys_.front();
  const std::uint64_t last = keys_.back();
  keys_.pop_back();
  if (!keys_.empty()) heap_sift_down(keys_.data(), keys_.size(), 0, last, Order{false});
  return result;
}

void sort_keys(std::vector<std::uint64_t>& keys) {
  std::uint64_t* const data = keys.data();
  const Order order{true};
  for (std::size_t i = keys.size() / 2; i-- > 0;) heap_sift_down(data, keys.size(), i, data[i], order);
  heap_sort(data, keys.size(), order);
}

}  // namespace tied
