#include "accounting/architecture.h"

#include <doctest/doctest.h>

#include <string_view>

#include "models.h"

namespace tied {
namespace {

constexpr std::uint64_t kLargest = (std::uint64_t{1} << 53) - 1;

void check_refused(const Status& status, std::string_view field, std::string_view value, std::string_view expected) {
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().code == ErrorCode::kInvalidArgument);
  CHECK(status.error().argument == field);
  CHECK(status.error().value == value);
  CHECK(status.error().expected == expected);
}

// GPT-2 with one field changed.
template <class Field, class Value>
Architecture with(Field Architecture::*field, Value value) {
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

TEST_CASE("no layers are fine, in either stack") {
  CHECK(validate(with(&Architecture::n_layers, 0)).ok());
  Architecture a = t5_small();
  a.n_layers = a.n_encoder_layers = 0;
  CHECK(validate(a).ok());
}

TEST_CASE("sizes that must be there may be neither 0 nor above 2^53 - 1") {
  struct Case {
    std::string_view name;
    std::uint64_t Architecture::*field;
  };
  const Case cases[] = {
      {"vocab_size", &Architecture::vocab_size},
      {"output_vocab_size", &Architecture::output_vocab_size},
      {"d_model", &Architecture::d_model},
      {"n_heads", &Architecture::n_heads},
      {"d_head", &Architecture::d_head},
      {"d_feed_forward", &Architecture::d_feed_forward},
      {"context_length", &Architecture::context_length},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    check_refused(validate(with(c.field, 0)), c.name, "0", "1 to 9007199254740991");
    check_refused(validate(with(c.field, kLargest + 1)), c.name, "9007199254740992", "1 to 9007199254740991");
    check_refused(validate(with(c.field, ~std::uint64_t{0})), c.name, "18446744073709551615", "1 to 9007199254740991");
  }
  check_refused(validate(with(&Architecture::n_key_value_heads, 0)), "n_key_value_heads", "0", "1 to 12");
}

TEST_CASE("sizes that may be 0 may not be above 2^53 - 1, used or not") {
  struct Case {
    std::string_view name;
    std::uint64_t Architecture::*field;
  };
  const Case cases[] = {
      {"n_layers", &Architecture::n_layers},
      {"n_encoder_layers", &Architecture::n_encoder_layers},
      {"n_experts", &Architecture::n_experts},
      {"d_dense_feed_forward", &Architecture::d_dense_feed_forward},
      {"relative_buckets", &Architecture::relative_buckets},
      {"n_segments", &Architecture::n_segments},
      {"low_rank", &Architecture::low_rank},
  };
  for (const Case& c : cases) {
    CAPTURE(c.name);
    CHECK(validate(with(c.field, 0)).ok());
    check_refused(validate(with(c.field, kLargest + 1)), c.name, "9007199254740992", "0 to 9007199254740991");
  }
  Architecture a = mixtral();
  a.n_shared_experts = kLargest + 1;
  check_refused(validate(a), "n_shared_experts", "9007199254740992", "0 to 9007199254740991");
}

TEST_CASE("key-value heads divide the heads") {
  check_refused(validate(with(&Architecture::n_key_value_heads, 5)), "n_key_value_heads", "5",
                "a divisor of n_heads, 12");
  check_refused(validate(with(&Architecture::n_key_value_heads, 24)), "n_key_value_heads", "24", "1 to 12");
  for (const int heads : {1, 2, 3, 4, 6, 12}) CHECK(validate(with(&Architecture::n_key_value_heads, heads)).ok());
}

TEST_CASE("heads of queries, keys and values together are no wider than 2^53 - 1") {
  Architecture a = gpt2();
  a.n_heads = a.n_key_value_heads = std::uint64_t{1} << 52;
  a.d_head = 1;
  check_refused(validate(a), "d_head", "1", "1 to 0");
  a.n_heads = a.n_key_value_heads = std::uint64_t{1} << 51;
  CHECK(validate(a).ok());
  a.d_head = 2;
  check_refused(validate(a), "d_head", "2", "1 to 1");
  a.n_heads = a.n_key_value_heads = kLargest;
  a.d_head = kLargest;
  CHECK_FALSE(validate(a).ok());
}

TEST_CASE("experts: some are at work, no more than there are, and the rest belongs to them alone") {
  Architecture a = mixtral();
  a.n_active_experts = 9;
  check_refused(validate(a), "n_active_experts", "9", "1 to 8");
  a.n_active_experts = 0;
  check_refused(validate(a), "n_active_experts", "0", "1 to 8");
  a = mixtral();
  a.n_dense_layers = 33;
  check_refused(validate(a), "n_dense_layers", "33", "0 to 32");
  a.n_dense_layers = 32;
  check_refused(validate(a), "d_dense_feed_forward", "0", "1 to 9007199254740991");
  a.d_dense_feed_forward = 1;
  CHECK(validate(a).ok());
  check_refused(validate(with(&Architecture::n_active_experts, 1)), "n_active_experts", "1", "0 to 0");
  check_refused(validate(with(&Architecture::n_shared_experts, 1)), "n_shared_experts", "1", "0 to 0");
  check_refused(validate(with(&Architecture::n_dense_layers, 1)), "n_dense_layers", "1", "0 to 0");
}

TEST_CASE("positions: rows that are used must be there") {
  Architecture a = t5_small();
  a.relative_buckets = 0;
  check_refused(validate(a), "relative_buckets", "0", "1 to 9007199254740991");
  a.positions = PositionKind::kRotary;
  CHECK(validate(a).ok());
  check_refused(validate(with(&Architecture::norms_per_layer, 5)), "norms_per_layer", "5", "0 to 4");
}

TEST_CASE("choices that there are not") {
  check_refused(validate(with(&Architecture::stack, 3)), "stack", "3", "0 to 2");
  check_refused(validate(with(&Architecture::feed_forward, 2)), "feed_forward", "2", "0 to 1");
  check_refused(validate(with(&Architecture::positions, 4)), "positions", "4", "0 to 3");
  check_refused(validate(with(&Architecture::norm, 3)), "norm", "3", "0 to 2");
  check_refused(validate(with(&Architecture::query_key_norm, 3)), "query_key_norm", "3", "0 to 2");
  check_refused(validate(with(&Architecture::biases, 4)), "biases", "4", "0 to 3");
  check_refused(validate(gpt2(), static_cast<TableTying>(7)), "tying", "7", "0 to 6");
}

TEST_CASE("the first bad field is named") {
  Architecture a;
  a.vocab_size = 10;
  check_refused(validate(a), "output_vocab_size", "0", "1 to 9007199254740991");
}

TEST_CASE("ways of tying that a single stack has not") {
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
    check_refused(validate(a, tying), "output_vocab_size", "100", "vocab_size, 32128, where they share a table");
  }
  CHECK(validate(a, TableTying::kUntied).ok());
  CHECK(validate(a, TableTying::kTiedDecoder).ok());
}

TEST_CASE("a correction of low rank has a rank of 1 to d_model") {
  check_refused(validate(gpt2(), TableTying::kTiedLowRank), "low_rank", "0", "1 to 768");
  check_refused(validate(with(&Architecture::low_rank, 769), TableTying::kTiedLowRank), "low_rank", "769", "1 to 768");
  CHECK(validate(with(&Architecture::low_rank, 768), TableTying::kTiedLowRank).ok());
  CHECK(validate(with(&Architecture::low_rank, 769), TableTying::kTied).ok());
}

}  // namespace
}  // namespace tied
