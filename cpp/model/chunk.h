// Tokens that the layers of a transformer process together.
#pragma once

#include <cstdint>

#include "linalg/matrix_view.h"
#include "model/config.h"

namespace tied {

// The rows of consecutive sequences, of one length or each of its own.
struct SequenceRows {
  // Tokens of every sequence or, with `starts`, of the longest possible one.
  std::size_t length = 0;
  std::size_t count = 0;
  // Sequence i has the rows from starts[i] - starts[0] to starts[i + 1] - starts[0]: [count + 1]; null = all have
  // `length` rows.
  const std::uint32_t* starts = nullptr;

  std::size_t first(std::size_t i) const { return starts == nullptr ? i * length : starts[i] - starts[0]; }
  std::size_t size(std::size_t i) const { return starts == nullptr ? length : starts[i + 1] - starts[i]; }
  std::size_t rows() const { return first(count); }
};

// What the layers of a decoder attend to besides their own tokens: the hidden states of an encoder, one sequence for
// each sequence of the chunk.
template <class T>
struct Memory {
  SequenceRows sequences;
  ConstMatrixView<T> states;  // [rows, d]
  // [rows, d]: backward passes add (+=) to it.
  MatrixView<T> gradient;
  // The output of TransformerLayers::read_memory for a single sequence; `states` may then be empty.
  const T* keys_values = nullptr;
};

template <class T>
struct Chunk {
  const std::uint32_t* inputs = nullptr;  // [rows]
  std::size_t rows = 0;
  SequenceRows sequences;
  // In a decoder: the number of earlier tokens, and the cache of their keys and values, to which this chunk, a single
  // sequence, appends its own. With config.has_ngrams(), the earlier tokens are in front of `inputs`.
  std::size_t first_position = 0;
  T* cache = nullptr;  // [n_layers, context_length, 2 n_kv_heads head_width]; null outside decoders
  // For layers with cross-attention.
  const Memory<T>* memory = nullptr;
  // 0: no dropout.
  std::uint64_t dropout_key = 0;
  // Whether `backward` will follow.
  bool stores_for_backward = false;
  // Index of the chunk's first row in its batch, so that dropout does not depend on chunks.
  std::size_t first_row = 0;
  // Rows of the chunks before it in its group: see TransformerLayout::group_rows.
  std::size_t rows_before = 0;
  // A layer that adds nothing to x; only outside decoders and backward passes.
  std::size_t left_out = kNoLayer;
  // Whether the residual stream up to that layer is still valid from the previous pass: see Model::logits.
  bool resumes = false;
};

}  // namespace tied
