#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "base/heap.h"
#include "base/random.h"

using namespace tied;

TEST_CASE("a heap returns its items in order, including equal ones, however it was filled") {
  Random random(1, stream_of("heap"));
  for (std::size_t size = 0; size < 60; ++size) {
    std::vector<std::uint32_t> items(size);
    for (std::uint32_t& item : items) item = random.below(30);
    std::vector<std::uint32_t> sorted = items;
    std::sort(sorted.begin(), sorted.end());

    std::vector<std::uint32_t> pushed(size);
    for (std::size_t i = 0; i < size; ++i) heap_push(pushed.data(), i, items[i], std::greater<>());
    heap_sort(pushed.data(), size, std::greater<>());
    CHECK(pushed == sorted);

    for (std::size_t i = size / 2; i-- > 0;) heap_sift_down(items.data(), size, i, items[i], std::greater<>());
    heap_sort(items.data(), size, std::greater<>());
    CHECK(items == sorted);
  }
}
