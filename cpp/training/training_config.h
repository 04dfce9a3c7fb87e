// How a model is trained: optimizer, schedule, batches, seeds.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "base/fields.h"

namespace tied {

enum class OptimizerKind : std::uint8_t { kAdamW, kSgd };
enum class Decay : std::uint8_t { kConstant, kCosine };

// A function of the steps done, given by its value at some steps (ascending); one point = a constant.
struct InputGradientScale {
  static constexpr std::size_t kMostPoints = 16;
  struct Point {
    std::uint64_t step = 0;
    double value = 1;

    friend bool operator==(const Point&, const Point&) = default;
  };

  InputGradientScale(double constant = 1) { points[0].value = constant; }  // NOLINT(google-explicit-constructor)

  double at(std::uint64_t steps_done) const;

  friend bool operator==(const InputGradientScale&, const InputGradientScale&) = default;

  std::size_t n_points = 1;
  Point points[kMostPoints];
};

struct TrainingConfig {
  OptimizerKind optimizer = OptimizerKind::kAdamW;
  double learning_rate = 0;
  // Steps of linear warm-up; step s of them runs at (s + 1) / warmup_steps of the rate.
  std::uint64_t warmup_steps = 0;
  // kCosine falls from `learning_rate` at the end of the warm-up to `final_learning_rate_fraction` of it at
  // `total_steps`, and stays there.
  Decay decay = Decay::kConstant;
  std::uint64_t total_steps = 0;
  double final_learning_rate_fraction = 0;
  // Decoupled, for matrices only.
  double weight_decay = 0;
  // Largest norm of the whole gradient; 0 = no clipping.
  double gradient_clip = 0;
  // kSgd only.
  double momentum = 0;
  // kAdamW only.
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  // Sequences of context_length tokens a batch (for a direct path: (token, next token) pairs); not used with a bigram
  // table, where each step sees all of it.
  std::uint64_t batch_size = 0;
  // Batches a step; its gradient is their mean. n batches of b sequences see the same sequences as one of n b: see
  // BatchSampler. Not used with a bigram table.
  std::uint64_t gradient_accumulation = 1;
  // Multiplies the input part of the embedding's gradient: linear between the points, constant outside of them.
  InputGradientScale input_gradient_scale = 1;
  // Multiply the learning rate, by role. A matrix with both roles takes `embedding`.
  double embedding_rate = 1;
  double unembedding_rate = 1;
  double inner_rate = 1;
  // Whether weight decay applies to embedding, unembedding and positions as it does to the matrices inside.
  bool decays_embeddings = true;
  // Order of the data.
  std::uint64_t seed = 0;
  // Start of the weights.
  std::uint64_t init_seed = 0;

  friend bool operator==(const TrainingConfig&, const TrainingConfig&) = default;
};

// All but input_gradient_scale.
std::span<const Field> fields_of(const TrainingConfig& config);

// Sequences of one step, in all its batches.
inline constexpr std::uint64_t kMaxBatchSize = 1u << 22;
// Tokens of one batch.
inline constexpr std::uint64_t kMaxBatchTokens = 1u << 26;

// `needs_batches`: trained on a token stream, so that batch_size counts.
// Errors: kInvalidArgument naming the first field that is NaN, out of range or missing.
Status validate(const TrainingConfig& config, bool needs_batches);

}  // namespace tied
