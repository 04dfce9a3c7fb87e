// Training models that predict hidden tokens: compared with PyTorch (tests/reference/masked_reference.py), and that
// what is hidden depends on seed, step and sequence only.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "../../reference/masked_reference.h"
#include "model/masking.h"
#include "reference_models.h"
#include "support.h"

using namespace tied;
namespace masked = tied::masked_reference;
namespace transformer = tied::transformer_reference;

namespace {

ModelConfig masked_model(const masked::Run& run) {
  const std::string positions = run.positions;
  ModelConfig config = test::reference_model();
  config.tying = tying_from_name(run.tying).value();
  config.low_rank = config.tying == Tying::kTiedLowRank ? transformer::kLowRank : 0;
  config.objective = run.mask_rate == 0 ? Objective::kMaskedDiffusion : Objective::kMasked;
  if (run.mask_rate != 0) config.mask_rate = run.mask_rate;
  config.positions = positions == "learned"  ? Positions::kLearned
                     : positions == "rotary" ? Positions::kRotary
                                             : Positions::kNone;
  config.rotary_base = transformer::kRotaryBase;
  config.biases = std::string(run.biases) == "all" ? Biases::kAll : Biases::kFeedForward;
  config.norm = run.layer_norm ? Norm::kLayer : Norm::kRms;
  config.scales_embedding = run.scales_embedding;
  config.output_bias = run.output_bias;
  config.feed_forward = run.swiglu ? FeedForward::kSwiGlu : FeedForward::kGelu;
  config.final_norm = run.final_norm;
  config.n_kv_heads = run.n_kv_heads;
  return config;
}

TrainingConfig masked_training(const masked::Run& run) {
  TrainingConfig config = test::reference_training();
  if (run.sgd) {
    config.optimizer = OptimizerKind::kSgd;
    config.learning_rate = transformer::kSgdRate;
    config.momentum = transformer::kMomentum;
  }
  config.gradient_accumulation = run.accumulation;
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
std::unique_ptr<Trainer<T>> masked_trainer(const masked::Run& run) {
  auto trainer = test::trainer_on<T>(masked_model(run), masked_training(run), test::reference_text());
  test::set_starts(*trainer);
  return trainer;
}

ModelConfig small_masked(Tying tying, Objective objective) {
  ModelConfig model = test::small_transformer(tying);
  model.objective = objective;
  model.mask_rate = 0.3;
  return model;
}

constexpr Objective kHiding[] = {Objective::kMasked, Objective::kMaskedDiffusion};

}  // namespace

TEST_CASE("logits, loss and every gradient of models that predict hidden tokens agree with PyTorch") {
  std::size_t compared = 0;
  for (const masked::Run& run : masked::kRuns) {
    if (run.details == nullptr) continue;
    CAPTURE(run.tying);
    CAPTURE(run.mask_rate);
    // As for other models: ten decimals, and values of size one in single precision.
    test::check_reference_details(*masked_trainer<double>(run), *run.details, run.losses[0], 0, 1e-9);
    test::check_reference_details(*masked_trainer<float>(run), *run.details, run.losses[0], 0, 5e-6);
    ++compared;
  }
  CHECK(compared == 6);
}

TEST_CASE("losses of 50 steps of models that predict hidden tokens agree with PyTorch") {
  double in_double = 0;
  double in_single = 0;
  for (const masked::Run& run : masked::kRuns) {
    CAPTURE(run.tying);
    CAPTURE(run.mask_rate);
    CAPTURE(run.sgd);
    const double difference = test::largest_loss_difference(*masked_trainer<double>(run), run.losses);
    const double single = test::largest_loss_difference(*masked_trainer<float>(run), run.losses);
    CHECK(difference < 1e-9);
    CHECK(single < 5e-5);
    in_double = std::fmax(in_double, difference);
    in_single = std::fmax(in_single, single);
  }
  MESSAGE("largest difference of a loss: double ", in_double, ", single ", in_single);
}

TEST_CASE("what is hidden depends on seed, step and sequence: accumulated batches hide what one large batch does") {
  const std::vector<std::uint32_t> ids = test::small_stream();
  for (const Objective objective : kHiding) {
    const ModelConfig model = small_masked(Tying::kTied, objective);
    BatchSampler whole;
    BatchSampler parts;
    REQUIRE(whole.allocate(11, 12, 8).ok());
    REQUIRE(parts.allocate(11, 4, 8).ok());
    const TokenBatch all = whole.draw_hidden(ids.data(), ids.size(), 5, 0, model);
    const std::vector<std::uint32_t> inputs(all.inputs, all.inputs + all.size);
    const std::vector<std::uint32_t> targets(all.targets, all.targets + all.size);
    for (std::uint64_t part = 0; part < 3; ++part) {
      const TokenBatch some = parts.draw_hidden(ids.data(), ids.size(), 5, part, model);
      CHECK(std::equal(some.inputs, some.inputs + some.size, inputs.begin() + static_cast<std::ptrdiff_t>(part * 32)));
      CHECK(
          std::equal(some.targets, some.targets + some.size, targets.begin() + static_cast<std::ptrdiff_t>(part * 32)));
    }
    // The tokens are those that a model of the same seed predicts from its batch.
    const TokenBatch plain = parts.draw(ids.data(), ids.size(), 5, 0);
    for (std::size_t i = 0; i < plain.size; ++i) {
      CHECK((inputs[i] == model.vocab_size ? targets[i] : inputs[i]) == plain.targets[i]);
    }
    const TokenBatch next = parts.draw_hidden(ids.data(), ids.size(), 6, 0, model);
    CHECK(!std::equal(next.inputs, next.inputs + next.size, inputs.begin()));
  }
}

TEST_CASE("a trainer that predicts hidden tokens learns, continues from its file and rewinds, bit for bit") {
  for (const Objective objective : kHiding) {
    for (const Tying tying : test::kTransformerTyings) {
      auto trainer = test::trainer_on(small_masked(tying, objective), test::small_training(), test::small_stream());
      const double before = trainer->evaluate().value().loss;
      test::run(*trainer, 60);
      CHECK(trainer->evaluate().value().loss < before);
      auto loaded = Trainer<float>::load(test::saved(*trainer));
      REQUIRE(loaded.ok());
      CHECK(loaded.value()->model_config() == trainer->model_config());
      const std::vector<std::uint64_t> after = test::hashes(*trainer, 5);
      CHECK(test::hashes(*loaded.value(), 5) == after);
      REQUIRE(trainer->rewind(60).ok());
      CHECK(trainer->parameter_hash() == after[0]);
      CHECK(test::hashes(*trainer, 5) == after);
      // Evaluating hides the same tokens each time, and changes nothing.
      CHECK(trainer->evaluate().value().loss == trainer->evaluate().value().loss);
      CHECK(trainer->parameter_hash() == after[5]);
    }
  }
}

TEST_CASE("an evaluation predicts the same tokens in any order of its parts") {
  const ModelConfig model = small_masked(Tying::kUntied, Objective::kMaskedDiffusion);
  auto trainer = test::trainer_on<double>(model, test::small_training(), test::small_stream());
  const std::vector<std::uint32_t> ids = test::stream(1 + 8 * 40 + 3, 13, 5);
  const auto all = trainer->evaluate(ids.data(), ids.size());
  REQUIRE(all.ok());
  CHECK(all.value().tokens == ids.size() - 1);
  double sum = 0;
  for (std::size_t first = 0; first + 1 < ids.size(); first += 24) {
    const std::size_t size = std::min<std::size_t>(24, ids.size() - 1 - first);
    sum += trainer->evaluate(ids.data() + first, size + 1).value().loss * static_cast<double>(size);
  }
  CHECK(std::fabs(sum / static_cast<double>(ids.size() - 1) - all.value().loss) < 1e-12);
}

TEST_CASE("verbs that continue a text refuse a model that predicts hidden tokens") {
  auto trainer =
      test::trainer_on(small_masked(Tying::kTied, Objective::kMasked), test::small_training(), test::small_stream());
  const std::vector<std::uint32_t> ids = test::small_stream();
  const TokenBatch batch{ids.data(), ids.data() + 1, 8};
  CHECK(test::blamed(trainer->gradient(batch)) == "objective");
  CHECK(test::blamed(trainer->next_token({ids.data(), 1}, {}, NextToken::kLogits)) == "objective");
  CHECK(trainer->gradient().ok());
}
