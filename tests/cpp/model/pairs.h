// Pairs of different lengths for the tests of encoder-decoders.
#pragma once

#include <vector>

#include "support.h"

namespace tied::test::inline model_tests {

struct PairCase {
  Tying tying;
  EncoderTable encoder_table;
  int tables;
};

// Every way to share three tables.
inline constexpr PairCase kPairTyings[] = {
    {Tying::kUntied, EncoderTable::kOwn, 3},         {Tying::kUntied, EncoderTable::kEmbedding, 2},
    {Tying::kUntied, EncoderTable::kUnembedding, 2}, {Tying::kTied, EncoderTable::kOwn, 2},
    {Tying::kTied, EncoderTable::kEmbedding, 1},
};

// One encoder layer and two decoder layers of two heads, sources of up to five tokens and targets of up to three.
inline ModelConfig small_encoder_decoder(const PairCase& pair_case) {
  ModelConfig config{.kind = ModelKind::kEncoderDecoder, .vocab_size = 7, .d_model = 4, .tying = pair_case.tying};
  config.encoder_table = pair_case.encoder_table;
  config.d_feed_forward = 5;
  config.n_encoder_layers = 1;
  config.n_layers = 2;
  config.n_heads = 2;
  config.context_length = 4;
  config.source_length = 5;
  return config;
}

// Pairs in the form of a PairBatch.
struct StoredPairs {
  std::vector<std::uint32_t> sources, source_starts{0}, inputs, targets, target_starts{0};

  void add(const std::vector<std::uint32_t>& source, const std::vector<std::uint32_t>& target,
           const ModelConfig& config) {
    sources.insert(sources.end(), source.begin(), source.end());
    source_starts.push_back(static_cast<std::uint32_t>(sources.size()));
    inputs.push_back(static_cast<std::uint32_t>(config.start_token));
    inputs.insert(inputs.end(), target.begin(), target.end());
    targets.insert(targets.end(), target.begin(), target.end());
    targets.push_back(static_cast<std::uint32_t>(config.end_token));
    target_starts.push_back(static_cast<std::uint32_t>(targets.size()));
  }

  // Pairs [first, first + count).
  PairBatch batch(std::size_t first, std::size_t count) const {
    PairBatch made;
    made.size = count;
    made.sources = sources.data() + source_starts[first];
    made.source_starts = source_starts.data() + first;
    made.inputs = inputs.data() + target_starts[first];
    made.targets = targets.data() + target_starts[first];
    made.target_starts = target_starts.data() + first;
    return made;
  }
  PairBatch batch() const { return batch(0, source_starts.size() - 1); }
};

// Pairs of every length that the model reads.
inline StoredPairs random_pairs(std::size_t count, const ModelConfig& config, std::uint64_t seed) {
  Random random(seed, stream_of("pairs"));
  const auto tokens = [&](std::uint64_t most) {
    std::vector<std::uint32_t> made(1 + random.below(static_cast<std::uint32_t>(most)));
    for (std::uint32_t& token : made) token = 2 + random.below(static_cast<std::uint32_t>(config.vocab_size - 2));
    return made;
  };
  StoredPairs pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const auto source = tokens(config.source_length);
    pairs.add(source, tokens(config.context_length - 1), config);
  }
  return pairs;
}

}  // namespace tied::test::inline model_tests
