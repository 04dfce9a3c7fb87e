#include <doctest/doctest.h>

#include "base/token_ids.h"

using namespace tied;

TEST_CASE("the first token id outside the vocabulary is named with its index") {
  const std::uint32_t ids[] = {0, 6, 7, 9};
  CHECK(check_token_ids("ids", std::span(ids).first(2), 7).ok());
  CHECK(check_token_ids("ids", {}, 7).ok());
  const Status refused = check_token_ids("ids", ids, 7);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == ErrorCode::kInvalidArgument);
  CHECK(refused.error().message() == "ids[2] is 7; expected a token id below 7");
}
