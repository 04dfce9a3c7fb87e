// Splits text into the pieces within which byte pair encoding merges.
#pragma once

#include <cstddef>
#include <string_view>

namespace tied {

// Longer runs end here, or at the end of the character. Lines without spaces can be as long as the text, and the work
// on a piece grows faster than its length.
inline constexpr std::size_t kLongestBpePiece = 1024;

// End of the piece that starts at `position` < text.size(). As in GPT-2, a piece is one of the endings 's 't 're 've 'm
// 'll 'd; a run of letters, of digits, or of marks, each including one preceding space; or white space, without its
// last space if something follows. Bytes that are not UTF-8 count as marks.
std::size_t end_of_bpe_piece(std::string_view text, std::size_t position);

// The same rule as in GPT-2's own program: letters, numbers and white space are those of Unicode (unicode_class.h), and
// runs are of any length. Source: encoder.py of github.com/openai/gpt-2.
std::size_t end_of_gpt2_piece(std::string_view text, std::size_t position);

}  // namespace tied
