// Reads whole files for tests.
#pragma once

#include <cstdint>
#include <vector>

#include "base/file_parts.h"

namespace tied::test {

// All bytes of a file. Small parts of an odd size by default, so tests cross many boundaries between parts.
inline std::vector<std::uint8_t> whole_file(FileParts&& file, std::size_t part_bytes = 1009) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(file.size()));
  for (std::size_t done = 0; done < bytes.size();) {
    done += file.next(std::span(bytes).subspan(done, std::min(part_bytes, bytes.size() - done)));
  }
  return bytes;
}

}  // namespace tied::test
