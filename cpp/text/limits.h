// Checks that several files of this folder share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/error.h"

namespace tied {

// The longest text: positions are 32-bit.
inline constexpr std::size_t kLongestText = 0x7FFFFFFF;

// Checks that `bytes` can be allocated (base/memory.h). Errors: kOutOfMemory, naming `argument` with its `value`.
Status check_memory(std::string_view argument, std::size_t value, std::uint64_t bytes);
// The error of a function that has run out of memory.
Status out_of_memory(std::string_view argument, std::size_t value);

}  // namespace tied
