// Training with a table added to the values of every layer: compared with PyTorch
// (tests/reference/value_embeddings_reference.py), and what it adds to gradients and records.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "../../reference/value_embeddings_reference.h"
#include "reference_models.h"
#include "support.h"

using namespace tied;
namespace value_tables = tied::value_embeddings_reference;
namespace transformer = tied::transformer_reference;

namespace {

ModelConfig model_of(const value_tables::Run& run) {
  ModelConfig config = test::reference_model();
  config.tying = tying_from_name(run.tying).value();
  config.low_rank = config.tying == Tying::kTiedLowRank ? transformer::kLowRank : 0;
  config.value_embeddings = std::string(run.value_embeddings) == "own" ? ValueEmbeddings::kOwn : ValueEmbeddings::kTied;
  config.positions = std::string(run.positions) == "rotary" ? Positions::kRotary : Positions::kLearned;
  config.rotary_base = transformer::kRotaryBase;
  const std::string biases = run.biases;
  config.biases = biases == "all" ? Biases::kAll : biases == "none" ? Biases::kNone : Biases::kFeedForward;
  config.norm = run.layer_norm ? Norm::kLayer : Norm::kRms;
  config.scales_embedding = run.scales_embedding;
  config.output_bias = run.output_bias;
  config.feed_forward = run.swiglu ? FeedForward::kSwiGlu : FeedForward::kGelu;
  config.n_heads = run.n_heads;
  config.n_kv_heads = run.n_kv_heads;
  config.untie_at_step = run.untie_at_step;
  config.tie_at_step = run.tie_at_step;
  return config;
}

TrainingConfig training_of(const value_tables::Run& run) {
  TrainingConfig config = test::reference_training();
  if (run.sgd) {
    config.optimizer = OptimizerKind::kSgd;
    config.learning_rate = transformer::kSgdRate;
    config.momentum = transformer::kMomentum;
  }
  config.input_gradient_scale = run.input_gradient_scale;
  config.decays_embeddings = run.decays_embeddings;
  if (run.role_rates) {
    config.embedding_rate = transformer::kEmbeddingRate;
    config.unembedding_rate = transformer::kUnembeddingRate;
    config.inner_rate = transformer::kInnerRate;
  }
  return config;
}

template <class T>
std::unique_ptr<Trainer<T>> trainer_of(const value_tables::Run& run) {
  auto trainer = test::trainer_on<T>(model_of(run), training_of(run), test::reference_text());
  test::set_starts(*trainer);
  return trainer;
}

ModelConfig with_values(ValueEmbeddings values, Tying tying) {
  ModelConfig model = test::small_transformer(tying);
  model.value_embeddings = values;
  return model;
}

}  // namespace

TEST_CASE("logits, loss and every gradient of models with value embeddings agree with PyTorch") {
  std::size_t compared = 0;
  for (const value_tables::Run& run : value_tables::kRuns) {
    if (run.details == nullptr) continue;
    CAPTURE(run.tying);
    CAPTURE(run.value_embeddings);
    // As for other models: ten decimals, and values of size one in single precision.
    test::check_reference_details(*trainer_of<double>(run), *run.details, run.losses[0], 0, 1e-9);
    test::check_reference_details(*trainer_of<float>(run), *run.details, run.losses[0], 0, 5e-6);
    ++compared;
  }
  CHECK(compared == 6);
}

TEST_CASE("losses of 50 steps of models with value embeddings, also across a change of the tying, agree with PyTorch") {
  double in_double = 0;
  double in_single = 0;
  for (const value_tables::Run& run : value_tables::kRuns) {
    CAPTURE(run.tying);
    CAPTURE(run.value_embeddings);
    CAPTURE(run.sgd);
    CAPTURE(run.untie_at_step);
    const double difference = test::largest_loss_difference(*trainer_of<double>(run), run.losses);
    const double single = test::largest_loss_difference(*trainer_of<float>(run), run.losses);
    CHECK(difference < 1e-9);
    // Rounding of single precision, which 50 steps of a model this small amplify.
    CHECK(single < 3e-4);
    in_double = std::fmax(in_double, difference);
    in_single = std::fmax(in_single, single);
  }
  MESSAGE("largest difference of a loss: double ", in_double, ", single ", in_single);
}

TEST_CASE(
    "the embedding's gradient is the sum of its three roles if the value embedding is tied, of two if it is not") {
  constexpr double kScale = 3;
  for (const ValueEmbeddings values : {ValueEmbeddings::kOwn, ValueEmbeddings::kTied}) {
    for (const Tying tying : {Tying::kTied, Tying::kUntied}) {
      TrainingConfig training = test::small_training();
      training.input_gradient_scale = kScale;
      auto trainer = test::trainer_on<double>(with_values(values, tying), training, test::small_stream());
      test::run(*trainer, 3);
      const auto made = trainer->gradient();
      REQUIRE(made.ok());
      const GradientLedger<double>& ledger = made.value();
      REQUIRE(ledger.third.rows() == 13);
      REQUIRE(ledger.third.cols() == 8);
      CHECK(ledger.third_rows == ledger.input_rows);
      double third = 0;
      double largest = 0;
      for (std::size_t i = 0; i < 13 * 8; ++i) {
        third += ledger.third.data()[i] * ledger.third.data()[i];
        double sum = kScale * ledger.input.data()[i];
        if (tying == Tying::kTied) sum += ledger.output.data()[i];
        if (values == ValueEmbeddings::kTied) sum += kScale * ledger.third.data()[i];
        largest = std::fmax(largest, std::fabs(sum - ledger.total.data()[i]));
      }
      CHECK(third > 0);
      CHECK(largest < 1e-15);

      // The record of the same step has the norm before the scale.
      StepRecord record;
      REQUIRE(trainer->step(&record).ok());
      CHECK(record.third_gradient_norm == doctest::Approx(std::sqrt(third)).epsilon(1e-12));
      CHECK(record.third_drift > 0);
      CHECK((record.third_drift == record.embedding_drift) == (values == ValueEmbeddings::kTied));
    }
  }
}

TEST_CASE("after tying, the drift of a tied value embedding is that of the joined table") {
  ModelConfig model = with_values(ValueEmbeddings::kTied, Tying::kUntied);
  model.tie_at_step = 4;
  auto trainer = test::trainer_on(model, test::small_training(), test::small_stream());
  test::run(*trainer, 9);
  StepRecord record;
  REQUIRE(trainer->step(&record).ok());
  CHECK(record.third_drift == record.embedding_drift);
  CHECK(record.third_drift == record.unembedding_drift);
}
