#include "text/story_grammar.h"

#include <algorithm>

#include "text/limits.h"

namespace tied {

Status StoryWriting::start() const {
  if (total_ == 0 || total_ > kLongestStories) {
    return make_error(ErrorCode::kInvalidArgument, "at_least_characters", total_, "an integer from 1 to 268435456");
  }
  return engine_.out_of_memory() ? out_of_memory("at_least_characters", total_) : Status();
}

double StoryWriting::share() const {
  return std::min(1.0, static_cast<double>(written_) / static_cast<double>(total_));
}

Status StoryWriting::advance(std::string& text, std::size_t characters) {
  TIED_ASSERT(!finished());
  // Far longer than any story.
  constexpr std::size_t kMaxPerStory = 16384;
  const std::size_t begin = text.size();
  const std::size_t end = begin + std::clamp<std::size_t>(characters, 1, total_ - written_);
  if (auto memory = check_memory("at_least_characters", total_, end + kMaxPerStory); !memory) return memory;
  text.reserve(end + kMaxPerStory);
  while (text.size() < end) {
    if (written_ > 0 || text.size() > begin) text += '\n';
    engine_.write(text);
  }
  written_ += text.size() - begin;
  return {};
}

Result<std::string> write_stories(std::uint64_t seed, std::size_t at_least_characters) {
  StoryWriting writing(seed, at_least_characters);
  if (auto status = writing.start(); !status) return status;
  std::string text;
  if (auto status = writing.advance(text, at_least_characters); !status) return status;
  return text;
}

}  // namespace tied
