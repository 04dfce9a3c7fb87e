// The records of answers as TypeScript, and the words of enumerations: web/core/generated/records.ts and words.ts.
#pragma once

#include <string>

namespace tied {

std::string printed_words();
std::string printed_records();

}  // namespace tied
