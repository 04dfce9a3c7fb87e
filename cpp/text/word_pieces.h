// Splits text into words and marks, with a rule for the spaces that are implied between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tied {

// How a piece is spaced in ordinary text.
enum class PieceClass : std::uint8_t {
  kNone,     // before the first piece and after the last
  kWord,     // a space on both sides:  word
  kCloser,   // none before, one after: , . ) ?
  kOpener,   // one before, none after: ( $
  kQuote,    // the straight ", alternately an opener and a closer within a line
  kTight,    // none on either side:    / -- tab
  kNewline,  // as kTight; ends the line
};

// Tokens for spacing that differs from the rule: no space where one is expected, and an extra space.
inline constexpr std::string_view kJoinPiece = "";
inline constexpr std::string_view kSpacePiece = " ";

// The class of a piece, from its text alone.
PieceClass class_of_piece(std::string_view piece);

// How many spaces (0 or 1) are expected before each piece, given those before it.
class SpacingRule {
 public:
  std::size_t expected_before(PieceClass next) const;
  void advance(PieceClass piece);

 private:
  PieceClass previous_ = PieceClass::kNone;
  bool quote_is_open_ = false;    // within the current line
  bool previous_closed_ = false;  // the previous piece was a closing quote
};

// One piece: a run of letters and digits (with ' or - between letters, and . or , between digits, as in don't,
// half-way, 3.14); an ideograph; a run of the same mark out of . - * = _ ~; any other single mark; or a newline, tab or
// other white space except U+0020. text[begin, end) after `spaces` spaces; begin == end at the end of the text.
struct WordPiece {
  std::size_t spaces = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
};

// The first piece at or after `position`; position <= text.size().
WordPiece next_word_piece(std::string_view text, std::size_t position);

// How far a text has been split.
struct WordCursor {
  std::size_t position = 0;
  SpacingRule rule;
};

// Calls emit(piece) for every token up to `end`, and to the end of the last piece that begins before `end`: pieces,
// kJoinPiece and kSpacePiece. `shown(piece)` is the class of the piece's token, which decides its spacing when the
// tokens are decoded.
template <class Emit, class Shown>
void for_each_word_token(std::string_view text, WordCursor& cursor, std::size_t end, const Emit& emit,
                         const Shown& shown) {
  while (cursor.position < end) {
    const WordPiece piece = next_word_piece(text, cursor.position);
    const std::string_view bytes = text.substr(piece.begin, piece.end - piece.begin);
    const PieceClass piece_class = bytes.empty() ? PieceClass::kNone : shown(bytes);
    if (piece.spaces != cursor.rule.expected_before(piece_class)) {
      if (piece.spaces == 0) emit(kJoinPiece);
      for (std::size_t i = 0; i < piece.spaces; ++i) emit(kSpacePiece);
    }
    if (!bytes.empty()) emit(bytes);
    cursor.rule.advance(piece_class);
    cursor.position = piece.end;
  }
}

}  // namespace tied
