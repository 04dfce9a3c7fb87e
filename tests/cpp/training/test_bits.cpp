// A seed gives the same bits natively, sanitized and as wasm (except in the relaxed build). These constants are
// recorded; if one of them changes, every published seed gives different results, which must be in the changelog.
#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "../baseline.h"
#include "support.h"

using namespace tied;

namespace {

struct Expected {
  Tying tying;
  OptimizerKind optimizer;
  bool table;
  std::uint64_t hash;
  bool scales_embedding = false;
};

std::uint64_t hash_after_200_steps(const Expected& run) {
  const auto ids = test::stream(5'000, 29, 1);
  const ModelConfig model{.vocab_size = 29,
                          .d_model = 10,
                          .tying = run.tying,
                          .scales_embedding = run.scales_embedding,
                          .output_bias = true,
                          .init_std = 0.1};
  TrainingConfig training = test::small_training(run.optimizer);
  training.input_gradient_scale = 2;
  const auto trainer =
      run.table ? test::trainer_on(model, training, test::counts_of(ids, 29)) : test::trainer_on(model, training, ids);
  test::run(*trainer, 200);
  return trainer->parameter_hash();
}

}  // namespace

TEST_CASE("200 steps from a seed end at the same bits everywhere") {
  if (!test::has_baseline_bits()) return;
  constexpr Expected kExpected[] = {
      {Tying::kTied, OptimizerKind::kAdamW, false, 0x99BA666F90737D53},
      {Tying::kTied, OptimizerKind::kSgd, true, 0x9F420B6679EEBD10},
      {Tying::kUntied, OptimizerKind::kAdamW, true, 0xA128A0FE6B67A26C},
      {Tying::kTiedLinear, OptimizerKind::kAdamW, false, 0xC5823452948946AD},
      {Tying::kTiedMlp, OptimizerKind::kAdamW, false, 0xD58B7798F8A9DEF6},
      {Tying::kTiedMlp, OptimizerKind::kAdamW, true, 0x10AAC68D91AD35BD},
      {Tying::kTied, OptimizerKind::kAdamW, false, 0x2C816514A5FF1906, true},
      {Tying::kTiedMlp, OptimizerKind::kSgd, false, 0xFD5C840B513B5F68, true},
  };
  for (const Expected& run : kExpected) CHECK(hash_after_200_steps(run) == run.hash);
}

namespace {

// Every feature of a transformer and a training step. The first eight are in tests/web/seed-bits.ts as well.
struct ExpectedTransformer {
  const char* name;
  void (*change)(ModelConfig& model, TrainingConfig& training);
  std::uint64_t hash;
};

std::uint64_t hash_after_40_steps(const ExpectedTransformer& run) {
  std::vector<std::uint32_t> ids(5'000);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::uint32_t>((i * i + (i >> 3)) % 23);
  ModelConfig model{.kind = ModelKind::kTransformer,
                    .vocab_size = 23,
                    .d_model = 12,
                    .output_bias = true,
                    .n_layers = 2,
                    .n_heads = 2,
                    .context_length = 8};
  TrainingConfig training{.learning_rate = 0.01,
                          .warmup_steps = 5,
                          .weight_decay = 0.1,
                          .gradient_clip = 1,
                          .batch_size = 4,
                          .gradient_accumulation = 2,
                          .seed = 14,
                          .init_seed = 14};
  run.change(model, training);
  const auto trainer = test::trainer_on(model, training, ids);
  test::run(*trainer, 40);
  return trainer->parameter_hash();
}

constexpr ExpectedTransformer kTransformers[] = {
    {"tied", [](ModelConfig&, TrainingConfig&) {}, 0xAF919B5C69CF8E22},
    {"untied", [](ModelConfig& model, TrainingConfig&) { model.tying = Tying::kUntied; }, 0xEEA91B3743D35E38},
    {"tied-linear", [](ModelConfig& model, TrainingConfig&) { model.tying = Tying::kTiedLinear; }, 0x0408B970F7BB9A9E},
    {"tied-low-rank",
     [](ModelConfig& model, TrainingConfig&) {
       model.tying = Tying::kTiedLowRank;
       model.low_rank = 3;
     },
     0x19EFA1FDA162DE84},
    {"untied late", [](ModelConfig& model, TrainingConfig&) { model.untie_at_step = 20; }, 0xD349FC3750B3BB2C},
    {"tied late",
     [](ModelConfig& model, TrainingConfig&) {
       model.tying = Tying::kUntied;
       model.tie_at_step = 20;
     },
     0xC3B0EAE1CA323EFB},
    {"of GPT-2, with dropout",
     [](ModelConfig& model, TrainingConfig&) {
       model.norm = Norm::kLayer;
       model.biases = Biases::kAll;
       model.dropout = 0.1;
       model.output_bias = false;
     },
     0x18718AE319651F16},
    {"of llama2.c",
     [](ModelConfig& model, TrainingConfig&) {
       model.positions = Positions::kRotary;
       model.feed_forward = FeedForward::kSwiGlu;
       model.biases = Biases::kNone;
       model.n_kv_heads = 1;
       model.scales_embedding = true;
       model.output_bias = false;
     },
     0x3AEE9513C906548F},
    {"SGD, input gradient scaled by step, rates by role, no positions, no final norm, widths that are odd",
     [](ModelConfig& model, TrainingConfig& training) {
       model.d_model = 10;
       model.d_feed_forward = 23;
       model.positions = Positions::kNone;
       model.final_norm = false;
       model.init_std = 0.1;
       training.optimizer = OptimizerKind::kSgd;
       training.momentum = 0.9;
       training.input_gradient_scale.n_points = 2;
       training.input_gradient_scale.points[0] = {5, 4};
       training.input_gradient_scale.points[1] = {25, 0.5};
       training.embedding_rate = 0.5;
       training.inner_rate = 1.5;
       training.decays_embeddings = false;
     },
     0xA9BBCFA524FD2899},
    {"context so long that attention is computed twice, dropout, tied late",
     [](ModelConfig& model, TrainingConfig& training) {
       model.tying = Tying::kUntied;
       model.tie_at_step = 20;
       model.context_length = 70;
       model.dropout = 0.2;
       training.batch_size = 2;
     },
     0x82501E56460CF799},
    {"in three shards, with dropout",
     [](ModelConfig& model, TrainingConfig& training) {
       model.dropout = 0.1;
       training.shards = 3;
     },
     0x36D21F07E9BF05ED},
    {"Muon",
     [](ModelConfig& model, TrainingConfig& training) {
       model.feed_forward = FeedForward::kSwiGlu;
       model.n_kv_heads = 1;
       training.optimizer = OptimizerKind::kMuon;
       training.momentum = kMuonMomentum;
     },
     0xEAA239BB86972E07},
    {"Muon with a scale and a rate of its own, untied late",
     [](ModelConfig& model, TrainingConfig& training) {
       model.untie_at_step = 20;
       training.optimizer = OptimizerKind::kMuon;
       training.momentum = 0.9;
       training.muon_scale = MuonScale::kOriginal;
       training.muon_learning_rate = 0.02;
     },
     0x50054B02EDFC7F0E},
};

}  // namespace

TEST_CASE("40 steps of a transformer from a seed end at the same bits everywhere, with every feature") {
  if (!test::has_baseline_bits()) return;
  for (const ExpectedTransformer& run : kTransformers) {
    CAPTURE(std::string(run.name));
    CHECK(hash_after_40_steps(run) == run.hash);
  }
}

namespace {

// Of the losses and the norms of the records too, which are sums over a group of chunks.
std::uint64_t hash_of_wide_steps(const ExpectedTransformer& run) {
  std::vector<std::uint32_t> ids(5'000);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::uint32_t>((i * i + (i >> 3)) % 512);
  ModelConfig model{.kind = ModelKind::kTransformer, .vocab_size = 512, .d_model = 256};
  model.d_feed_forward = 64;
  model.n_layers = 1;
  model.n_heads = 4;
  model.context_length = 64;
  // A group of two chunks, and a smaller one.
  TrainingConfig training{.learning_rate = 0.01, .batch_size = 13, .seed = 14, .init_seed = 14};
  run.change(model, training);
  const auto trainer = test::trainer_on(model, training, ids);
  std::vector<StepRecord> records;
  REQUIRE(trainer->run(2, 1, true, records).ok());
  std::uint64_t hash = trainer->parameter_hash();
  for (const StepRecord& record : records) {
    const double sums[] = {record.loss, record.input_position_gradient_norm};
    hash = fnv1a_64({reinterpret_cast<const std::uint8_t*>(sums), sizeof(sums)}, hash);
  }
  return hash;
}

}  // namespace

// Recorded when all models had chunks of 512 tokens.
TEST_CASE("chunks of a wide model, which are smaller, change no bit") {
  if (!test::has_baseline_bits()) return;
  constexpr ExpectedTransformer kWide[] = {
      {"tied", [](ModelConfig&, TrainingConfig&) {}, 0x03E04EBD4C19A60A},
      {"in two shards, untied, with dropout, of Llama's parts",
       [](ModelConfig& model, TrainingConfig& training) {
         model.tying = Tying::kUntied;
         model.positions = Positions::kRotary;
         model.feed_forward = FeedForward::kSwiGlu;
         model.dropout = 0.1;
         training.batch_size = 24;
         training.shards = 2;
         training.label_smoothing = 0.1;
       },
       0x0B09F60FE2AB4654},
      {"factorized, of sequences that do not divide a run",
       [](ModelConfig& model, TrainingConfig&) {
         model.context_length = 60;
         model.table_rank = 32;
       },
       0x5C66C8087C830668},
      {"factorized, with a final norm less",
       [](ModelConfig& model, TrainingConfig&) {
         model.table_rank = 32;
         model.final_norm = false;
       },
       0x69ED83BD95206A91},
  };
  for (const ExpectedTransformer& run : kWide) {
    CAPTURE(std::string(run.name));
    CHECK(hash_of_wide_steps(run) == run.hash);
  }
}
