#include "model/transformer_layout.h"

#include <algorithm>

#include "base/allocate.h"
#include "linalg/matmul.h"
#include "model/attention.h"
#include "model/head.h"

namespace tied {
namespace {

// Approximate tokens per chunk: enough for products to run at full speed, and few enough to save memory. More were not
// faster.
constexpr std::uint64_t kChunkTokens = 512;

// From this width on, half as many are enough for the products, and a layer's arrays take twice the memory.
constexpr std::uint64_t kWideModel = 256;

// Probabilities are stored if they take at most this many times a layer's width: up to contexts of a few hundred
// tokens. Beyond that, recomputing them costs less than the memory.
constexpr std::uint64_t kStoredProbabilityWidths = 8;

std::uint64_t group_rows_for(const ModelConfig& config, std::uint64_t max_rows) {
  const std::uint64_t length = config.context_length;
  const std::uint64_t sequences = (std::min(max_rows, kChunkTokens) + length - 1) / length;
  return std::max<std::uint64_t>(sequences, 1) * length;
}

// Chunks smaller than their group must change no bit: sequences and tiles of the head must not cross their ends, sums
// of products must be cut between two runs, and no table may get gradients from several layers.
std::uint64_t rows_for(const ModelConfig& config, std::uint64_t group_rows) {
  const bool alone = config.kind == ModelKind::kTransformer && config.head == HeadKind::kFull && !config.is_masked() &&
                     !config.has_ngrams() && !config.has_value_embeddings();
  if (!alone || config.d_model < kWideModel || group_rows <= kProductRun) return group_rows;
  const std::uint64_t tile_rows = head_tile_rows(config, group_rows);
  const bool fits = kProductRun % config.context_length == 0 && kProductRun % tile_rows == 0;
  return fits ? kProductRun : group_rows;
}

}  // namespace

TransformerLayout::TransformerLayout(const ModelConfig& config, std::uint64_t max_rows, const StackOptions& options)
    : mask(config.is_masked() ? AttentionMask::kNone : options.mask),
      rows(rows_for(config, group_rows_for(config, max_rows))),
      group_rows(group_rows_for(config, max_rows)),
      stores_probabilities(config.n_heads * std::max(config.context_length, options.memory_length) <=
                           kStoredProbabilityWidths * config.d_model) {
  const auto take = [this](std::uint64_t size) {
    const std::uint64_t offset = extent;
    extent += padded(size);
    return offset;
  };
  const std::uint64_t model = config.d_model;
  const std::uint64_t hidden = config.feed_forward_width();
  const std::uint64_t heads = config.query_key_value_width();
  const std::uint64_t context = config.context_length;
  const std::uint64_t memory = options.memory_length;
  const std::uint64_t block = std::min<std::uint64_t>(kAttentionBlockRows, context) * std::max(context, memory);
  const std::uint64_t blocks = stores_probabilities ? config.key_value_heads() * block : block;
  const auto take_rows = [&](std::uint64_t cols) { return Rows{take(rows * cols), cols}; };
  const std::uint64_t cross = options.memory_rows > 0 ? model : 0;
  const std::uint64_t cross_heads = 2 * config.key_value_heads() * config.head_width();
  const auto take_memory = [&] { return Rows{take(options.memory_rows * cross_heads), cross_heads}; };

  residual = take_rows(model);
  query_key_value = take_rows(heads);
  attended = take_rows(model);
  after_attention = take_rows(model);
  up = take_rows(hidden);
  gate = take_rows(config.feed_forward == FeedForward::kSwiGlu ? hidden : 0);
  activation = take_rows(hidden);
  cross_query = take_rows(cross);
  cross_key_value = take_memory();
  cross_attended = take_rows(cross);
  after_cross = take_rows(cross);
  if (stores_probabilities) {
    probabilities = take(rows * config.n_heads * context);
    cross_probabilities = take(rows * config.n_heads * memory);
  }
  layer_extent = extent;
  extent *= config.n_layers;
  take_rows(model);  // the residual stream after the last layer

  normed = take_rows(model);
  branch = take_rows(config.dropout > 0 ? model : 0);
  residual_gradient = Rows{take(group_rows * model), model};
  normed_gradient = take_rows(model);
  query_key_value_gradient = take_rows(heads);
  activation_gradient = take_rows(hidden);
  cross_query_gradient = take_rows(cross);
  cross_key_value_gradient = take_memory();
  predicted = take_rows(config.is_masked() ? model : 0);
  predicted_gradient = take_rows(predicted.cols);
  if (!stores_probabilities) probabilities = cross_probabilities = take(block);
  block_dropped = take(config.dropout > 0 ? blocks : 0);
  block_gradient = take(blocks);
  statistics = take(2 * rows);
  const std::uint64_t pairs = config.positions == Positions::kRotary ? context * (config.head_width() / 2) : 0;
  cosines = take(pairs);
  sines = take(pairs);
  head = take(head_extent(config, rows));
}

}  // namespace tied
