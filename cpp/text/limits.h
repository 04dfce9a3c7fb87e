// Checks that several files of this folder make before they begin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/error.h"

namespace tied {

// The longest text that is taken: positions are 32-bit numbers.
inline constexpr std::size_t kLongestText = 0x7FFFFFFF;

// Standard containers end the program where memory is short, so large ones are asked for here first: takes a block of
// `bytes` and gives it back at once. Error: kOutOfMemory, naming `argument` with its `value`.
Status check_memory(std::string_view argument, std::size_t value, std::uint64_t bytes);

}  // namespace tied
