// The largest allocation, counted by the hooks of test_allocations.cpp between the program and the C library.
#pragma once

#include <cstddef>

namespace tied::test {

// Since its construction.
class AllocationPeak {
 public:
  AllocationPeak();
  std::size_t largest_bytes() const;
};

}  // namespace tied::test
