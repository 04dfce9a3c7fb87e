// FNV-1a: detects files that were truncated or altered by accident, and derives random streams from names. Source: G.
// Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, "The FNV non-cryptographic hash algorithm", IETF draft.
#pragma once

#include <cstdint>
#include <span>

namespace tied {

// Hash of `bytes`, continued from `before`, the hash of all bytes before them.
std::uint64_t fnv1a_64(std::span<const std::uint8_t> bytes, std::uint64_t before = 0xCBF29CE484222325);
std::uint32_t fnv1a_32(std::span<const std::uint8_t> bytes, std::uint32_t before = 0x811C9DC5);

}  // namespace tied
