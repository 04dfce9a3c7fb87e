// A small transformer compared with PyTorch: tests/reference/transformer_reference.py.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>

#include "../../reference/muon_reference.h"
#include "../../reference/transformer_reference.h"
#include "reference_values.h"

using namespace tied;
using test::largest_difference;
using test::start_of;
namespace expected = tied::transformer_reference;

namespace {

// ---------------------------------------------------------------- configurations

Positions positions_of(const std::string& name) {
  return name == "learned" ? Positions::kLearned : name == "rotary" ? Positions::kRotary : Positions::kNone;
}

Biases biases_of(const std::string& name) {
  return name == "all" ? Biases::kAll : name == "none" ? Biases::kNone : Biases::kFeedForward;
}

ModelConfig model_of(const expected::Run& run) {
  const Tying tying = tying_from_name(run.tying).value();
  return {.kind = ModelKind::kTransformer,
          .vocab_size = expected::kVocabSize,
          .d_model = expected::kDModel,
          .tying = tying,
          .low_rank = tying == Tying::kTiedLowRank ? expected::kLowRank : 0,
          .untie_at_step = run.untie_at_step,
          .tie_at_step = run.tie_at_step,
          .scales_embedding = run.scales_embedding,
          .output_bias = run.output_bias,
          .d_feed_forward = expected::kDFeedForward,
          .n_layers = expected::kLayers,
          .n_heads = run.n_heads,
          .n_kv_heads = run.n_kv_heads,
          .context_length = expected::kContextLength,
          .norm = run.layer_norm ? Norm::kLayer : Norm::kRms,
          .norm_epsilon = expected::kNormEpsilon,
          .positions = positions_of(run.positions),
          .rotary_base = expected::kRotaryBase,
          .feed_forward = run.swiglu ? FeedForward::kSwiGlu : FeedForward::kGelu,
          .final_norm = run.final_norm,
          .biases = biases_of(run.biases)};
}

TrainingConfig training_of(const expected::Run& run) {
  TrainingConfig config{.optimizer = run.sgd ? OptimizerKind::kSgd : OptimizerKind::kAdamW,
                        .learning_rate = run.sgd ? expected::kSgdRate : expected::kAdamWRate,
                        .warmup_steps = expected::kWarmupSteps,
                        .decay = Decay::kCosine,
                        .total_steps = expected::kSteps,
                        .final_learning_rate_fraction = expected::kFinalFraction,
                        .weight_decay = expected::kWeightDecay,
                        .gradient_clip = expected::kClip,
                        .momentum = run.sgd ? expected::kMomentum : 0,
                        .beta1 = expected::kBeta1,
                        .beta2 = expected::kBeta2,
                        .epsilon = expected::kEpsilon,
                        .batch_size = expected::kBatchSize,
                        .gradient_accumulation = run.accumulation,
                        .input_gradient_scale = run.input_gradient_scale,
                        .decays_embeddings = run.decays_embeddings,
                        .seed = expected::kSeed};
  if (run.scale_schedule) {
    config.input_gradient_scale.n_points = std::size(expected::kScalePoints);
    for (std::size_t i = 0; i < std::size(expected::kScalePoints); ++i) {
      config.input_gradient_scale.points[i] = {expected::kScalePoints[i].step, expected::kScalePoints[i].value};
    }
  }
  if (run.role_rates) {
    config.embedding_rate = expected::kEmbeddingRate;
    config.unembedding_rate = expected::kUnembeddingRate;
    config.inner_rate = expected::kInnerRate;
  }
  return config;
}

std::string name_of(const expected::Run& run) {
  std::string name = std::string(run.tying) + ", " + run.positions + ", biases " + run.biases;
  const std::pair<bool, const char*> features[] = {
      {run.layer_norm, "LayerNorm"},
      {run.scales_embedding, "scaled lookup"},
      {run.output_bias, "output bias"},
      {run.accumulation > 1, "accumulation"},
      {run.sgd, "SGD"},
      {run.swiglu, "SwiGLU"},
      {run.n_kv_heads < run.n_heads, "grouped queries"},
      {!run.final_norm, "no final norm"},
      {run.untie_at_step != 0, "untied during training"},
      {run.tie_at_step != 0, "tied during training"},
      {run.input_gradient_scale != 1, "input gradient scale"},
      {run.scale_schedule, "scale schedule"},
      {run.role_rates, "rates by role"},
      {!run.decays_embeddings, "embeddings without decay"},
  };
  for (const auto& [present, word] : features) {
    if (present) name += std::string(", ") + word;
  }
  return name;
}

// ---------------------------------------------------------------- comparisons

// Outputs and gradients of the first batch, by name.
template <class T>
void check_details(const expected::Run& run, double tolerance) {
  using expected::kContextLength;
  constexpr std::size_t kRows = std::size_t{expected::kBatchSize} * kContextLength;
  const expected::Details& expected = *run.details;
  auto created = create_model<T>(model_of(run), 0, kRows);
  REQUIRE(created.ok());
  Model<T>& model = *created.value();
  for (const Parameter& parameter : model.parameters().table().list()) {
    if (!parameter.owns_storage()) continue;
    const MatrixView<T> values = model.parameters().values(parameter);
    for (std::size_t i = 0; i < parameter.size(); ++i) values.data[i] = static_cast<T>(start_of(parameter, i));
  }

  BatchSampler sampler;
  REQUIRE(sampler.allocate(expected::kSeed, expected::kBatchSize, kContextLength).ok());
  const TokenBatch batch = sampler.draw(expected::kText, expected::kTextSize, 0);
  model.zero_gradients();
  const double loss = model.loss(batch, Pass::kForwardBackward);
  CHECK(std::fabs(loss - run.losses[0]) < tolerance);
  CHECK(std::fabs(model.position_gradient_square() - expected.position_gradient_square) < tolerance);
  CHECK(model.loss(batch, Pass::kForward) == loss);

  // Both programs have the same names, with the same shapes and values.
  CHECK(model.parameters().table().list().size() == expected.n_gradients);
  for (std::size_t k = 0; k < expected.n_gradients; ++k) {
    const expected::Gradient& gradient = expected.gradients[k];
    CAPTURE(gradient.name);
    const Parameter* parameter = model.parameters().table().find(gradient.name);
    REQUIRE(parameter != nullptr);
    REQUIRE(parameter->size() == gradient.size);
    CHECK(largest_difference<T>(model.parameters().gradient(*parameter), gradient.numbers) < tolerance);
  }

  Matrix<T> logits = Matrix<T>::create(kContextLength, expected::kVocabSize).value();
  for (std::size_t sequence = 0; sequence < expected::kBatchSize; ++sequence) {
    model.logits(logits.view(), batch.inputs + sequence * kContextLength, kContextLength);
    const double* theirs = expected.logits + sequence * kContextLength * expected::kVocabSize;
    CHECK(largest_difference<T>(logits.view(), theirs) < tolerance);
  }

  constexpr std::size_t kStates = std::size_t{expected::kLayers} + 1;
  REQUIRE(model.n_hidden_states() == kStates);
  Matrix<T> hidden = Matrix<T>::create(kStates * kContextLength, expected::kDModel).value();
  std::array<MatrixView<T>, kStates> states;
  for (std::size_t i = 0; i < kStates; ++i) states[i] = hidden.view().row_block(i * kContextLength, kContextLength);
  model.hidden_states(states, batch.inputs, kContextLength);
  CHECK(largest_difference<T>(hidden.view(), expected.hidden) < tolerance);

  Matrix<T> attention =
      Matrix<T>::create(std::size_t{expected::kLayers} * run.n_heads * kContextLength, kContextLength).value();
  model.attention(attention.view(), batch.inputs, kContextLength);
  CHECK(largest_difference<T>(attention.view(), expected.attention) < tolerance);
}

// The largest difference of any loss in 50 steps of the trainer: its batches, its parts of a step, its rates.
template <class T>
double largest_loss_difference(const expected::Run& run, const TrainingConfig& training) {
  const std::vector<std::uint32_t> text(std::begin(expected::kText), std::end(expected::kText));
  const auto trainer = test::trainer_on<T>(model_of(run), training, text);
  test::set_starts(*trainer);
  double largest = 0;
  for (std::size_t step = 0; step < expected::kSteps; ++step) {
    StepRecord record;
    REQUIRE(trainer->step(&record).ok());
    const double difference = std::fabs(record.loss - run.losses[step]);
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

}  // namespace

TEST_CASE("logits, hidden states, attention and every gradient of a transformer agree with PyTorch") {
  for (const expected::Run& run : expected::kRuns) {
    if (run.details == nullptr) continue;
    const std::string name = name_of(run);
    CAPTURE(name);
    // The reference is in double precision, printed to ten decimals.
    check_details<double>(run, 1e-9);
    // Values of size one in single precision (1e-7 each), through sums of up to 24 products and two layers.
    check_details<float>(run, 5e-6);
  }
}

TEST_CASE(
    "losses of 50 steps of a transformer agree with PyTorch for every tying, norm, scale, bias and accumulation") {
  double largest_double = 0;
  double largest_single = 0;
  for (const expected::Run& run : expected::kRuns) {
    const std::string name = name_of(run);
    CAPTURE(name);
    // Ten decimals are printed; rounding of double precision stays far below that for 50 steps.
    const double in_double = largest_loss_difference<double>(run, training_of(run));
    CHECK(in_double < 1e-9);
    // Rounding of single precision, accumulated over 50 steps.
    const double in_single = largest_loss_difference<float>(run, training_of(run));
    CHECK(in_single < 3e-5);
    largest_double = std::fmax(largest_double, in_double);
    largest_single = std::fmax(largest_single, in_single);
  }
  MESSAGE("largest difference of a loss: double ", largest_double, ", single ", largest_single);
}

TEST_CASE("losses of 50 steps with Muon for the maps of layers agree with PyTorch") {
  double largest_double = 0;
  double largest_single = 0;
  for (const muon_reference::TextRun& muon : muon_reference::kTextRuns) {
    const std::string name = name_of(muon.run) + (muon.original ? ", original scale" : "");
    CAPTURE(name);
    TrainingConfig training = training_of(muon.run);
    training.optimizer = OptimizerKind::kMuon;
    training.muon_scale = muon.original ? MuonScale::kOriginal : MuonScale::kMatchRmsAdamW;
    training.muon_learning_rate = muon.rate;
    training.momentum = muon.momentum;
    const double in_double = largest_loss_difference<double>(muon.run, training);
    // As above.
    CHECK(in_double < 1e-9);
    const double in_single = largest_loss_difference<float>(muon.run, training);
    CHECK(in_single < 3e-5);
    largest_double = std::fmax(largest_double, in_double);
    largest_single = std::fmax(largest_single, in_single);
  }
  MESSAGE("largest difference of a loss: double ", largest_double, ", single ", largest_single);
}
