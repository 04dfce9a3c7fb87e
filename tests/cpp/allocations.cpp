// Replaces operator new and, through the linker (see CMakeLists.txt), the C library's allocators.
#include "allocations.h"

#include <cstdlib>
#include <new>

tied::test::Allocations tied::test::allocations;

#if defined(TIED_WRAPS_ALLOCATORS)

namespace {

void count(std::size_t size) {
  tied::test::Allocations& counts = tied::test::allocations;
  ++counts.count;
  ++counts.blocks_held;
  if (size > counts.largest_bytes) counts.largest_bytes = size;
}

}  // namespace

// The linker prescribes these names.
// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
extern "C" {
void* __real_malloc(std::size_t size);
void* __real_aligned_alloc(std::size_t alignment, std::size_t size);
void __real_free(void* memory);
void* __wrap_malloc(std::size_t size) {
  count(size);
  return __real_malloc(size);
}
void __wrap_free(void* memory) {
  if (memory != nullptr) --tied::test::allocations.blocks_held;
  __real_free(memory);
}
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
  count(size);
  tied::test::allocations.aligned_bytes += size;
  return __real_aligned_alloc(alignment, size);
}
}
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)

void* operator new(std::size_t size) {
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) std::abort();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

#endif
