#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "fields/print_fields.h"

using namespace tied;

TEST_CASE("web/core has the tables of fields as they are: npm run fields") {
  std::ifstream file(TIED_SOURCE_DIR "/web/core/generated/fields.ts");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  CHECK(text == printed_fields());
}
