// Little stories in plain English, as many as are asked for, from a seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.h"

namespace tied {

// The most that one call writes.
inline constexpr std::size_t kLongestStories = std::size_t{256} << 20;

// At least `at_least_characters` characters of stories, ending with a whole one: ASCII, one paragraph a line, an empty
// line between stories, a newline at the end. The same seed gives the same text on every machine; a longer text begins
// with the shorter one of the same seed. Well over a thousand different words occur, and many names and other pairs of
// words that never occur the other way round (New York, high school, ice cream). Errors: kInvalidArgument for 0 or more
// than kLongestStories characters; kOutOfMemory.
Result<std::string> write_stories(std::uint64_t seed, std::size_t at_least_characters);

}  // namespace tied
