#include "text/word_pieces.h"

#include "text/utf8.h"

namespace tied {
namespace {

bool is_word_character(CharacterClass c) { return c == CharacterClass::kLetter || c == CharacterClass::kDigit; }

bool contains(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }

CharacterClass class_at(std::string_view text, std::size_t position) {
  if (position >= text.size()) return CharacterClass::kSpace;
  return classify(decode_character(text, position).code_point);
}

// Whether the mark at `position` is part of the word around it.
bool joins_word(std::string_view text, std::size_t position, std::size_t mark_size, char32_t mark,
                CharacterClass before) {
  const CharacterClass after = class_at(text, position + mark_size);
  if (mark == U'.' || mark == U',') return before == CharacterClass::kDigit && after == CharacterClass::kDigit;
  if (mark == U'\'' || mark == U'\u2019' || mark == U'-') return is_word_character(before) && is_word_character(after);
  return false;
}

std::size_t end_of_word(std::string_view text, std::size_t position) {
  CharacterClass before = CharacterClass::kSpace;
  while (position < text.size()) {
    const DecodedCharacter character = decode_character(text, position);
    const CharacterClass here = classify(character.code_point);
    if (!is_word_character(here) && !joins_word(text, position, character.size, character.code_point, before)) break;
    before = here;
    position += character.size;
  }
  return position;
}

}  // namespace

PieceClass class_of_piece(std::string_view piece) {
  if (piece.empty()) return PieceClass::kNone;
  const DecodedCharacter first = decode_character(piece, 0);
  switch (classify(first.code_point)) {
    case CharacterClass::kSpace:
    case CharacterClass::kOtherSpace:
      return first.code_point == U'\n' ? PieceClass::kNewline : PieceClass::kTight;
    case CharacterClass::kIdeograph:
      return PieceClass::kTight;
    case CharacterClass::kLetter:
    case CharacterClass::kDigit:
      return PieceClass::kWord;
    case CharacterClass::kPunctuation:
      break;
  }
  switch (first.code_point) {
    case U'"':
      return PieceClass::kQuote;
    case U'-':
      return piece.size() == 1 ? PieceClass::kWord : PieceClass::kTight;
    case U'/':
    case U'\u2013':  // en dash
    case U'\u2014':  // em dash
      return PieceClass::kTight;
    case U'\u2018':  // opening quotation marks
    case U'\u201C':
    case U'\u00AB':
    case U'\u00A1':  // opening marks of Spanish
    case U'\u00BF':
    case U'\u00A3':  // pound, euro
    case U'\u20AC':
      return PieceClass::kOpener;
    case U'\u2019':  // closing quotation marks
    case U'\u201D':
    case U'\u00BB':
    case U'\u2026':  // ellipsis
      return PieceClass::kCloser;
    default:
      break;
  }
  if (first.size == 1) {
    const char mark = piece[0];
    if (contains(",.;:!?)]}%'", mark)) return PieceClass::kCloser;
    if (contains("([{$#@", mark)) return PieceClass::kOpener;
    return PieceClass::kWord;
  }
  // The marks of Chinese and Japanese include their own space.
  return first.code_point >= 0x3000 ? PieceClass::kTight : PieceClass::kWord;
}

std::size_t SpacingRule::expected_before(PieceClass next) const {
  const bool after = previous_ == PieceClass::kWord || previous_ == PieceClass::kCloser ||
                     (previous_ == PieceClass::kQuote && previous_closed_);
  const bool before =
      next == PieceClass::kWord || next == PieceClass::kOpener || (next == PieceClass::kQuote && !quote_is_open_);
  return after && before ? 1 : 0;
}

void SpacingRule::advance(PieceClass piece) {
  if (piece == PieceClass::kQuote) {
    previous_closed_ = quote_is_open_;
    quote_is_open_ = !quote_is_open_;
  } else if (piece == PieceClass::kNewline) {
    quote_is_open_ = false;
  }
  previous_ = piece;
}

WordPiece next_word_piece(std::string_view text, std::size_t position) {
  WordPiece piece;
  while (position < text.size() && text[position] == ' ') {
    ++position;
    ++piece.spaces;
  }
  piece.begin = position;
  if (position < text.size()) {
    const DecodedCharacter first = decode_character(text, position);
    if (is_word_character(classify(first.code_point))) {
      position = end_of_word(text, position);
    } else {
      position += first.size;
      if (first.size == 1 && contains(".-*=_~", text[piece.begin])) {
        while (position < text.size() && text[position] == text[piece.begin]) ++position;
      }
    }
  }
  piece.end = position;
  return piece;
}

}  // namespace tied
