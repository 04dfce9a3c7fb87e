#include "accounting/parameters.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "models.h"

namespace tied {
namespace {

constexpr std::uint64_t kLargestCount = (std::uint64_t{1} << 53) - 1;

ParameterCount counted(const Architecture& architecture, TableTying tying) {
  auto count = count_parameters(architecture, tying);
  REQUIRE(count.ok());
  return std::move(count).value();
}

std::string stored_text(const Architecture& architecture, TableTying tying) {
  return counted(architecture, tying).stored.text();
}

// Queries, keys and values of one width, LayerNorms with biases, biases everywhere.
Architecture with_all_biases(std::uint64_t vocab_size, std::uint64_t d_model, std::uint64_t n_layers) {
  Architecture a = plain_formula(vocab_size, d_model, n_layers);
  a.n_heads = a.n_key_value_heads = d_model / 64;
  a.d_head = 64;
  a.norm = NormKind::kLayer;
  a.norm_biases = true;
  a.norms_per_layer = 2;
  a.final_norm = true;
  a.biases = BiasKind::kAll;
  return a;
}

Architecture gpt2_of(std::uint64_t d_model, std::uint64_t n_layers) {
  Architecture a = with_all_biases(50257, d_model, n_layers);
  a.positions = PositionKind::kLearned;
  a.context_length = 1024;
  return a;
}

// RMSNorms, gated feed-forward parts, no biases.
Architecture llama_of(std::uint64_t vocab_size, std::uint64_t d_model, std::uint64_t n_layers, std::uint64_t n_heads,
                      std::uint64_t n_key_value_heads, std::uint64_t d_head, std::uint64_t d_feed_forward) {
  Architecture a = llama3();
  a.vocab_size = a.output_vocab_size = vocab_size;
  a.d_model = d_model;
  a.n_layers = n_layers;
  a.n_heads = n_heads;
  a.n_key_value_heads = n_key_value_heads;
  a.d_head = d_head;
  a.d_feed_forward = d_feed_forward;
  return a;
}

TEST_CASE("GPT-2, all four sizes, exactly") {
  struct Size {
    std::uint64_t d_model, n_layers;
    std::uint64_t total;  // tied, as published
  };
  const Size sizes[] = {
      {768, 12, 124'439'808}, {1024, 24, 354'823'168}, {1280, 36, 774'030'080}, {1600, 48, 1'557'611'200}};
  for (const Size& size : sizes) {
    const Architecture a = gpt2_of(size.d_model, size.n_layers);
    const ParameterCount count = counted(a, TableTying::kTied);
    CHECK(count.stored == Whole(size.total));
    CHECK(count.tables == 1);
    CHECK(count.untied == Whole(size.total + 50257 * size.d_model));
    CHECK(counted(a, TableTying::kUntied).stored == count.untied);
    CHECK(counted(a, TableTying::kUntied).tables == 2);
  }
}

// Published totals: the content of each model's weight files.
TEST_CASE("published models, exactly") {
  SUBCASE("BERT base with its masked-token head, without the pooler: 108,891,648 + 592,128 + 30,522") {
    Architecture a = with_all_biases(30522, 768, 12);
    a.stack = Stack::kEncoder;
    a.positions = PositionKind::kLearned;
    a.context_length = 512;
    a.n_segments = 2;
    a.embedding_norm = true;
    a.final_norm = false;
    a.head_transform = true;
    a.output_bias = true;
    CHECK(stored_text(a, TableTying::kTied) == "109514298");
  }
  SUBCASE("T5 small") {
    CHECK(stored_text(t5_small(), TableTying::kTied) == "60506624");
    CHECK(counted(t5_small(), TableTying::kTied).tables == 1);
    CHECK(stored_text(t5_small(), TableTying::kUntied) == "93405696");  // + 2 · 32,128 · 512
  }
  SUBCASE("BART base: positions and a norm after the embedding in each stack, biases") {
    Architecture a = with_all_biases(50265, 768, 6);
    a.stack = Stack::kEncoderDecoder;
    a.n_encoder_layers = 6;
    a.positions = PositionKind::kLearned;
    a.context_length = 1026;
    a.embedding_norm = true;
    a.final_norm = false;
    CHECK(stored_text(a, TableTying::kTied) == "139420416");
  }
  SUBCASE("Llama 2 7B") {
    CHECK(stored_text(llama_of(32000, 4096, 32, 32, 32, 128, 11008), TableTying::kUntied) == "6738415616");
  }
  SUBCASE("Llama 3.1 8B") { CHECK(stored_text(llama3(), TableTying::kUntied) == "8030261248"); }
  SUBCASE("Llama 3.2 1B") {
    CHECK(stored_text(llama_of(128256, 2048, 16, 32, 8, 64, 8192), TableTying::kTied) == "1235814400");
  }
  SUBCASE("Gemma 2B: heads of width 256, one key head") {
    CHECK(stored_text(llama_of(256000, 2048, 18, 8, 1, 256, 16384), TableTying::kTied) == "2506172416");
  }
  SUBCASE("Gemma 2 2B: four norms per layer, heads together narrower than the model") {
    Architecture a = llama_of(256000, 2304, 26, 8, 4, 256, 9216);
    a.norms_per_layer = 4;
    CHECK(stored_text(a, TableTying::kTied) == "2614341888");
  }
  SUBCASE("Pythia 70M") { CHECK(stored_text(with_all_biases(50304, 512, 6), TableTying::kUntied) == "70426624"); }
  SUBCASE("Qwen2 0.5B: biases of queries, keys and values") {
    Architecture a = llama_of(151936, 896, 24, 14, 2, 64, 4864);
    a.biases = BiasKind::kQueryKeyValue;
    CHECK(stored_text(a, TableTying::kTied) == "494032768");
  }
  SUBCASE("Qwen3 0.6B: norms of head width; heads together wider than the model") {
    Architecture a = llama_of(151936, 1024, 28, 16, 8, 128, 3072);
    a.query_key_norm = QueryKeyNorm::kHead;
    CHECK(stored_text(a, TableTying::kTied) == "596049920");
  }
  SUBCASE("OLMo 2 1B: norms of all queries and of all keys") {
    Architecture a = llama_of(100352, 2048, 16, 16, 16, 128, 8192);
    a.query_key_norm = QueryKeyNorm::kFull;
    CHECK(stored_text(a, TableTying::kUntied) == "1484916736");
  }
  SUBCASE("Mixtral 8x7B: one token uses 12.88B of 46.7B parameters") {
    const ParameterCount count = counted(mixtral(), TableTying::kUntied);
    CHECK(count.stored.text() == "46702792704");
    CHECK(count.active.text() == "12879925248");
    CHECK(count.effective == count.stored);
  }
}

double percent(const Whole& part, const Whole& whole) { return 100 * part.as_double() / whole.as_double(); }

// The formula: 12 d² and two LayerNorms per layer, plus the tables; no positions, map biases or final norm.
TEST_CASE("the table of savings of seed 003, to the digit") {
  struct Line {
    std::uint64_t vocab_size, d_model, n_layers;
    std::uint64_t saved;
    double of_untied, of_tied;
    std::uint64_t tied;  // 0: not given
  };
  const Line lines[] = {{50257, 768, 12, 38'597'376, 23.80, 31.2, 123'568'896},
                        {50257, 1024, 24, 51'463'168, 12.71, 14.6, 353'551'360},
                        {50257, 1280, 36, 64'328'960, 7.69, 8.3, 772'302'080},
                        {50257, 1600, 48, 80'411'200, 4.92, 5.2, 1'555'278'400},
                        {128000, 1024, 24, 131'072'000, 23.23, 30.3, 0}};
  for (const Line& line : lines) {
    Architecture a = plain_formula(line.vocab_size, line.d_model, line.n_layers);
    a.norm = NormKind::kLayer;
    a.norm_biases = true;
    a.norms_per_layer = 2;
    const ParameterCount count = counted(a, TableTying::kTied);
    if (line.tied != 0) CHECK(count.stored == Whole(line.tied));
    const Whole saved = count.untied - count.stored;
    CHECK(saved == Whole(line.saved));
    // Half a unit of the last printed digit.
    CHECK(std::abs(percent(saved, count.untied) - line.of_untied) <= 0.005);
    CHECK(std::abs(percent(saved, count.stored) - line.of_tied) <= 0.05);
  }
}

TEST_CASE("the plain formula is 12 d² per layer plus the tables") {
  const ParameterCount count = counted(plain_formula(50257, 768, 12), TableTying::kTied);
  CHECK(count.stored.text() == "123532032");
  CHECK(counted(plain_formula(50000, 4096, 0), TableTying::kTied).stored.text() == "204800000");
  CHECK(counted(plain_formula(50000, 4096, 0), TableTying::kUntied).stored.text() == "409600000");
}

// Seed 003 has 153.6M and 75 %: its code allocates a fourth table that is never used.
TEST_CASE("three tables of 38.4M are 115.2M; sharing all saves 76.8M, two thirds") {
  Architecture a = plain_formula(50000, 768, 0);
  a.stack = Stack::kEncoderDecoder;
  const ParameterCount tied = counted(a, TableTying::kTied);
  CHECK(tied.stored.text() == "38400000");
  CHECK(tied.effective.text() == "115200000");
  CHECK(tied.untied.text() == "115200000");
  CHECK((tied.untied - tied.stored).text() == "76800000");
  CHECK(percent(tied.untied - tied.stored, tied.untied) == doctest::Approx(66.6667).epsilon(1e-6));
  CHECK(counted(a, TableTying::kUntied).tables == 3);
  CHECK(counted(a, TableTying::kTiedInputs).tables == 2);
  CHECK(counted(a, TableTying::kTiedDecoder).tables == 2);
  CHECK(stored_text(a, TableTying::kTiedDecoder) == "76800000");
}

TEST_CASE("parameters of each group") {
  const ParameterCount count = counted(gpt2(), TableTying::kTied);
  const Whole expected[] = {
      50257 * 768,                     // tables
      1024 * 768,                      // positions
      12 * (4 * 768 * 768 + 4 * 768),  // attention
      12 * (8 * 768 * 768 + 5 * 768),  // feed-forward
      25 * 2 * 768,                    // norms
      0,                               // head
  };
  for (std::size_t i = 0; i < kTensorGroups; ++i) CHECK(count.groups[i] == expected[i]);
}

// ---------------------------------------------------------------- every architecture

std::uint64_t norm_size(const Architecture& a, std::uint64_t size) {
  return a.norm == NormKind::kLayer && a.norm_biases ? 2 * size : size;
}

std::uint64_t map_size(std::uint64_t out, std::uint64_t in, bool has_bias) { return out * in + (has_bias ? out : 0); }

std::uint64_t attention_size(const Architecture& a) {
  const bool qkv = a.biases == BiasKind::kAll || a.biases == BiasKind::kQueryKeyValue;
  const std::uint64_t heads = a.n_heads + 2 * a.n_key_value_heads;
  std::uint64_t size = map_size(heads * a.d_head, a.d_model, qkv);
  size += map_size(a.d_model, a.n_heads * a.d_head, a.biases == BiasKind::kAll);
  if (a.query_key_norm == QueryKeyNorm::kHead) size += 2 * norm_size(a, a.d_head);
  if (a.query_key_norm == QueryKeyNorm::kFull) size += norm_size(a, (a.n_heads + a.n_key_value_heads) * a.d_head);
  return size;
}

std::uint64_t feed_forward_size(const Architecture& a, std::uint64_t width) {
  const bool biased = a.biases == BiasKind::kAll || a.biases == BiasKind::kFeedForward;
  const std::uint64_t ups = a.feed_forward == FeedForwardKind::kGated ? 2 : 1;
  return ups * map_size(width, a.d_model, biased) + map_size(a.d_model, width, biased);
}

// Size of a stack in which `experts` experts count per layer with experts.
std::uint64_t stack_size(const Architecture& a, std::uint64_t layers, bool has_cross_attention, std::uint64_t experts) {
  std::uint64_t norms = a.norm == NormKind::kNone ? 0 : layers * (a.norms_per_layer + (has_cross_attention ? 1 : 0));
  if (a.norm != NormKind::kNone) norms += (a.embedding_norm ? 1 : 0) + (a.final_norm ? 1 : 0);
  std::uint64_t size = norms * norm_size(a, a.d_model) + layers * (has_cross_attention ? 2 : 1) * attention_size(a);
  if (a.n_experts == 0) {
    size += layers * feed_forward_size(a, a.d_feed_forward);
  } else {
    const std::uint64_t dense = std::min(layers, a.n_dense_layers);
    size += dense * feed_forward_size(a, a.d_dense_feed_forward);
    size += (layers - dense) * (map_size(a.n_experts, a.d_model, a.biases == BiasKind::kAll) +
                                (experts + a.n_shared_experts) * feed_forward_size(a, a.d_feed_forward));
  }
  if (a.positions == PositionKind::kLearned) size += a.context_length * a.d_model;
  if (a.positions == PositionKind::kRelative) size += a.relative_buckets * a.n_heads;
  return has_cross_attention ? size : size + a.n_segments * a.d_model;
}

// In closed form, without the table of tensors. The token tables are those of `tying`.
std::uint64_t by_formula(const Architecture& a, TableTying tying, std::uint64_t experts) {
  const std::uint64_t d = a.d_model;
  const bool both = a.stack == Stack::kEncoderDecoder;
  const std::uint64_t r = a.table_rank;
  const std::uint64_t read = r == 0 ? a.vocab_size * d : (a.vocab_size + d) * r;
  const std::uint64_t written = r == 0 ? a.output_vocab_size * d : (a.output_vocab_size + d) * r;
  std::uint64_t size = stack_size(a, a.n_layers, both, experts);
  if (both) size += stack_size(a, a.n_encoder_layers, false, experts);
  if (a.head_transform) size += d * d + d + (a.norm == NormKind::kNone ? 0 : norm_size(a, d));
  if (a.output_bias) size += a.output_vocab_size;
  if (a.ngram_order != 0) size += (a.ngram_order - 1) * a.ngram_rows * d;
  switch (tying) {
    case TableTying::kTied:
      return size + read;
    case TableTying::kUntied:
      return size + read + (both ? 2 : 1) * written;
    case TableTying::kTiedLinear:
      return size + read + d * d;
    case TableTying::kTiedMlp:
      return size + read + 2 * a.d_feed_forward * d + a.d_feed_forward + d;
    case TableTying::kTiedLowRank:
      return size + read + (a.output_vocab_size + d) * a.low_rank;
    case TableTying::kTiedInputs:
    case TableTying::kTiedDecoder:
      return size + read + written;
  }
  return 0;
}

TEST_CASE("every architecture: closed forms, sums and order of all counts") {
  RandomModels random(4);
  for (int i = 0; i < 1000; ++i) {
    Architecture a = random.architecture();
    if (random.coin()) a.n_segments = random.between(1, 3);
    const TableTying tying = random.tying(a);
    const ParameterCount count = counted(a, tying);

    CHECK(count.stored == Whole(by_formula(a, tying, a.n_experts)));
    CHECK(count.active == Whole(by_formula(a, tying, a.n_active_experts)));
    CHECK(count.untied == Whole(by_formula(a, TableTying::kUntied, a.n_experts)));
    CHECK(count.tied.has_value() == (a.vocab_size == a.output_vocab_size));
    if (count.tied) {
      CHECK(*count.tied == Whole(by_formula(a, TableTying::kTied, a.n_experts)));
      CHECK_FALSE(count.stored < *count.tied);
    }

    Whole groups;
    for (const Whole& group : count.groups) groups += group;
    CHECK(groups == count.stored);
    CHECK_FALSE(count.stored < count.active);
    CHECK_FALSE(count.effective < count.untied);
    if (tying == TableTying::kUntied) CHECK(count.effective == count.stored);
    // A map in addition to one table may have more parameters than a second table.
    if (tying == TableTying::kTied || tying == TableTying::kTiedInputs || tying == TableTying::kTiedDecoder) {
      CHECK(count.stored < count.untied);
      CHECK(count.effective == count.untied);
    }
    CHECK(count.tables >= 1);
    CHECK(count.tables <= (a.stack == Stack::kEncoderDecoder ? 3u : 2u));
  }
}

TEST_CASE("one matrix for queries, keys and values changes no count") {
  RandomModels random(5);
  for (int i = 0; i < 100; ++i) {
    Architecture a = random.architecture();
    const TableTying tying = random.tying(a);
    a.fused_query_key_value = false;
    const ParameterCount apart = counted(a, tying);
    a.fused_query_key_value = true;
    const ParameterCount fused = counted(a, tying);
    CHECK(apart.stored == fused.stored);
    CHECK(apart.groups == fused.groups);
  }
}

// ---------------------------------------------------------------- large sizes

TEST_CASE("counts beyond 2^53 are exact") {
  Architecture a = plain_formula(kLargestCount, 3, 0);
  CHECK(stored_text(a, TableTying::kTied) == "27021597764222973");  // 3 (2^53 - 1), not representable as a double
  CHECK(stored_text(a, TableTying::kUntied) == "54043195528445946");
  a = plain_formula(kLargestCount, 1023, 0);
  CHECK(stored_text(a, TableTying::kTied) == "9214364837600033793");  // 1,023 (2^53 - 1)
  CHECK(stored_text(a, TableTying::kUntied) == "18428729675200067586");
  a = plain_formula(1, 1'000'003, 1'000'003);
  // 12 d³ + d with d = 1,000,003
  CHECK(stored_text(a, TableTying::kTied) == "12000108000325000327");
}

void check_too_large(const Architecture& a, std::string_view what) {
  const auto count = count_parameters(a, TableTying::kTied);
  REQUIRE_FALSE(count.ok());
  CHECK(count.error().code == ErrorCode::kInvalidArgument);
  CHECK(count.error().argument == "architecture");
  CHECK(count.error().value == what);
}

TEST_CASE("a count above 64 bits is refused by name, for one tensor or the sum") {
  Architecture a = plain_formula(2, std::uint64_t{1} << 40, std::uint64_t{1} << 48);
  check_too_large(a, "layers.*.attention.query.weight of more than 2^64 - 2 parameters");
  // The maps of queries, keys, values and outputs have 2^63 elements each.
  a = plain_formula(2, std::uint64_t{1} << 20, std::uint64_t{1} << 23);
  a.d_feed_forward = 1;
  check_too_large(a, "one of more than 2^64 - 2 parameters");
  a.n_layers = std::uint64_t{1} << 21;
  CHECK(count_parameters(a, TableTying::kTied).ok());
  a = mixtral();
  a.d_model = std::uint64_t{1} << 20;
  a.n_experts = std::uint64_t{1} << 20;
  a.d_feed_forward = kLargestCount;
  check_too_large(a, "layers.*.feed_forward.experts.*.up.weight of more than 2^64 - 2 parameters");
}

TEST_CASE("different vocabularies have no tied model to compare with") {
  Architecture a = gpt2();
  a.output_vocab_size = 7;
  const ParameterCount count = counted(a, TableTying::kUntied);
  CHECK_FALSE(count.tied.has_value());
  CHECK(count.stored.text() == "124445184");  // 124,439,808 + 7 · 768
}

}  // namespace
}  // namespace tied
