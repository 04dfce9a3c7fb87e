#include "text/story_grammar.h"

#include "text/limits.h"
#include "text/story_engine.h"

namespace tied {

Result<std::string> write_stories(std::uint64_t seed, std::size_t at_least_characters) {
  if (at_least_characters == 0 || at_least_characters > kLongestStories) {
    return make_error(ErrorCode::kInvalidArgument, "at_least_characters", at_least_characters,
                      "an integer from 1 to 268435456");
  }
  // Far longer than any story.
  constexpr std::size_t kMaxPerStory = 16384;
  const std::size_t most = at_least_characters + kMaxPerStory;
  StoryEngine engine(seed);
  if (engine.out_of_memory()) return out_of_memory("at_least_characters", at_least_characters);
  if (auto memory = check_memory("at_least_characters", at_least_characters, most); !memory) return memory;
  std::string text;
  text.reserve(most);
  while (text.size() < at_least_characters) {
    if (!text.empty()) text += '\n';
    engine.write(text);
  }
  return text;
}

}  // namespace tied
