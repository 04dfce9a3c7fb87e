// UTF-8, one character at a time, and the classes of characters for splitting text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tied {

struct DecodedCharacter {
  char32_t code_point = 0;
  std::size_t size = 0;  // bytes of the character; 1 if they are invalid
  bool valid = false;
};

// The character at text[position]; position < text.size(). Overlong forms, surrogates, values above U+10FFFF and
// truncated sequences are invalid. Source: The Unicode Standard 15.0, table 3-7.
DecodedCharacter decode_character(std::string_view text, std::size_t position);

// Position of the first byte that is not UTF-8; text.size() if there is none.
std::size_t first_invalid_byte(std::string_view text);

// Appends the UTF-8 form of a valid code point.
void append_character(std::string& out, char32_t code_point);

enum class CharacterClass : std::uint8_t {
  kSpace,        // U+0020 alone
  kOtherSpace,   // tab, newline, no-break space, the spaces of U+2000 and so on
  kLetter,       // letters, and everything else: marks, emoji, unassigned code points
  kDigit,        // 0 to 9
  kIdeograph,    // scripts without spaces between words: Chinese characters, kana
  kPunctuation,  // marks and symbols
};

// A coarse classification: exact for ASCII and Latin-1, by blocks above. The full Unicode tables would be larger than
// the whole tokenizer.
CharacterClass classify(char32_t code_point);

}  // namespace tied
