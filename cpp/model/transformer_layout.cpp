#include "model/transformer_layout.h"

#include <algorithm>

#include "model/attention.h"
#include "model/head.h"

namespace tied {
namespace {

// Tokens that go through the layers together, about: enough for products to run at full speed, few enough for what a
// layer works with to stay near the processor.
constexpr std::uint64_t kChunkTokens = 1024;

// Probabilities are kept while they take no more than this many times a layer's width: up to contexts of a few hundred
// tokens. Past that, to compute them once more costs less than the memory.
constexpr std::uint64_t kKeptProbabilityWidths = 8;

std::uint64_t rows_for(const ModelConfig& config, std::uint64_t max_rows) {
  const std::uint64_t length = config.context_length;
  const std::uint64_t sequences = (std::min(max_rows, kChunkTokens) + length - 1) / length;
  return std::max<std::uint64_t>(sequences, 1) * length;
}

}  // namespace

TransformerLayout::TransformerLayout(const ModelConfig& config, std::uint64_t max_rows)
    : rows(rows_for(config, max_rows)),
      keeps_probabilities(config.n_heads * config.context_length <= kKeptProbabilityWidths * config.d_model) {
  const auto take = [this](std::uint64_t size) {
    const std::uint64_t offset = extent;
    extent += (size + 15) / 16 * 16;
    return offset;
  };
  const std::uint64_t d_model = config.d_model;
  const std::uint64_t width = config.feed_forward_width();
  const bool gated = config.feed_forward == FeedForward::kSwiGlu;
  const bool drops = config.dropout > 0;
  const std::uint64_t block =
      std::min<std::uint64_t>(kAttentionBlockRows, config.context_length) * config.context_length;

  input = take(rows * d_model);
  query_key_value = take(rows * config.query_key_value_width());
  probabilities = take(keeps_probabilities ? rows * config.n_heads * config.context_length : 0);
  mixed = take(rows * d_model);
  middle = take(rows * d_model);
  up = take(rows * width);
  gate = take(gated ? rows * width : 0);
  activation = take(rows * width);
  layer_extent = extent;
  extent *= config.n_layers;
  take(rows * d_model);

  normed = take(rows * d_model);
  statistics = take(2 * rows);
  branch = take(drops ? rows * d_model : 0);
  state_gradient = take(rows * d_model);
  normed_gradient = take(rows * d_model);
  query_key_value_gradient = take(rows * config.query_key_value_width());
  activation_gradient = take(rows * width);
  block_probabilities = take(keeps_probabilities ? 0 : block);
  block_dropped = take(drops ? block : 0);
  block_gradient = take(block);
  const std::uint64_t pairs =
      config.positions == Positions::kRotary ? config.context_length * (config.head_width() / 2) : 0;
  cosines = take(pairs);
  sines = take(pairs);
  head = take(head_extent(config, rows));
}

}  // namespace tied
