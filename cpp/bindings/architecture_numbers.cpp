#include "bindings/architecture_numbers.h"

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

namespace tied::bindings {
namespace {

static_assert(std::is_standard_layout_v<Architecture> && std::is_trivially_copyable_v<Architecture>);

// Offset and size of each field: sizes take eight bytes, choices and flags one. A table, since assignments would be ten
// times the code.
struct Place {
  std::uint8_t offset;
  std::uint8_t size;
};

#define TIED_PLACE(field) {offsetof(Architecture, field), sizeof(Architecture::field)}
constexpr Place kPlaces[] = {
    TIED_PLACE(stack),
    TIED_PLACE(vocab_size),
    TIED_PLACE(output_vocab_size),
    TIED_PLACE(d_model),
    TIED_PLACE(n_layers),
    TIED_PLACE(n_encoder_layers),
    TIED_PLACE(n_heads),
    TIED_PLACE(n_key_value_heads),
    TIED_PLACE(d_head),
    TIED_PLACE(d_feed_forward),
    TIED_PLACE(feed_forward),
    TIED_PLACE(n_experts),
    TIED_PLACE(n_active_experts),
    TIED_PLACE(n_shared_experts),
    TIED_PLACE(n_dense_layers),
    TIED_PLACE(d_dense_feed_forward),
    TIED_PLACE(positions),
    TIED_PLACE(context_length),
    TIED_PLACE(relative_buckets),
    TIED_PLACE(n_segments),
    TIED_PLACE(norm),
    TIED_PLACE(norm_biases),
    TIED_PLACE(norms_per_layer),
    TIED_PLACE(query_key_norm),
    TIED_PLACE(embedding_norm),
    TIED_PLACE(final_norm),
    TIED_PLACE(biases),
    TIED_PLACE(fused_query_key_value),
    TIED_PLACE(head_transform),
    TIED_PLACE(output_bias),
    TIED_PLACE(low_rank),
    TIED_PLACE(table_rank),
    TIED_PLACE(ngram_order),
    TIED_PLACE(ngram_rows),
};
#undef TIED_PLACE

}  // namespace

Architecture architecture_at(Address address) {
  const std::uint64_t* from = at<std::uint64_t>(address);
  Architecture architecture;
  for (const Place& place : kPlaces) {
    // WebAssembly is little-endian.
    std::memcpy(reinterpret_cast<std::byte*>(&architecture) + place.offset, from++, place.size);
  }
  return architecture;
}

void answer_counts(std::span<const Whole> counts) {
  static_assert(sizeof(Whole) == 2 * sizeof(std::uint32_t));
  std::vector<std::uint32_t> words(2 * counts.size());
  std::memcpy(words.data(), counts.data(), counts.size_bytes());
  answer.ids(std::move(words));
}

}  // namespace tied::bindings
