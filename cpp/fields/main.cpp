// Prints web/core/generated/fields.ts or, with an argument, records.ts: npm run fields.
#include <cstdio>

#include "fields/print_fields.h"
#include "fields/print_records.h"

int main(int arguments, char**) {
  const std::string text = arguments > 1 ? tied::printed_records() : tied::printed_fields();
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
}
