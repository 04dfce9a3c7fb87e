// What a model is: its kind, its sizes, and which of its matrices share storage.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/error.h"

namespace tied {

enum class ModelKind : std::uint8_t { kDirectPath };

// Logits of the direct path:  E E^T | E U^T | E M E^T | mlp(E) E^T.
enum class Tying : std::uint8_t { kTied, kUntied, kTiedLinear, kTiedMlp };

// 'tied', 'untied', 'tied-linear', 'tied-mlp': the words of the public face.
std::string_view tying_name(Tying tying);
// Errors: kInvalidArgument for any other word.
Result<Tying> tying_from_name(std::string_view name);

// Sizes are 64 bits wide on every machine, so that a size that does not fit is refused and never wraps.
struct ModelConfig {
  ModelKind kind = ModelKind::kDirectPath;
  std::uint64_t vocab_size = 0;
  std::uint64_t d_model = 0;
  Tying tying = Tying::kTied;
  // One learned number a token, added to its logit.
  bool output_bias = false;
  // Standard deviation of the normal start of E and U.
  double init_std = 0.02;
  // Width of the hidden layer of tied-mlp; 0 means 4 d_model. Other models have none.
  std::uint64_t d_feed_forward = 0;

  std::uint64_t feed_forward_width() const { return d_feed_forward == 0 ? 4 * d_model : d_feed_forward; }
};

// Largest sizes that any model may ask for: their products stay below 2^64 by far.
inline constexpr std::uint64_t kMaxVocabSize = 0xFFFFFFFFu;
inline constexpr std::uint64_t kMaxWidth = 1u << 20;

// Errors: kInvalidArgument naming the first field that makes no model. A vocabulary of one has nothing to predict.
Status validate(const ModelConfig& config);

}  // namespace tied
