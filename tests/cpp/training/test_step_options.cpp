// Options of a training step: accumulation, rates by role, decay, scaled input gradients.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <set>
#include <vector>

#include "linalg/reduce.h"
#include "support.h"
#include "training/batches.h"

using namespace tied;

namespace {

// Plain SGD at rate 1: the update is the gradient.
TrainingConfig plain() { return {.optimizer = OptimizerKind::kSgd, .learning_rate = 1, .batch_size = 24, .seed = 11}; }

}  // namespace

TEST_CASE("n parts of b sequences have the sequences of one batch of n b, for every step") {
  const auto stream = test::stream(500, 200, 3);
  for (const std::size_t context_length : {1, 5}) {
    BatchSampler whole;
    BatchSampler part;
    REQUIRE(whole.allocate(5, 12, context_length).ok());
    REQUIRE(part.allocate(5, 3, context_length).ok());
    for (const std::uint64_t step : {0, 1, 77}) {
      const TokenBatch all = whole.draw(stream.data(), stream.size(), step);
      const std::vector<std::uint32_t> inputs(all.inputs, all.inputs + all.size);
      const std::vector<std::uint32_t> targets(all.targets, all.targets + all.size);
      for (std::size_t p = 0; p < 4; ++p) {
        const TokenBatch some = part.draw(stream.data(), stream.size(), step, p);
        REQUIRE(some.size == 3 * context_length);
        CHECK(some.sequence_length == context_length);
        CHECK(std::memcmp(some.inputs, inputs.data() + p * some.size, some.size * sizeof(std::uint32_t)) == 0);
        CHECK(std::memcmp(some.targets, targets.data() + p * some.size, some.size * sizeof(std::uint32_t)) == 0);
      }
    }
  }
}

TEST_CASE("an accumulated step is the step of the whole batch, up to rounding") {
  for (const Tying tying : test::kTyings) {
    for (const std::uint64_t parts : {2, 3, 24}) {
      TrainingConfig training = test::small_training();
      const auto whole = test::trainer_on<double>(test::small_model(tying), training, test::small_stream());
      training.batch_size /= parts;
      training.gradient_accumulation = parts;
      const auto accumulated = test::trainer_on<double>(test::small_model(tying), training, test::small_stream());
      CHECK(accumulated->tokens_per_step() == whole->tokens_per_step());
      for (int step = 0; step < 20; ++step) {
        StepRecord a;
        StepRecord b;
        REQUIRE(whole->step(&a).ok());
        REQUIRE(accumulated->step(&b).ok());
        // Double precision, sums in another order, through up to 20 steps of AdamW.
        CHECK(b.loss == doctest::Approx(a.loss).epsilon(1e-9));
        CHECK(b.gradient_norm == doctest::Approx(a.gradient_norm).epsilon(1e-8));
        CHECK(b.input_position_gradient_norm == doctest::Approx(a.input_position_gradient_norm).epsilon(1e-8));
      }
    }
  }
}

TEST_CASE("accumulation does not matter with a table: each step already uses all of it") {
  TrainingConfig training = test::small_training();
  const auto counts = test::counts_of(test::small_stream(), 13);
  const auto once = test::trainer_on(test::small_model(Tying::kTied), training, counts);
  training.gradient_accumulation = 7;
  const auto trainer = test::trainer_on(test::small_model(Tying::kTied), training, counts);
  CHECK(trainer->training_config().gradient_accumulation == 1);
  test::run(*once, 5);
  test::run(*trainer, 5);
  CHECK(trainer->parameter_hash() == once->parameter_hash());
}

TEST_CASE("the gradient of the next step is what that step uses, including accumulation") {
  for (const Tying tying : test::kTyings) {
    TrainingConfig training = plain();
    training.gradient_accumulation = 3;
    training.input_gradient_scale = 2;
    const auto trainer = test::trainer_on<double>(test::small_model(tying), training, test::small_stream());
    const auto ledger = trainer->gradient();
    REQUIRE(ledger.ok());
    const auto before = test::elements_of(*trainer, "embedding");
    test::run(*trainer, 1);
    const auto after = test::elements_of(*trainer, "embedding");
    for (std::size_t i = 0; i < before.size(); ++i) CHECK(after[i] == before[i] - ledger.value().total.data()[i]);
  }
}

TEST_CASE("the rate of each role has its own factor, and a tied matrix is an embedding") {
  for (const Tying tying : {Tying::kTied, Tying::kUntied, Tying::kTiedLinear}) {
    const auto base = test::trainer_on<double>(test::small_model(tying), plain(), test::small_stream());
    TrainingConfig training = plain();
    training.embedding_rate = 0.5;
    training.unembedding_rate = 0.25;
    training.inner_rate = 0;
    const auto trainer = test::trainer_on<double>(test::small_model(tying), training, test::small_stream());
    for (const Parameter& parameter : base->table().list()) {
      const char* name = parameter.name.c_str();
      const auto start = test::elements_of(*base, name);
      REQUIRE(base->step().ok());
      REQUIRE(trainer->step().ok());
      const double factor = parameter.role == ParameterRole::kInner                                ? 0
                            : parameter.owns_storage() && parameter.role == ParameterRole::kOutput ? 0.25
                                                                                                   : 0.5;
      const auto by_base = test::elements_of(*base, name);
      const auto by_roles = test::elements_of(*trainer, name);
      for (std::size_t i = 0; i < start.size(); ++i) {
        // Powers of two: only the subtraction rounds.
        CHECK(by_roles[i] - start[i] == doctest::Approx(factor * (by_base[i] - start[i])).epsilon(1e-9));
      }
      REQUIRE(base->rewind(0).ok());
      REQUIRE(trainer->rewind(0).ok());
    }
  }
}

TEST_CASE("weight decay applies to matrices, never to biases, and to embeddings as chosen") {
  ModelConfig model = test::small_model(Tying::kTiedMlp);
  model.vocab_size = 13;
  const ParameterTable table = parameter_table(model);
  TrainingConfig training{.weight_decay = 0.1};
  for (const bool embeddings : {true, false}) {
    training.decays_embeddings = embeddings;
    CHECK(weight_decay_of(training, *table.find("embedding")) == (embeddings ? 0.1 : 0.0));
    CHECK(weight_decay_of(training, *table.find("mlp.up.weight")) == 0.1);
    CHECK(weight_decay_of(training, *table.find("mlp.up.bias")) == 0.0);
    CHECK(weight_decay_of(training, *table.find("output_bias")) == 0.0);
  }
  model.tying = Tying::kUntied;
  CHECK(weight_decay_of(training, *parameter_table(model).find("unembedding")) == 0.0);
}

TEST_CASE("a schedule is linear between its points and constant outside") {
  FactorSchedule scale(5);
  CHECK(scale.at(0) == 5);
  CHECK(scale.at(~std::uint64_t{0}) == 5);
  scale.n_points = 3;
  scale.points[0] = {10, 4};
  scale.points[1] = {20, 1};
  scale.points[2] = {21, 0};
  CHECK(scale.at(0) == 4);
  CHECK(scale.at(10) == 4);
  CHECK(scale.at(15) == 2.5);
  CHECK(scale.at(20) == 1);
  CHECK(scale.at(21) == 0);
  CHECK(scale.at(1'000) == 0);
}

TEST_CASE("a step uses the scale at its number of steps done, and records unscaled norms") {
  TrainingConfig training = plain();
  training.learning_rate = 0.01;
  training.input_gradient_scale.n_points = 2;
  training.input_gradient_scale.points[0] = {0, 8};
  training.input_gradient_scale.points[1] = {4, 0};
  const auto trainer = test::trainer_on<double>(test::small_model(Tying::kTied), training, test::small_stream());
  for (std::uint64_t step = 0; step < 6; ++step) {
    const double scale = step < 4 ? 8 - 2 * static_cast<double>(step) : 0;
    const auto ledger = trainer->gradient();
    REQUIRE(ledger.ok());
    const auto& made = ledger.value();
    for (std::size_t i = 0; i < 52; ++i) {
      CHECK(made.total.data()[i] == made.input.data()[i] * scale + made.output.data()[i]);
    }
    const auto before = test::elements_of(*trainer, "embedding");
    StepRecord record;
    REQUIRE(trainer->step(&record).ok());
    CHECK(record.input_gradient_norm == doctest::Approx(std::sqrt(squared_norm(made.input.data(), 52))).epsilon(1e-12));
    const auto after = test::elements_of(*trainer, "embedding");
    for (std::size_t i = 0; i < 52; ++i) CHECK(after[i] == before[i] - 0.01 * made.total.data()[i]);
  }
}

TEST_CASE("a record's cosine and position norm are those of the parts that the ledger shows") {
  const auto trainer = test::trainer_on<double>(test::small_model(Tying::kUntied), plain(), test::small_stream());
  for (int step = 0; step < 5; ++step) {
    const auto ledger = trainer->gradient();
    REQUIRE(ledger.ok());
    const auto& made = ledger.value();
    StepRecord record;
    REQUIRE(trainer->step(&record).ok());
    const double cosine = dot(made.input.data(), made.output.data(), 52) /
                          std::sqrt(squared_norm(made.input.data(), 52) * squared_norm(made.output.data(), 52));
    CHECK(record.gradient_cosine == doctest::Approx(cosine).epsilon(1e-12));
    CHECK(record.input_position_gradient_norm > 0);
    CHECK(record.input_position_share ==
          record.input_position_gradient_norm / (record.input_position_gradient_norm + record.output_gradient_norm));
  }
  // With each token once, scattering sums nothing: both norms are equal.
  BatchSampler sampler;
  std::vector<std::uint32_t> all(13);
  std::vector<std::uint32_t> next(13);
  for (std::uint32_t i = 0; i < 13; ++i) {
    all[i] = i;
    next[i] = (i + 5) % 13;
  }
  const auto ledger = trainer->gradient({all.data(), next.data(), 13});
  REQUIRE(ledger.ok());
  CHECK(trainer->model().position_gradient_square() ==
        doctest::Approx(squared_norm(ledger.value().input.data(), 52)).epsilon(1e-12));
}

TEST_CASE("if one part of the gradient is zero, shares and cosine are still finite") {
  ModelConfig model = test::small_model(Tying::kTied);
  model.output_bias = false;
  const auto trainer = test::trainer_on(model, plain(), test::small_stream());
  auto zeros = Matrix<float>::create(13, 4);
  REQUIRE(zeros.ok());
  REQUIRE(trainer->set_matrix("embedding", std::as_const(zeros.value()).view()).ok());
  StepRecord record;
  REQUIRE(trainer->step(&record).ok());
  CHECK(record.input_share == 0);
  CHECK(record.input_position_share == 0);
  CHECK(record.gradient_cosine == 0);
  CHECK(record.embedding_drift == 0);
}

TEST_CASE("dropout's keys differ between steps, parts and seeds, and none is zero") {
  std::set<std::uint64_t> keys;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    for (std::uint64_t step = 0; step < 200; ++step) {
      for (std::uint64_t part = 0; part < 10; ++part) keys.insert(dropout_key(seed, step, part));
    }
  }
  // Two of 10,000 keys of 63 bits are equal once in 10^11 trials.
  CHECK(keys.size() == 10'000);
  CHECK(keys.count(0) == 0);
  CHECK(dropout_key(3, 5, 1) == dropout_key(3, 5, 1));
}
