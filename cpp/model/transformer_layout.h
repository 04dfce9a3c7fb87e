// Where a transformer keeps what it works with: every array of its one block of memory, planned before it is taken.
#pragma once

#include <cstdint>

#include "model/config.h"

namespace tied {

// Offsets in numbers, multiples of 16. R = rows, the tokens that go through the layers together.
struct TransformerLayout {
  // Of a valid `config`, for batches of at most max_rows tokens.
  TransformerLayout(const ModelConfig& config, std::uint64_t max_rows);

  // A whole number of sequences of context_length, at least one. Larger batches are done in chunks.
  std::uint64_t rows = 0;
  // Whether attention probabilities are kept for the way back, or computed once more: they grow with the square of the
  // context.
  bool keeps_probabilities = false;

  // Of layer 0; those of layer i are i * layer_extent further on.
  std::uint64_t input = 0;            // [R, d]; that of layer n_layers is what the last one gives
  std::uint64_t query_key_value = 0;  // [R, query_key_value_width], turned by their positions where rotary
  std::uint64_t probabilities = 0;    // [R / n, n_heads, n, n] of sequences of n tokens, where kept
  std::uint64_t mixed = 0;            // [R, d]: what the heads give, side by side
  std::uint64_t middle = 0;           // [R, d]: after attention, before feed-forward
  std::uint64_t up = 0;               // [R, f]
  std::uint64_t gate = 0;             // [R, f]; SwiGLU only
  std::uint64_t activation = 0;       // [R, f]
  std::uint64_t layer_extent = 0;

  // Used by all layers in turn.
  std::uint64_t normed = 0;                    // [R, d]: computed once more on the way back
  std::uint64_t statistics = 0;                // [2, R]
  std::uint64_t branch = 0;                    // [R, d]; with dropout only
  std::uint64_t state_gradient = 0;            // [R, d]: of the residual stream
  std::uint64_t normed_gradient = 0;           // [R, d]: of `normed`, of `mixed`, of what the head reads
  std::uint64_t query_key_value_gradient = 0;  // [R, query_key_value_width]
  std::uint64_t activation_gradient = 0;       // [R, f]
  std::uint64_t block_probabilities = 0;       // [attention block, context]; where they are not kept
  std::uint64_t block_dropped = 0;             // the same; with dropout only
  std::uint64_t block_gradient = 0;            // the same
  std::uint64_t cosines = 0;                   // [context, head_width / 2]; rotary only
  std::uint64_t sines = 0;                     // the same
  std::uint64_t head = 0;

  std::uint64_t extent = 0;
};

}  // namespace tied
