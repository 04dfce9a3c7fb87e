// Short stories in plain English, generated from a seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "text/story_engine.h"

namespace tied {

// The maximum number of characters per call.
inline constexpr std::size_t kLongestStories = std::size_t{256} << 20;

// At least `at_least_characters` characters of stories, ending with a complete one: ASCII, one paragraph per line, an
// empty line between stories, a newline at the end. A seed gives the same text on every machine; a longer text starts
// with the shorter one of the same seed. Well over a thousand distinct words occur, and many names and other pairs of
// words that never occur in the opposite order (New York, high school, ice cream).
// Errors: kInvalidArgument for 0 or more than kLongestStories characters; kOutOfMemory.
Result<std::string> write_stories(std::uint64_t seed, std::size_t at_least_characters);

// The same text, piece by piece.
class StoryWriting {
 public:
  StoryWriting(std::uint64_t seed, std::size_t at_least_characters) : engine_(seed), total_(at_least_characters) {}

  // To be called first. Errors: as write_stories.
  Status start() const;
  bool finished() const { return written_ >= total_; }
  // Progress from 0 to 1.
  double share() const;
  // Appends about `characters` more characters to `text`, at least one story. Errors: as write_stories; `text` is then
  // unchanged.
  Status advance(std::string& text, std::size_t characters);

 private:
  StoryEngine engine_;
  std::size_t total_;
  std::size_t written_ = 0;
};

}  // namespace tied
