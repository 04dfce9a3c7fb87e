#include "training/byte_stream.h"

namespace tied {

void ByteWriter::write_bits(std::uint64_t bits, std::size_t bytes) {
  for (; bytes != 0; --bytes, bits >>= 8) {
    if (bytes_.data() != nullptr) bytes_[size_] = static_cast<std::uint8_t>(bits);
    ++size_;
  }
}

std::uint64_t ByteReader::read_bits(std::size_t bytes) {
  if (bytes > remaining()) {
    failed_ = true;
    return 0;
  }
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < bytes; ++i) bits |= static_cast<std::uint64_t>(bytes_[position_++]) << (8 * i);
  return bits;
}

}  // namespace tied
