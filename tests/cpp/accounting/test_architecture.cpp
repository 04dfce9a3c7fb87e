#include "accounting/architecture.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "models.h"

namespace tied {
namespace {

constexpr std::uint64_t kLargestSize = (std::uint64_t{1} << 53) - 1;

void check_refused(const Status& status, std::string_view field, std::string_view value, std::string_view expected) {
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().code == ErrorCode::kInvalidArgument);
  CHECK(status.error().argument == field);
  CHECK(status.error().value == value);
  CHECK(status.error().expected == expected);
}

// GPT-2 with one field changed.
template <class Field, class Value>
Architecture with(Field Architecture::* field, Value value) {
  Architecture a = gpt2();
  a.*field = static_cast<Field>(value);
  return a;
}

TEST_CASE("real models and random ones are valid") {
  for (const Architecture& a : {gpt2(), llama3(), mixtral(), t5_small(), plain_formula(50000, 768, 0)}) {
    CHECK(validate(a).ok());
  }
  RandomModels random(1);
  for (int i = 0; i < 300; ++i) CHECK(validate(random.architecture()).ok());
}

TEST_CASE("either stack can have no layers") {
  CHECK(validate(with(&Architecture::n_layers, 0)).ok());
  Architecture a = t5_small();
  a.n_layers = a.n_encoder_layers = 0;
  CHECK(validate(a).ok());
}

TEST_CASE("required sizes are from 1 to 2^53 - 1") {
  struct Case {
    std::string_view name;
    std::uint64_t Architecture::* field;
  };
  const Case cases[] = {
      {"vocab_size", &Architecture::vocab_size}, {"output_vocab_size", &Architecture::output_vocab_size},
      {"d_model", &Architecture::d_model},       {"n_heads", &Architecture::n_heads},
      {"d_head", &Architecture::d_head},         {"d_feed_forward", &Architecture::d_feed_forward},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    check_refused(validate(with(c.field, 0)), c.name, "0", "1 to 9007199254740991");
    check_refused(validate(with(c.field, kLargestSize + 1)), c.name, "9007199254740992", "1 to 9007199254740991");
    check_refused(validate(with(c.field, ~std::uint64_t{0})), c.name, "18446744073709551615", "1 to 9007199254740991");
  }
  check_refused(validate(with(&Architecture::n_key_value_heads, 0)), "n_key_value_heads", "0", "1 to 9007199254740991");
}

TEST_CASE("optional sizes are at most 2^53 - 1, used or not") {
  struct Case {
    std::string_view name;
    std::uint64_t Architecture::* field;
  };
  const Case cases[] = {
      {"n_layers", &Architecture::n_layers},
      {"n_encoder_layers", &Architecture::n_encoder_layers},
      {"n_active_experts", &Architecture::n_active_experts},
      {"n_shared_experts", &Architecture::n_shared_experts},
      {"n_dense_layers", &Architecture::n_dense_layers},
      {"n_experts", &Architecture::n_experts},
      {"d_dense_feed_forward", &Architecture::d_dense_feed_forward},
      {"relative_buckets", &Architecture::relative_buckets},
      {"n_segments", &Architecture::n_segments},
      {"low_rank", &Architecture::low_rank},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(validate(with(c.field, 0)).ok());
    check_refused(validate(with(c.field, kLargestSize + 1)), c.name, "9007199254740992", "0 to 9007199254740991");
  }
}

TEST_CASE("the number of key-value heads divides that of heads") {
  for (const int heads : {5, 13, 24}) {
    check_refused(validate(with(&Architecture::n_key_value_heads, heads)), "n_key_value_heads", std::to_string(heads),
                  "a divisor of n_heads");
  }
  for (const int heads : {1, 2, 3, 4, 6, 12}) CHECK(validate(with(&Architecture::n_key_value_heads, heads)).ok());
}

TEST_CASE("heads of queries, keys and values together are at most 2^53 - 1 wide") {
  constexpr std::string_view kExpected = "at most 2^53 - 1 for all queries, keys and values together";
  Architecture a = gpt2();
  a.n_heads = a.n_key_value_heads = std::uint64_t{1} << 52;
  a.d_head = 1;
  check_refused(validate(a), "d_head", "1", kExpected);
  a.n_heads = a.n_key_value_heads = kLargestSize / 3;
  CHECK(validate(a).ok());
  a.n_heads = a.n_key_value_heads = kLargestSize / 3 + 1;
  check_refused(validate(a), "d_head", "1", kExpected);
  a.n_heads = a.n_key_value_heads = a.d_head = kLargestSize;
  check_refused(validate(a), "d_head", "9007199254740991", kExpected);
}

TEST_CASE("at least one expert and at most all are active") {
  constexpr std::string_view kExpected = "1 to n_experts; 0 without experts";
  Architecture a = mixtral();
  a.n_active_experts = 9;
  check_refused(validate(a), "n_active_experts", "9", kExpected);
  a.n_active_experts = 0;
  check_refused(validate(a), "n_active_experts", "0", kExpected);
  check_refused(validate(with(&Architecture::n_active_experts, 1)), "n_active_experts", "1", kExpected);
}

TEST_CASE("shared experts and dense layers are refused without experts") {
  check_refused(validate(with(&Architecture::n_shared_experts, 1)), "n_shared_experts", "1", "0 without experts");
  check_refused(validate(with(&Architecture::n_dense_layers, 1)), "n_dense_layers", "1",
                "0 to n_layers; 0 without experts");
}

TEST_CASE("there are at most as many dense layers as layers, and they have a width") {
  Architecture a = mixtral();
  a.n_dense_layers = 33;
  check_refused(validate(a), "n_dense_layers", "33", "0 to n_layers; 0 without experts");
  a.n_dense_layers = 32;
  check_refused(validate(a), "d_dense_feed_forward", "0", "1 or more for dense layers");
  a.d_dense_feed_forward = 1;
  CHECK(validate(a).ok());
}

TEST_CASE("only the kind of positions in use needs rows") {
  check_refused(validate(with(&Architecture::context_length, 0)), "context_length", "0",
                "1 or more for learned positions");
  Architecture a = t5_small();
  a.relative_buckets = 0;
  check_refused(validate(a), "relative_buckets", "0", "1 or more for relative positions");
  a.positions = PositionKind::kRotary;
  a.context_length = 0;
  CHECK(validate(a).ok());
}

TEST_CASE("a layer has at most four norms of the model's width") {
  check_refused(validate(with(&Architecture::norms_per_layer, 5)), "norms_per_layer", "5", "0 to 4");
  for (const int norms : {0, 1, 2, 3, 4}) CHECK(validate(with(&Architecture::norms_per_layer, norms)).ok());
}

TEST_CASE("the first bad field is named") {
  Architecture a;
  a.vocab_size = 10;
  check_refused(validate(a), "output_vocab_size", "0", "1 to 9007199254740991");
}

TEST_CASE("the check of a tying begins with that of the architecture") {
  CHECK(validate(gpt2(), TableTying::kTied).ok());
  check_refused(validate(with(&Architecture::d_model, 0), TableTying::kTied), "d_model", "0", "1 to 9007199254740991");
}

TEST_CASE("a single stack refuses the tyings of encoder-decoders") {
  for (const Stack stack : {Stack::kDecoder, Stack::kEncoder}) {
    const Architecture a = with(&Architecture::stack, stack);
    check_refused(validate(a, TableTying::kTiedInputs), "tying", "tied-inputs", "one that a single stack has");
    check_refused(validate(a, TableTying::kTiedDecoder), "tying", "tied-decoder", "one that a single stack has");
    CHECK(validate(a, TableTying::kTied).ok());
    CHECK(validate(a, TableTying::kUntied).ok());
    CHECK(validate(a, TableTying::kTiedLinear).ok());
    CHECK(validate(a, TableTying::kTiedMlp).ok());
  }
  for (int tying = 0; tying < 7; ++tying) {
    Architecture a = t5_small();
    a.low_rank = 4;
    CHECK(validate(a, static_cast<TableTying>(tying)).ok());
  }
}

TEST_CASE("different vocabularies: only tables of the same tokens share") {
  Architecture a = t5_small();
  a.output_vocab_size = 100;
  a.low_rank = 4;
  for (const auto tying : {TableTying::kTied, TableTying::kTiedLinear, TableTying::kTiedMlp, TableTying::kTiedLowRank,
                           TableTying::kTiedInputs}) {
    check_refused(validate(a, tying), "output_vocab_size", "100", "vocab_size, if they share a table");
  }
  CHECK(validate(a, TableTying::kUntied).ok());
  CHECK(validate(a, TableTying::kTiedDecoder).ok());
}

TEST_CASE("a correction of low rank has a rank of 1 to d_model") {
  check_refused(validate(gpt2(), TableTying::kTiedLowRank), "low_rank", "0", "1 to d_model");
  check_refused(validate(with(&Architecture::low_rank, 769), TableTying::kTiedLowRank), "low_rank", "769",
                "1 to d_model");
  CHECK(validate(with(&Architecture::low_rank, 768), TableTying::kTiedLowRank).ok());
  CHECK(validate(with(&Architecture::low_rank, 769), TableTying::kTied).ok());
}

}  // namespace
}  // namespace tied
