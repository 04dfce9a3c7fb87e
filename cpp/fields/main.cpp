// Prints a file of web/core/generated: npm run fields.
#include <cstdio>
#include <string_view>

#include "fields/print_fields.h"
#include "fields/print_records.h"

int main(int count, char** arguments) {
  const std::string_view file = count > 1 ? arguments[1] : "";
  const std::string text = file == "fields"    ? tied::printed_fields()
                           : file == "records" ? tied::printed_records()
                           : file == "words"   ? tied::printed_words()
                                               : "";
  return !text.empty() && std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
}
