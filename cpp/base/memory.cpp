#include "base/memory.h"

#include <cstdlib>

namespace tied {
namespace {

// Granted since the last successful probe.
std::size_t unprobed_bytes = 0;

bool probe(std::size_t bytes) {
  // Volatile, because compilers may remove an unused allocation.
  void* volatile block = std::malloc(bytes);
  void* volatile spare = block == nullptr ? nullptr : std::malloc(kSpareBytes);
  const bool succeeded = spare != nullptr;
  std::free(spare);
  std::free(block);
  return succeeded;
}

}  // namespace

bool has_memory(std::uint64_t bytes) {
  if (bytes <= kUnprobedBytes - unprobed_bytes) {
    unprobed_bytes += static_cast<std::size_t>(bytes);
    return true;
  }
  // No container may take more than half of the address space.
  constexpr std::uint64_t kMaxBytes = static_cast<std::size_t>(-1) / 2;
  if (bytes > kMaxBytes || !probe(static_cast<std::size_t>(bytes))) return false;
  unprobed_bytes = 0;
  return true;
}

}  // namespace tied
