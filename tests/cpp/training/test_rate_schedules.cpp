// Factors of the learning rate per role that change with the step.
#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "files.h"
#include "support.h"

using namespace tied;

namespace {

FactorSchedule through(std::initializer_list<FactorSchedule::Point> points) {
  FactorSchedule schedule;
  std::copy(points.begin(), points.end(), schedule.points);
  schedule.n_points = points.size();
  return schedule;
}

// A different schedule for each role, with corners within 20 steps.
TrainingConfig changing_rates(OptimizerKind optimizer = OptimizerKind::kAdamW) {
  TrainingConfig training = test::small_training(optimizer);
  training.embedding_rate = through({{2, 1}, {10, 0.25}});
  training.unembedding_rate = through({{0, 0}, {5, 2}, {15, 0.5}});
  training.inner_rate = through({{8, 1}, {9, 0}});
  return training;
}

// Gives `to` the weights of `from`.
void copy_weights(Trainer<double>& to, const Trainer<double>& from) {
  for (const Parameter& parameter : from.table().list()) {
    if (!parameter.owns_storage()) continue;
    auto matrix =
        Matrix<double>::create(static_cast<std::size_t>(parameter.rows), static_cast<std::size_t>(parameter.cols));
    REQUIRE(matrix.ok());
    const std::vector<double> elements = test::elements_of(from, parameter.name);
    std::copy(elements.begin(), elements.end(), matrix.value().data());
    REQUIRE(to.set_matrix(parameter.name, std::as_const(matrix.value()).view()).ok());
  }
}

}  // namespace

TEST_CASE("each step takes the factor of each role at its number of steps done") {
  constexpr double kEmbedding[] = {1, 0.875, 0.75, 0.625, 0.5, 0.5};
  constexpr double kUnembedding[] = {2, 2, 1, 0, 0, 0};
  constexpr double kInner[] = {0, 0, 0, 4, 4, 4};
  for (const Tying tying : {Tying::kTied, Tying::kUntied, Tying::kTiedLinear}) {
    CAPTURE(static_cast<int>(tying));
    // SGD without momentum: a step depends on nothing but the weights and its number.
    TrainingConfig training{.optimizer = OptimizerKind::kSgd, .learning_rate = 0.1, .batch_size = 24, .seed = 11};
    const auto on = [&](const TrainingConfig& config) {
      return test::trainer_on<double>(test::small_model(tying), config, test::small_stream());
    };
    TrainingConfig changing = training;
    changing.embedding_rate = through({{0, 1}, {4, 0.5}});
    changing.unembedding_rate = through({{1, 2}, {3, 0}});
    changing.inner_rate = through({{2, 0}, {3, 4}});
    const auto trainer = on(changing);
    for (std::size_t step = 0; step < 6; ++step) {
      training.embedding_rate = kEmbedding[step];
      training.unembedding_rate = kUnembedding[step];
      training.inner_rate = kInner[step];
      const auto constant = on(training);
      test::run(*constant, step);
      copy_weights(*constant, *trainer);
      REQUIRE(constant->step().ok());
      REQUIRE(trainer->step().ok());
      CHECK(constant->parameter_hash() == trainer->parameter_hash());
    }
  }
}

TEST_CASE("a schedule that is constant gives the bits of the constant") {
  for (const OptimizerKind optimizer : test::kAllOptimizers) {
    for (const Tying tying : test::kTransformerTyings) {
      TrainingConfig constant = test::small_training(optimizer);
      constant.embedding_rate = 0.3;
      constant.unembedding_rate = 1.7;
      constant.inner_rate = 0.9;
      TrainingConfig scheduled = constant;
      scheduled.embedding_rate = through({{3, 0.3}, {7, 0.3}});
      scheduled.unembedding_rate = through({{0, 1.7}, {1, 1.7}, {50, 1.7}});
      scheduled.inner_rate = through({{4, 0.9}});
      const auto one = test::trainer_on(test::small_transformer(tying), constant, test::small_stream());
      const auto other = test::trainer_on(test::small_transformer(tying), scheduled, test::small_stream());
      CHECK(test::hashes(*one, 20) == test::hashes(*other, 20));
    }
  }
}

TEST_CASE("rewound, and from a file, a run with changing rates has the same bits") {
  ModelConfig untied = test::small_model(Tying::kTied);
  untied.untie_at_step = 7;
  TrainingConfig accumulated = changing_rates();
  accumulated.gradient_accumulation = 2;
  const struct {
    ModelConfig model;
    TrainingConfig training;
  } runs[] = {{test::small_model(Tying::kUntied), changing_rates()},
              {test::small_transformer(Tying::kTiedLowRank), changing_rates(OptimizerKind::kSgd)},
              {untied, accumulated}};
  for (const auto& [model, training] : runs) {
    // No memory for snapshots: steps are replayed from the start.
    for (const std::uint64_t snapshots : {std::uint64_t{0}, std::uint64_t{1} << 20}) {
      const auto trainer = test::trainer_on(model, training, test::small_stream(), {.snapshot_bytes = snapshots});
      const std::vector<std::uint64_t> known = test::hashes(*trainer, 20);
      for (const std::uint64_t step : {0, 3, 8, 9, 12, 20}) {
        REQUIRE(trainer->rewind(step).ok());
        CHECK(trainer->parameter_hash() == known[static_cast<std::size_t>(step)]);
        const test::File file = test::saved(*trainer);
        auto copy = Trainer<float>::load(file);
        REQUIRE(copy.ok());
        CHECK(copy.value()->training_config() == training);
        CHECK(test::saved(*copy.value()) == file);
        test::run(*copy.value(), 20 - step);
        CHECK(copy.value()->parameter_hash() == known[20]);
      }
    }
  }
}

namespace {

template <class Config>
std::size_t bytes_of_fields(const Config& config) {
  std::size_t bytes = 0;
  for_each_field(config, [&](const Field&, const auto& value) { bytes += sizeof(value); });
  return bytes;
}

}  // namespace

TEST_CASE("a file with a bad schedule of the rates is refused") {
  const auto trainer = test::trainer_on(test::small_model(Tying::kTied), changing_rates(), test::small_stream());
  const test::File file = test::saved(*trainer);
  // Magic, version, bytes per value; the model without further changes; the fields of training and one point each of
  // the input and the output gradient; then the points of the embedding.
  const std::size_t kPoints =
      8 + 4 + 1 + bytes_of_fields(ModelConfig()) + 1 + bytes_of_fields(TrainingConfig()) + 2 * (1 + 16);
  REQUIRE(file[kPoints] == 2);
  const auto blamed_with = [&](std::size_t place, std::uint8_t byte) {
    test::File altered = file;
    altered[place] = byte;
    const auto loaded = Trainer<float>::load(test::rehashed(altered), test::kSmallLimits);
    REQUIRE_FALSE(loaded.ok());
    CHECK(loaded.error().code == ErrorCode::kBadFile);
    return loaded.error().value;
  };
  // Everything after it is then read at the wrong place, and that fault may be found first.
  for (const std::uint8_t points : std::initializer_list<std::uint8_t>{0, 17, 255})
    CHECK(blamed_with(kPoints, points) != "");
  // The second step, 10, is not after the first, 2.
  CHECK(blamed_with(kPoints + 1 + 16, 1) == "embedding_rate step 1");
  // The sign of the first factor.
  CHECK(blamed_with(kPoints + 1 + 15, 0xBF) == "embedding_rate -1");
}
