#include "texts.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "base/random.h"
#include "or_exit.h"
#include "text/story_grammar.h"
#include "text/tokenizer.h"

namespace tied::bench {
namespace {

constexpr std::size_t kBytes = 10'000'000;
constexpr std::uint32_t kWords = 60000;

std::string made_up_word(std::uint32_t number) {
  constexpr const char* kStarts[] = {"b", "ch", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "sh", "t", "w"};
  constexpr const char* kEnds[] = {"a", "e", "i", "o", "u", "an", "er", "on", "ing", "es"};
  Random random(number, stream_of("word"));
  const std::uint32_t syllables = 1 + (number > 60) + (number > 2000) + random.below(2);
  std::string word;
  for (std::uint32_t i = 0; i < syllables; ++i) {
    word += kStarts[random.below(16)];
    word += kEnds[random.below(10)];
  }
  return word;
}

// Word n is drawn with a probability of about 1 / n.
std::string made_up_text() {
  std::vector<std::string> words;
  std::vector<double> shares;
  double total = 0;
  for (std::uint32_t n = 1; n <= kWords; ++n) {
    words.push_back(made_up_word(n));
    total += 1.0 / n;
    shares.push_back(total);
  }
  Random random(1, stream_of("text"));
  std::string text;
  std::uint32_t in_line = 0;
  while (text.size() < kBytes) {
    const double place = random.uniform_double() * total;
    const auto found = std::lower_bound(shares.begin(), shares.end(), place) - shares.begin();
    text += words[static_cast<std::size_t>(found)];
    if (random.below(8) == 0) text += random.below(2) == 0 ? "," : ".";
    text += ++in_line % 12 == 0 ? "\n" : " ";
  }
  text.resize(kBytes);
  return text;
}

std::string text_of_case(bool stories) {
  if (!stories) return made_up_text();
  std::string text = value_or_exit(write_stories(1, kBytes));
  text.resize(kBytes);
  return text;
}

const TokenizerOptions kOptions{.kind = TokenizerKind::kBpe, .vocab_size = 4096};

Case case_of(const char* what, bool stories) {
  Case result;
  result.id = std::string("text/") + what + "/10MB" + (stories ? "/stories" : "");
  result.items = static_cast<double>(kBytes);
  result.items_name = "bytes";
  result.keep = false;
  return result;
}

}  // namespace

void add_texts(std::vector<Case>& cases) {
  for (const bool stories : {false, true}) {
    Case train = case_of("train", stories);
    train.prepare = [stories]() -> std::function<void()> {
      const auto text = std::make_shared<std::string>(text_of_case(stories));
      return [text] { value_or_exit(train_tokenizer(*text, kOptions)); };
    };
    cases.push_back(std::move(train));

    Case encode = case_of("encode", stories);
    encode.prepare = [stories]() -> std::function<void()> {
      const auto text = std::make_shared<std::string>(text_of_case(stories));
      const auto tokenizer = std::make_shared<Tokenizer>(value_or_exit(train_tokenizer(*text, kOptions)));
      return [text, tokenizer] { value_or_exit(tokenizer->encode(*text)); };
    };
    cases.push_back(std::move(encode));
  }
}

}  // namespace tied::bench
