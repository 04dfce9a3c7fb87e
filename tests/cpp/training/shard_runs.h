// Runs of every kind of model, head and optimizer, whose batches have shards.
#pragma once

#include <string>
#include <vector>

#include "pairs.h"

namespace tied::test::inline training_tests {

struct ShardRun {
  std::string name;
  ModelConfig model;
  TrainingConfig training;
};

// Seven sequences in each of two batches, so that shards differ in size.
inline TrainingConfig shard_training(OptimizerKind optimizer = OptimizerKind::kAdamW) {
  TrainingConfig training = small_training(optimizer);
  training.warmup_steps = 1;
  // Divided by less, gradients that are 0 but for rounding would move weights.
  training.epsilon = 1e-4;
  training.batch_size = 7;
  training.gradient_accumulation = 2;
  training.label_smoothing = 0.05;
  return training;
}

inline std::vector<ShardRun> shard_runs() {
  std::vector<ShardRun> runs;
  const auto add = [&](const std::string& name, const ModelConfig& model, const TrainingConfig& training) {
    runs.push_back({name + ", " + std::to_string(runs.size()), model, training});
  };
  for (ModelConfig model : models_of_other_heads()) {
    if (model.kind == ModelKind::kTransformer) model.dropout = 0.2;
    add("head " + std::to_string(static_cast<int>(model.head)), model, shard_training());
  }
  for (const OptimizerKind optimizer : kAllOptimizers) {
    for (const Tying tying : kTyings) add("direct path", small_model(tying), shard_training(optimizer));
    for (const Tying tying : kTransformerTyings)
      add("transformer", small_transformer(tying), shard_training(optimizer));
    for (const EncoderTable table : {EncoderTable::kOwn, EncoderTable::kEmbedding}) {
      ModelConfig model = small_encoder_decoder(Tying::kTied, table);
      model.dropout = 0.2;
      add("encoder-decoder", model, shard_training(optimizer));
    }
  }
  add("encoder-decoder, untied", small_encoder_decoder(Tying::kUntied, EncoderTable::kUnembedding), shard_training());
  // 0 in every step of these, so the schedules change at the same step whatever the rounding.
  for (const TyingCondition condition : {TyingCondition::kAbove, TyingCondition::kBelow}) {
    ModelConfig model = small_transformer(condition == TyingCondition::kAbove ? Tying::kTied : Tying::kUntied);
    model.tying_condition = condition;
    model.tying_share = condition == TyingCondition::kAbove ? 0 : 1;
    model.tying_over = 3;
    model.dropout = 0.1;
    add("tying by its input share", model, shard_training());
  }
  ModelConfig untied_late = small_transformer(Tying::kTied);
  untied_late.untie_at_step = 3;
  add("untied late", untied_late, shard_training());
  ModelConfig tied_late = small_model(Tying::kUntied);
  tied_late.tie_at_step = 3;
  TrainingConfig scaled = shard_training();
  scaled.input_gradient_scale = 2;
  scaled.unembedding_rate = 0.5;
  add("tied late, with a scaled input gradient", tied_late, scaled);
  return runs;
}

template <class T>
std::unique_ptr<Trainer<T>> trainer_of(const ShardRun& run, std::uint64_t shards) {
  TrainingConfig training = run.training;
  training.shards = shards;
  if (run.model.is_encoder_decoder()) return trainer_on<T>(run.model, training, reversals(30, 6, 13, 5));
  return trainer_on<T>(run.model, training, small_stream());
}

}  // namespace tied::test::inline training_tests
