#include "base/byte_stream.h"

#include <cstring>

namespace tied {

void ByteWriter::write_bytes(std::span<const std::uint8_t> bytes) {
  if (bytes_.data() != nullptr && !bytes.empty()) {
    TIED_ASSERT(bytes.size() <= bytes_.size() - size_);
    std::memcpy(bytes_.data() + size_, bytes.data(), bytes.size());
  }
  size_ += bytes.size();
}

std::span<const std::uint8_t> ByteReader::read_span(std::size_t size) {
  if (size > remaining()) {
    failed_ = true;
    size = 0;
  }
  position_ += size;
  return bytes_.subspan(position_ - size, size);
}

void ByteReader::copy_to(std::span<std::uint8_t> to) {
  if (to.empty()) return;
  const std::span<const std::uint8_t> from = read_span(to.size());
  if (from.empty()) {
    std::memset(to.data(), 0, to.size());
  } else {
    std::memcpy(to.data(), from.data(), to.size());
  }
}

}  // namespace tied
