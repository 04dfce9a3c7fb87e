#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support.h"
#include "text/story_grammar.h"
#include "text/story_rules.h"

namespace tied {
namespace {

std::string stories(std::uint64_t seed, std::size_t size) {
  auto text = write_stories(seed, size);
  REQUIRE(text.ok());
  return std::move(text).value();
}

// Runs of letters, including inner apostrophes; "." for everything that ends or separates a phrase.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : '\n';
    if (std::isalpha(static_cast<unsigned char>(c)) != 0 || (c == '\'' && !word.empty())) {
      word += c;
      continue;
    }
    if (!word.empty()) words.push_back(word);
    word.clear();
    if (c != ' ') words.emplace_back(".");
  }
  return words;
}

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, size));
    text.remove_prefix(std::min(size + separator.size(), text.size()));
  }
  return parts;
}

const std::string& two_megabytes() {
  static const std::string text = stories(1, 2000000);
  return text;
}

TEST_CASE("stories: at least as long as requested, and never much longer") {
  for (const std::size_t size : {std::size_t{1}, std::size_t{1000}, std::size_t{100000}}) {
    const std::string text = stories(3, size);
    CHECK(text.size() >= size);
    CHECK(text.size() < size + 4000);
    CHECK(text.ends_with(".\n"));
  }
}

TEST_CASE(
    "stories: the same seed gives the same text on every machine, and a longer text starts with the shorter one") {
  CHECK(test::hash_of(stories(42, 1000000)) == 7941041285207795389u);
  const std::string text = stories(42, 50000);
  CHECK(stories(42, 200000).starts_with(text));
  CHECK(stories(43, 50000) != text);
  CHECK(stories(~std::uint64_t{0}, 1000).size() >= 1000);
}

TEST_CASE("stories: more than a thousand distinct words") {
  std::set<std::string> words;
  for (std::string word : words_of(two_megabytes())) {
    for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    words.insert(word);
  }
  CHECK(words.size() - 1 >= 1000);  // without "."
}

TEST_CASE("stories: names of two words are frequent and never reversed") {
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"New", "York"},        {"New", "Haven"},      {"New", "Orleans"},     {"Fifth", "Avenue"},
      {"Park", "Avenue"},     {"Madison", "Avenue"}, {"Central", "Park"},    {"Grand", "Central"},
      {"Central", "Station"}, {"Wall", "Street"},    {"Canal", "Street"},    {"Main", "Street"},
      {"Elm", "Street"},      {"Union", "Square"},   {"Battery", "Park"},    {"Bronx", "Zoo"},
      {"Carnegie", "Hall"},   {"Green", "Harbor"},   {"Los", "Angeles"},     {"San", "Francisco"},
      {"Santa", "Fe"},        {"Little", "Rock"},    {"Brooklyn", "Bridge"}, {"Empire", "State"},
      {"State", "Building"},  {"high", "school"},    {"ice", "cream"},       {"post", "office"},
      {"fire", "station"},    {"town", "hall"},      {"train", "station"},   {"swimming", "pool"},
      {"peanut", "butter"},   {"orange", "juice"},   {"hot", "chocolate"},   {"apple", "pie"},
      {"silver", "whistle"},  {"pocket", "watch"},   {"county", "fair"},     {"police", "officer"}};
  std::map<std::pair<std::string, std::string>, int> counts;
  const auto words = words_of(two_megabytes());
  for (std::size_t i = 0; i + 1 < words.size(); ++i) ++counts[{words[i], words[i + 1]}];
  for (const auto& [first, second] : pairs) {
    CAPTURE(first);
    CAPTURE(second);
    CHECK(counts[{first, second}] >= 50);
    CHECK(counts[{second, first}] == 0);
  }
  int after_new = 0;
  for (const auto& [pair, count] : counts) after_new += pair.first == "New" ? count : 0;
  // Mostly York, but not always: a model has something to be uncertain about.
  CHECK(counts[{"New", "York"}] > after_new / 2);
  CHECK(counts[{"New", "York"}] < after_new);
}

TEST_CASE("stories: no markup of the rules remains, and spacing and quotation marks are correct") {
  for (const char c : two_megabytes()) {
    if (c != '\n' && (c < ' ' || c > '~')) FAIL(static_cast<int>(c));
  }
  CHECK(two_megabytes().find_first_of("[]<>~&^|*_#@{}()") == std::string::npos);
  for (const std::string_view bad : {"  ", " .", " ,", " ?", "..", ",,", ",.", "\n\n\n", " \n", "\n ", "\"\""}) {
    CAPTURE(bad);
    CHECK(two_megabytes().find(bad) == std::string::npos);
  }
  for (const std::string& paragraph : split(two_megabytes(), "\n")) {
    if (std::count(paragraph.begin(), paragraph.end(), '"') % 2 != 0) FAIL(paragraph);
  }
}

TEST_CASE("stories: sentences start with capitals, and paragraphs end like sentences") {
  const std::string& text = two_megabytes();
  for (std::size_t i = 1; i + 2 < text.size(); ++i) {
    const bool is_end = (text[i] == '.' || text[i] == '?' || text[i] == '!') && text[i + 1] == ' ';
    if (is_end && text[i + 2] != '"' && std::isupper(static_cast<unsigned char>(text[i + 2])) == 0) {
      FAIL(text.substr(i < 60 ? 0 : i - 60, 80));
    }
    const bool begins_quotation = text[i] == '"' && (text[i - 1] == ' ' || text[i - 1] == '\n');
    if (begins_quotation && std::isupper(static_cast<unsigned char>(text[i + 1])) == 0) FAIL(text.substr(i, 60));
  }
  for (const std::string& paragraph : split(text, "\n")) {
    if (paragraph.empty()) continue;
    if (std::isupper(static_cast<unsigned char>(paragraph[0])) == 0 && paragraph[0] != '"') FAIL(paragraph);
    if (!paragraph.ends_with('.') && !paragraph.ends_with(".\"") && !paragraph.ends_with("?\"")) FAIL(paragraph);
  }
}

TEST_CASE("stories: a and an, and no word twice in a row") {
  const auto words = words_of(two_megabytes());
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    const std::string& next = words[i + 1];
    if (word != "." && word == next) FAIL(word);
    // No word of the stories starts with a silent h or a vowel letter that sounds like a consonant.
    const bool vowel = std::string_view("aeiouAEIOU").find(next[0]) != std::string_view::npos;
    if ((word == "a" || word == "A") && vowel) FAIL(next);
    if ((word == "an" || word == "An") && !vowel) FAIL(next);
  }
}

TEST_CASE("stories: the hero remains a girl or a boy, as in the first sentence") {
  int girls = 0;
  int boys = 0;
  for (const std::string& story : split(two_megabytes(), "\n\n")) {
    // The first paragraph is about the hero only.
    const auto words = words_of(story.substr(0, story.find('\n')));
    const auto has = [&](const char* word) { return std::find(words.begin(), words.end(), word) != words.end(); };
    const bool is_girl = has("girl");
    const bool is_boy = has("boy");
    girls += is_girl;
    boys += is_boy;
    if (is_girl && (is_boy || has("He") || has("he") || has("His") || has("his"))) FAIL(story);
    if (is_boy && (has("She") || has("she") || has("Her") || has("her"))) FAIL(story);
  }
  CHECK(girls > 100);
  CHECK(boys > 100);
}

TEST_CASE("stories: a thing, a friend and a name are fixed once drawn") {
  int lost = 0;
  for (const std::string& story : split(two_megabytes(), "\n\n")) {
    const std::string_view lead = "I have lost my ";
    const std::size_t place = story.find(lead);
    if (place == std::string::npos) continue;
    ++lost;
    const std::size_t begin = place + lead.size();
    const std::string thing = "the " + story.substr(begin, story.find(',', begin) - begin);
    // It is missed first, and found later.
    if (story.find("The " + thing.substr(4) + " was gone") > place) FAIL(story);
    if (story.find(thing, begin) == std::string::npos) FAIL(story);
  }
  CHECK(lost > 50);
}

TEST_CASE("stories: few are similar") {
  std::set<std::string> different;
  const auto all = split(two_megabytes(), "\n\n");
  for (const std::string& story : all) different.insert(story);
  CHECK(different.size() == all.size());
  CHECK(all.size() > 1000);
}

TEST_CASE("story rules: every rule that is used exists once, and every rule is used") {
  std::set<std::string> named;
  std::set<std::string> asked{"story"};
  const std::string text = std::string(kStoryPlots) + kStoryWords;
  for (const std::string& line : split(text, "\n")) {
    if (line.empty()) continue;
    if (line[0] != ' ') {
      CAPTURE(line);
      CHECK(named.insert(line.substr(0, line.find(' '))).second);
      continue;
    }
    for (std::size_t open = line.find('['); open != std::string::npos; open = line.find('[', open + 1)) {
      const std::size_t close = line.find(']', open);
      REQUIRE(close != std::string::npos);
      asked.insert(line.substr(open + 1, close - open - 1));
    }
  }
  CHECK(named == asked);
}

TEST_CASE("stories: sizes of 0 and beyond memory are refused") {
  for (const std::size_t size : {std::size_t{0}, kLongestStories + 1, static_cast<std::size_t>(-1)}) {
    const auto refused = write_stories(1, size);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().code == ErrorCode::kInvalidArgument);
    CHECK(refused.error().argument == "at_least_characters");
  }
}

TEST_CASE("stories written in pieces of any size are those written at once") {
  for (const std::size_t size : {1, 5000, 20'000}) {
    const std::string whole = write_stories(4, size).value();
    for (const std::size_t piece : {1, 700, 9000, 1'000'000}) {
      StoryWriting writing(4, size);
      REQUIRE(writing.start().ok());
      std::string text;
      while (!writing.finished()) {
        const double share = writing.share();
        std::string more;
        REQUIRE(writing.advance(more, piece).ok());
        CHECK(writing.share() > share);
        text += more;
      }
      CHECK(writing.share() == 1);
      CHECK(text == whole);
    }
  }
}

}  // namespace
}  // namespace tied
