// A file that is written part by part, so that it never has to fit in memory as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/byte_stream.h"

namespace tied {

// The object that the file describes must not change before the last part.
class FileParts {
 public:
  FileParts() = default;
  FileParts(const FileParts&) = delete;
  FileParts& operator=(const FileParts&) = delete;
  virtual ~FileParts() = default;

  // Bytes of the whole file.
  std::uint64_t size();
  // Fills `part`, which is not empty, with the next bytes of the file; returns how many there were.
  std::size_t next(std::span<std::uint8_t> part);

 protected:
  // Writes the whole file to a writer that stores only a part of it. Parts come in order.
  virtual void write(ByteWriter& out) = 0;

 private:
  std::uint64_t position_ = 0;
};

}  // namespace tied
