// Input tables that only read compared with PyTorch: tests/reference/ngrams_reference.py.
#include <doctest/doctest.h>

#include <cmath>
#include <iterator>
#include <string>

#include "../../reference/ngrams_reference.h"
#include "model/ngrams.h"
#include "reference_models.h"

using namespace tied;
namespace ngrams = tied::ngrams_reference;
namespace transformer = tied::transformer_reference;

namespace {

ModelConfig model_with_ngrams(const ngrams::Run& run) {
  const std::string positions = run.positions;
  ModelConfig config = test::reference_model();
  config.tying = tying_from_name(run.tying).value();
  config.scales_embedding = run.scales_embedding;
  config.output_bias = run.output_bias;
  config.norm = run.layer_norm ? Norm::kLayer : Norm::kRms;
  config.positions = positions == "learned"  ? Positions::kLearned
                     : positions == "rotary" ? Positions::kRotary
                                             : Positions::kNone;
  config.rotary_base = transformer::kRotaryBase;
  config.biases = std::string(run.biases) == "all" ? Biases::kAll : Biases::kFeedForward;
  config.ngram_order = run.ngram_order;
  config.ngram_rows = run.ngram_rows;
  config.ngram_heads = run.ngram_heads;
  if (run.every_layer) config.ngram_places = NgramPlaces::kEveryLayer;
  return config;
}

TrainingConfig training_with_ngrams(const ngrams::Run& run) {
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
std::unique_ptr<Trainer<T>> trainer_with_ngrams(const ngrams::Run& run) {
  auto trainer = test::trainer_on<T>(model_with_ngrams(run), training_with_ngrams(run), test::reference_text());
  test::set_starts(*trainer);
  return trainer;
}

}  // namespace

TEST_CASE("the hash of an n-gram is that of the reference, whose first number is SplitMix64's first after 0") {
  for (const ngrams::Hashed& each : ngrams::kHashed) {
    std::uint64_t hash = 0;
    for (std::size_t i = each.size; i-- > 0;) hash = continued_ngram_hash(hash, each.tokens[i]);
    CHECK(hash == each.hash);
  }
  CHECK(continued_ngram_hash(0, 0) == 0xE220A8397B1DCDAF);
}

TEST_CASE("logits, loss and every gradient of models with n-grams agree with PyTorch") {
  std::size_t compared = 0;
  for (const ngrams::Run& run : ngrams::kRuns) {
    if (run.details == nullptr) continue;
    CAPTURE(run.tying);
    CAPTURE(run.ngram_order);
    // As for other models: ten decimals, and values of size one in single precision.
    const auto check = [&]<class T>(double tolerance) {
      test::check_reference_details(*trainer_with_ngrams<T>(run), *run.details, run.losses[0], 0, tolerance);
    };
    check.operator()<double>(1e-9);
    check.operator()<float>(5e-6);
    ++compared;
  }
  CHECK(compared == 9);
}

TEST_CASE("losses of 50 steps of models with n-grams, whose tables change in touched rows only, agree with PyTorch") {
  double in_double = 0;
  double in_single = 0;
  for (const ngrams::Run& run : ngrams::kRuns) {
    CAPTURE(run.tying);
    CAPTURE(run.ngram_order);
    CAPTURE(run.every_layer);
    CAPTURE(run.sgd);
    const double difference = test::largest_loss_difference(*trainer_with_ngrams<double>(run), run.losses);
    const double single = test::largest_loss_difference(*trainer_with_ngrams<float>(run), run.losses);
    CHECK(difference < 1e-9);
    CHECK(single < 5e-5);
    in_double = std::fmax(in_double, difference);
    in_single = std::fmax(in_single, single);
  }
  MESSAGE("largest difference of a loss: double ", in_double, ", single ", in_single);
}
