#include "base/file_parts.h"

namespace tied {

std::uint64_t FileParts::size() {
  ByteWriter counter;
  write(counter);
  return counter.size();
}

std::size_t FileParts::next(std::span<std::uint8_t> part) {
  TIED_ASSERT(!part.empty());
  ByteWriter out(part, position_);
  write(out);
  const std::size_t written = out.written().size();
  position_ += written;
  return written;
}

}  // namespace tied
