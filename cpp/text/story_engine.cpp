#include "text/story_engine.h"

#include <algorithm>

#include "text/story_rules.h"

namespace tied {
namespace {

// In the code of an alternative, a byte with the high bit stands for a rule or a word of the hero, the friend or the
// grown-up, together with the byte after it.
constexpr unsigned kReference = 0x80;
constexpr unsigned kWordOfPerson = 0xF0;

constexpr std::size_t kForms = 4;
constexpr std::array<std::array<std::string_view, 2>, kForms> kWordForms = {
    {{"she", "he"}, {"her", "him"}, {"her", "his"}, {"girl", "boy"}}};

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
char to_upper(char c) { return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c; }
char to_lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
bool is_one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

void make_plural(std::string& word) {
  const char last = word.back();
  const char before = word[word.size() - 2];
  if (last == 'y' && !is_one_of(before, "aeiou")) {
    word.back() = 'i';
    word += "es";
  } else if (is_one_of(last, "sx") || (last == 'h' && is_one_of(before, "cs"))) {
    word += "es";
  } else {
    word += 's';
  }
}

// Whether "a" becomes "an" before what begins at rest[0].
bool begins_with_vowel_sound(std::string_view rest) {
  if (rest.empty() || rest.starts_with("one") || rest.starts_with("uni")) return false;
  return is_one_of(to_lower(rest[0]), "aeiou");
}

// Capitals at the start of sentences, paragraphs and quotations, and "an" for "a".
void append_finished(std::string& out, std::string_view draft) {
  bool capital = true;
  bool quoting = false;
  char last = '\n';
  for (std::size_t i = 0; i < draft.size(); ++i) {
    const char c = draft[i];
    if (c == '^') {
      capital = true;
      continue;
    }
    out += capital ? to_upper(c) : c;
    if (is_lower(c) || is_upper(c)) {
      const bool is_article = to_lower(c) == 'a' && is_one_of(last, " \n\"") && draft.substr(i + 1).starts_with(' ');
      if (is_article && begins_with_vowel_sound(draft.substr(i + 2))) out += 'n';
      capital = false;
    } else if (c == '"') {
      quoting = !quoting;
      // After "...?" and "...!" the sentence may go on: asked Ada.
      capital = quoting || last == '.';
    } else if (is_one_of(c, ".?!\n")) {
      capital = true;
    }
    last = c;
  }
}

}  // namespace

StoryEngine::StoryEngine(std::uint64_t seed) : random_(seed, stream_of("text:stories")) {
  read_rules(kStoryPlots);
  read_rules(kStoryWords);
  kept_.resize(rules_.size());
}

void StoryEngine::read_rules(std::string_view text) {
  // Lines of four spaces belong to the one above.
  std::string alternative;
  while (!text.empty()) {
    const std::size_t size = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, size);
    text.remove_prefix(std::min(size + 1, text.size()));
    if (line.starts_with("    ")) {
      alternative += line.substr(3);
      continue;
    }
    if (!alternative.empty()) read_alternatives(alternative);
    alternative.clear();
    if (line.starts_with("  ")) {
      alternative = line.substr(2);
    } else if (!line.empty()) {
      read_name(line);
    }
  }
  if (!alternative.empty()) read_alternatives(alternative);
}

std::uint32_t StoryEngine::rule_number(std::string_view name) {
  const std::uint32_t number = names_.add(name);
  if (number == rules_.size()) rules_.push_back({.is_kept = is_upper(name[0])});
  return number;
}

void StoryEngine::read_name(std::string_view line) {
  const std::string_view name = line.substr(0, line.find(' '));
  Rule& rule = rules_[rule_number(name)];
  rule.first = static_cast<std::uint32_t>(alternatives_.size());
  if (name.size() < line.size()) rule.coin = static_cast<std::uint8_t>(line.back() - '0');
  current_ = names_.find(name);
}

void StoryEngine::read_alternatives(std::string_view line) {
  while (!line.empty()) {
    const std::size_t size = std::min(line.find('|'), line.size());
    read_alternative(line.substr(0, size));
    line.remove_prefix(std::min(size + 1, line.size()));
  }
}

void StoryEngine::read_alternative(std::string_view text) {
  const auto begin = static_cast<std::uint32_t>(code_.size());
  const auto push = [&](unsigned byte) { code_ += static_cast<char>(byte); };
  while (!text.empty()) {
    const char c = text[0];
    std::size_t size = 1;
    if (c == '[') {
      size = text.find(']') + 1;
      const std::uint32_t rule = rule_number(text.substr(1, size - 2));
      push(kReference | rule >> 8);
      push(rule & 0xFF);
    } else if (c == '<') {
      size = text.find('>') + 1;
      std::string word(text.substr(1, size - 2));
      const unsigned person = word[0] == '2' || word[0] == '3' ? static_cast<unsigned>(word[0] - '0') : 1;
      if (person != 1) word.erase(0, 1);
      if (is_upper(word[0])) code_ += '^';
      word[0] = to_lower(word[0]);
      unsigned form = 0;
      while (form + 1 < kForms && kWordForms[form][1] != word) ++form;
      push(kWordOfPerson | person);
      push(form);
    } else {
      code_ += c == '&' ? '\n' : c;
    }
    text.remove_prefix(size);
  }
  alternatives_.push_back({.begin = begin, .end = static_cast<std::uint32_t>(code_.size())});
  ++rules_[current_].count;
}

// An alternative that the story has not had yet. Where it has had them all, they begin again.
std::uint32_t StoryEngine::draw(Rule& rule) {
  if (rule.coin != 0) return rule.first + (coins_[rule.coin] ? 0 : 1);
  const std::uint32_t start = random_.below(rule.count);
  for (std::uint32_t i = 0; i < rule.count; ++i) {
    const std::uint32_t number = rule.first + (start + i) % rule.count;
    if (alternatives_[number].used != story_) {
      alternatives_[number].used = story_;
      return number;
    }
  }
  for (std::uint32_t i = 0; i < rule.count; ++i) alternatives_[rule.first + i].used = 0;
  alternatives_[rule.first + start].used = story_;
  return rule.first + start;
}

void StoryEngine::expand_rule(std::string& out, std::uint32_t number) {
  Rule& rule = rules_[number];
  if (!rule.is_kept) {
    expand(out, alternatives_[draw(rule)]);
    return;
  }
  if (kept_[number].empty()) {
    // A few attempts are enough: no two lists are nearly the same.
    std::string value;
    for (int attempt = 0; attempt < 8; ++attempt) {
      value.clear();
      expand(value, alternatives_[draw(rule)]);
      bool is_new = true;
      for (const std::uint32_t other : known_) is_new = is_new && kept_[other] != value;
      if (is_new) break;
    }
    kept_[number] = value;
    known_.push_back(number);
  }
  out += kept_[number];
}

void StoryEngine::expand(std::string& out, const Alternative& alternative) {
  for (std::uint32_t i = alternative.begin; i < alternative.end; ++i) {
    const auto byte = static_cast<unsigned char>(code_[i]);
    if (byte == '~') {
      make_plural(out);
    } else if (byte < kReference) {
      out += code_[i];
    } else {
      const auto argument = static_cast<unsigned char>(code_[++i]);
      if (byte < kWordOfPerson) {
        expand_rule(out, (byte & 0x7Fu) << 8 | argument);
      } else {
        out += kWordForms[argument][coins_[byte & 0xFu] ? 0 : 1];
      }
    }
  }
}

void StoryEngine::write(std::string& out) {
  ++story_;
  for (const std::uint32_t rule : known_) kept_[rule].clear();
  known_.clear();
  const std::uint32_t bits = random_.bits();
  for (std::size_t coin = 1; coin < coins_.size(); ++coin) coins_[coin] = (bits >> coin & 1) != 0;
  // He and she are never the same person.
  coins_[2] = !coins_[1];
  draft_.clear();
  expand_rule(draft_, 0);
  draft_ += '\n';
  append_finished(out, draft_);
}

}  // namespace tied
