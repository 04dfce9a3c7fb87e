#include "text/limits.h"

#include "base/memory.h"

namespace tied {

Status check_memory(std::string_view argument, std::size_t value, std::uint64_t bytes) {
  if (has_memory(bytes)) return {};
  return out_of_memory(argument, value);
}

Status out_of_memory(std::string_view argument, std::size_t value) {
  return make_error(ErrorCode::kOutOfMemory, argument, value, "a size that fits in the free memory");
}

}  // namespace tied
