#include "text/key_heap.h"

#include "base/error.h"

namespace tied {
namespace {

// Inserts `key` at the top of the heap in keys[0, size), moving smaller (or larger) keys up.
void sift_down(std::uint64_t* keys, std::size_t size, std::size_t place, std::uint64_t key, bool largest_on_top) {
  for (;;) {
    std::size_t child = 2 * place + 1;
    if (child >= size) break;
    if (child + 1 < size && (keys[child + 1] < keys[child]) != largest_on_top) ++child;
    if ((keys[child] < key) == largest_on_top) break;
    keys[place] = keys[child];
    place = child;
  }
  keys[place] = key;
}

}  // namespace

void KeyHeap::push(std::uint64_t key) {
  std::size_t place = keys_.size();
  keys_.push_back(key);
  while (place > 0) {
    const std::size_t parent = (place - 1) / 2;
    if (keys_[parent] <= key) break;
    keys_[place] = keys_[parent];
    place = parent;
  }
  keys_[place] = key;
}

std::uint64_t KeyHeap::pop() {
  TIED_ASSERT(!keys_.empty());
  const std::uint64_t result = keys_.front();
  const std::uint64_t last = keys_.back();
  keys_.pop_back();
  if (!keys_.empty()) sift_down(keys_.data(), keys_.size(), 0, last, false);
  return result;
}

void sort_keys(std::vector<std::uint64_t>& keys) {
  std::uint64_t* const data = keys.data();
  for (std::size_t i = keys.size() / 2; i-- > 0;) sift_down(data, keys.size(), i, data[i], true);
  for (std::size_t size = keys.size(); size > 1; --size) {
    const std::uint64_t last = data[size - 1];
    data[size - 1] = data[0];
    sift_down(data, size - 1, 0, last, true);
  }
}

}  // namespace tied
