#include "accounting/architecture.h"

namespace tied {
namespace {

// What a double holds exactly: sizes come from JavaScript and go back there.
constexpr std::uint64_t kMaxSize = (std::uint64_t{1} << 53) - 1;

struct Range {
  const char* field;
  std::uint64_t value;
  std::uint64_t least;
  std::uint64_t most;
};

template <class Enumeration>
Range choice(const char* field, Enumeration value, Enumeration last) {
  return {field, static_cast<std::uint64_t>(value), 0, static_cast<std::uint64_t>(last)};
}

Status refused(const char* field, std::uint64_t value, std::string_view expected) {
  return make_error(ErrorCode::kInvalidArgument, field, value, expected);
}

Status check(const Range& range) {
  if (range.value >= range.least && range.value <= range.most) return {};
  return refused(range.field, range.value, text_of(range.least) + " to " + text_of(range.most));
}

}  // namespace

Status validate(const Architecture& a) {
  const bool mixes = a.n_experts != 0;
  const Range ranges[] = {
      choice("stack", a.stack, Stack::kEncoderDecoder),
      {"vocab_size", a.vocab_size, 1, kMaxSize},
      {"output_vocab_size", a.output_vocab_size, 1, kMaxSize},
      {"d_model", a.d_model, 1, kMaxSize},
      {"n_layers", a.n_layers, 0, kMaxSize},
      {"n_encoder_layers", a.n_encoder_layers, 0, kMaxSize},
      {"n_heads", a.n_heads, 1, kMaxSize},
      {"n_key_value_heads", a.n_key_value_heads, 1, a.n_heads},
      {"d_head", a.d_head, 1, kMaxSize},
      {"d_feed_forward", a.d_feed_forward, 1, kMaxSize},
      choice("feed_forward", a.feed_forward, FeedForwardKind::kGated),
      {"n_experts", a.n_experts, 0, kMaxSize},
      {"n_active_experts", a.n_active_experts, mixes, a.n_experts},
      {"n_shared_experts", a.n_shared_experts, 0, mixes ? kMaxSize : 0},
      {"n_dense_layers", a.n_dense_layers, 0, mixes ? a.n_layers : 0},
      {"d_dense_feed_forward", a.d_dense_feed_forward, a.n_dense_layers != 0, kMaxSize},
      choice("positions", a.positions, PositionKind::kNone),
      {"context_length", a.context_length, a.positions == PositionKind::kLearned, kMaxSize},
      {"relative_buckets", a.relative_buckets, a.positions == PositionKind::kRelative, kMaxSize},
      {"n_segments", a.n_segments, 0, kMaxSize},
      choice("norm", a.norm, NormKind::kNone),
      {"norms_per_layer", a.norms_per_layer, 0, 4},
      choice("query_key_norm", a.query_key_norm, QueryKeyNorm::kFull),
      choice("biases", a.biases, BiasKind::kFeedForward),
      {"low_rank", a.low_rank, 0, kMaxSize},
  };
  for (const Range& range : ranges) {
    if (Status status = check(range); !status) return status;
  }
  if (a.n_heads % a.n_key_value_heads != 0) {
    return refused("n_key_value_heads", a.n_key_value_heads, "a divisor of n_heads, " + text_of(a.n_heads));
  }
  const std::uint64_t most_wide = kMaxSize / (a.n_heads + 2 * a.n_key_value_heads);
  return check({"d_head", a.d_head, 1, most_wide});
}

Status validate(const Architecture& a, TableTying tying) {
  if (Status status = check(choice("tying", tying, TableTying::kTiedDecoder)); !status) return status;
  const bool inputs = tying == TableTying::kTiedInputs;
  if ((inputs || tying == TableTying::kTiedDecoder) && a.stack != Stack::kEncoderDecoder) {
    return make_error(ErrorCode::kInvalidArgument, "tying", inputs ? "tied-inputs" : "tied-decoder",
                      "one that a single stack has");
  }
  const bool across = tying != TableTying::kUntied && tying != TableTying::kTiedDecoder;
  if (across && a.output_vocab_size != a.vocab_size) {
    return refused("output_vocab_size", a.output_vocab_size,
                   "vocab_size, " + text_of(a.vocab_size) + ", where they share a table");
  }
  return tying == TableTying::kTiedLowRank ? check({"low_rank", a.low_rank, 1, a.d_model}) : Status();
}

}  // namespace tied
