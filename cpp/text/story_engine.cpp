#include "text/story_engine.h"

#include <algorithm>

#include "base/error.h"
#include "text/story_rules.h"

namespace tied {
namespace {

// In the code of an alternative, a byte with the high bit set and the byte after it refer to a rule, or to a word for
// the hero, the friend or the grown-up.
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

// Whether "a" becomes "an" before rest[0].
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
      // After "...?" and "...!" the sentence can continue: asked Ada.
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
  alternatives_[alternative_count_].begin = static_cast<std::uint32_t>(code_.size());
}

void StoryEngine::read_rules(std::string_view text) {
  // A line with four spaces continues the one above.
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t end = begin;
    do {
      end = std::min(text.find('\n', end + 1), text.size());
    } while (end < text.size() && text.substr(end + 1, 4) == "    ");
    if (end > begin + 1) read_line(text.substr(begin + 1, end - begin - 1));
    begin = end;
  }
}

std::uint32_t StoryEngine::rule_number(std::string_view name) {
  const std::uint32_t number = names_.add(name);
  if (number == StringIndex::kNone) return 0;
  TIED_ASSERT(number < kMaxRules);
  rules_[number].is_fixed = is_upper(name[0]);
  return number;
}

// One line with its continuation lines.
void StoryEngine::read_line(std::string_view line) {
  if (line[0] != ' ') {
    const std::size_t size = std::min(line.find(' '), line.size());
    current_ = rule_number(line.substr(0, size));
    rules_[current_].first = alternative_count_;
    if (size < line.size()) rules_[current_].coin = static_cast<std::uint32_t>(line.back() - '0');
    return;
  }
  for (std::size_t begin = 2; begin < line.size();) {
    const std::size_t end = std::min(line.find('|', begin), line.size());
    read_alternative(line.substr(begin, end - begin));
    begin = end + 1;
  }
}

void StoryEngine::read_alternative(std::string_view text) {
  TIED_ASSERT(alternative_count_ < kMaxAlternatives);
  alternatives_[alternative_count_].begin = static_cast<std::uint32_t>(code_.size());
  ++alternative_count_;
  ++rules_[current_].count;
  const auto push = [&](unsigned byte) { code_ += static_cast<char>(byte); };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') {
      i += 3;  // of the four leading spaces of a line, one remains
    } else if (c == '&') {
      push('\n');
    } else if (c == '[') {
      const std::size_t end = text.find(']', i);
      const std::uint32_t rule = rule_number(text.substr(i + 1, end - i - 1));
      push(kReference | rule >> 8);
      push(rule & 0xFF);
      i = end;
    } else if (c == '<') {
      const std::size_t end = text.find('>', i);
      unsigned person = 1;
      if (text[i + 1] <= '9') person = static_cast<unsigned>(text[++i] - '0');
      if (is_upper(text[i + 1])) push('^');
      // The first letter decides, except for him and his.
      const char first = to_lower(text[i + 1]);
      unsigned form = 0;
      while (form + 1 < kForms && (kWordForms[form][1][0] != first || kWordForms[form][1].back() != text[end - 1]))
        ++form;
      push(kWordOfPerson | person);
      push(form);
      i = end;
    } else {
      push(static_cast<unsigned char>(c));
    }
  }
}

// Draws an alternative that the story has not used yet. Once all are used, all can be drawn again.
std::uint32_t StoryEngine::draw(const Rule& rule) {
  if (rule.coin != 0) return rule.first + (~coins_ >> rule.coin & 1);
  const std::uint32_t start = random_.below(rule.count);
  for (;;) {
    for (std::uint32_t i = 0; i < rule.count; ++i) {
      const std::uint32_t number = rule.first + (start + i) % rule.count;
      if (alternatives_[number].used == story_) continue;
      alternatives_[number].used = story_;
      return number;
    }
    for (std::uint32_t i = 0; i < rule.count; ++i) alternatives_[rule.first + i].used = 0;
  }
}

bool StoryEngine::is_fixed_already(std::string_view value) const {
  for (const Rule& rule : rules_) {
    if (value == std::string_view(fixed_).substr(rule.fixed_begin, rule.fixed_end - rule.fixed_begin)) return true;
  }
  return false;
}

void StoryEngine::expand_rule(std::string& out, std::uint32_t number) {
  Rule& rule = rules_[number];
  if (!rule.is_fixed) {
    expand(out, draw(rule));
    return;
  }
  if (rule.fixed_end == rule.fixed_begin) {
    // The empty value counts as used, so this draws at least once. A few attempts suffice: no two lists are nearly
    // equal.
    std::string value;
    for (int attempt = 0; attempt < 8 && is_fixed_already(value); ++attempt) {
      value.clear();
      expand(value, draw(rule));
    }
    rule.fixed_begin = static_cast<std::uint32_t>(fixed_.size());
    fixed_ += value;
    rule.fixed_end = static_cast<std::uint32_t>(fixed_.size());
  }
  out.append(fixed_, rule.fixed_begin, rule.fixed_end - rule.fixed_begin);
}

void StoryEngine::expand(std::string& out, std::uint32_t alternative) {
  const std::uint32_t end = alternatives_[alternative + 1].begin;
  for (std::uint32_t i = alternatives_[alternative].begin; i < end; ++i) {
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
        out += kWordForms[argument][~coins_ >> (byte & 0xFu) & 1];
      }
    }
  }
}

void StoryEngine::write(std::string& out) {
  ++story_;
  for (Rule& rule : rules_) rule.fixed_begin = rule.fixed_end = 0;
  fixed_.clear();
  coins_ = random_.bits();
  // He and she are never the same person: coin 2 is the opposite of coin 1.
  coins_ = (coins_ & ~4u) | (~coins_ << 1 & 4u);
  draft_.clear();
  expand_rule(draft_, 0);
  draft_ += '\n';
  append_finished(out, draft_);
}

}  // namespace tied
