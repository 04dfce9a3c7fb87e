// Binary heaps in arrays. On top is the item that comes before all others in the order of `before`.
#pragma once

#include <cstddef>

namespace tied {

// Restores the heap of items[0, size) after `item` has taken the place of one that came before it.
template <class Item, class Before>
void heap_sift_down(Item* items, std::size_t size, std::size_t place, Item item, const Before& before) {
  for (std::size_t child = 2 * place + 1; child < size; child = 2 * place + 1) {
    if (child + 1 < size && before(items[child + 1], items[child])) ++child;
    if (!before(items[child], item)) break;
    items[place] = items[child];
    place = child;
  }
  items[place] = item;
}

// Adds `item` to the heap of items[0, size), which becomes one of size + 1.
template <class Item, class Before>
void heap_push(Item* items, std::size_t size, Item item, const Before& before) {
  std::size_t place = size;
  for (; place > 0 && before(item, items[(place - 1) / 2]); place = (place - 1) / 2) {
    items[place] = items[(place - 1) / 2];
  }
  items[place] = item;
}

// Sorts the heap of items[0, size): what was on top comes last.
template <class Item, class Before>
void heap_sort(Item* items, std::size_t size, const Before& before) {
  while (size > 1) {
    --size;
    const Item last = items[size];
    items[size] = items[0];
    heap_sift_down(items, size, 0, last, before);
  }
}

}  // namespace tied
