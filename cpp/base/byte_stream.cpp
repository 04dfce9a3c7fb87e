#include "base/byte_stream.h"

#include <algorithm>
#include <cstring>

namespace tied {

bool ByteWriter::skips(std::uint64_t bytes) {
  if (bytes > 0 && !part_.empty() && size_ < part_end() && size_ + bytes > first_) return false;
  size_ += bytes;
  return true;
}

void ByteWriter::write_bytes(std::span<const std::uint8_t> bytes) {
  if (skips(bytes.size())) return;
  const std::uint64_t begin = std::max(size_, first_);
  const std::uint64_t end = std::min(size_ + bytes.size(), part_end());
  std::memcpy(part_.data() + (begin - first_), bytes.data() + (begin - size_), static_cast<std::size_t>(end - begin));
  size_ += bytes.size();
}

std::span<const std::uint8_t> ByteWriter::written() const {
  if (size_ <= first_) return {};
  return part_.first(static_cast<std::size_t>(std::min<std::uint64_t>(size_ - first_, part_.size())));
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
