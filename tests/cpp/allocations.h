// Allocations of the program, counted by hooks between it and the C library if the linker supports such hooks.
#pragma once

#include <cstddef>

namespace tied::test {

struct Allocations {
  std::size_t count = 0;
  std::size_t aligned_bytes = 0;
  std::size_t blocks_held = 0;
  std::size_t largest_bytes = 0;
  // Total size of all blocks.
  std::size_t held_bytes = 0;
  std::size_t most_held_bytes = 0;
  // Allocations that would exceed it fail.
  std::size_t limit_bytes = ~std::size_t{0};
};

// Since the program's start.
extern Allocations allocations;

}  // namespace tied::test
