#include "model/config.h"

#include <array>

namespace tied {
namespace {

constexpr std::array<std::string_view, 5> kTyingNames{"tied", "untied", "tied-linear", "tied-mlp", "tied-low-rank"};
constexpr auto kInvalid = ErrorCode::kInvalidArgument;

// Enumerators may come out of a file.
template <class Enumeration>
Status check_enumerator(std::string_view field, Enumeration value, Enumeration last, std::string_view expected) {
  if (value <= last) return {};
  return make_error(kInvalid, field, static_cast<unsigned>(value), expected);
}

// Written so that NaN fails.
Status check_range(std::string_view field, double value, bool inside, std::string_view expected) {
  if (inside) return {};
  return make_error(kInvalid, field, value, expected);
}

Status check_tying(const ModelConfig& config) {
  const bool direct = config.kind == ModelKind::kDirectPath;
  if (config.tying == (direct ? Tying::kTiedLowRank : Tying::kTiedMlp)) {
    return make_error(kInvalid, "tying", tying_name(config.tying),
                      direct ? "one that a direct path has: 'tied', 'untied', 'tied-linear' or 'tied-mlp'"
                             : "one that a transformer has: 'tied', 'untied', 'tied-linear' or 'tied-low-rank'");
  }
  if (config.tying == Tying::kTiedLowRank) {
    if (config.low_rank < 1 || config.low_rank > config.d_model) {
      return make_error(kInvalid, "low_rank", config.low_rank, "1 to d_model");
    }
  } else if (config.low_rank != 0) {
    return make_error(kInvalid, "low_rank", config.low_rank, "0: only 'tied-low-rank' has a rank");
  }
  if (config.untie_at_step != 0 && config.tying != Tying::kTied) {
    return make_error(kInvalid, "untie_at_step", config.untie_at_step, "0: only 'tied' can be untied later");
  }
  if (config.tie_at_step != 0 && config.tying != Tying::kUntied) {
    return make_error(kInvalid, "tie_at_step", config.tie_at_step, "0: only 'untied' can be tied later");
  }
  return {};
}

Status check_heads(const ModelConfig& config) {
  if (config.n_heads < 1 || config.n_heads > config.d_model || config.d_model % config.n_heads != 0) {
    return make_error(kInvalid, "n_heads", config.n_heads, "a divisor of d_model, " + text_of(config.d_model));
  }
  if (config.key_value_heads() > config.n_heads || config.n_heads % config.key_value_heads() != 0) {
    return make_error(kInvalid, "n_kv_heads", config.n_kv_heads, "a divisor of n_heads, " + text_of(config.n_heads));
  }
  if (config.positions == Positions::kRotary && config.head_width() % 2 != 0) {
    return make_error(
        kInvalid, "n_heads", config.n_heads,
        "heads of an even width for rotary positions; d_model / n_heads is " + text_of(config.head_width()));
  }
  return {};
}

// With the bounds of widths and of the vocabulary, these keep every size of memory below 2^62.
Status check_transformer(const ModelConfig& config) {
  if (config.n_layers < 1 || config.n_layers > kMaxLayers) {
    return make_error(kInvalid, "n_layers", config.n_layers, "1 to 1000");
  }
  if (config.context_length < 1 || config.context_length > kMaxWidth) {
    return make_error(kInvalid, "context_length", config.context_length, "1 to 1048576 tokens");
  }
  if (Status status = check_heads(config); !status) return status;
  if (Status status = check_range("norm_epsilon", config.norm_epsilon,
                                  config.norm_epsilon > 0 && config.norm_epsilon <= 1, "a positive number, at most 1");
      !status) {
    return status;
  }
  if (Status status = check_range("rotary_base", config.rotary_base,
                                  config.rotary_base >= 1 && config.rotary_base <= 1e12, "a number from 1 to 1e12");
      !status) {
    return status;
  }
  return check_range("dropout", config.dropout, config.dropout >= 0 && config.dropout < 1,
                     "a share: 0 or more, less than 1");
}

}  // namespace

std::string_view tying_name(Tying tying) { return kTyingNames[static_cast<std::size_t>(tying)]; }

Result<Tying> tying_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kTyingNames.size(); ++i) {
    if (kTyingNames[i] == name) return static_cast<Tying>(i);
  }
  return make_error(ErrorCode::kInvalidArgument, "tying", name,
                    "'tied', 'untied', 'tied-linear', 'tied-mlp' or 'tied-low-rank'");
}

Status validate(const ModelConfig& config) {
  if (Status status = check_enumerator("kind", config.kind, ModelKind::kTransformer, "0 or 1"); !status) return status;
  if (Status status = check_enumerator("tying", config.tying, Tying::kTiedLowRank, "0 to 4"); !status) return status;
  if (Status status = check_enumerator("norm", config.norm, Norm::kLayer, "0 or 1"); !status) return status;
  if (Status status = check_enumerator("positions", config.positions, Positions::kRotary, "0 to 2"); !status) {
    return status;
  }
  if (Status status = check_enumerator("feed_forward", config.feed_forward, FeedForward::kSwiGlu, "0 or 1"); !status) {
    return status;
  }
  if (Status status = check_enumerator("biases", config.biases, Biases::kAll, "0 to 2"); !status) return status;

  if (config.vocab_size < 2 || config.vocab_size > kMaxVocabSize) {
    return make_error(kInvalid, "vocab_size", config.vocab_size, "2 to 4294967295 tokens");
  }
  if (config.d_model < 1 || config.d_model > kMaxWidth) {
    return make_error(kInvalid, "d_model", config.d_model, "1 to 1048576");
  }
  if (config.d_feed_forward > kMaxWidth || config.feed_forward_width() > 4 * kMaxWidth) {
    return make_error(kInvalid, "d_feed_forward", config.d_feed_forward, "1 to 1048576, or 0 for four times d_model");
  }
  // The upper bound keeps any sum of squares far from infinity.
  if (Status status = check_range("init_std", config.init_std, config.init_std > 0 && config.init_std <= 1e6,
                                  "a positive number, at most 1e6");
      !status) {
    return status;
  }
  if (Status status = check_tying(config); !status) return status;
  return config.kind == ModelKind::kTransformer ? check_transformer(config) : Status();
}

}  // namespace tied
