#include "text/bpe_pieces.h"

#include <array>

#include "text/unicode_class.h"
#include "text/utf8.h"

namespace tied {
namespace {

enum class Kind : unsigned char { kSpace, kLetter, kDigit, kMark };

Kind kind_of(CharacterClass c) {
  switch (c) {
    case CharacterClass::kSpace:
    case CharacterClass::kOtherSpace:
      return Kind::kSpace;
    case CharacterClass::kLetter:
    case CharacterClass::kIdeograph:
      return Kind::kLetter;
    case CharacterClass::kDigit:
      return Kind::kDigit;
    case CharacterClass::kPunctuation:
      break;
  }
  return Kind::kMark;
}

Kind kind_of(UnicodeClass c) {
  switch (c) {
    case UnicodeClass::kSpace:
      return Kind::kSpace;
    case UnicodeClass::kLetter:
      return Kind::kLetter;
    case UnicodeClass::kNumber:
      return Kind::kDigit;
    case UnicodeClass::kOther:
      break;
  }
  return Kind::kMark;
}

// Which characters belong together, and how long a run may be.
struct Coarse {
  static Kind kind(char32_t code_point) { return kind_of(classify(code_point)); }
  static constexpr std::size_t kLongest = kLongestBpePiece;
};
struct Gpt2 {
  static Kind kind(char32_t code_point) { return kind_of(unicode_class(code_point)); }
  static constexpr std::size_t kLongest = static_cast<std::size_t>(-1);
};

struct Step {
  Kind kind;
  std::size_t size;
};

template <class Rule>
Step step_at(std::string_view text, std::size_t position) {
  const auto byte = static_cast<unsigned char>(text[position]);
  if (byte >= 'a' && byte <= 'z') return {Kind::kLetter, 1};  // the most common case
  const DecodedCharacter character = decode_character(text, position);
  if (!character.valid) return {Kind::kMark, 1};
  return {Rule::kind(character.code_point), character.size};
}

// End of the run at `position`, in the piece that starts at `begin`.
template <class Rule>
std::size_t end_of_run(std::string_view text, std::size_t begin, std::size_t position, Kind kind) {
  while (position < text.size() && position - begin < Rule::kLongest) {
    const Step step = step_at<Rule>(text, position);
    if (step.kind != kind) break;
    position += step.size;
  }
  return position;
}

constexpr std::array<std::string_view, 7> kEndings = {"'s", "'t", "'m", "'d", "'re", "'ve", "'ll"};

template <class Rule>
std::size_t end_of_piece(std::string_view text, std::size_t position) {
  const Step first = step_at<Rule>(text, position);
  if (text[position] == '\'') {
    const std::string_view rest = text.substr(position, 3);
    for (const std::string_view ending : kEndings) {
      if (rest.starts_with(ending)) return position + ending.size();
    }
  }
  if (first.kind != Kind::kSpace) return end_of_run<Rule>(text, position, position + first.size, first.kind);

  const std::size_t after_first = position + first.size;
  if (after_first < text.size() && text[position] == ' ') {
    const Step second = step_at<Rule>(text, after_first);
    if (second.kind != Kind::kSpace) return end_of_run<Rule>(text, position, after_first + second.size, second.kind);
  }
  // White space. Its last character belongs to the next piece, if there is one.
  std::size_t end = after_first;
  std::size_t last = position;
  while (end < text.size() && end - position < Rule::kLongest) {
    const Step step = step_at<Rule>(text, end);
    if (step.kind != Kind::kSpace) return last == position ? end : last;
    last = end;
    end += step.size;
  }
  return end;
}

}  // namespace

std::size_t end_of_bpe_piece(std::string_view text, std::size_t position) {
  return end_of_piece<Coarse>(text, position);
}

std::size_t end_of_gpt2_piece(std::string_view text, std::size_t position) {
  return end_of_piece<Gpt2>(text, position);
}

}  // namespace tied
