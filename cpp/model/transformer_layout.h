// Where a transformer keeps what it works with: every array of its one block of memory, planned before it is taken.
#pragma once

#include <cstdint>

#include "model/config.h"

namespace tied {

// What has one row for each token that goes through the layers; d, f and w are the widths of the model, of its
// feed-forward layers and of queries, keys and values together.
enum class Rows : std::uint8_t {
  // Of each layer, kept for the way back:
  kState,          // d  before the layer; that of layer n_layers is what the last one gives
  kQueryKeyValue,  // w  turned by their positions where rotary
  kMixed,          // d  what the heads give, side by side
  kMiddle,         // d  after attention, before feed-forward
  kUp,             // f  with GELU its derivative there, after the way forward
  kGate,           // f  SwiGLU only
  kActivation,     // f
  // Used by all layers in turn:
  kNormed,                 // d  computed once more on the way back
  kBranch,                 // d  with dropout only
  kStateGradient,          // d
  kNormedGradient,         // d  of kNormed, and of kMixed before that
  kQueryKeyValueGradient,  // w
  kActivationGradient,     // f
};
inline constexpr std::size_t kRowsKinds = 13;

// Offsets are in elements; every array is padded().
struct TransformerLayout {
  struct Place {
    std::uint64_t offset = 0;  // of layer 0; that of layer i is i * layer_extent further on
    std::uint64_t cols = 0;
  };

  // Of a valid `config`, for batches of at most max_rows tokens.
  TransformerLayout(const ModelConfig& config, std::uint64_t max_rows);

  // Tokens that go through the layers together: a whole number of sequences of context_length, at least one. Larger
  // batches are done in chunks.
  std::uint64_t rows = 0;
  // Whether attention probabilities are kept for the way back, or computed once more: they grow with the square of the
  // context.
  bool keeps_probabilities = false;

  Place places[kRowsKinds];
  std::uint64_t layer_extent = 0;

  // [rows / n, n_heads, n, n] of sequences of n tokens, in each layer, where they are kept; else room for one block
  // [attention block, context], and layers need not be told apart.
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
