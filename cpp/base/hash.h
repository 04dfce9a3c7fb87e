// FNV-1a: tells a file that was cut or altered by accident, and names streams of random numbers. Source: G. Fowler,
// L. C. Noll, K.-P. Vo, D. Eastlake, "The FNV non-cryptographic hash algorithm", IETF draft.
#pragma once

#include <cstdint>
#include <span>

namespace tied {

// Of the bytes, going on from `before`, the hash of what comes before them.
std::uint64_t fnv1a_64(std::span<const std::uint8_t> bytes, std::uint64_t before = 0xCBF29CE484222325);
std::uint32_t fnv1a_32(std::span<const std::uint8_t> bytes, std::uint32_t before = 0x811C9DC5);

}  // namespace tied
