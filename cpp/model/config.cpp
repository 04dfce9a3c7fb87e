#include "model/config.h"

#include <array>

namespace tied {
namespace {

constexpr std::array<std::string_view, 5> kTyingNames{"tied", "untied", "tied-linear", "tied-mlp", "tied-low-rank"};

}  // namespace

std::string_view tying_name(Tying tying) { return kTyingNames[static_cast<std::size_t>(tying)]; }

Result<Tying> tying_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kTyingNames.size(); ++i) {
    if (kTyingNames[i] == name) return static_cast<Tying>(i);
  }
  return make_error(ErrorCode::kInvalidArgument, "tying", name, "'tied', 'untied', 'tied-linear', 'tied-mlp' or 'tied-low-rank'");
}

Status validate(const ModelConfig& config) {
  constexpr auto kInvalid = ErrorCode::kInvalidArgument;
  if (config.kind != ModelKind::kDirectPath) {
    return make_error(kInvalid, "kind", static_cast<int>(config.kind), "'direct-path'");
  }
  if (static_cast<std::size_t>(config.tying) >= kTyingNames.size()) {
    return make_error(kInvalid, "tying", static_cast<int>(config.tying), "0 to 4");
  }
  if (config.vocab_size < 2 || config.vocab_size > kMaxVocabSize) {
    return make_error(kInvalid, "vocab_size", config.vocab_size, "2 to 4294967295 tokens");
  }
  if (config.d_model < 1 || config.d_model > kMaxWidth) {
    return make_error(kInvalid, "d_model", config.d_model, "1 to 1048576");
  }
  if (config.d_feed_forward > kMaxWidth || config.feed_forward_width() > 4 * kMaxWidth) {
    return make_error(kInvalid, "d_feed_forward", config.d_feed_forward, "1 to 1048576, or 0 for four times d_model");
  }
  // Written so that NaN fails; the upper bound keeps any sum of squares far from infinity.
  if (!(config.init_std > 0 && config.init_std <= 1e6)) {
    return make_error(kInvalid, "init_std", config.init_std, "a positive number, at most 1e6");
  }
  return {};
}

}  // namespace tied
