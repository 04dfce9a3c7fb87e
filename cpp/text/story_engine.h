// Expands the rules of text/story_rules.h into stories.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/random.h"
#include "text/string_index.h"

namespace tied {

class StoryEngine {
 public:
  explicit StoryEngine(std::uint64_t seed);
  // Whether memory ran out in the constructor. If so, the engine cannot write.
  bool out_of_memory() const { return names_.out_of_memory(); }

  // Appends one story: paragraphs, each ending in a newline.
  void write(std::string& out);

 private:
  struct Rule {
    std::uint32_t first = 0;  // of its alternatives
    std::uint32_t count = 0;
    std::uint32_t coin = 0;         // the coin that decides; 0 = drawn
    std::uint32_t fixed_begin = 0;  // its value for the whole story, in fixed_; empty = none yet
    std::uint32_t fixed_end = 0;
    bool is_fixed = false;  // one value for the whole story
  };
  struct Alternative {
    std::uint32_t begin = 0;  // in code_; ends where the next one begins
    std::uint32_t used = 0;   // the last story that used it
  };
  // The rules are our own; tests ensure that they fit.
  static constexpr std::size_t kMaxRules = 192;
  static constexpr std::size_t kMaxAlternatives = 1024;

  void read_rules(std::string_view text);
  void read_line(std::string_view line);
  void read_alternative(std::string_view text);
  std::uint32_t rule_number(std::string_view name);

  std::uint32_t draw(const Rule& rule);
  bool is_fixed_already(std::string_view value) const;
  void expand_rule(std::string& out, std::uint32_t number);
  void expand(std::string& out, std::uint32_t alternative);

  StringIndex names_;
  std::array<Rule, kMaxRules> rules_{};
  std::array<Alternative, kMaxAlternatives + 1> alternatives_{};
  std::uint32_t alternative_count_ = 0;
  std::uint32_t current_ = 0;  // the rule whose alternatives are being read
  std::string code_;           // all alternatives, with references as two bytes

  Random random_;
  std::uint32_t story_ = 0;
  std::uint32_t coins_ = 0;  // bit n is coin n
  std::string fixed_;
  std::string draft_;
};

}  // namespace tied
