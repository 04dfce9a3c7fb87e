// Trainers for pairs.
#pragma once

#include <vector>

#include "support.h"

namespace tied::test::inline training_tests {

struct PairLists {
  std::vector<std::vector<std::uint32_t>> sources;
  std::vector<std::vector<std::uint32_t>> targets;
};

inline Result<Pairs> stored(const PairLists& lists, const ModelConfig& model) {
  const auto flat = [](const std::vector<std::vector<std::uint32_t>>& from, std::vector<std::uint32_t>& ids,
                       std::vector<std::uint32_t>& sizes) {
    for (const auto& sequence : from) {
      ids.insert(ids.end(), sequence.begin(), sequence.end());
      sizes.push_back(static_cast<std::uint32_t>(sequence.size()));
    }
  };
  std::vector<std::uint32_t> ids[2], sizes[2];
  flat(lists.sources, ids[0], sizes[0]);
  flat(lists.targets, ids[1], sizes[1]);
  return pairs_from("pairs", {ids[0], sizes[0]}, {ids[1], sizes[1]}, model);
}

// Words of 1 to `most` letters, and the same in reverse; the tokens from 2 on are letters.
inline PairLists reversals(std::size_t count, std::uint32_t most, std::uint32_t vocab_size, std::uint64_t seed) {
  Random random(seed, stream_of("words"));
  PairLists lists;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::uint32_t> word(1 + random.below(most));
    for (std::uint32_t& letter : word) letter = 2 + random.below(vocab_size - 2);
    lists.sources.push_back(word);
    lists.targets.emplace_back(word.rbegin(), word.rend());
  }
  return lists;
}

inline ModelConfig small_encoder_decoder(Tying tying = Tying::kTied,
                                         EncoderTable encoder_table = EncoderTable::kEmbedding) {
  ModelConfig config = small_transformer(tying);
  config.kind = ModelKind::kEncoderDecoder;
  config.encoder_table = encoder_table;
  config.n_layers = 1;
  config.n_encoder_layers = 1;
  config.source_length = 6;
  return config;
}

template <class T = float>
std::unique_ptr<Trainer<T>> trainer_on(const ModelConfig& model, const TrainingConfig& training, const PairLists& pairs,
                                       const PairLists& validation = {}) {
  TrainingData<T> data;
  data.vocab_size = model.vocab_size;
  auto made = stored(pairs, model);
  REQUIRE(made.ok());
  data.pairs = std::move(made).value();
  auto held_out = stored(validation, model);
  REQUIRE(held_out.ok());
  data.validation_pairs = std::move(held_out).value();
  auto trainer = Trainer<T>::create(model, training, std::move(data));
  REQUIRE(trainer.ok());
  return std::move(trainer).value();
}

}  // namespace tied::test::inline training_tests
