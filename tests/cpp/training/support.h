// Shared by the tests of training.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../whole_file.h"
#include "base/random.h"
#include "model/sequence_outputs.h"
#include "training/trainer.h"
#include "training/trainer_file.h"

namespace tied::test::inline training_tests {

inline constexpr OptimizerKind kAllOptimizers[] = {OptimizerKind::kAdamW, OptimizerKind::kSgd,
                                                   OptimizerKind::kCoupledAdamW, OptimizerKind::kMuon};
inline constexpr Tying kTyings[] = {Tying::kTied, Tying::kUntied, Tying::kTiedLinear, Tying::kTiedMlp};

// A stream with something to learn: mostly (3 t + 1) mod V, sometimes any token.
inline std::vector<std::uint32_t> stream(std::size_t size, std::uint32_t vocab_size, std::uint64_t seed) {
  Random random(seed, stream_of("stream"));
  std::vector<std::uint32_t> ids(size);
  for (std::size_t i = 1; i < size; ++i) {
    ids[i] = random.uniform() < 0.7F ? (3 * ids[i - 1] + 1) % vocab_size : random.below(vocab_size);
  }
  return ids;
}

inline std::vector<std::uint32_t> small_stream() { return stream(400, 13, 1); }

inline Matrix<float> counts_of(const std::vector<std::uint32_t>& ids, std::size_t vocab_size) {
  auto counts = Matrix<float>::create(vocab_size, vocab_size);
  REQUIRE(counts.ok());
  for (std::size_t i = 0; i + 1 < ids.size(); ++i) counts.value()(ids[i], ids[i + 1]) += 1;
  return std::move(counts).value();
}

template <class T = float>
std::unique_ptr<Trainer<T>> trainer_on(const ModelConfig& model, const TrainingConfig& training,
                                       const std::vector<std::uint32_t>& ids, const TrainerLimits& limits = {}) {
  auto data = training_data_from_tokens<T>(ids.data(), ids.size(), nullptr, 0, model.vocab_size);
  REQUIRE(data.ok());
  auto trainer = Trainer<T>::create(model, training, std::move(data).value(), limits);
  REQUIRE(trainer.ok());
  return std::move(trainer).value();
}

template <class T = float>
std::unique_ptr<Trainer<T>> trainer_on(const ModelConfig& model, const TrainingConfig& training,
                                       const Matrix<float>& counts, const TrainerLimits& limits = {}) {
  auto data = training_data_from_counts<T>(counts.view());
  REQUIRE(data.ok());
  auto trainer = Trainer<T>::create(model, training, std::move(data).value(), limits);
  REQUIRE(trainer.ok());
  return std::move(trainer).value();
}

inline std::vector<std::uint8_t> saved(const Trainer<float>& trainer) { return whole_file(TrainerFile(trainer)); }

template <class T>
void run(Trainer<T>& trainer, std::uint64_t steps) {
  std::vector<StepRecord> none;
  REQUIRE(trainer.run(steps, 0, false, none).ok());
}

template <class T>
std::vector<T> elements_of(const Trainer<T>& trainer, std::string_view name) {
  const auto view = trainer.matrix(name);
  REQUIRE(view.ok());
  return {view.value().data, view.value().data + view.value().rows * view.value().cols};
}

// Hashes of the parameters after 0, 1, ..., `steps` steps.
inline std::vector<std::uint64_t> hashes(Trainer<float>& trainer, std::uint64_t steps) {
  std::vector<std::uint64_t> result{trainer.parameter_hash()};
  for (std::uint64_t i = 0; i < steps; ++i) {
    REQUIRE(trainer.step().ok());
    result.push_back(trainer.parameter_hash());
  }
  return result;
}

// The error's argument, or "" without an error.
template <class Outcome>
std::string blamed(const Outcome& outcome) {
  return outcome.ok() ? "" : outcome.error().argument;
}

// Small configurations of every kind, for everything that does not depend on size.
inline ModelConfig small_model(Tying tying) {
  return {.vocab_size = 13, .d_model = 4, .tying = tying, .output_bias = true, .init_std = 0.3, .d_feed_forward = 6};
}
// Contexts of 8 tokens, two layers, two heads.
inline constexpr Tying kTransformerTyings[] = {Tying::kTied, Tying::kUntied, Tying::kTiedLinear, Tying::kTiedLowRank};
inline ModelConfig small_transformer(Tying tying) {
  return {.kind = ModelKind::kTransformer,
          .vocab_size = 13,
          .d_model = 8,
          .tying = tying,
          .low_rank = tying == Tying::kTiedLowRank ? 3U : 0U,
          .output_bias = true,
          .init_std = 0.1,
          .d_feed_forward = 12,
          .n_layers = 2,
          .n_heads = 2,
          .context_length = 8};
}
// A small transformer that reads n-grams.
inline ModelConfig ngram_transformer(Tying tying, std::uint64_t order, std::uint64_t rows) {
  ModelConfig model = small_transformer(tying);
  model.ngram_order = order;
  model.ngram_rows = rows;
  return model;
}
// Models that have more than a full head and two tables: every other head in both kinds of models, tied and untied;
// n-grams; value embeddings; hidden tokens; and all but the latter two and adaptive heads with factorized tables, as
// the full head, too.
inline std::vector<ModelConfig> models_of_other_heads() {
  std::vector<ModelConfig> models;
  for (const HeadKind head : {HeadKind::kSampled, HeadKind::kClustered, HeadKind::kCulled, HeadKind::kAdaptive}) {
    for (const Tying tying : {Tying::kTied, Tying::kUntied}) {
      for (ModelConfig model : {small_model(tying), small_transformer(tying)}) {
        model.head = head;
        if (head == HeadKind::kSampled) {
          model.head_samples = 5;
          model.proposal = tying == Tying::kTied ? Proposal::kLogUniform : Proposal::kCounts;
        }
        if (head == HeadKind::kClustered) model.head_clusters = 4;
        if (head == HeadKind::kCulled) model.head_kept = 9;
        if (head == HeadKind::kAdaptive) {
          model.head_divisor = 2;
          model.head_cutoffs[0] = 3;
          model.head_cutoffs[1] = 8;
        }
        models.push_back(model);
      }
    }
  }
  models.push_back(ngram_transformer(Tying::kTied, 2, 50));
  models.push_back(ngram_transformer(Tying::kUntied, 3, 7));
  models.push_back(ngram_transformer(Tying::kTied, 4, 130));
  models.back().head = HeadKind::kSampled;
  models.back().head_samples = 5;
  for (const ValueEmbeddings values : {ValueEmbeddings::kOwn, ValueEmbeddings::kTied}) {
    for (const HeadKind head : {HeadKind::kFull, HeadKind::kSampled}) {
      models.push_back(small_transformer(Tying::kTied));
      models.back().value_embeddings = values;
      models.back().head = head;
      models.back().head_samples = head == HeadKind::kSampled ? 5 : 0;
    }
  }
  for (const Objective objective : {Objective::kMasked, Objective::kMaskedDiffusion}) {
    models.push_back(small_transformer(objective == Objective::kMasked ? Tying::kTied : Tying::kUntied));
    models.back().objective = objective;
  }
  for (const Tying tying : {Tying::kTied, Tying::kUntied}) {
    models.push_back(small_model(tying));
    models.push_back(small_transformer(tying));
  }
  for (std::size_t i = 0, size = models.size(); i < size; ++i) {
    if (models[i].head == HeadKind::kAdaptive || models[i].has_value_embeddings() || models[i].is_masked()) continue;
    models.push_back(models[i]);
    models.back().table_rank = 3;
  }
  return models;
}
inline TrainingConfig small_training(OptimizerKind optimizer = OptimizerKind::kAdamW) {
  return {.optimizer = optimizer,
          .learning_rate = 0.02,
          .warmup_steps = 5,
          .decay = Decay::kCosine,
          .total_steps = 400,
          .final_learning_rate_fraction = 0.1,
          .weight_decay = 0.01,
          .gradient_clip = 1,
          .momentum = 0.9,
          .batch_size = 24,
          .seed = 11,
          .init_seed = 12};
}

}  // namespace tied::test::inline training_tests
