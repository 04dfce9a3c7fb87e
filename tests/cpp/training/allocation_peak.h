// The largest block of memory that was asked for, counted by what test_allocations.cpp puts between the program and the
// C library.
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
