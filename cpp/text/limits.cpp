#include "text/limits.h"

#include <cstdlib>

namespace tied {

Status check_memory(std::string_view argument, std::size_t value, std::uint64_t bytes) {
  // Volatile, because compilers may remove an unused allocation.
  const bool is_possible = bytes < static_cast<std::size_t>(-1);
  void* volatile block = is_possible ? std::malloc(static_cast<std::size_t>(bytes)) : nullptr;
  if (block == nullptr && bytes != 0) {
    return make_error(ErrorCode::kOutOfMemory, argument, value, "a size that fits in the free memory");
  }
  std::free(block);
  return {};
}

}  // namespace tied
