// Input tables that only read compared with PyTorch: tests/reference/ngrams_reference.py.
#include <doctest/doctest.h>

#include <cmath>
#include <iterator>
#include <string>

#include "../../reference/ngrams_reference.h"
#include "model/ngrams.h"
#include "reference_values.h"
#include "training/batches.h"

using namespace tied;
namespace ngrams = tied::ngrams_reference;
namespace transformer = tied::transformer_reference;

namespace {

ModelConfig model_with_ngrams(const ngrams::Run& run) {
  const std::string positions = run.positions;
  return {.kind = ModelKind::kTransformer,
          .vocab_size = transformer::kVocabSize,
          .d_model = transformer::kDModel,
          .tying = tying_from_name(run.tying).value(),
          .scales_embedding = run.scales_embedding,
          .output_bias = run.output_bias,
          .d_feed_forward = transformer::kDFeedForward,
          .n_layers = transformer::kLayers,
          .n_heads = 2,
          .context_length = transformer::kContextLength,
          .norm = run.layer_norm ? Norm::kLayer : Norm::kRms,
          .norm_epsilon = transformer::kNormEpsilon,
          .positions = positions == "learned"  ? Positions::kLearned
                       : positions == "rotary" ? Positions::kRotary
                                               : Positions::kNone,
          .rotary_base = transformer::kRotaryBase,
          .biases = std::string(run.biases) == "all" ? Biases::kAll : Biases::kFeedForward,
          .ngram_order = run.ngram_order,
          .ngram_rows = run.ngram_rows};
}

TrainingConfig training_with_ngrams(const ngrams::Run& run) {
  TrainingConfig config{.optimizer = run.sgd ? OptimizerKind::kSgd : OptimizerKind::kAdamW,
                        .learning_rate = run.sgd ? transformer::kSgdRate : transformer::kAdamWRate,
                        .warmup_steps = transformer::kWarmupSteps,
                        .decay = Decay::kCosine,
                        .total_steps = transformer::kSteps,
                        .final_learning_rate_fraction = transformer::kFinalFraction,
                        .weight_decay = transformer::kWeightDecay,
                        .gradient_clip = transformer::kClip,
                        .momentum = run.sgd ? transformer::kMomentum : 0,
                        .beta1 = transformer::kBeta1,
                        .beta2 = transformer::kBeta2,
                        .epsilon = transformer::kEpsilon,
                        .batch_size = transformer::kBatchSize,
                        .input_gradient_scale = run.input_gradient_scale,
                        .decays_embeddings = run.decays_embeddings,
                        .seed = transformer::kSeed};
  if (run.role_rates) {
    config.embedding_rate = transformer::kEmbeddingRate;
    config.unembedding_rate = transformer::kUnembeddingRate;
    config.inner_rate = transformer::kInnerRate;
  }
  return config;
}

template <class T>
std::unique_ptr<Trainer<T>> trainer_with_ngrams(const ngrams::Run& run) {
  const std::vector<std::uint32_t> text(std::begin(transformer::kText), std::end(transformer::kText));
  auto trainer = test::trainer_on<T>(model_with_ngrams(run), training_with_ngrams(run), text);
  test::set_starts(*trainer);
  return trainer;
}

template <class T>
void check_ngram_details(const ngrams::Run& run, double tolerance) {
  const auto trainer = trainer_with_ngrams<T>(run);
  Model<T>& model = trainer->model();
  BatchSampler sampler;
  REQUIRE(sampler.allocate(transformer::kSeed, transformer::kBatchSize, transformer::kContextLength).ok());
  const TokenBatch batch = sampler.draw(transformer::kText, transformer::kTextSize, 0);
  model.zero_gradients();
  CHECK(std::fabs(model.loss(batch, Pass::kForwardBackward) - run.losses[0]) < tolerance);

  CHECK(model.parameters().table().list().size() == run.details->n_gradients);
  for (std::size_t k = 0; k < run.details->n_gradients; ++k) {
    const ngrams::Gradient& gradient = run.details->gradients[k];
    CAPTURE(gradient.name);
    const Parameter* parameter = model.parameters().table().find(gradient.name);
    REQUIRE(parameter != nullptr);
    REQUIRE(parameter->size() == gradient.size);
    CHECK(test::largest_difference<T>(model.parameters().gradient(*parameter), gradient.numbers) < tolerance);
  }

  Matrix<T> logits = Matrix<T>::create(transformer::kContextLength, transformer::kVocabSize).value();
  for (std::size_t sequence = 0; sequence < transformer::kBatchSize; ++sequence) {
    model.logits(logits.view(), batch.inputs + sequence * transformer::kContextLength, transformer::kContextLength);
    const double* theirs = run.details->logits + sequence * transformer::kContextLength * transformer::kVocabSize;
    CHECK(test::largest_difference<T>(logits.view(), theirs) < tolerance);
  }
}

template <class T>
double largest_difference_of_losses(const ngrams::Run& run) {
  const auto trainer = trainer_with_ngrams<T>(run);
  double largest = 0;
  for (const double loss : run.losses) {
    StepRecord record;
    REQUIRE(trainer->step(&record).ok());
    const double difference = std::fabs(record.loss - loss);
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
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
    check_ngram_details<double>(run, 1e-9);
    check_ngram_details<float>(run, 5e-6);
    ++compared;
  }
  CHECK(compared == 5);
}

TEST_CASE("losses of 50 steps of models with n-grams, whose tables change in touched rows only, agree with PyTorch") {
  double in_double = 0;
  double in_single = 0;
  for (const ngrams::Run& run : ngrams::kRuns) {
    CAPTURE(run.tying);
    CAPTURE(run.ngram_order);
    CAPTURE(run.sgd);
    const double difference = largest_difference_of_losses<double>(run);
    const double single = largest_difference_of_losses<float>(run);
    CHECK(difference < 1e-9);
    CHECK(single < 5e-5);
    in_double = std::fmax(in_double, difference);
    in_single = std::fmax(in_single, single);
  }
  MESSAGE("largest difference of a loss: double ", in_double, ", single ", in_single);
}
