// Heads compared with PyTorch: tests/reference/heads_reference.py.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

#include "../../reference/heads_reference.h"
#include "reference_values.h"
#include "training/batches.h"

using namespace tied;
namespace heads = tied::heads_reference;
namespace transformer = tied::transformer_reference;
using test::start_of;

namespace {

ModelConfig model_with_head(const heads::Run& run) {
  ModelConfig config{.kind = ModelKind::kTransformer,
                     .vocab_size = transformer::kVocabSize,
                     .d_model = transformer::kDModel,
                     .tying = tying_from_name(run.tying).value(),
                     .scales_embedding = run.scales_embedding,
                     .output_bias = run.output_bias,
                     .d_feed_forward = transformer::kDFeedForward,
                     .n_layers = transformer::kLayers,
                     .n_heads = 2,
                     .context_length = transformer::kContextLength,
                     .norm_epsilon = transformer::kNormEpsilon};
  config.table_rank = run.table_rank;
  const std::string head = run.head;
  if (head == "sampled") {
    config.head = HeadKind::kSampled;
    config.head_samples = heads::kSamples;
    config.proposal = std::string(run.proposal) == "counts" ? Proposal::kCounts : Proposal::kLogUniform;
  } else if (head == "clustered") {
    config.head = HeadKind::kClustered;
    config.head_clusters = heads::kClusters;
  } else if (head == "culled") {
    config.head = HeadKind::kCulled;
    config.head_kept = heads::kKept;
  } else if (head == "adaptive") {
    config.head = HeadKind::kAdaptive;
    config.head_divisor = heads::kDivisor;
    std::copy(std::begin(heads::kCutoffs), std::end(heads::kCutoffs), config.head_cutoffs);
  }
  return config;
}

TrainingConfig training_with_head(const heads::Run& run) {
  return {.learning_rate = transformer::kAdamWRate,
          .warmup_steps = transformer::kWarmupSteps,
          .decay = Decay::kCosine,
          .total_steps = transformer::kSteps,
          .final_learning_rate_fraction = transformer::kFinalFraction,
          .weight_decay = transformer::kWeightDecay,
          .gradient_clip = transformer::kClip,
          .beta1 = transformer::kBeta1,
          .beta2 = transformer::kBeta2,
          .epsilon = transformer::kEpsilon,
          .batch_size = transformer::kBatchSize,
          .label_smoothing = run.label_smoothing,
          .temperature = run.temperature,
          .seed = transformer::kSeed};
}

template <class T>
std::unique_ptr<Trainer<T>> trainer_of(const heads::Run& run) {
  const std::vector<std::uint32_t> text(std::begin(transformer::kText), std::end(transformer::kText));
  auto trainer = test::trainer_on<T>(model_with_head(run), training_with_head(run), text);
  for (const Parameter& parameter : trainer->table().list()) {
    if (!parameter.owns_storage()) continue;
    const MatrixView<T> values = trainer->model().parameters().values(parameter);
    for (std::size_t i = 0; i < parameter.size(); ++i) values.data[i] = static_cast<T>(start_of(parameter, i));
  }
  REQUIRE(trainer->restart().ok());
  return trainer;
}

template <class T>
double difference_of(ConstMatrixView<T> ours, const double* theirs) {
  double largest = 0;
  for (std::size_t i = 0; i < ours.rows * ours.cols; ++i) {
    // Relative to the logit of tokens that a culled head cannot predict, -1e30.
    const double difference =
        std::fabs(static_cast<double>(ours.data[i]) - theirs[i]) / std::fmax(1, std::fabs(theirs[i]));
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

template <class T>
void check_details(const heads::Run& run, double tolerance) {
  const auto trainer = trainer_of<T>(run);
  Model<T>& model = trainer->model();
  BatchSampler sampler;
  REQUIRE(sampler.allocate(transformer::kSeed, transformer::kBatchSize, transformer::kContextLength).ok());
  TokenBatch batch = sampler.draw(transformer::kText, transformer::kTextSize, 0);
  batch.sample_key = dropout_key(transformer::kSeed, 0, 0);
  batch.label_smoothing = run.label_smoothing;
  model.zero_gradients();
  CHECK(std::fabs(model.loss(batch, Pass::kForwardBackward) - run.losses[0]) < tolerance);

  // Both programs have the same names, with the same shapes and values.
  CHECK(model.parameters().table().list().size() == run.details->n_gradients);
  for (std::size_t k = 0; k < run.details->n_gradients; ++k) {
    const heads::Gradient& gradient = run.details->gradients[k];
    CAPTURE(gradient.name);
    const Parameter* parameter = model.parameters().table().find(gradient.name);
    REQUIRE(parameter != nullptr);
    REQUIRE(parameter->size() == gradient.size);
    CHECK(difference_of<T>(model.parameters().gradient(*parameter), gradient.numbers) < tolerance);
  }

  Matrix<T> logits = Matrix<T>::create(transformer::kContextLength, transformer::kVocabSize).value();
  for (std::size_t sequence = 0; sequence < transformer::kBatchSize; ++sequence) {
    model.logits(logits.view(), batch.inputs + sequence * transformer::kContextLength, transformer::kContextLength);
    const double* theirs = run.details->logits + sequence * transformer::kContextLength * transformer::kVocabSize;
    CHECK(difference_of<T>(logits.view(), theirs) < tolerance);
  }
}

template <class T>
double largest_loss_difference(const heads::Run& run) {
  const auto trainer = trainer_of<T>(run);
  double largest = 0;
  for (const double loss : run.losses) {
    StepRecord record;
    REQUIRE(trainer->step(&record).ok());
    const double difference = std::fabs(record.loss - loss);
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

std::string name_of(const heads::Run& run) {
  return std::string(run.head) + ", " + run.tying + (run.output_bias ? ", with options" : "") +
         (run.table_rank == 0 ? "" : ", factorised");
}

}  // namespace

TEST_CASE("logits, loss and every gradient of each head agree with PyTorch") {
  std::size_t compared = 0;
  for (const heads::Run& run : heads::kRuns) {
    if (run.details == nullptr) continue;
    const std::string name = name_of(run);
    CAPTURE(name);
    // As for the full head: ten decimals, and values of size one in single precision.
    check_details<double>(run, 1e-9);
    check_details<float>(run, 5e-6);
    ++compared;
  }
  CHECK(compared == 17);
}

TEST_CASE("losses of 50 steps of each head, with updates of the touched rows only, agree with PyTorch") {
  double in_double = 0;
  double in_single = 0;
  for (const heads::Run& run : heads::kRuns) {
    const std::string name = name_of(run);
    CAPTURE(name);
    const double difference = largest_loss_difference<double>(run);
    const double single = largest_loss_difference<float>(run);
    // As for the full head: ten decimals, and the rounding of 50 steps in single precision.
    CHECK(difference < 1e-9);
    CHECK(single < 5e-5);
    in_double = std::fmax(in_double, difference);
    in_single = std::fmax(in_single, single);
  }
  MESSAGE("largest difference of a loss: double ", in_double, ", single ", in_single);
}
