// The tables of fields as TypeScript: web/core/generated/fields.ts.
#pragma once

#include <string>

namespace tied {

std::string printed_fields();

}  // namespace tied
