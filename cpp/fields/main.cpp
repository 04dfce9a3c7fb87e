// Prints web/core/generated/fields.ts: npm run fields.
#include <cstdio>

#include "fields/print_fields.h"

int main() {
  const std::string text = tied::printed_fields();
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
}
