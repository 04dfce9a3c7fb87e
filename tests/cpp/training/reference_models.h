// Variants of the transformer of transformer_reference.py, such as other heads: their sizes, and comparisons with
// PyTorch's output.
#pragma once

#include <cmath>
#include <iterator>
#include <vector>

#include "../../reference/transformer_reference.h"
#include "reference_values.h"
#include "training/batches.h"

namespace tied::test::inline training_tests {

inline ModelConfig reference_model() {
  namespace reference = transformer_reference;
  return {.kind = ModelKind::kTransformer,
          .vocab_size = reference::kVocabSize,
          .d_model = reference::kDModel,
          .d_feed_forward = reference::kDFeedForward,
          .n_layers = reference::kLayers,
          .n_heads = 2,
          .context_length = reference::kContextLength,
          .norm_epsilon = reference::kNormEpsilon};
}

inline TrainingConfig reference_training() {
  namespace reference = transformer_reference;
  return {.learning_rate = reference::kAdamWRate,
          .warmup_steps = reference::kWarmupSteps,
          .decay = Decay::kCosine,
          .total_steps = reference::kSteps,
          .final_learning_rate_fraction = reference::kFinalFraction,
          .weight_decay = reference::kWeightDecay,
          .gradient_clip = reference::kClip,
          .beta1 = reference::kBeta1,
          .beta2 = reference::kBeta2,
          .epsilon = reference::kEpsilon,
          .batch_size = reference::kBatchSize,
          .seed = reference::kSeed};
}

inline std::vector<std::uint32_t> reference_text() {
  return {std::begin(transformer_reference::kText), std::end(transformer_reference::kText)};
}

// Relative to PyTorch's value if that is larger than one, such as the logit of tokens that a culled head cannot
// predict, -1e30.
template <class T>
double relative_difference(ConstMatrixView<T> ours, const double* theirs) {
  double largest = 0;
  for (std::size_t i = 0; i < ours.rows * ours.cols; ++i) {
    const double difference =
        std::fabs(static_cast<double>(ours.data[i]) - theirs[i]) / std::fmax(1, std::fabs(theirs[i]));
    // Written so that NaN counts as a difference.
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

// Loss, every gradient and the logits of the first batch, before any step. `Details` is that of the script's header.
template <class T, class Details>
void check_reference_details(Trainer<T>& trainer, const Details& details, double loss, double label_smoothing,
                             double tolerance) {
  namespace reference = transformer_reference;
  Model<T>& model = trainer.model();
  BatchSampler sampler;
  REQUIRE(sampler.allocate(reference::kSeed, reference::kBatchSize, reference::kContextLength).ok());
  const ModelConfig& config = model.config();
  TokenBatch batch = config.is_masked() ? sampler.draw_hidden(reference::kText, reference::kTextSize, 0, 0, config)
                                        : sampler.draw(reference::kText, reference::kTextSize, 0);
  batch.sample_key = dropout_key(reference::kSeed, 0, 0);
  batch.label_smoothing = label_smoothing;
  model.zero_gradients();
  CHECK(std::fabs(model.loss(batch, Pass::kForwardBackward) - loss) < tolerance);

  // Both programs have the same names, with the same shapes and values.
  CHECK(model.parameters().table().list().size() == details.n_gradients);
  for (std::size_t k = 0; k < details.n_gradients; ++k) {
    const auto& gradient = details.gradients[k];
    CAPTURE(gradient.name);
    const Parameter* parameter = model.parameters().table().find(gradient.name);
    REQUIRE(parameter != nullptr);
    REQUIRE(parameter->size() == gradient.size);
    CHECK(relative_difference<T>(model.parameters().gradient(*parameter), gradient.numbers) < tolerance);
  }

  Matrix<T> logits = Matrix<T>::create(reference::kContextLength, reference::kVocabSize).value();
  for (std::size_t sequence = 0; sequence < reference::kBatchSize; ++sequence) {
    model.logits(logits.view(), batch.inputs + sequence * reference::kContextLength, reference::kContextLength);
    const double* theirs = details.logits + sequence * reference::kContextLength * reference::kVocabSize;
    CHECK(relative_difference<T>(logits.view(), theirs) < tolerance);
  }
}

template <class T, std::size_t kSteps>
double largest_loss_difference(Trainer<T>& trainer, const double (&losses)[kSteps]) {
  double largest = 0;
  for (const double loss : losses) {
    StepRecord record;
    REQUIRE(trainer.step(&record).ok());
    const double difference = std::fabs(record.loss - loss);
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

}  // namespace tied::test::inline training_tests
