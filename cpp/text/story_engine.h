// Expands the rules of text/story_rules.h into stories.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "text/string_index.h"

namespace tied {

class StoryEngine {
 public:
  explicit StoryEngine(std::uint64_t seed);

  // Appends one story: paragraphs, each with a newline at its end.
  void write(std::string& out);

 private:
  struct Rule {
    std::uint32_t first = 0;  // of its alternatives
    std::uint32_t count = 0;
    std::uint8_t coin = 0;  // 0 = drawn
    bool is_kept = false;   // one value for the whole story
  };
  struct Alternative {
    std::uint32_t begin = 0;  // in code_
    std::uint32_t end = 0;
    std::uint32_t used = 0;  // the last story that it was drawn in
  };

  void read_rules(std::string_view text);
  void read_name(std::string_view line);
  void read_alternatives(std::string_view line);
  void read_alternative(std::string_view text);
  std::uint32_t rule_number(std::string_view name);

  std::uint32_t draw(Rule& rule);
  void expand_rule(std::string& out, std::uint32_t number);
  void expand(std::string& out, const Alternative& alternative);

  StringIndex names_;
  std::vector<Rule> rules_;
  std::vector<Alternative> alternatives_;
  std::string code_;           // alternatives, with references as two bytes
  std::uint32_t current_ = 0;  // the rule whose alternatives are read

  Random random_;
  std::uint32_t story_ = 0;
  std::array<bool, 5> coins_{};       // by their digit
  std::vector<std::string> kept_;     // by rule, empty = not drawn yet
  std::vector<std::uint32_t> known_;  // rules that have a value in kept_
  std::string draft_;
};

}  // namespace tied
