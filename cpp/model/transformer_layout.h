// The workspace of a transformer: the offset of every array in its one buffer, planned before it is allocated.
#pragma once

#include <cstdint>

#include "model/attention.h"
#include "model/config.h"

namespace tied {

// Which tokens the layers of a stack attend to.
struct StackOptions {
  AttentionMask mask = AttentionMask::kCausal;
  // Of the encoder that a decoder attends to: rows in a chunk, and tokens of the longest sequence. 0 without one.
  std::uint64_t memory_rows = 0;
  std::uint64_t memory_length = 0;
};

// Offsets are in elements; every array is padded().
struct TransformerLayout {
  // An array with one row per token of a chunk.
  struct Rows {
    std::uint64_t offset = 0;  // of layer 0; that of layer i is i * layer_extent larger
    std::uint64_t cols = 0;
  };

  // For a valid `config` and batches of at most max_rows tokens.
  TransformerLayout(const ModelConfig& config, std::uint64_t max_rows, const StackOptions& options = {});

  AttentionMask mask;

  // Tokens per chunk: whole sequences of context_length, at least one. Larger batches are processed in chunks.
  std::uint64_t rows = 0;
  // Tokens of a group of chunks whose loss and squares are summed as those of one: as many as in a chunk, except where
  // a wide model saves memory by smaller chunks, with the same bits.
  std::uint64_t group_rows = 0;
  // Whether attention probabilities are stored for the backward pass or recomputed: they grow with the square of the
  // context.
  bool stores_probabilities = false;

  // With d the width of the model, f that of its feed-forward layers and w that of queries, keys and values together.
  // Per layer, stored for the backward pass:
  Rows residual;         // d  before the layer; for layer n_layers, the output of the last one
  Rows query_key_value;  // w  after the rotation, if rotary
  Rows attended;         // d  the concatenated outputs of the heads
  Rows after_attention;  // d  the residual stream between attention and feed-forward
  Rows up;               // f  with GELU, its derivative after the forward pass
  Rows gate;             // f  SwiGLU only
  Rows activation;       // f
  // With cross-attention only:
  Rows cross_query;      // d
  Rows cross_key_value;  // 2 n_kv_heads head_width, for each row of the memory
  Rows cross_attended;   // d
  Rows after_cross;      // d
  // Shared by all layers:
  Rows normed;                    // d  recomputed in the backward pass
  Rows branch;                    // d  with dropout only
  Rows residual_gradient;         // d  for a group
  Rows normed_gradient;           // d  of `normed`, and before that of `attended`
  Rows query_key_value_gradient;  // w
  Rows activation_gradient;       // f
  Rows cross_query_gradient;      // d
  Rows cross_key_value_gradient;  // as cross_key_value
  Rows predicted;                 // d  what the head reads at hidden tokens; only if config.is_masked()
  Rows predicted_gradient;        // d

  std::uint64_t layer_extent = 0;

  // Per layer [rows / n, n_heads, n, n] for sequences of n tokens, if stored; otherwise a buffer for one block
  // [attention block, context], shared by all layers.
  std::uint64_t probabilities = 0;
  std::uint64_t cross_probabilities = 0;  // the same with the keys of the memory
  // [blocks at once, attention block, context], with dropout only. Blocks of several heads are processed together if
  // probabilities are stored, otherwise one at a time.
  std::uint64_t block_dropped = 0;
  std::uint64_t block_gradient = 0;  // the same shape
  std::uint64_t statistics = 0;      // [2, rows], of a norm
  std::uint64_t cosines = 0;         // [context, head_width / 2]; rotary only
  std::uint64_t sines = 0;           // the same shape
  std::uint64_t head = 0;            // workspace of Head

  std::uint64_t extent = 0;
};

}  // namespace tied
