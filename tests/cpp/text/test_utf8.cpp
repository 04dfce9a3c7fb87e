#include <doctest/doctest.h>

#include <string>

#include "text/utf8.h"

namespace tied {
namespace {

TEST_CASE("every code point decodes to itself, and everything else is refused") {
  for (std::uint32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c == 0xD800) c = 0xE000;
    std::string text;
    append_character(text, static_cast<char32_t>(c));
    const DecodedCharacter character = decode_character(text, 0);
    if (!(character.valid && character.size == text.size() && character.code_point == c)) FAIL(c);
    // No truncated prefix is a character.
    for (std::size_t size = 1; size < text.size(); ++size) {
      if (decode_character(std::string_view(text).substr(0, size), 0).valid) FAIL(c);
    }
  }
}

TEST_CASE("overlong forms, surrogates, large values and stray bytes are not UTF-8") {
  // Written by hand from The Unicode Standard, table 3-7.
  for (const std::string_view bad :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xED\xBF\xBF", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xC3", "\xC3(", "\xE2\x82", "\xE2(\xA1", "\xF0\x9F\x98"}) {
    CHECK_FALSE(decode_character(bad, 0).valid);
    CHECK(decode_character(bad, 0).size == 1);
    CHECK(first_invalid_byte("ok " + std::string(bad)) == 3);
  }
  CHECK(first_invalid_byte("") == 0);
  CHECK(first_invalid_byte("caf\xC3\xA9") == 5);
}

TEST_CASE("characters are classified into letters, digits, spaces, ideographs and marks") {
  CHECK(classify(U'q') == CharacterClass::kLetter);
  CHECK(classify(U'\u00E9') == CharacterClass::kLetter);
  CHECK(classify(U'\u0301') == CharacterClass::kLetter);  // a combining accent belongs to its letter
  CHECK(classify(U'\U0001F600') == CharacterClass::kLetter);
  CHECK(classify(U'7') == CharacterClass::kDigit);
  CHECK(classify(U' ') == CharacterClass::kSpace);
  CHECK(classify(U'\n') == CharacterClass::kOtherSpace);
  CHECK(classify(U'\u00A0') == CharacterClass::kOtherSpace);
  CHECK(classify(U'\u4E2D') == CharacterClass::kIdeograph);
  CHECK(classify(U'\u2014') == CharacterClass::kPunctuation);
  CHECK(classify(U'\u00BF') == CharacterClass::kPunctuation);
  CHECK(classify(U'@') == CharacterClass::kPunctuation);
}

}  // namespace
}  // namespace tied
