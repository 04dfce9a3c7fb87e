// The one table of an architecture's tensors: parameters, work and bytes are all counted from it.
//
// It is the same kind of table as model/parameter_table.h, which allocates our own models, and has the same names and
// shapes; but it has one row for all layers, as it is to hold models of any size.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "accounting/architecture.h"
#include "accounting/whole.h"

namespace tied {

// kTables: of tokens. kPositions: of positions and segments, and of relative biases. kHead: what stands between the
// last layer and the table that writes, and the output bias.
enum class TensorGroup : std::uint8_t { kTables, kPositions, kAttention, kFeedForward, kNorms, kHead };
inline constexpr std::size_t kTensorGroups = 6;

struct CountedTensor {
  static constexpr std::size_t kOwnStorage = static_cast<std::size_t>(-1);

  // Its name in parts, which live for ever: stack, layer, part of a layer, own name, suffix.
  std::array<const char*, 5> name_parts{};
  // Weights are [out, in]. A vector is one row, and `is_vector`.
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  bool is_vector = false;
  // Whether it is the table that writes logits.
  bool writes = false;
  // Whether it works on tokens that an encoder-decoder's encoder reads: all of the encoder, and what makes keys and
  // values of them in the decoder.
  bool on_encoder_tokens = false;
  TensorGroup group = TensorGroup::kTables;
  std::size_t tied_to = kOwnStorage;  // index of the tensor whose storage this one shares
  Whole copies = 1;                   // of this name and shape
  Whole active_copies = 1;            // that work on one token: of experts, those the router takes

  // '*' stands for each layer, or expert.
  std::string name() const;
  bool owns_storage() const { return tied_to == kOwnStorage; }
  // Numbers in one.
  Whole size() const { return Whole(rows) * cols; }
  // Numbers in all copies.
  Whole count() const { return copies * size(); }
};

// In this order, with V and V' the tokens read and written, d the width, h and k heads of queries and of keys, w the
// width of a head, f that of the feed-forward part:
//   embedding [V, d]; decoder_embedding [V', d] (of an encoder-decoder); unembedding [V', d],
//   of each stack, after "encoder." or "decoder." where there are both:
//     positions [T, d] or relative_positions [buckets, h]; segments [n, d] (never of a decoder that has an encoder);
//     embedding_norm [d],
//     of its layers, after "layers.*.":
//       attention_norm [d], attention.query_key_value [(h + 2 k) w, d], or .query [h w, d], .key and .value [k w, d];
//       attention.output [d, h w]; attention.query_norm and .key_norm; attention_output_norm [d] (where a layer has
//       more than 2 norms),
//       of a decoder that has an encoder: cross_attention_norm and cross_attention.query, .key, .value and so on,
//       feed_forward_norm [d], feed_forward.up [f, d], .gate [f, d], .down [d, f];
//       of a layer of experts instead: feed_forward.router [n, d], feed_forward.experts.*.up and so on,
//       feed_forward.shared_experts.*.up and so on,
//       feed_forward_output_norm [d] (where it has 4),
//     final_norm [d],
//   head_transform [d, d], head_transform_norm [d]; between [d, d]; mlp.up [f, d], mlp.down [d, f]; low_rank.a [V', r],
//   low_rank.b [d, r]; output_bias [V'].
// Maps and norms have a ".weight" and, as the architecture says, a ".bias": a router only where all maps do. Rows that
// have no copies are left out. Both arguments are valid together.
std::vector<CountedTensor> counted_tensors(const Architecture& architecture, TableTying tying);

}  // namespace tied
