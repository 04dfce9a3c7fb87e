#include "base/hash.h"

namespace tied {

std::uint64_t fnv1a_64(std::span<const std::uint8_t> bytes, std::uint64_t before) {
  for (const std::uint8_t byte : bytes) before = (before ^ byte) * 0x100000001B3;
  return before;
}

std::uint32_t fnv1a_32(std::span<const std::uint8_t> bytes, std::uint32_t before) {
  for (const std::uint8_t byte : bytes) before = (before ^ byte) * 0x01000193;
  return before;
}

}  // namespace tied
