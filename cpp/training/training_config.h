// The configuration of training: optimizer, schedule, batches, seeds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/error.h"
#include "base/fields.h"
#include "base/record.h"

namespace tied {

// kCoupledAdamW: AdamW, but all rows of a table of tokens share one second moment per column.
// kMuon: Muon (linalg/muon.h) for the linear maps of layers, AdamW for everything else.
enum class OptimizerKind : std::uint8_t { kAdamW, kSgd, kCoupledAdamW, kMuon };
// Factor of Muon's learning rate for a map [rows, cols], the names as in PyTorch:
//   kMatchRmsAdamW   0.2 sqrt(max(rows, cols)): an update as large as AdamW's, so the rate and the decay of AdamW fit
//   kOriginal        sqrt(max(1, rows / cols))
// J. Liu and others, "Muon is scalable for LLM training", 2025 (arXiv 2502.16982).
enum class MuonScale : std::uint8_t { kMatchRmsAdamW, kOriginal };
// The usual momentum of kMuon, where kSgd has none.
inline constexpr double kMuonMomentum = 0.95;
enum class Decay : std::uint8_t { kConstant, kCosine };

// A factor as a function of the steps done: its values at some steps (ascending), linear between them and constant
// outside them; one point = a constant.
struct FactorSchedule {
  static constexpr std::size_t kMaxPoints = 16;
  struct Point {
    std::uint64_t step = 0;
    double value = 1;

    using Answered = Record<&Point::step, &Point::value>;
    using Given = Answered;

    friend bool operator==(const Point&, const Point&) = default;
  };

  FactorSchedule(double constant = 1) { points[0].value = constant; }  // NOLINT(google-explicit-constructor)

  double at(std::uint64_t steps_done) const;
  std::span<const Point> given() const { return {points, n_points}; }

  friend bool operator==(const FactorSchedule&, const FactorSchedule&) = default;

  std::size_t n_points = 1;
  Point points[kMaxPoints];
};

struct TrainingConfig {
  OptimizerKind optimizer = OptimizerKind::kAdamW;
  double learning_rate = 0;
  // Number of steps of linear warm-up; step s runs at (s + 1) / warmup_steps of the rate.
  std::uint64_t warmup_steps = 0;
  // kCosine decreases from `learning_rate` at the end of the warm-up to `final_learning_rate_fraction` of it at
  // `total_steps`, and remains there.
  Decay decay = Decay::kConstant;
  std::uint64_t total_steps = 0;
  double final_learning_rate_fraction = 0;
  // Decoupled, for matrices only.
  double weight_decay = 0;
  // Largest norm of the whole gradient; 0 = no clipping.
  double gradient_clip = 0;
  // kSgd and kMuon only.
  double momentum = 0;
  // kMuon only: the rate of the maps of layers, in place of `learning_rate`, with the same warm-up and decay; 0 = the
  // same rate.
  double muon_learning_rate = 0;
  MuonScale muon_scale = MuonScale::kMatchRmsAdamW;
  // All but kSgd.
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  // Sequences of context_length tokens per batch (for a direct path: (token, next token) pairs). Not used with a bigram
  // table, all of which is used in each step.
  std::uint64_t batch_size = 0;
  // Batches per step; the gradient is their mean. n batches of b sequences contain the same sequences as one batch of n
  // b: see BatchSampler. Not used with a bigram table.
  std::uint64_t gradient_accumulation = 1;
  // Parts of each batch whose gradients are computed one by one and summed in a tree (training/shards.h), so any of
  // them may be computed elsewhere. At most batch_size; 1 with a bigram table.
  std::uint64_t shards = 1;
  // Multiplies the input part of the embedding's gradient.
  FactorSchedule input_gradient_scale = 1;
  // Multiplies the output part, that of the unembedding, tied or not.
  FactorSchedule output_gradient_scale = 1;
  // Factors of the learning rate, by role. A matrix with both roles uses `embedding_rate`.
  FactorSchedule embedding_rate = 1;
  FactorSchedule unembedding_rate = 1;
  FactorSchedule inner_rate = 1;
  // Whether weight decay applies to embedding, unembedding and positions, as it does to inner matrices.
  bool decays_embeddings = true;
  // Fraction of each target that is spread evenly over all tokens, in training steps only.
  double label_smoothing = 0;
  // Divides the logits of the model, in training and in all predictions.
  double temperature = 1;
  // Seed of the order of the data.
  std::uint64_t seed = 0;
  // Seed of the initial weights.
  std::uint64_t init_seed = 0;

  friend bool operator==(const TrainingConfig&, const TrainingConfig&) = default;
};

// All fields except the schedules.
std::span<const Field> fields_of(const TrainingConfig& config);

// A hash of the fields of both configurations, plus the number of schedules: detects a module of another version, which
// would take one option for another.
std::uint32_t fields_version();

struct ScheduleField {
  const char* name;
  // In the API.
  const char* path;
  FactorSchedule TrainingConfig::* schedule;
};

// In the order of bindings and files.
inline constexpr ScheduleField kSchedules[] = {
    {"input_gradient_scale", "inputGradientScale", &TrainingConfig::input_gradient_scale},
    {"output_gradient_scale", "outputGradientScale", &TrainingConfig::output_gradient_scale},
    {"embedding_rate", "learningRateMultipliers.embedding", &TrainingConfig::embedding_rate},
    {"unembedding_rate", "learningRateMultipliers.unembedding", &TrainingConfig::unembedding_rate},
    {"inner_rate", "learningRateMultipliers.inner", &TrainingConfig::inner_rate},
};

// Sequences per step, over all its batches.
inline constexpr std::uint64_t kMaxBatchSize = 1u << 22;
// Tokens per batch.
inline constexpr std::uint64_t kMaxBatchTokens = 1u << 26;
inline constexpr std::uint64_t kMaxShards = 64;

// `needs_batches`: trained on a token stream, so batch_size is required.
// Errors: kInvalidArgument naming the first field that is NaN, out of range or missing.
Status validate(const TrainingConfig& config, bool needs_batches);

}  // namespace tied
