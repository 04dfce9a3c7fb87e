// The records of answers as TypeScript: web/core/generated/records.ts.
#pragma once

#include <string>

namespace tied {

std::string printed_records();

}  // namespace tied
