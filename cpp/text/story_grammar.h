// Short stories in plain English, generated from a seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.h"

namespace tied {

// The most characters per call.
inline constexpr std::size_t kLongestStories = std::size_t{256} << 20;

// At least `at_least_characters` characters of stories, ending with a complete one: ASCII, one paragraph per line, an
// empty line between stories, a newline at the end. A seed gives the same text on every machine; a longer text starts
// with the shorter one of the same seed. Well over a thousand distinct words occur, and many names and other pairs of
// words that never occur in the opposite order (New York, high school, ice cream).
// Errors: kInvalidArgument for 0 or more than kLongestStories characters; kOutOfMemory.
Result<std::string> write_stories(std::uint64_t seed, std::size_t at_least_characters);

}  // namespace tied
