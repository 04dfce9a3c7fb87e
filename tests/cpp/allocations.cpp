// Replaces operator new and, through the linker (see CMakeLists.txt), the C library's allocators.
#include "allocations.h"

#include <cstdlib>
#include <new>

tied::test::Allocations tied::test::allocations;

#if defined(TIED_WRAPS_ALLOCATORS)

#include <malloc.h>

#include "base/memory.h"

namespace {

tied::test::Allocations& counts = tied::test::allocations;

bool is_too_much(std::size_t size) {
  // The C library's own allocations bypass the hooks, though the program may free them. Without a limit, the held bytes
  // therefore do not matter.
  if (counts.limit_bytes == ~std::size_t{0}) return false;
  return size > counts.limit_bytes || counts.held_bytes > counts.limit_bytes - size;
}

void* counted(void* memory, std::size_t size) {
  if (memory == nullptr) return nullptr;
  ++counts.count;
  ++counts.blocks_held;
  counts.held_bytes += malloc_usable_size(memory);
  // The spare is only probed.
  if (size == tied::kSpareBytes) return memory;
  if (size > counts.largest_bytes) counts.largest_bytes = size;
  if (counts.held_bytes > counts.most_held_bytes) counts.most_held_bytes = counts.held_bytes;
  return memory;
}

}  // namespace

// The linker prescribes these names.
// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
extern "C" {
void* __real_malloc(std::size_t size);
void* __real_aligned_alloc(std::size_t alignment, std::size_t size);
void __real_free(void* memory);
void* __wrap_malloc(std::size_t size) { return is_too_much(size) ? nullptr : counted(__real_malloc(size), size); }
void __wrap_free(void* memory) {
  if (memory != nullptr) {
    --counts.blocks_held;
    counts.held_bytes -= malloc_usable_size(memory);
  }
  __real_free(memory);
}
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t size) {
  if (is_too_much(size)) return nullptr;
  counts.aligned_bytes += size;
  return counted(__real_aligned_alloc(alignment, size), size);
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
