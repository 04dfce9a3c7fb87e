// Tasks for models that read pairs: a source and its target as texts, written by seeded programs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tied {

struct TextPair {
  std::string source;
  std::string target;
};

enum class PairTask : std::uint8_t {
  kReversal,         // "bcad" -> "dacb"
  kSorting,          // "bcad" -> "abcd"
  kTransliteration,  // "philos" -> "φιλος": see transliterated
  kNumbers,          // "four hundred and two" -> "402"
  kPlurals,          // "box" -> "boxes", "foot" -> "feet"
  kPastTense,        // "try" -> "tried", "go" -> "went"
};

struct PairTaskOptions {
  PairTask task = PairTask::kReversal;
  std::uint64_t seed = 0;
  // Number of letters of a word to reverse or sort, 1 to kMaxTaskLength; other tasks ignore it.
  std::uint64_t length = 8;
};

inline constexpr std::uint64_t kMaxTaskLength = 1000;

// Pair number `index`, which depends on the options and the index alone. Words to reverse or sort consist of the
// letters a to z; those of other tasks are invented syllable by syllable and follow the rule, except that about a
// quarter of plurals and past tenses are those of real words that do not. Two indices can give the same pair.
TextPair task_pair(const PairTaskOptions& options, std::uint64_t index);

// The rules of the tasks.
// Greek letters for Latin ones, of a to z without j, q and w: th, ph, ch and ps are one letter each, and so is x; a
// final s has its own form. Other bytes stay.
std::string transliterated(std::string_view word);
// value <= 999999, in English: "twelve thousand and seven".
std::string number_words(std::uint32_t value);
std::string plural_of(std::string_view noun);
std::string past_tense_of(std::string_view verb);

}  // namespace tied
