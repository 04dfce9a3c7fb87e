// A shared table that is trained by one of its roles, or by both with different weights: compared with PyTorch
// (tests/reference/one_role_reference.py), where the other role reads a detached copy.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "../../reference/one_role_reference.h"
#include "reference_models.h"
#include "support.h"

using namespace tied;
namespace one_role = tied::one_role_reference;

namespace {

template <class T>
std::unique_ptr<Trainer<T>> trainer_by_role(const one_role::Run& run) {
  namespace transformer = tied::transformer_reference;
  ModelConfig model = test::reference_model();
  model.tying = tying_from_name(run.tying).value();
  model.norm = run.layer_norm ? Norm::kLayer : Norm::kRms;
  model.biases = std::string(run.biases) == "all" ? Biases::kAll : Biases::kFeedForward;
  model.scales_embedding = run.scales_embedding;
  model.output_bias = run.output_bias;
  TrainingConfig training = test::reference_training();
  if (run.sgd) {
    training.optimizer = OptimizerKind::kSgd;
    training.learning_rate = transformer::kSgdRate;
    training.momentum = transformer::kMomentum;
  }
  training.input_gradient_scale = run.input_gradient_scale;
  training.output_gradient_scale = run.output_gradient_scale;
  auto trainer = test::trainer_on<T>(model, training, test::reference_text());
  test::set_starts(*trainer);
  return trainer;
}

template <class T>
double largest_gradient_difference(const one_role::Run& run) {
  namespace transformer = tied::transformer_reference;
  const auto trainer = trainer_by_role<T>(run);
  Model<T>& model = trainer->model();
  BatchSampler sampler;
  REQUIRE(sampler.allocate(transformer::kSeed, transformer::kBatchSize, transformer::kContextLength).ok());
  TokenBatch batch = sampler.draw(transformer::kText, transformer::kTextSize, 0);
  model.zero_gradients();
  model.loss(batch, Pass::kForwardBackward);
  model.parameters().combine_gradients(run.input_gradient_scale, run.output_gradient_scale);
  return test::relative_difference<T>(model.parameters().gradient(*model.parameters().table().find("embedding")),
                                      run.gradient);
}

}  // namespace

TEST_CASE("the gradient of a table by one of its roles, and by both with weights, agrees with PyTorch") {
  for (const one_role::Run& run : one_role::kRuns) {
    CAPTURE(run.tying);
    CAPTURE(run.input_gradient_scale);
    CAPTURE(run.output_gradient_scale);
    // As for other models: ten decimals, and values of size one in single precision.
    CHECK(largest_gradient_difference<double>(run) < 1e-9);
    CHECK(largest_gradient_difference<float>(run) < 5e-6);
  }
}

TEST_CASE("losses of 50 steps in which one role trains the table agree with PyTorch") {
  double in_double = 0;
  double in_single = 0;
  for (const one_role::Run& run : one_role::kRuns) {
    CAPTURE(run.tying);
    CAPTURE(run.sgd);
    CAPTURE(run.input_gradient_scale);
    CAPTURE(run.output_gradient_scale);
    const double difference = test::largest_loss_difference(*trainer_by_role<double>(run), run.losses);
    const double single = test::largest_loss_difference(*trainer_by_role<float>(run), run.losses);
    CHECK(difference < 1e-9);
    // Rounding of single precision, which 50 steps of a model this small amplify.
    CHECK(single < 5e-5);
    in_double = std::fmax(in_double, difference);
    in_single = std::fmax(in_single, single);
  }
  MESSAGE("largest difference of a loss: double ", in_double, ", single ", in_single);
}

TEST_CASE(
    "a table that no role trains only decays, and an untied output table without its gradient stays where it is") {
  one_role::Run run = one_role::kRuns[0];
  run.input_gradient_scale = run.output_gradient_scale = 0;
  const auto trainer = trainer_by_role<double>(run);
  const auto embedding = [&] { return trainer->model().parameters().values(*trainer->table().find("embedding")); };
  const double before = embedding()(1, 2);
  REQUIRE(trainer->step(nullptr).ok());
  const double rate = transformer_reference::kAdamWRate / transformer_reference::kWarmupSteps;
  CHECK(embedding()(1, 2) == doctest::Approx(before * (1 - rate * transformer_reference::kWeightDecay)).epsilon(1e-12));
}
