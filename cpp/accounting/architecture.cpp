#include "accounting/architecture.h"

#include "accounting/whole.h"

namespace tied {
namespace {

// Exact in double: sizes come from JavaScript and return to it.
constexpr std::uint64_t kMaxSize = (std::uint64_t{1} << 53) - 1;

constexpr std::string_view kStacks[] = {"decoder", "encoder", "encoder-decoder"};
constexpr std::string_view kFeedForwards[] = {"plain", "gated"};
constexpr std::string_view kPositions[] = {"learned", "rotary", "relative", "none"};
constexpr std::string_view kNorms[] = {"layer-norm", "rms-norm", "none"};
constexpr std::string_view kQueryKeyNorms[] = {"none", "head", "full"};
constexpr std::string_view kBiases[] = {"none", "all", "query-key-value", "feed-forward"};
constexpr std::string_view kValueTables[] = {"none", "own", "tied"};

// Not in any file, so without places.
#define TIED_CHOICE(member, words) Field{TIED_FIELD(Architecture, member)}.one_of(words)
#define TIED_FLAG(member) Field{TIED_FIELD(Architecture, member)}.range(0, 1)
#define TIED_SIZE(member, least) Field{TIED_FIELD(Architecture, member)}.range(least, kMaxSize)

constexpr Field kFields[] = {
    TIED_CHOICE(stack, kStacks),
    TIED_SIZE(vocab_size, 1),
    TIED_SIZE(output_vocab_size, 1),
    TIED_SIZE(d_model, 1),
    TIED_SIZE(n_layers, 0),
    TIED_SIZE(n_encoder_layers, 0),
    TIED_SIZE(n_heads, 1),
    TIED_SIZE(n_key_value_heads, 1),
    TIED_SIZE(d_head, 1),
    TIED_SIZE(d_feed_forward, 1),
    TIED_CHOICE(feed_forward, kFeedForwards),
    TIED_SIZE(n_experts, 0),
    TIED_SIZE(n_active_experts, 0),
    TIED_SIZE(n_shared_experts, 0),
    TIED_SIZE(n_dense_layers, 0),
    TIED_SIZE(d_dense_feed_forward, 0),
    TIED_CHOICE(positions, kPositions),
    TIED_SIZE(context_length, 0),
    TIED_SIZE(relative_buckets, 0),
    TIED_SIZE(n_segments, 0),
    TIED_CHOICE(norm, kNorms),
    TIED_FLAG(norm_biases),
    Field{TIED_FIELD(Architecture, norms_per_layer)}.range(0, 4),
    TIED_CHOICE(query_key_norm, kQueryKeyNorms),
    TIED_FLAG(embedding_norm),
    TIED_FLAG(final_norm),
    TIED_CHOICE(biases, kBiases),
    TIED_FLAG(fused_query_key_value),
    TIED_FLAG(head_transform),
    TIED_FLAG(output_bias),
    TIED_SIZE(low_rank, 0),
    TIED_SIZE(table_rank, 0),
    Field{TIED_FIELD(Architecture, ngram_order)}.range(0, kMaxCountedOrder),
    TIED_SIZE(ngram_rows, 0),
    TIED_CHOICE(value_embeddings, kValueTables),
};

Status refused(const char* field, std::uint64_t value, const char* expected) {
  return make_error(ErrorCode::kInvalidArgument, field, value, expected);
}

}  // namespace

std::span<const Field> fields_of(const Architecture&) { return kFields; }

Status validate(const Architecture& a) {
  if (Status status = check_fields(a); !status) return status;
  if (a.n_heads % a.n_key_value_heads != 0) {
    return refused("n_key_value_heads", a.n_key_value_heads, "a divisor of n_heads");
  }
  if (a.d_head > kMaxSize / (a.n_heads + 2 * a.n_key_value_heads)) {
    return refused("d_head", a.d_head, "at most 2^53 - 1 for all queries, keys and values together");
  }
  const bool mixes = a.n_experts != 0;
  if (a.n_active_experts > a.n_experts || (mixes && a.n_active_experts == 0)) {
    return refused("n_active_experts", a.n_active_experts, "1 to n_experts; 0 without experts");
  }
  if (a.n_shared_experts != 0 && !mixes) return refused("n_shared_experts", a.n_shared_experts, "0 without experts");
  if (a.n_dense_layers > (mixes ? a.n_layers : 0)) {
    return refused("n_dense_layers", a.n_dense_layers, "0 to n_layers; 0 without experts");
  }
  if (a.n_dense_layers != 0 && a.d_dense_feed_forward == 0) {
    return refused("d_dense_feed_forward", 0, "1 or more for dense layers");
  }
  if (a.positions == PositionKind::kLearned && a.context_length == 0) {
    return refused("context_length", 0, "1 or more for learned positions");
  }
  if (a.positions == PositionKind::kRelative && a.relative_buckets == 0) {
    return refused("relative_buckets", 0, "1 or more for relative positions");
  }
  if (a.table_rank > a.d_model) return refused("table_rank", a.table_rank, "0 to d_model");
  if (a.ngram_order == 1) return refused("ngram_order", 1, "2 to 8; 0 without n-grams");
  if ((a.ngram_rows == 0) != (a.ngram_order == 0)) {
    return refused("ngram_rows", a.ngram_rows, "1 or more; 0 without n-grams");
  }
  const auto value_table = static_cast<std::uint64_t>(a.value_embeddings);
  if (value_table != 0 && a.stack == Stack::kEncoderDecoder) {
    return refused("value_embeddings", value_table, "0: none, with two stacks");
  }
  if (a.value_embeddings == ValueTable::kTied &&
      (a.table_rank != 0 || Whole(a.n_key_value_heads) * a.d_head != Whole(a.d_model))) {
    return refused("value_embeddings", value_table, "0 or 1: the input table is not as wide as values");
  }
  return {};
}

Status validate(const Architecture& a, TableTying tying) {
  if (Status status = validate(a); !status) return status;
  const bool inputs = tying == TableTying::kTiedInputs;
  if ((inputs || tying == TableTying::kTiedDecoder) && a.stack != Stack::kEncoderDecoder) {
    return make_error(ErrorCode::kInvalidArgument, "tying", inputs ? "tied-inputs" : "tied-decoder",
                      "one that a single stack has");
  }
  const bool across = tying != TableTying::kUntied && tying != TableTying::kTiedDecoder;
  if (across && a.output_vocab_size != a.vocab_size) {
    return refused("output_vocab_size", a.output_vocab_size, "vocab_size, if they share a table");
  }
  if (tying == TableTying::kTiedLowRank && (a.low_rank == 0 || a.low_rank > a.d_model)) {
    return refused("low_rank", a.low_rank, "1 to d_model");
  }
  const bool maps =
      tying == TableTying::kTiedLinear || tying == TableTying::kTiedMlp || tying == TableTying::kTiedLowRank;
  if (maps && a.table_rank != 0) {
    return refused("table_rank", a.table_rank, "0 with a map or a correction before the logits");
  }
  return {};
}

}  // namespace tied
