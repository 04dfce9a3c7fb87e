#include "accounting/architecture.h"

namespace tied {
namespace {

// Exact in double: sizes come from JavaScript and return to it.
constexpr std::uint64_t kMaxSize = (std::uint64_t{1} << 53) - 1;

struct Size {
  const char* field;
  std::uint64_t Architecture::* size;
  std::uint64_t least;
};

constexpr Size kSizes[] = {
    {"vocab_size", &Architecture::vocab_size, 1},
    {"output_vocab_size", &Architecture::output_vocab_size, 1},
    {"d_model", &Architecture::d_model, 1},
    {"n_layers", &Architecture::n_layers, 0},
    {"n_encoder_layers", &Architecture::n_encoder_layers, 0},
    {"n_heads", &Architecture::n_heads, 1},
    {"n_key_value_heads", &Architecture::n_key_value_heads, 1},
    {"d_head", &Architecture::d_head, 1},
    {"d_feed_forward", &Architecture::d_feed_forward, 1},
    {"n_experts", &Architecture::n_experts, 0},
    {"n_active_experts", &Architecture::n_active_experts, 0},
    {"n_shared_experts", &Architecture::n_shared_experts, 0},
    {"n_dense_layers", &Architecture::n_dense_layers, 0},
    {"d_dense_feed_forward", &Architecture::d_dense_feed_forward, 0},
    {"context_length", &Architecture::context_length, 0},
    {"relative_buckets", &Architecture::relative_buckets, 0},
    {"n_segments", &Architecture::n_segments, 0},
    {"low_rank", &Architecture::low_rank, 0},
    {"table_rank", &Architecture::table_rank, 0},
    {"ngram_order", &Architecture::ngram_order, 0},
    {"ngram_rows", &Architecture::ngram_rows, 0},
};

Status refused(const char* field, std::uint64_t value, const char* expected) {
  return make_error(ErrorCode::kInvalidArgument, field, value, expected);
}

}  // namespace

Status validate(const Architecture& a) {
  for (const Size& size : kSizes) {
    const std::uint64_t value = a.*size.size;
    if (value >= size.least && value <= kMaxSize) continue;
    return refused(size.field, value, size.least == 0 ? "0 to 2^53 - 1" : "1 to 2^53 - 1");
  }
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
  if (a.ngram_order == 1 || a.ngram_order > kMaxCountedOrder) {
    return refused("ngram_order", a.ngram_order, "2 to 8; 0 without n-grams");
  }
  if ((a.ngram_rows == 0) != (a.ngram_order == 0)) {
    return refused("ngram_rows", a.ngram_rows, "1 or more; 0 without n-grams");
  }
  if (a.norms_per_layer > 4) return refused("norms_per_layer", a.norms_per_layer, "0 to 4");
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
