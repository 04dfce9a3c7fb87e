// An encoder-decoder compared with PyTorch, which pads and masks: tests/reference/encoder_decoder_reference.py.
#include <doctest/doctest.h>

#include <cmath>
#include <iterator>
#include <string>

#include "../../reference/encoder_decoder_reference.h"
#include "../../reference/muon_reference.h"
#include "pairs.h"
#include "reference_values.h"

using namespace tied;
namespace pairs_expected = tied::encoder_decoder_reference;

namespace {

ModelConfig model_of(const pairs_expected::Run& run) {
  const std::string positions = run.positions;
  const std::string biases = run.biases;
  const std::string table = run.encoder_table;
  ModelConfig config{.kind = ModelKind::kEncoderDecoder,
                     .vocab_size = pairs_expected::kVocabSize,
                     .d_model = pairs_expected::kDModel,
                     .tying = tying_from_name(run.tying).value()};
  config.encoder_table = table == "own"         ? EncoderTable::kOwn
                         : table == "embedding" ? EncoderTable::kEmbedding
                                                : EncoderTable::kUnembedding;
  config.scales_embedding = run.scales_embedding;
  config.scales_logits = run.scales_logits;
  config.output_bias = run.output_bias;
  config.d_feed_forward = pairs_expected::kDFeedForward;
  config.n_encoder_layers = pairs_expected::kEncoderLayers;
  config.n_layers = pairs_expected::kLayers;
  config.n_heads = run.n_heads;
  config.n_kv_heads = run.n_kv_heads;
  config.source_length = pairs_expected::kSourceLength;
  config.context_length = pairs_expected::kContextLength;
  config.norm = run.layer_norm ? Norm::kLayer : Norm::kRms;
  config.norm_epsilon = pairs_expected::kNormEpsilon;
  config.positions = positions == "learned"  ? Positions::kLearned
                     : positions == "rotary" ? Positions::kRotary
                                             : Positions::kNone;
  config.rotary_base = pairs_expected::kRotaryBase;
  config.feed_forward = run.swiglu ? FeedForward::kSwiGlu : FeedForward::kGelu;
  config.final_norm = run.final_norm;
  config.biases = biases == "all" ? Biases::kAll : biases == "none" ? Biases::kNone : Biases::kFeedForward;
  return config;
}

TrainingConfig training_of(const pairs_expected::Run& run) {
  return {.learning_rate = pairs_expected::kAdamWRate,
          .warmup_steps = pairs_expected::kWarmupSteps,
          .decay = Decay::kCosine,
          .total_steps = pairs_expected::kSteps,
          .final_learning_rate_fraction = pairs_expected::kFinalFraction,
          .weight_decay = pairs_expected::kWeightDecay,
          .gradient_clip = pairs_expected::kClip,
          .beta1 = pairs_expected::kBeta1,
          .beta2 = pairs_expected::kBeta2,
          .epsilon = pairs_expected::kEpsilon,
          .batch_size = pairs_expected::kBatchSize,
          .input_gradient_scale = run.input_gradient_scale,
          .seed = pairs_expected::kSeed};
}

test::PairLists expected_pairs() {
  test::PairLists lists;
  const auto cut = [](const std::uint32_t* ids, const auto& sizes, auto& to) {
    for (const std::uint32_t size : sizes) {
      to.emplace_back(ids, ids + size);
      ids += size;
    }
  };
  cut(pairs_expected::kSourceIds, pairs_expected::kSourceSizes, lists.sources);
  cut(pairs_expected::kTargetIds, pairs_expected::kTargetSizes, lists.targets);
  return lists;
}

template <class T>
void check_details(const pairs_expected::Run& run, double tolerance) {
  const ModelConfig config = model_of(run);
  const auto trainer = test::trainer_on<T>(config, training_of(run), expected_pairs());
  test::set_starts(*trainer);
  auto pairs = test::stored(expected_pairs(), config);
  PairBatcher batcher;
  REQUIRE(batcher.allocate(pairs_expected::kBatchSize, config).ok());
  const PairBatch batch = batcher.draw(pairs.value(), pairs_expected::kSeed, 0, 0);

  Model<T>& model = trainer->model();
  model.zero_gradients();
  CHECK(std::fabs(model.pairs()->loss(batch, Pass::kForwardBackward) - run.losses[0]) < tolerance);
  CHECK(trainer->table().list().size() == run.details->n_gradients);
  for (std::size_t k = 0; k < run.details->n_gradients; ++k) {
    const pairs_expected::Gradient& gradient = run.details->gradients[k];
    CAPTURE(gradient.name);
    const Parameter* parameter = trainer->table().find(gradient.name);
    REQUIRE(parameter != nullptr);
    REQUIRE(parameter->size() == gradient.size);
    CHECK(test::largest_difference<T>(model.parameters().gradient(*parameter), gradient.numbers) < tolerance);
  }
  for (std::size_t i = 0; i < batch.size; ++i) {
    const std::uint32_t first = batch.target_starts[i];
    const std::uint32_t rows = batch.target_starts[i + 1] - first;
    auto logits = Matrix<T>::create(rows, pairs_expected::kVocabSize);
    const std::uint32_t source = batch.source_starts[i];
    model.pairs()->logits(logits.value().view(), {{batch.sources + source, batch.source_starts[i + 1] - source},
                                                  {batch.inputs + first, rows}});
    const double* theirs = run.details->logits + std::size_t{first} * pairs_expected::kVocabSize;
    CHECK(test::largest_difference<T>(logits.value().view(), theirs) < tolerance);
  }
}

template <class T>
double largest_loss_difference(const pairs_expected::Run& run, const TrainingConfig& training) {
  const auto trainer = test::trainer_on<T>(model_of(run), training, expected_pairs());
  test::set_starts(*trainer);
  double largest = 0;
  for (std::size_t step = 0; step < pairs_expected::kSteps; ++step) {
    StepRecord record;
    REQUIRE(trainer->step(&record).ok());
    const double difference = std::fabs(record.loss - run.losses[step]);
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

}  // namespace

TEST_CASE("logits and every gradient of an encoder-decoder agree with PyTorch in every tying") {
  for (const pairs_expected::Run& run : pairs_expected::kRuns) {
    if (run.details == nullptr) continue;
    CAPTURE(run.tying);
    CAPTURE(run.encoder_table);
    // The tolerances are those of the decoder-only model.
    check_details<double>(run, 1e-9);
    check_details<float>(run, 5e-6);
  }
}

TEST_CASE("losses of 50 steps of an encoder-decoder agree with PyTorch in every tying") {
  double largest_double = 0;
  double largest_single = 0;
  for (const pairs_expected::Run& run : pairs_expected::kRuns) {
    CAPTURE(run.tying);
    CAPTURE(run.encoder_table);
    const double in_double = largest_loss_difference<double>(run, training_of(run));
    CHECK(in_double < 1e-9);
    // Rounding of single precision, which 50 steps of a model this small amplify; in double they agree to 5e-11.
    const double in_single = largest_loss_difference<float>(run, training_of(run));
    CHECK(in_single < 5e-4);
    largest_double = std::fmax(largest_double, in_double);
    largest_single = std::fmax(largest_single, in_single);
  }
  MESSAGE("largest difference of a loss: double ", largest_double, ", single ", largest_single);
}

TEST_CASE("losses of 50 steps of an encoder-decoder with Muon for the maps of layers agree with PyTorch") {
  for (const muon_reference::PairRun& muon : muon_reference::kPairRuns) {
    CAPTURE(muon.run.tying);
    CAPTURE(muon.run.encoder_table);
    TrainingConfig training = training_of(muon.run);
    training.optimizer = OptimizerKind::kMuon;
    training.muon_scale = muon.original ? MuonScale::kOriginal : MuonScale::kMatchRmsAdamW;
    training.muon_learning_rate = muon.rate;
    training.momentum = muon.momentum;
    CHECK(largest_loss_difference<double>(muon.run, training) < 1e-9);
    // As above; where singular values are tiny, orthogonalizing multiplies rounding by up to 485.
    CHECK(largest_loss_difference<float>(muon.run, training) < 2e-3);
  }
}
