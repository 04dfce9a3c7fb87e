#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "model/model.h"

using namespace tied;

namespace {

ModelConfig good() { return {.vocab_size = 5, .d_model = 3}; }

}  // namespace

TEST_CASE("a model of two tokens and width 1 is the smallest valid one") {
  CHECK(validate(good()).ok());
  CHECK(validate({.vocab_size = 2, .d_model = 1}).ok());
}

TEST_CASE("an invalid configuration is refused with the name of the field") {
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

TEST_CASE("an invalid transformer is refused with the name of the field") {
  struct Case {
    const char* argument;
    void (*spoil)(ModelConfig&);
  };
  const Case cases[] = {
      {"ngram_order", [](ModelConfig& config) { config.ngram_order = 1; }},
      {"ngram_order", [](ModelConfig& config) { config.ngram_order = 9; }},
      {"ngram_order",
       [](ModelConfig& config) {
         config.kind = ModelKind::kDirectPath;
         config.ngram_order = 2;
         config.ngram_rows = 5;
       }},
      {"ngram_order",
       [](ModelConfig& config) {
         config.kind = ModelKind::kEncoderDecoder;
         config.ngram_order = 2;
         config.ngram_rows = 5;
       }},
      {"ngram_rows", [](ModelConfig& config) { config.ngram_order = 3; }},
      {"ngram_rows", [](ModelConfig& config) { config.ngram_rows = 3; }},
      {"ngram_heads", [](ModelConfig& config) { config.ngram_heads = 2; }},
      {"ngram_places", [](ModelConfig& config) { config.ngram_places = NgramPlaces::kEveryLayer; }},
      {"ngram_heads",
       [](ModelConfig& config) {
         config.ngram_order = 2;
         config.ngram_rows = 5;
         config.ngram_heads = 5;
       }},
      {"ngram_rows",
       [](ModelConfig& config) {
         config.ngram_order = 8;
         config.ngram_rows = kMaxVocabSize + 1;
       }},
      {"n_layers", [](ModelConfig& config) { config.n_layers = 0; }},
      {"n_layers", [](ModelConfig& config) { config.n_layers = 1'001; }},
      {"n_layers", [](ModelConfig& config) { config.n_layers = ~std::uint64_t{0}; }},
      {"n_heads", [](ModelConfig& config) { config.n_heads = 0; }},
      {"n_heads", [](ModelConfig& config) { config.n_heads = 5; }},
      {"n_heads", [](ModelConfig& config) { config.n_heads = std::uint64_t{1} << 63; }},
      {"n_heads",
       [](ModelConfig& config) {
         config.n_heads = 12;
         config.positions = Positions::kRotary;
       }},
      {"n_kv_heads", [](ModelConfig& config) { config.n_kv_heads = 3; }},
      {"n_kv_heads", [](ModelConfig& config) { config.n_kv_heads = 8; }},
      {"context_length", [](ModelConfig& config) { config.context_length = 0; }},
      {"context_length", [](ModelConfig& config) { config.context_length = ~std::uint64_t{0}; }},
      {"norm", [](ModelConfig& config) { config.norm = static_cast<Norm>(2); }},
      {"positions", [](ModelConfig& config) { config.positions = static_cast<Positions>(3); }},
      {"feed_forward", [](ModelConfig& config) { config.feed_forward = static_cast<FeedForward>(200); }},
      {"biases", [](ModelConfig& config) { config.biases = static_cast<Biases>(3); }},
      {"norm_epsilon", [](ModelConfig& config) { config.norm_epsilon = 0; }},
      {"norm_epsilon", [](ModelConfig& config) { config.norm_epsilon = std::nan(""); }},
      {"norm_epsilon", [](ModelConfig& config) { config.norm_epsilon = 2; }},
      {"rotary_base", [](ModelConfig& config) { config.rotary_base = 0; }},
      {"rotary_base", [](ModelConfig& config) { config.rotary_base = std::nan(""); }},
      {"dropout", [](ModelConfig& config) { config.dropout = 1; }},
      {"dropout", [](ModelConfig& config) { config.dropout = -0.1; }},
      {"dropout", [](ModelConfig& config) { config.dropout = std::nan(""); }},
      {"tying", [](ModelConfig& config) { config.tying = Tying::kTiedMlp; }},
      {"low_rank", [](ModelConfig& config) { config.tying = Tying::kTiedLowRank; }},
      {"low_rank",
       [](ModelConfig& config) {
         config.tying = Tying::kTiedLowRank;
         config.low_rank = 13;
       }},
      {"low_rank", [](ModelConfig& config) { config.low_rank = 2; }},
      {"untie_at_step",
       [](ModelConfig& config) {
         config.tying = Tying::kUntied;
         config.untie_at_step = 3;
       }},
      {"tie_at_step", [](ModelConfig& config) { config.tie_at_step = 3; }},
      {"tie_at_step",
       [](ModelConfig& config) {
         config.untie_at_step = 2;
         config.tie_at_step = 3;
       }},
      {"tying_condition", [](ModelConfig& config) { config.tying_condition = static_cast<TyingCondition>(3); }},
      {"tying_over", [](ModelConfig& config) { config.tying_condition = TyingCondition::kAbove; }},
      {"tying_over", [](ModelConfig& config) { config.tying_over = 1; }},
      {"tying_over", [](ModelConfig& config) { config.tying_from = 1; }},
      {"tying_over", [](ModelConfig& config) { config.tying_over = ~std::uint64_t{0}; }},
      {"tying_from", [](ModelConfig& config) { config.tying_from = ~std::uint64_t{0}; }},
      {"tying_share", [](ModelConfig& config) { config.tying_share = std::nan(""); }},
      {"tying_share", [](ModelConfig& config) { config.tying_share = 1.5; }},
      {"tying",
       [](ModelConfig& config) {
         config.tying = Tying::kTiedLinear;
         config.tying_condition = TyingCondition::kBelow;
         config.tying_over = 1;
       }},
      {"untie_at_step",
       [](ModelConfig& config) {
         config.untie_at_step = 2;
         config.tying_condition = TyingCondition::kBelow;
         config.tying_over = 1;
       }},
      {"tie_at_step",
       [](ModelConfig& config) {
         config.tying = Tying::kUntied;
         config.tie_at_step = 2;
         config.tying_condition = TyingCondition::kBelow;
         config.tying_over = 1;
       }},
      {"d_feed_forward", [](ModelConfig& config) { config.d_feed_forward = ~std::uint64_t{0}; }},
  };
  ModelConfig config{.kind = ModelKind::kTransformer, .vocab_size = 5, .d_model = 12};
  REQUIRE(validate(config).ok());
  for (const Case& each : cases) {
    ModelConfig spoilt = config;
    each.spoil(spoilt);
    const Status status = validate(spoilt);
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().code == ErrorCode::kInvalidArgument);
    CHECK(status.error().argument == each.argument);
    CHECK_FALSE(status.error().expected.empty());
  }
}

TEST_CASE("a direct path has no low-rank correction, but its tying can change") {
  ModelConfig config = good();
  config.tying = Tying::kTiedLowRank;
  config.low_rank = 1;
  CHECK(validate(config).error().argument == "tying");
  config = good();
  config.untie_at_step = 5;
  CHECK(validate(config).ok());
  config = good();
  config.tying_condition = TyingCondition::kAbove;
  config.tying_over = 5;
  CHECK(validate(config).ok());
}

TEST_CASE("the largest valid transformer has sizes that do not wrap") {
  ModelConfig config{.kind = ModelKind::kTransformer, .vocab_size = kMaxVocabSize, .d_model = kMaxWidth};
  config.tying = Tying::kUntied;
  config.n_layers = kMaxLayers;
  config.n_heads = kMaxWidth;
  config.context_length = kMaxWidth;
  config.feed_forward = FeedForward::kSwiGlu;
  config.dropout = 0.1;
  REQUIRE(validate(config).ok());
  const double width = static_cast<double>(kMaxWidth);
  const double matrices = 1'000 * (4 + 3 * 4) * width * width + 2 * static_cast<double>(kMaxVocabSize) * width;
  CHECK(static_cast<double>(parameter_table(config).parameter_count()) > matrices);
  CHECK(static_cast<double>(parameter_table(config).parameter_count()) < matrices * 1.01);
  // At least nine rows of d and three of f = 4 d per token and layer.
  CHECK(static_cast<double>(workspace_extent(config, ~std::uint64_t{0})) > 1'000 * 18 * width * width);
  const auto refused = create_model<float>(config, 1, ~std::uint64_t{0});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == ErrorCode::kOutOfMemory);
}

TEST_CASE("names of tyings are read and written, and no other name is accepted") {
  for (const Tying tying : {Tying::kTied, Tying::kUntied, Tying::kTiedLinear, Tying::kTiedMlp, Tying::kTiedLowRank}) {
    const auto read = tying_from_name(tying_name(tying));
    REQUIRE(read.ok());
    CHECK(read.value() == tying);
  }
  const auto unknown = tying_from_name("half-tied");
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().value == "half-tied");
}
