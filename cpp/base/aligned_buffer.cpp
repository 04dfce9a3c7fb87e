#include "base/aligned_buffer.h"

#include <cstring>

#include "base/memory.h"

namespace tied {

void* allocate_block(std::size_t count, std::size_t element_bytes, Initially initially) {
  const std::size_t limit = static_cast<std::size_t>(-1) - kAlignmentBytes;
  if (count > limit / element_bytes) return nullptr;
  // aligned_alloc requires a multiple of the alignment.
  const std::size_t bytes = (count * element_bytes + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
  if (!has_memory(bytes)) return nullptr;
  void* data = std::aligned_alloc(kAlignmentBytes, bytes);
  if (data != nullptr && initially == Initially::kZero) std::memset(data, 0, bytes);
  return data;
}

Status out_of_memory(std::size_t size) {
  return make_error(ErrorCode::kOutOfMemory, "a block of memory", text_of(size) + " elements long",
                    "one that fits in the free memory");
}

}  // namespace tied
