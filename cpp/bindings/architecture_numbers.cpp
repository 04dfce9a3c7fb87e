#include "bindings/architecture_numbers.h"

#include <utility>

namespace tied::bindings {
namespace {

// Whole numbers, choices and flags: each is the next double.
template <class... Field>
void take(const double* from, Field&... fields) {
  ((fields = static_cast<Field>(static_cast<std::uint64_t>(*from++))), ...);
}

}  // namespace

Architecture architecture_at(Address address) {
  Architecture a;
  take(at<double>(address), a.stack, a.vocab_size, a.output_vocab_size, a.d_model, a.n_layers, a.n_encoder_layers,
       a.n_heads, a.n_key_value_heads, a.d_head, a.d_feed_forward, a.feed_forward, a.n_experts, a.n_active_experts,
       a.n_shared_experts, a.n_dense_layers, a.d_dense_feed_forward, a.positions, a.context_length, a.relative_buckets,
       a.n_segments, a.norm, a.norm_biases, a.norms_per_layer, a.query_key_norm, a.embedding_norm, a.final_norm,
       a.biases, a.fused_query_key_value, a.head_transform, a.output_bias, a.low_rank);
  return a;
}

void append_words(std::vector<std::uint32_t>& words, Whole count) {
  TIED_ASSERT(count.fits());
  for (const std::uint32_t word : count.words()) words.push_back(word);
}

void answer_counts(std::span<const Whole> counts) {
  std::vector<std::uint32_t> words;
  for (const Whole count : counts) append_words(words, count);
  answer.ids(std::move(words));
}

}  // namespace tied::bindings
