// UTF-8, one character at a time, and what kind of character it is when text is cut.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tied {

struct DecodedCharacter {
  char32_t code_point = 0;
  std::size_t size = 0;  // bytes taken; 1 where the bytes are no character
  bool valid = false;
};

// The character that begins at text[position]; position < text.size(). Overlong forms, surrogates, numbers above
// U+10FFFF and cut sequences are not valid. Source: The Unicode Standard 15.0, table 3-7.
DecodedCharacter decode_character(std::string_view text, std::size_t position);

// Where the first byte is that is not UTF-8; text.size() where there is none.
std::size_t first_invalid_byte(std::string_view text);

// Appends the UTF-8 form of a valid code point.
void append_character(std::string& out, char32_t code_point);

enum class CharacterClass : std::uint8_t {
  kSpace,        // U+0020 alone
  kOtherSpace,   // tab, newline, no-break space, the spaces of U+2000 and so on
  kLetter,       // letters, and all that is nothing else: marks, emoji, unassigned code points
  kDigit,        // 0 to 9
  kIdeograph,    // scripts that put no spaces between words: Chinese characters, kana
  kPunctuation,  // marks and symbols
};

// A coarse classification of our own: exact for ASCII and Latin-1, by blocks above. The full tables of Unicode would
// cost more than the whole tokenizer.
CharacterClass classify(char32_t code_point);

}  // namespace tied
