// The one table of an architecture's tensors, from which parameters, work and bytes are all counted.
//
// The same kind of table as model/parameter_table.h, which allocates our own models, with the same names and shapes.
// Here, though, all layers share one row, so models of any size fit.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "accounting/architecture.h"
#include "accounting/whole.h"
#include "base/record.h"

namespace tied {

// kTables: of tokens, of n-grams and of values. kPositions: of positions, segments and relative biases. kHead: maps
// between the last layer and the output table, and the output bias.
enum class TensorGroup : std::uint8_t { kTables, kPositions, kAttention, kFeedForward, kNorms, kHead };
inline constexpr std::size_t kTensorGroups = 6;

struct CountedTensor {
  static constexpr std::size_t kOwnStorage = static_cast<std::size_t>(-1);

  // Parts of the name, with static lifetime: stack, layer, part of a layer, own name, suffix.
  std::array<const char*, 5> name_parts{};
  // Weights are [out, in]. A vector is one row, with `is_vector` set.
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  bool is_vector = false;
  // Whether it is the output table, which produces the logits, or the factor before it.
  bool writes = false;
  // Whether it is the factor [r, d] of a factorized table, which multiplies even in a lookup.
  bool is_factor = false;
  // Whether it is a table in addition to those of tokens, such as of n-grams.
  bool is_additional = false;
  // Whether it works on tokens of an encoder-decoder's encoder: the whole encoder, and the decoder's maps from them to
  // keys and values.
  bool on_encoder_tokens = false;
  TensorGroup group = TensorGroup::kTables;
  std::size_t tied_to = kOwnStorage;  // index of the tensor whose storage this one shares
  Whole copies = 1;                   // tensors of this name and shape
  Whole active_copies = 1;            // copies that one token uses: of experts, the selected ones

  // With '*' for the number of a layer or expert.
  std::string name() const;
  bool owns_storage() const { return tied_to == kOwnStorage; }
  std::optional<std::size_t> owner() const { return owns_storage() ? std::nullopt : std::optional(tied_to); }
  // Parameters of one copy.
  Whole size() const { return Whole(rows) * cols; }
  // Parameters of all copies.
  Whole count() const { return copies * size(); }

  using Answered = Record<&CountedTensor::name, &CountedTensor::rows, &CountedTensor::cols, &CountedTensor::is_vector,
                          &CountedTensor::group, &CountedTensor::owner, &CountedTensor::copies, &CountedTensor::count>;
};

// In this order, with V and V' the input and output vocabulary, d the width, h and k the query and key heads, w the
// width of a head, f that of the feed-forward part:
//   embedding [V, d]; decoder_embedding [V', d] (of an encoder-decoder); unembedding [V', d]; of factorized tables
//   [V, r] and [V', r], and then embedding.factor [r, d] and so on; ngrams.2 [M, d], ngrams.3 and so on;
//   value_embedding [V, k w],
//   for each stack, after "encoder." or "decoder." if there are both:
//     positions [T, d] or relative_positions [buckets, h]; segments [n, d] (never of a decoder that has an encoder);
//     embedding_norm [d],
//     of its layers, after "layers.*.":
//       attention_norm [d], attention.query_key_value [(h + 2 k) w, d], or .query [h w, d], .key and .value [k w, d];
//       attention.output [d, h w]; attention.query_norm and .key_norm; attention_output_norm [d] (if a layer has
//       more than 2 norms),
//       of a decoder that has an encoder: cross_attention_norm and cross_attention.query, .key, .value and so on,
//       feed_forward_norm [d], feed_forward.up [f, d], .gate [f, d], .down [d, f];
//       of a layer of experts instead: feed_forward.router [n, d], feed_forward.experts.*.up and so on,
//       feed_forward.shared_experts.*.up and so on,
//       feed_forward_output_norm [d] (if it has 4),
//     final_norm [d],
//   head_transform [d, d], head_transform_norm [d]; between [d, d]; mlp.up [f, d], mlp.down [d, f]; low_rank.a [V', r],
//   low_rank.b [d, r]; output_bias [V'].
// Instead of the stacks, what the architecture lists, without names.
// Maps and norms have a ".weight" and, if the architecture says so, a ".bias"; a router only if all maps do. Tensors
// without copies are omitted. Both arguments must be valid together.
std::vector<CountedTensor> counted_tensors(const Architecture& architecture, TableTying tying);

// Parameters in memory of such a list: storage with several names counts once.
Whole stored_parameters(const std::vector<CountedTensor>& tensors);

}  // namespace tied
