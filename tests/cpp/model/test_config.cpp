#include <doctest/doctest.h>

#include <limits>
#include <string>

#include "model/config.h"

using namespace tied;

namespace {

ModelConfig good() { return {.vocab_size = 5, .d_model = 3}; }

}  // namespace

TEST_CASE("a model of two tokens and one dimension is the smallest that is valid") {
  CHECK(validate(good()).ok());
  CHECK(validate({.vocab_size = 2, .d_model = 1}).ok());
}

TEST_CASE("a configuration that makes no model is refused with the name of the field") {
  struct Case {
    ModelConfig config;
    const char* argument;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Case cases[] = {
      {{.vocab_size = 0, .d_model = 3}, "vocab_size"},
      {{.vocab_size = 1, .d_model = 3}, "vocab_size"},
      {{.vocab_size = std::uint64_t{1} << 32, .d_model = 3}, "vocab_size"},
      {{.vocab_size = 5, .d_model = 0}, "d_model"},
      {{.vocab_size = 5, .d_model = ~std::uint64_t{0}}, "d_model"},
      {{.vocab_size = 5, .d_model = 3, .init_std = nan}, "init_std"},
      {{.vocab_size = 5, .d_model = 3, .init_std = -1}, "init_std"},
      {{.vocab_size = 5, .d_model = 3, .init_std = 0}, "init_std"},
      {{.vocab_size = 5, .d_model = 3, .init_std = std::numeric_limits<double>::infinity()}, "init_std"},
      {{.vocab_size = 5, .d_model = 3, .d_feed_forward = std::uint64_t{1} << 40}, "d_feed_forward"},
      {{.vocab_size = 5, .d_model = 3, .tying = static_cast<Tying>(9)}, "tying"},
      {{.kind = static_cast<ModelKind>(7), .vocab_size = 5, .d_model = 3}, "kind"},
  };
  for (const Case& each : cases) {
    const Status status = validate(each.config);
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().code == ErrorCode::kInvalidArgument);
    CHECK(status.error().argument == each.argument);
  }
}

TEST_CASE("the words for tyings go both ways, and no other word is taken") {
  for (const Tying tying : {Tying::kTied, Tying::kUntied, Tying::kTiedLinear, Tying::kTiedMlp}) {
    const auto read = tying_from_name(tying_name(tying));
    REQUIRE(read.ok());
    CHECK(read.value() == tying);
  }
  const auto unknown = tying_from_name("half-tied");
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().value == "half-tied");
}
