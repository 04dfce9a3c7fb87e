// Bad input is refused by the argument's name, and the trainer works afterwards.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "support.h"

using namespace tied;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string blamed_of_training(const std::function<void(TrainingConfig&)>& change) {
  TrainingConfig training = test::small_training();
  change(training);
  const auto ids = test::stream(50, 13, 1);
  auto data = training_data_from_tokens<float>(ids.data(), ids.size(), nullptr, 0, 13);
  REQUIRE(data.ok());
  return test::blamed(Trainer<float>::create(test::small_model(Tying::kTied), training, std::move(data).value()));
}

}  // namespace

TEST_CASE("training options out of range are refused by name") {
  CHECK(blamed_of_training([](TrainingConfig&) {}) == "");
  for (const double bad : {kNan, kInfinity, -1.0}) {
    CHECK(blamed_of_training([&](TrainingConfig& c) { c.learning_rate = bad; }) == "learning_rate");
    CHECK(blamed_of_training([&](TrainingConfig& c) { c.weight_decay = bad; }) == "weight_decay");
    CHECK(blamed_of_training([&](TrainingConfig& c) { c.gradient_clip = bad; }) == "gradient_clip");
    CHECK(blamed_of_training([&](TrainingConfig& c) { c.momentum = bad; }) == "momentum");
    CHECK(blamed_of_training([&](TrainingConfig& c) { c.beta1 = bad; }) == "beta1");
    CHECK(blamed_of_training([&](TrainingConfig& c) { c.beta2 = bad; }) == "beta2");
    CHECK(blamed_of_training([&](TrainingConfig& c) { c.epsilon = bad; }) == "epsilon");
    CHECK(blamed_of_training([&](TrainingConfig& c) { c.input_gradient_scale = bad; }) == "input_gradient_scale");
    CHECK(blamed_of_training([&](TrainingConfig& c) { c.embedding_rate = bad; }) == "embedding_rate");
    CHECK(blamed_of_training([&](TrainingConfig& c) { c.unembedding_rate = bad; }) == "unembedding_rate");
    CHECK(blamed_of_training([&](TrainingConfig& c) { c.inner_rate = bad; }) == "inner_rate");
    CHECK(blamed_of_training([&](TrainingConfig& c) { c.final_learning_rate_fraction = bad; }) ==
          "final_learning_rate_fraction");
  }
  CHECK(blamed_of_training([](TrainingConfig& c) { c.beta1 = 1; }) == "beta1");
  CHECK(blamed_of_training([](TrainingConfig& c) { c.epsilon = 0; }) == "epsilon");
  CHECK(blamed_of_training([](TrainingConfig& c) { c.batch_size = 0; }) == "batch_size");
  CHECK(blamed_of_training([](TrainingConfig& c) { c.batch_size = ~std::uint64_t{0}; }) == "batch_size");
  CHECK(blamed_of_training([](TrainingConfig& c) { c.gradient_accumulation = 0; }) == "gradient_accumulation");
  CHECK(blamed_of_training([](TrainingConfig& c) { c.gradient_accumulation = ~std::uint64_t{0}; }) ==
        "gradient_accumulation");
  CHECK(blamed_of_training([](TrainingConfig& c) { c.gradient_accumulation = kMaxBatchSize / 24 + 1; }) ==
        "gradient_accumulation");
  CHECK(blamed_of_training([](TrainingConfig& c) { c.total_steps = 0; }) == "total_steps");
  CHECK(blamed_of_training([](TrainingConfig& c) { c.warmup_steps = c.total_steps; }) == "total_steps");
  CHECK(blamed_of_training([](TrainingConfig& c) { c.optimizer = static_cast<OptimizerKind>(9); }) == "optimizer");
  CHECK(blamed_of_training([](TrainingConfig& c) { c.decay = static_cast<Decay>(9); }) == "decay");
}

TEST_CASE("each schedule has 1 to 16 ascending points with finite values, and is refused by its name") {
  for (const ScheduleField& field : kSchedules) {
    const std::string name = field.name;
    CAPTURE(name);
    const auto blamed_points = [&](std::size_t n_points, const std::function<void(FactorSchedule::Point*)>& change) {
      return blamed_of_training([&](TrainingConfig& c) {
        FactorSchedule& schedule = c.*field.schedule;
        schedule.n_points = n_points;
        for (std::size_t i = 0; i < FactorSchedule::kMaxPoints; ++i) schedule.points[i].step = 3 * i;
        change(schedule.points);
      });
    };
    const auto nothing = [](FactorSchedule::Point*) {};
    CHECK(blamed_points(1, nothing) == "");
    CHECK(blamed_points(16, nothing) == "");
    CHECK(blamed_points(0, nothing) == name + ".length");
    CHECK(blamed_points(17, nothing) == name + ".length");
    CHECK(blamed_points(4, [](auto* points) { points[2].step = 3; }) == name);
    CHECK(blamed_points(4, [](auto* points) { points[3].step = 2; }) == name);
    CHECK(blamed_points(4, [](auto* points) { points[3].value = kNan; }) == name);
    CHECK(blamed_points(4, [](auto* points) { points[3].value = -1; }) == name);
    CHECK(blamed_points(3, [](auto* points) { points[3].value = kNan; }) == "");
  }
}

TEST_CASE("streams that are empty, too short or outside the vocabulary are refused") {
  const auto blamed_stream = [](std::vector<std::uint32_t> ids, std::vector<std::uint32_t> validation) {
    return test::blamed(
        training_data_from_tokens<float>(ids.data(), ids.size(), validation.data(), validation.size(), 13));
  };
  CHECK(blamed_stream({}, {}) == "token_ids.length");
  CHECK(blamed_stream({4}, {}) == "token_ids.length");
  CHECK(blamed_stream({4, 5}, {}) == "");
  CHECK(blamed_stream({4, 5, 13, 99}, {}) == "token_ids[2]");
  CHECK(blamed_stream({4, 5}, {1}) == "validation_token_ids.length");
  CHECK(blamed_stream({4, 5}, {1, 4'000'000'000u}) == "validation_token_ids[1]");
}

TEST_CASE("tables that are not counts are refused, naming the entry") {
  const auto blamed_count = [](float count) {
    auto counts = Matrix<float>::create(3, 3);
    REQUIRE(counts.ok());
    counts.value()(0, 0) = 2;
    counts.value()(1, 2) = count;
    return training_data_from_counts<float>(std::as_const(counts.value()).view());
  };
  CHECK(blamed_count(7).ok());
  CHECK(test::blamed(blamed_count(-1)) == "bigram_counts[1, 2]");
  CHECK(test::blamed(blamed_count(0.5F)) == "bigram_counts[1, 2]");
  CHECK(test::blamed(blamed_count(std::numeric_limits<float>::quiet_NaN())) == "bigram_counts[1, 2]");
  const auto infinite = blamed_count(std::numeric_limits<float>::infinity());
  REQUIRE_FALSE(infinite.ok());
  CHECK(infinite.error().code == ErrorCode::kNotFinite);

  auto wide = Matrix<float>::create(2, 3);
  REQUIRE(wide.ok());
  CHECK(test::blamed(training_data_from_counts<float>(std::as_const(wide.value()).view())) == "bigram_counts");
  auto empty = Matrix<float>::create(3, 3);
  REQUIRE(empty.ok());
  CHECK(test::blamed(training_data_from_counts<float>(std::as_const(empty.value()).view())) == "bigram_counts");
}

TEST_CASE("a vocabulary of one token, and one that differs from the data's, are refused") {
  const auto ids = test::stream(50, 13, 1);
  for (const std::uint64_t vocab_size : {1, 12, 14}) {
    auto data = training_data_from_tokens<float>(ids.data(), ids.size(), nullptr, 0, 13);
    REQUIRE(data.ok());
    ModelConfig model = test::small_model(Tying::kTied);
    model.vocab_size = vocab_size;
    CHECK(test::blamed(Trainer<float>::create(model, test::small_training(), std::move(data).value())) == "vocab_size");
  }
}

TEST_CASE("a model that does not fit is refused before allocating, whatever its size") {
  const auto ids = test::stream(50, 13, 1);
  for (const std::uint64_t d_model : {std::uint64_t{1} << 20, std::uint64_t{1} << 19}) {
    auto data = training_data_from_tokens<float>(ids.data(), ids.size(), nullptr, 0, 4'000'000'000u);
    REQUIRE(data.ok());
    const ModelConfig model{.vocab_size = 4'000'000'000u, .d_model = d_model};
    const auto trainer = Trainer<float>::create(model, test::small_training(), std::move(data).value());
    REQUIRE_FALSE(trainer.ok());
    CHECK(trainer.error().code == ErrorCode::kOutOfMemory);
  }
  auto data = training_data_from_tokens<float>(ids.data(), ids.size(), nullptr, 0, 13);
  REQUIRE(data.ok());
  const auto within = Trainer<float>::create(test::small_model(Tying::kTied), test::small_training(),
                                             std::move(data).value(), {.memory_bytes = 1'000});
  REQUIRE_FALSE(within.ok());
  CHECK(within.error().code == ErrorCode::kOutOfMemory);
}

TEST_CASE("a trainer names bad arguments and continues with the same bits") {
  const auto ids = test::stream(400, 13, 1);
  const auto trainer = test::trainer_on(test::small_model(Tying::kTiedLinear), test::small_training(), ids);
  const auto twin = test::trainer_on(test::small_model(Tying::kTiedLinear), test::small_training(), ids);
  test::run(*trainer, 5);

  const std::vector<std::uint32_t> good{1, 2};
  const std::vector<std::uint32_t> bad{1, 13};
  CHECK(test::blamed(trainer->evaluate(good.data(), 1)) == "token_ids.length");
  CHECK(test::blamed(trainer->evaluate(nullptr, 0)) == "token_ids.length");
  CHECK(test::blamed(trainer->evaluate(bad.data(), 2)) == "token_ids[1]");
  CHECK(test::blamed(trainer->gradient({good.data(), good.data(), 0})) == "inputs.length");
  CHECK(test::blamed(trainer->gradient({bad.data(), good.data(), 2})) == "inputs[1]");
  CHECK(test::blamed(trainer->gradient({good.data(), bad.data(), 2})) == "targets[1]");
  CHECK(test::blamed(trainer->next_token({}, good, NextToken::kLogits)) == "from.length");
  CHECK(test::blamed(trainer->next_token(bad, good, NextToken::kLogits)) == "from[1]");
  CHECK(test::blamed(trainer->next_token(good, bad, NextToken::kLogits)) == "to[1]");
  CHECK(test::blamed(trainer->matrix("betwixt")) == "name");
  CHECK(test::blamed(trainer->rewind(6)) == "step");

  auto matrix = Matrix<float>::create(4, 4);
  REQUIRE(matrix.ok());
  const auto view = std::as_const(matrix.value()).view();
  CHECK(test::blamed(trainer->set_matrix("betwixt", view)) == "name");
  const Status shape = trainer->set_matrix("embedding", view);
  REQUIRE_FALSE(shape.ok());
  CHECK(shape.error().code == ErrorCode::kShapeMismatch);
  CHECK(shape.error().value == "4 x 4");
  CHECK(shape.error().expected == "13 x 4");
  for (const double value : {kNan, kInfinity}) {
    matrix.value()(2, 1) = static_cast<float>(value);
    const Status status = trainer->set_matrix("between", view);
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().code == ErrorCode::kNotFinite);
    CHECK(status.error().argument == "between[2, 1]");
  }

  test::run(*trainer, 5);
  test::run(*twin, 10);
  CHECK(trainer->parameter_hash() == twin->parameter_hash());
}
