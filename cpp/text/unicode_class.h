// All letters, numbers and white space of Unicode, for text that must be split as other programs split it.
#pragma once

#include <cstdint>

namespace tied {

// In the order of unicode_classes.inc: none of the others; the general categories L and N; the property White_Space.
enum class UnicodeClass : std::uint8_t { kOther, kLetter, kNumber, kSpace };

// Of a code point up to U+10FFFF. The classes are those of the Unicode version that unicode_classes.inc names.
UnicodeClass unicode_class(char32_t code_point);

}  // namespace tied
