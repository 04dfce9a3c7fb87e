#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "fields/print_fields.h"
#include "fields/print_records.h"

using namespace tied;

namespace {

std::string generated(const char* name) {
  std::ifstream file(std::string(TIED_SOURCE_DIR "/web/core/generated/") + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("web/core has the tables of fields, records and words as they are: npm run fields") {
  CHECK(generated("fields.ts") == printed_fields());
  CHECK(generated("records.ts") == printed_records());
  CHECK(generated("words.ts") == printed_words());
}
