#include "text/pair_tasks.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/random.h"

namespace tied {
namespace {

struct Replacement {
  std::string_view from;
  std::string_view to;
};

// Pairs of letters come before single letters.
constexpr Replacement kLetters[] = {
    {"th", "θ"}, {"ph", "φ"}, {"ch", "χ"}, {"ps", "ψ"}, {"a", "α"}, {"b", "β"}, {"c", "κ"}, {"d", "δ"}, {"e", "ε"},
    {"f", "φ"},  {"g", "γ"},  {"h", "η"},  {"i", "ι"},  {"k", "κ"}, {"l", "λ"}, {"m", "μ"}, {"n", "ν"}, {"o", "ο"},
    {"p", "π"},  {"r", "ρ"},  {"s", "σ"},  {"t", "τ"},  {"u", "υ"}, {"v", "β"}, {"x", "ξ"}, {"y", "υ"}, {"z", "ζ"},
};

constexpr std::string_view kSmall[] = {"zero",     "one",     "two",     "three",     "four",     "five",    "six",
                                       "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",  "thirteen",
                                       "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
constexpr std::string_view kTens[] = {"",      "",      "twenty",  "thirty", "forty",
                                      "fifty", "sixty", "seventy", "eighty", "ninety"};

constexpr Replacement kPlurals[] = {
    {"child", "children"}, {"man", "men"},       {"woman", "women"}, {"foot", "feet"},     {"tooth", "teeth"},
    {"goose", "geese"},    {"mouse", "mice"},    {"ox", "oxen"},     {"sheep", "sheep"},   {"deer", "deer"},
    {"fish", "fish"},      {"knife", "knives"},  {"leaf", "leaves"}, {"wolf", "wolves"},   {"life", "lives"},
    {"half", "halves"},    {"person", "people"}, {"die", "dice"},    {"thief", "thieves"}, {"louse", "lice"},
};

constexpr Replacement kPasts[] = {
    {"go", "went"},       {"be", "was"},       {"have", "had"},  {"do", "did"},      {"see", "saw"},
    {"come", "came"},     {"take", "took"},    {"give", "gave"}, {"find", "found"},  {"think", "thought"},
    {"bring", "brought"}, {"sing", "sang"},    {"run", "ran"},   {"write", "wrote"}, {"know", "knew"},
    {"put", "put"},       {"cut", "cut"},      {"fall", "fell"}, {"hold", "held"},   {"keep", "kept"},
    {"sleep", "slept"},   {"teach", "taught"}, {"swim", "swam"}, {"drink", "drank"}, {"eat", "ate"},
};

bool is_vowel(char letter) { return std::string_view("aeiou").find(letter) != std::string_view::npos; }

// A final y after a consonant.
bool turns_to_i(std::string_view word) {
  return word.size() > 1 && word.ends_with('y') && !is_vowel(word[word.size() - 2]);
}

const Replacement* exception_in(std::span<const Replacement> list, std::string_view word) {
  for (const Replacement& entry : list) {
    if (entry.from == word) return &entry;
  }
  return nullptr;
}

char letter_of(Random& random, std::string_view letters) {
  return letters[random.below(static_cast<std::uint32_t>(letters.size()))];
}

// Syllables of a consonant, a vowel and sometimes a consonant: "tib", "mora", "selkun".
std::string invented_word(Random& random, std::uint32_t most_syllables) {
  constexpr std::string_view kConsonants = "bcdfgklmnprstvz";
  constexpr std::string_view kEnds = "bdgklmnprstxyz";
  std::string word;
  const std::uint32_t syllables = 1 + random.below(most_syllables);
  for (std::uint32_t i = 0; i < syllables; ++i) {
    word += letter_of(random, kConsonants);
    word += letter_of(random, "aeiou");
    const bool is_last = i + 1 == syllables;
    if (is_last ? random.below(4) != 0 : random.below(3) == 0) word += letter_of(random, is_last ? kEnds : "lmnrs");
  }
  return word;
}

// As invented_word, with the pairs of letters that become one letter.
std::string invented_greek(Random& random) {
  constexpr std::string_view kStarts[] = {"th", "ph", "ch", "ps", "b", "g", "d", "k", "l",
                                          "m",  "n",  "p",  "r",  "s", "t", "x", "z"};
  std::string word;
  const std::uint32_t syllables = 1 + random.below(3);
  for (std::uint32_t i = 0; i < syllables; ++i) {
    word += kStarts[random.below(std::size(kStarts))];
    word += letter_of(random, "aeiou");
  }
  if (random.below(2) == 0) word += letter_of(random, "sn");
  return word;
}

// About one time in four, a real word that is an exception.
std::string inflected_word(Random& random, std::span<const Replacement> exceptions) {
  if (random.below(4) == 0) {
    return std::string(exceptions[random.below(static_cast<std::uint32_t>(exceptions.size()))].from);
  }
  return invented_word(random, 2);
}

void append_below_thousand(std::string& words, std::uint32_t value, bool follows) {
  const std::uint32_t rest = value % 100;
  if (value >= 100) {
    words += kSmall[value / 100];
    words += " hundred";
    if (rest != 0) words += ' ';
    follows = true;
  }
  if (rest == 0) return;
  if (follows) words += "and ";
  if (rest < 20) {
    words += kSmall[rest];
    return;
  }
  words += kTens[rest / 10];
  if (rest % 10 == 0) return;
  words += '-';
  words += kSmall[rest % 10];
}

}  // namespace

std::string transliterated(std::string_view word) {
  std::string letters;
  for (std::size_t i = 0; i < word.size();) {
    const std::string_view rest = word.substr(i);
    const auto* const found = std::find_if(std::begin(kLetters), std::end(kLetters),
                                           [&](const Replacement& entry) { return rest.starts_with(entry.from); });
    if (found == std::end(kLetters)) {
      letters += word[i++];
      continue;
    }
    const bool is_final_s = found->from == "s" && rest.size() == 1;
    letters += is_final_s ? "ς" : found->to;
    i += found->from.size();
  }
  return letters;
}

std::string number_words(std::uint32_t value) {
  TIED_ASSERT(value <= 999'999);
  std::string words;
  const std::uint32_t thousands = value / 1000;
  const std::uint32_t rest = value % 1000;
  if (value == 0) words = kSmall[0];
  if (thousands != 0) {
    append_below_thousand(words, thousands, false);
    words += " thousand";
    if (rest != 0) words += ' ';
  }
  append_below_thousand(words, rest, thousands != 0);
  return words;
}

std::string plural_of(std::string_view noun) {
  if (const Replacement* exception = exception_in(kPlurals, noun)) return std::string(exception->to);
  std::string word(noun);
  for (const std::string_view ending : {"s", "x", "z", "ch", "sh"}) {
    if (!noun.ends_with(ending)) continue;
    word += "es";
    return word;
  }
  if (turns_to_i(noun)) {
    word.back() = 'i';
    word += 'e';
  }
  word += 's';
  return word;
}

std::string past_tense_of(std::string_view verb) {
  if (const Replacement* exception = exception_in(kPasts, verb)) return std::string(exception->to);
  std::string word(verb);
  const std::size_t size = verb.size();
  // One syllable that ends in a vowel and one consonant doubles it.
  const auto vowels = std::count_if(verb.begin(), verb.end(), is_vowel);
  const bool doubles = size > 2 && vowels == 1 && is_vowel(verb[size - 2]) && !is_vowel(verb[size - 1]) &&
                       std::string_view("wxy").find(verb[size - 1]) == std::string_view::npos;
  if (turns_to_i(verb)) word.back() = 'i';
  if (doubles) word += verb.back();
  if (!verb.ends_with('e')) word += 'e';
  word += 'd';
  return word;
}

TextPair task_pair(const PairTaskOptions& options, std::uint64_t index) {
  TIED_ASSERT(options.length >= 1 && options.length <= kMaxTaskLength);
  // Each index has its own draws: no pair takes more than two for each letter.
  Random random(options.seed, stream_of("pair task"));
  random.seek(index * 4 * kMaxTaskLength);
  TextPair pair;
  switch (options.task) {
    case PairTask::kReversal:
    case PairTask::kSorting:
      for (std::uint64_t i = 0; i < options.length; ++i) pair.source += static_cast<char>('a' + random.below(26));
      pair.target = pair.source;
      if (options.task == PairTask::kReversal) {
        std::reverse(pair.target.begin(), pair.target.end());
      } else {
        std::sort(pair.target.begin(), pair.target.end());
      }
      break;
    case PairTask::kTransliteration:
      pair.source = invented_greek(random);
      pair.target = transliterated(pair.source);
      break;
    case PairTask::kNumbers: {
      // Numbers of few digits are as frequent as numbers of many.
      constexpr std::uint32_t kBounds[] = {10, 100, 1'000, 10'000, 100'000, 1'000'000};
      const std::uint32_t value = random.below(kBounds[random.below(6)]);
      pair = {number_words(value), text_of(value)};
      break;
    }
    case PairTask::kPlurals:
      pair.source = inflected_word(random, kPlurals);
      pair.target = plural_of(pair.source);
      break;
    case PairTask::kPastTense:
      pair.source = inflected_word(random, kPasts);
      pair.target = past_tense_of(pair.source);
      break;
  }
  return pair;
}

}  // namespace tied
