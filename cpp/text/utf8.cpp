#include "text/utf8.h"

namespace tied {

DecodedCharacter decode_character(std::string_view text, std::size_t position) {
  const DecodedCharacter invalid{0, 1, false};
  const auto byte = [&](std::size_t offset) -> std::uint32_t {
    return static_cast<unsigned char>(text[position + offset]);
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {static_cast<char32_t>(lead), 1, true};

  // The lead byte gives the length; limits on the first continuation byte exclude overlong forms and surrogates.
  std::size_t size = 0;
  std::uint32_t code_point = 0;
  std::uint32_t lowest = 0x80;
  std::uint32_t highest = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    size = 2;
    code_point = lead & 0x1F;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    size = 3;
    code_point = lead & 0x0F;
    if (lead == 0xE0) lowest = 0xA0;
    if (lead == 0xED) highest = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    size = 4;
    code_point = lead & 0x07;
    if (lead == 0xF0) lowest = 0x90;
    if (lead == 0xF4) highest = 0x8F;
  } else {
    return invalid;
  }
  if (text.size() - position < size) return invalid;
  for (std::size_t i = 1; i < size; ++i) {
    const std::uint32_t next = byte(i);
    if (next < lowest || next > highest) return invalid;
    code_point = code_point << 6 | (next & 0x3F);
    lowest = 0x80;
    highest = 0xBF;
  }
  return {static_cast<char32_t>(code_point), size, true};
}

std::size_t first_invalid_byte(std::string_view text) {
  std::size_t position = 0;
  while (position < text.size()) {
    const DecodedCharacter character = decode_character(text, position);
    if (!character.valid) return position;
    position += character.size;
  }
  return position;
}

void append_character(std::string& out, char32_t code_point) {
  const auto c = static_cast<std::uint32_t>(code_point);
  const auto push = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    push(c);
  } else if (c < 0x800) {
    push(0xC0 | c >> 6);
    push(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    push(0xE0 | c >> 12);
    push(0x80 | (c >> 6 & 0x3F));
    push(0x80 | (c & 0x3F));
  } else {
    push(0xF0 | c >> 18);
    push(0x80 | (c >> 12 & 0x3F));
    push(0x80 | (c >> 6 & 0x3F));
    push(0x80 | (c & 0x3F));
  }
}

CharacterClass classify(char32_t code_point) {
  const auto c = static_cast<std::uint32_t>(code_point);
  const auto between = [c](std::uint32_t first, std::uint32_t last) { return c >= first && c <= last; };
  if (c < 0x80) {
    if (c == 0x20) return CharacterClass::kSpace;
    if (between('0', '9')) return CharacterClass::kDigit;
    if (between('a', 'z') || between('A', 'Z')) return CharacterClass::kLetter;
    if (c < 0x20 || c == 0x7F) return CharacterClass::kOtherSpace;  // control characters are single pieces, like tabs
    return CharacterClass::kPunctuation;
  }
  if (c < 0x100) {
    if (c == 0x85 || c == 0xA0) return CharacterClass::kOtherSpace;
    if (c < 0xA0) return CharacterClass::kPunctuation;
    if (c == 0xAA || c == 0xB5 || c == 0xBA) return CharacterClass::kLetter;
    if (c < 0xC0 || c == 0xD7 || c == 0xF7) return CharacterClass::kPunctuation;
    return CharacterClass::kLetter;
  }
  if (c == 0x1680 || between(0x2000, 0x200A) || between(0x2028, 0x2029) || c == 0x202F || c == 0x205F || c == 0x3000) {
    return CharacterClass::kOtherSpace;
  }
  // The joiners U+200C and U+200D connect letters and emoji.
  if (between(0x2010, 0x2BFF)) return CharacterClass::kPunctuation;  // punctuation, signs, arrows, mathematics, symbols
  if (between(0x2E00, 0x2E7F) || between(0x3001, 0x3020) || between(0xFF01, 0xFF0F) || between(0xFF1A, 0xFF20)) {
    return CharacterClass::kPunctuation;
  }
  if (between(0x2E80, 0x9FFF) || between(0xF900, 0xFAFF) || between(0xFF66, 0xFF9F) || between(0x20000, 0x3FFFF)) {
    return CharacterClass::kIdeograph;
  }
  return CharacterClass::kLetter;
}

}  // namespace tied
