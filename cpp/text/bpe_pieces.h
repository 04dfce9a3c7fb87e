// Cuts text into the pieces within which byte pair encoding merges.
#pragma once

#include <cstddef>
#include <string_view>

namespace tied {

// A run goes on no further than this, or just past it to the end of a character: lines without spaces may be as long as
// the text, and the work on a piece grows faster than its length.
inline constexpr std::size_t kLongestBpePiece = 1024;

// Where the piece that begins at `position` ends; position < text.size(). In the manner of GPT-2: one of the endings
// 's 't 're 've 'm 'll 'd; or a run of letters, of digits, or of marks, each with one space before it if there is one;
// or white space, which leaves its last space to what follows. Bytes that are not UTF-8 count as marks.
std::size_t end_of_bpe_piece(std::string_view text, std::size_t position);

}  // namespace tied
