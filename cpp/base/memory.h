// Growth that fails instead of ending the program. Standard containers cannot report that memory has run out, so code
// that grows a container with a caller's data asks here first. A spare stays free for the small allocations that do not
// ask.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tied {

// For error messages, results and handles.
inline constexpr std::size_t kSpareBytes = std::size_t{2} << 20;
// A probe allocates the spare, which costs far more than a small block. Small blocks are therefore taken from the spare
// without a probe until they add up to this much.
inline constexpr std::size_t kUnprobedBytes = kSpareBytes / 8;

// Whether a block of `bytes` can be allocated now with the spare still free. Call it once before each allocation: small
// blocks are only counted until enough of them have been granted; then, as for a large one, the block and the spare are
// allocated and freed at once.
bool has_memory(std::uint64_t bytes);

// Grows the capacity of a vector or string so that `more` elements can be added: to twice what it was, or to what is
// needed if that is more. False if memory runs out; the container is then unchanged.
template <class Container>
[[nodiscard]] bool try_reserve(Container& container, std::size_t more = 1) {
  const std::size_t needed = container.size() + more;
  const std::size_t capacity = container.capacity();
  if (needed <= capacity) return true;
  const std::size_t grown = needed > 2 * capacity ? needed : 2 * capacity;
  if (!has_memory(std::uint64_t{grown} * sizeof(*container.data()))) return false;
  container.reserve(grown);
  return true;
}

}  // namespace tied
