// Where a transformer keeps what it works with: every array of its one block of memory, planned before it is taken.
#pragma once

#include <cstdint>

#include "model/config.h"

namespace tied {

// Offsets are in elements; every array is padded().
struct TransformerLayout {
  // An array with one row for each token that goes through the layers.
  struct Rows {
    std::uint64_t offset = 0;  // of layer 0; that of layer i is i * layer_extent further on
    std::uint64_t cols = 0;
  };

  // Of a valid `config`, for batches of at most max_rows tokens.
  TransformerLayout(const ModelConfig& config, std::uint64_t max_rows);

  // Tokens that go through the layers together: a whole number of sequences of context_length, at least one. Larger
  // batches are done in chunks.
  std::uint64_t rows = 0;
  // Whether attention probabilities are kept for the backward pass, or computed once more: they grow with the square of
  // the context.
  bool keeps_probabilities = false;

  // With the widths d of the model, f of its feed-forward layers and w of queries, keys and values together.
  // Of each layer, kept for the backward pass:
  Rows residual;         // d  before the layer; that of layer n_layers is what the last one gives
  Rows query_key_value;  // w  rotated by their positions where rotary
  Rows attended;         // d  the heads' output, side by side
  Rows after_attention;  // d  the residual stream between attention and feed-forward
  Rows up;               // f  with GELU its derivative there, after the forward pass
  Rows gate;             // f  SwiGLU only
  Rows activation;       // f
  // Used by all layers in turn:
  Rows normed;                    // d  computed once more in the backward pass
  Rows branch;                    // d  with dropout only
  Rows residual_gradient;         // d
  Rows normed_gradient;           // d  of `normed`, and of `attended` before that
  Rows query_key_value_gradient;  // w
  Rows activation_gradient;       // f

  std::uint64_t layer_extent = 0;

  // [rows / n, n_heads, n, n] of sequences of n tokens, in each layer, where they are kept; else a buffer for one block
  // [attention block, context], the same for all layers.
  std::uint64_t probabilities = 0;
  // [blocks at once, attention block, context]; with dropout only. Blocks of several heads are worked on together where
  // probabilities are kept, else one.
  std::uint64_t block_dropped = 0;
  std::uint64_t block_gradient = 0;  // the same
  std::uint64_t statistics = 0;      // [2, rows]: of a norm
  std::uint64_t cosines = 0;         // [context, head_width / 2]; rotary only
  std::uint64_t sines = 0;           // the same
  std::uint64_t head = 0;            // of Head

  std::uint64_t extent = 0;
};

}  // namespace tied
