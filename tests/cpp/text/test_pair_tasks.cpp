// Pair tasks: their rules and their draws.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "text/pair_tasks.h"

using namespace tied;

namespace {

TextPair pair_at(PairTask task, std::uint64_t index, std::uint64_t seed = 1, std::uint64_t length = 8) {
  return task_pair({task, seed, length}, index);
}

constexpr PairTask kTasks[] = {PairTask::kReversal, PairTask::kSorting, PairTask::kTransliteration,
                               PairTask::kNumbers,  PairTask::kPlurals, PairTask::kPastTense};

// The number that English words name, by independent code.
std::uint32_t value_of(const std::string& words) {
  static const char* const small[] = {"zero",     "one",     "two",     "three",     "four",     "five",    "six",
                                      "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",  "thirteen",
                                      "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
  static const char* const tens[] = {"twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};
  std::uint32_t total = 0;
  std::uint32_t open = 0;
  std::string word;
  for (const char c : words + " ") {
    if (c != ' ' && c != '-') {
      word += c;
      continue;
    }
    for (std::uint32_t i = 0; i < 20; ++i) open += word == small[i] ? i : 0;
    for (std::uint32_t i = 0; i < 8; ++i) open += word == tens[i] ? 10 * (i + 2) : 0;
    if (word == "hundred") open *= 100;
    if (word == "thousand") {
      total = open * 1000;
      open = 0;
    }
    word.clear();
  }
  return total + open;
}

}  // namespace

TEST_CASE("a pair depends on its task, seed, length and index alone, and pairs differ") {
  for (const PairTask task : kTasks) {
    std::set<std::string> sources;
    for (std::uint64_t i = 0; i < 300; ++i) {
      const TextPair pair = pair_at(task, i);
      CHECK(pair.source == pair_at(task, i).source);
      CHECK_FALSE(pair.source.empty());
      CHECK_FALSE(pair.target.empty());
      sources.insert(pair.source);
    }
    // Invented words of one syllable, exceptions and small numbers repeat.
    CHECK(sources.size() > 150);
    CHECK(pair_at(task, 5, 1).source + pair_at(task, 6, 1).source !=
          pair_at(task, 5, 2).source + pair_at(task, 6, 2).source);
  }
}

TEST_CASE("words are reversed and sorted, have the requested length, and use every letter of the alphabet") {
  std::set<char> letters;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const TextPair reversed = pair_at(PairTask::kReversal, i);
    CHECK(reversed.source.size() == 8);
    CHECK(std::string(reversed.target.rbegin(), reversed.target.rend()) == reversed.source);
    letters.insert(reversed.source.begin(), reversed.source.end());
    TextPair sorted = pair_at(PairTask::kSorting, i, 1, 5);
    CHECK(sorted.source.size() == 5);
    CHECK(std::is_sorted(sorted.target.begin(), sorted.target.end()));
    CHECK(std::is_permutation(sorted.target.begin(), sorted.target.end(), sorted.source.begin(), sorted.source.end()));
  }
  CHECK(letters.size() == 26);
  CHECK(*letters.begin() == 'a');
  CHECK(*letters.rbegin() == 'z');
  CHECK(pair_at(PairTask::kReversal, 7, 1, 1).source.size() == 1);
  CHECK(pair_at(PairTask::kReversal, 7, 1, kMaxTaskLength).source.size() == kMaxTaskLength);
}

TEST_CASE("letters are transliterated two at a time if two become one, and a final s has its own form") {
  CHECK(transliterated("philos") == "φιλος");
  CHECK(transliterated("thesis") == "θεσις");
  CHECK(transliterated("psyche") == "ψυχε");
  CHECK(transliterated("sas-x") == "σασ-ξ");
  CHECK(transliterated("").empty());
  std::size_t finals = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const TextPair pair = pair_at(PairTask::kTransliteration, i);
    CHECK(pair.target == transliterated(pair.source));
    // No Latin letter is left.
    CHECK(std::none_of(pair.target.begin(), pair.target.end(), [](char c) { return c >= 'a' && c <= 'z'; }));
    finals += pair.source.ends_with('s') ? 1 : 0;
  }
  CHECK(finals > 20);
}

TEST_CASE("numbers are written in English words that give the numbers back") {
  CHECK(number_words(0) == "zero");
  CHECK(number_words(13) == "thirteen");
  CHECK(number_words(40) == "forty");
  CHECK(number_words(402) == "four hundred and two");
  CHECK(number_words(12'007) == "twelve thousand and seven");
  CHECK(number_words(999'999) == "nine hundred and ninety-nine thousand nine hundred and ninety-nine");
  for (std::uint32_t value = 0; value < 1'000'000; value += value < 2'000 ? 1 : 997) {
    CHECK(value_of(number_words(value)) == value);
  }
  std::set<std::size_t> digits;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const TextPair pair = pair_at(PairTask::kNumbers, i);
    CHECK(std::to_string(value_of(pair.source)) == pair.target);
    digits.insert(pair.target.size());
  }
  CHECK(digits.size() == 6);
}

TEST_CASE("plurals and past tenses follow the rules of spelling, with some exceptions") {
  for (const auto& [noun, plural] : {std::pair{"cat", "cats"},
                                     {"box", "boxes"},
                                     {"church", "churches"},
                                     {"city", "cities"},
                                     {"day", "days"},
                                     {"foot", "feet"},
                                     {"sheep", "sheep"},
                                     {"y", "ys"}}) {
    CHECK(plural_of(noun) == plural);
  }
  for (const auto& [verb, past] : {std::pair{"walk", "walked"},
                                   {"bake", "baked"},
                                   {"try", "tried"},
                                   {"play", "played"},
                                   {"stop", "stopped"},
                                   {"fix", "fixed"},
                                   {"look", "looked"},
                                   {"open", "opened"},
                                   {"go", "went"},
                                   {"put", "put"}}) {
    CHECK(past_tense_of(verb) == past);
  }
  std::size_t regular = 0;
  for (std::uint64_t i = 0; i < 400; ++i) {
    const TextPair pair = pair_at(PairTask::kPlurals, i);
    CHECK(pair.target == plural_of(pair.source));
    regular += pair.target.ends_with('s') ? 1 : 0;
    const TextPair past = pair_at(PairTask::kPastTense, i);
    CHECK(past.target == past_tense_of(past.source));
  }
  // A quarter are exceptions, six of whose twenty plurals end in s.
  CHECK(regular > 290);
  CHECK(regular < 370);
}
