// Matrices that are tied or untied once a measured condition holds.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "files.h"
#include "support.h"
#include "training/tying_schedule.h"

using namespace tied;

namespace {

constexpr std::uint64_t kBlockSteps = 7;
constexpr std::uint64_t kConditionSteps = 60;

ModelConfig when(Tying tying, TyingCondition condition, double share, std::uint64_t over = kBlockSteps,
                 std::uint64_t from = 0) {
  ModelConfig model = test::small_model(tying);
  model.tying_condition = condition;
  model.tying_share = share;
  model.tying_over = over;
  model.tying_from = from;
  return model;
}

// The same model, with the change at a given step.
ModelConfig at_step(Tying tying, std::uint64_t step) {
  ModelConfig model = test::small_model(tying);
  (tying == Tying::kTied ? model.untie_at_step : model.tie_at_step) = step;
  return model;
}

// The input share of each step of a model whose tying does not change, from the matrices of its ledger, without
// records.
std::vector<double> shares_of(Tying tying, const TrainingConfig& training, std::uint64_t steps) {
  const auto norm = [](const Matrix<float>& matrix) {
    double square = 0;
    for (std::size_t i = 0; i < matrix.rows() * matrix.cols(); ++i) {
      square += static_cast<double>(matrix.data()[i]) * static_cast<double>(matrix.data()[i]);
    }
    return std::sqrt(square);
  };
  const auto trainer = test::trainer_on(test::small_model(tying), training, test::small_stream());
  std::vector<double> shares;
  for (std::uint64_t i = 0; i < steps; ++i) {
    const auto ledger = trainer->gradient();
    REQUIRE(ledger.ok());
    const double input = norm(ledger.value().input);
    shares.push_back(input / (input + norm(ledger.value().output)));
    test::run(*trainer, 1);
  }
  return shares;
}

double mean_of_block(const std::vector<double>& shares, std::uint64_t end, std::uint64_t over) {
  double sum = 0;
  for (std::uint64_t i = end - over; i < end; ++i) sum += shares[static_cast<std::size_t>(i)];
  return sum / static_cast<double>(over);
}

// A limit between the mean of the block that ends at `end` and the means of all blocks before it, and the side on which
// that block lies. Such a limit must exist.
ModelConfig first_at(Tying tying, const std::vector<double>& shares, std::uint64_t end) {
  double least = 2;
  double most = -1;
  for (std::uint64_t block = kBlockSteps; block < end; block += kBlockSteps) {
    least = std::min(least, mean_of_block(shares, block, kBlockSteps));
    most = std::max(most, mean_of_block(shares, block, kBlockSteps));
  }
  const double own = mean_of_block(shares, end, kBlockSteps);
  REQUIRE((own > most || own < least));
  return own > most ? when(tying, TyingCondition::kAbove, (own + most) / 2)
                    : when(tying, TyingCondition::kBelow, (own + least) / 2);
}

// For each direction, a model that changes at the end of a block after the first, and that step.
struct Deciding {
  ModelConfig model;
  std::uint64_t at;
};
std::vector<Deciding> deciding(const TrainingConfig& training) {
  std::vector<Deciding> found;
  for (const Tying tying : {Tying::kTied, Tying::kUntied}) {
    const auto shares = shares_of(tying, training, kConditionSteps);
    // The block that is furthest from those before it.
    std::uint64_t best = 0;
    double margin = 0;
    double least = mean_of_block(shares, kBlockSteps, kBlockSteps);
    double most = least;
    for (std::uint64_t end = 2 * kBlockSteps; end <= 5 * kBlockSteps; end += kBlockSteps) {
      const double own = mean_of_block(shares, end, kBlockSteps);
      const double distance = std::max(own - most, least - own);
      if (distance > margin) {
        margin = distance;
        best = end;
      }
      least = std::min(least, own);
      most = std::max(most, own);
    }
    REQUIRE(margin > 1e-4);
    found.push_back({first_at(tying, shares, best), best});
  }
  return found;
}

std::uint64_t bits_of(double number) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &number, sizeof(bits));
  return bits;
}

}  // namespace

TEST_CASE("the tying changes at the end of the first block whose mean share, computed plainly, is beyond the limit") {
  for (const OptimizerKind optimizer : test::kAllOptimizers) {
    TrainingConfig training = test::small_training(optimizer);
    training.input_gradient_scale = 0.3;  // the share is that of the parts before it
    for (const auto& [model, at] : deciding(training)) {
      const auto trainer = test::trainer_on(model, training, test::small_stream());
      const auto scheduled = test::trainer_on(at_step(model.tying, at), training, test::small_stream());
      for (std::uint64_t step = 1; step <= kConditionSteps; ++step) {
        test::run(*trainer, 1);
        test::run(*scheduled, 1);
        REQUIRE(trainer->parameter_hash() == scheduled->parameter_hash());
        REQUIRE(trainer->tying_changed_at() == (step < at ? 0 : at));
        REQUIRE(scheduled->tying_changed_at() == trainer->tying_changed_at());
        REQUIRE(trainer->table().parameter_count() == scheduled->table().parameter_count());
      }
    }
  }
}

TEST_CASE("blocks begin after the first steps that do not count, and need not begin at a multiple of their length") {
  const TrainingConfig training = test::small_training();
  const auto shares = shares_of(Tying::kTied, training, kConditionSteps);
  // Holds for every block.
  for (const std::uint64_t from : {0, 1, 5, 20}) {
    for (const std::uint64_t over : {1, 4, 9}) {
      const auto trainer =
          test::trainer_on(when(Tying::kTied, TyingCondition::kAbove, 0, over, from), training, test::small_stream());
      test::run(*trainer, kConditionSteps);
      CHECK(trainer->tying_changed_at() == from + over);
    }
  }
  // A limit for one block only, whatever the blocks before it have.
  const double mean = mean_of_block(shares, 3 + kBlockSteps, kBlockSteps);
  for (const double side : {-1e-6, 1e-6}) {
    const auto trainer = test::trainer_on(when(Tying::kTied, TyingCondition::kAbove, mean + side, kBlockSteps, 3),
                                          training, test::small_stream());
    test::run(*trainer, 3 + kBlockSteps);
    CHECK(trainer->tying_changed_at() == (side < 0 ? 3 + kBlockSteps : 0));
  }
}

TEST_CASE("a mean share at the limit is neither above nor below it") {
  for (const TyingCondition condition : {TyingCondition::kAbove, TyingCondition::kBelow}) {
    const ModelConfig model = when(Tying::kTied, condition, 0.5, 2);
    TyingProgress progress;
    add_input_share(model, 1, 0.25, progress);
    CHECK(progress == TyingProgress{.sum = 0.25, .count = 1});
    add_input_share(model, 2, 0.75, progress);
    CHECK(progress == TyingProgress{});
    add_input_share(model, 3, 0.5, progress);
    add_input_share(model, 4, condition == TyingCondition::kAbove ? 0.51 : 0.49, progress);
    CHECK(progress == TyingProgress{.changed_at = 4});
  }
}

TEST_CASE("a share that is NaN never decides, and a new block begins after it") {
  const ModelConfig model = when(Tying::kTied, TyingCondition::kAbove, 0.5, 2);
  TyingProgress progress;
  add_input_share(model, 1, 0.75, progress);
  add_input_share(model, 2, std::numeric_limits<double>::quiet_NaN(), progress);
  CHECK(progress == TyingProgress{});
}

TEST_CASE("a condition that never holds trains to the bits of the model without it") {
  for (const Tying tying : {Tying::kTied, Tying::kUntied}) {
    const auto plain = test::trainer_on(test::small_model(tying), test::small_training(), test::small_stream());
    const auto above =
        test::trainer_on(when(tying, TyingCondition::kAbove, 1), test::small_training(), test::small_stream());
    const auto below =
        test::trainer_on(when(tying, TyingCondition::kBelow, 0), test::small_training(), test::small_stream());
    const auto expected = test::hashes(*plain, kConditionSteps);
    CHECK(test::hashes(*above, kConditionSteps) == expected);
    CHECK(test::hashes(*below, kConditionSteps) == expected);
    CHECK(above->tying_changed_at() == 0);
    CHECK(plain->tying_changed_at() == 0);
  }
}

TEST_CASE("records change neither bits nor the step of the change, and show the shares that decided") {
  for (const auto& [model, at] : deciding(test::small_training())) {
    const auto trainer = test::trainer_on(model, test::small_training(), test::small_stream());
    const auto recorded = test::trainer_on(model, test::small_training(), test::small_stream());
    const auto some = test::trainer_on(model, test::small_training(), test::small_stream());
    const auto expected = test::hashes(*trainer, kConditionSteps);
    std::vector<StepRecord> records;
    std::vector<StepRecord> few;
    REQUIRE(recorded->run(kConditionSteps, 1, true, records).ok());
    REQUIRE(some->run(kConditionSteps, 5, true, few).ok());
    CHECK(recorded->parameter_hash() == expected[kConditionSteps]);
    CHECK(some->parameter_hash() == expected[kConditionSteps]);
    CHECK(recorded->tying_changed_at() == at);
    // In the order of the rule.
    TyingProgress progress;
    for (const StepRecord& record : records) {
      if (needs_input_share(model, record.step - 1, progress)) {
        add_input_share(model, record.step, record.input_share, progress);
      }
    }
    CHECK(progress.changed_at == at);
  }
}

TEST_CASE("any step is restored bit for bit, before, inside and after the block that decides") {
  for (const OptimizerKind optimizer : test::kAllOptimizers) {
    for (const auto& [model, at] : deciding(test::small_training(optimizer))) {
      for (const std::uint64_t snapshot_bytes : {std::uint64_t{1} << 24, std::uint64_t{0}}) {
        const auto trainer = test::trainer_on(model, test::small_training(optimizer), test::small_stream(),
                                              {.snapshot_bytes = snapshot_bytes});
        const auto expected = test::hashes(*trainer, kConditionSteps);
        for (const std::uint64_t step :
             {kConditionSteps, at - kBlockSteps - 2, at - 3, at - 1, at, at + 1, std::uint64_t{0}, at, at - 3,
              kConditionSteps, std::uint64_t{16}, kConditionSteps}) {
          REQUIRE(trainer->rewind(step).ok());
          REQUIRE(trainer->parameter_hash() == expected[static_cast<std::size_t>(step)]);
          CHECK(trainer->tying_changed_at() == (step < at ? 0 : at));
          CHECK(trainer->table().find("unembedding")->owns_storage() ==
                ((model.tying == Tying::kTied) == (step >= at)));
        }
        REQUIRE(trainer->rewind(at - 3).ok());
        for (std::uint64_t step = at - 2; step <= kConditionSteps; ++step) {
          REQUIRE(trainer->step().ok());
          REQUIRE(trainer->parameter_hash() == expected[static_cast<std::size_t>(step)]);
        }
        CHECK(trainer->tying_changed_at() == at);
      }
    }
  }
}

TEST_CASE("files saved at the start, inside a block, at the change and after it continue bit for bit") {
  for (const OptimizerKind optimizer : test::kAllOptimizers) {
    for (const auto& [model, at] : deciding(test::small_training(optimizer))) {
      const auto trainer = test::trainer_on(model, test::small_training(optimizer), test::small_stream());
      const auto expected = test::hashes(*trainer, kConditionSteps);
      for (const std::uint64_t step : {std::uint64_t{0}, std::uint64_t{3}, at - 1, at, at + 1, at + 10}) {
        REQUIRE(trainer->rewind(step).ok());
        const test::File file = test::saved(*trainer);
        auto copy = Trainer<float>::load(file);
        REQUIRE(copy.ok());
        CHECK(copy.value()->model_config() == trainer->model_config());
        CHECK(copy.value()->tying_changed_at() == (step < at ? 0 : at));
        CHECK(copy.value()->parameter_hash() == expected[static_cast<std::size_t>(step)]);
        CHECK(test::saved(*copy.value()) == file);
        test::run(*copy.value(), kConditionSteps - step);
        CHECK(copy.value()->parameter_hash() == expected[kConditionSteps]);
        CHECK(copy.value()->tying_changed_at() == at);
        for (const std::uint64_t back : {std::uint64_t{2}, at + 1, at - 1, at}) {
          REQUIRE(copy.value()->rewind(back).ok());
          CHECK(copy.value()->parameter_hash() == expected[static_cast<std::size_t>(back)]);
        }
      }
    }
  }
}

TEST_CASE("a file with progress that its steps cannot reach is refused") {
  ModelConfig model = when(Tying::kTied, TyingCondition::kAbove, 1, 5, 2);
  const auto trainer = test::trainer_on(model, test::small_training(), test::small_stream());
  test::run(*trainer, 10);
  const test::File file = test::saved(*trainer);
  // From the end: hash, weights with their start and two moments, the progress.
  const auto parameters = static_cast<std::size_t>(trainer->table().parameter_count());
  const std::size_t place = file.size() - 8 - 4 * parameters * sizeof(float) - sizeof(TyingProgress);
  const auto with = [&](double sum, std::uint64_t count, std::uint64_t changed_at) {
    test::File changed = file;
    const std::uint64_t numbers[] = {bits_of(sum), count, changed_at};
    for (std::size_t i = 0; i < 24; ++i)
      changed[place + i] = static_cast<std::uint8_t>(numbers[i / 8] >> (8 * (i % 8)));
    return Trainer<float>::load(test::rehashed(changed));
  };
  CHECK(with(1.5, 3, 0).ok());
  CHECK(with(0, 0, 0).ok());
  CHECK(with(4, 4, 0).ok());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const struct {
    double sum;
    std::uint64_t count, changed_at;
  } impossible[] = {
      {1, 5, 0},    {1, ~std::uint64_t{0}, 0},
      {3.5, 3, 0},  {-0.5, 3, 0},
      {nan, 3, 0},  {infinity, 3, 0},
      {0.5, 0, 0},  {0, 0, 11},
      {0, 0, 6},    {0, 0, 1},
      {0.5, 1, 10}, {0, 0, ~std::uint64_t{0}},
  };
  for (const auto& [sum, count, changed_at] : impossible) {
    CAPTURE(sum);
    CAPTURE(count);
    CAPTURE(changed_at);
    const auto refused = with(sum, count, changed_at);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().code == ErrorCode::kBadFile);
  }
}

TEST_CASE("an edit clears the open block: the next one has the steps after it") {
  const ModelConfig model = when(Tying::kTied, TyingCondition::kAbove, 0);
  const auto trainer = test::trainer_on(model, test::small_training(), test::small_stream());
  test::run(*trainer, 4);
  const auto embedding = trainer->matrix("embedding");
  auto matrix = Matrix<float>::create(13, 4);
  REQUIRE(matrix.ok());
  std::memcpy(matrix.value().data(), embedding.value().data, 52 * sizeof(float));
  matrix.value()(2, 1) += 0.125F;
  REQUIRE(trainer->set_matrix("embedding", std::as_const(matrix.value()).view()).ok());
  const auto after = test::hashes(*trainer, 30);
  CHECK(trainer->tying_changed_at() == 4 + kBlockSteps);
  // The state before the edit is that of the run without the edit, and the edited state has no open block.
  for (const std::uint64_t step : {3, 4, 4 + 6, 4 + 7, 30}) {
    REQUIRE(trainer->rewind(step).ok());
    CHECK(trainer->tying_changed_at() == (step < 4 + kBlockSteps ? 0 : 4 + kBlockSteps));
    if (step >= 4) CHECK(trainer->parameter_hash() == after[static_cast<std::size_t>(step - 4)]);
  }
  // Leaves the timeline, from before the edit.
  REQUIRE(trainer->rewind(3).ok());
  test::run(*trainer, 20);
  CHECK(trainer->tying_changed_at() == kBlockSteps);

  // After the change, an edit does not affect it.
  REQUIRE(trainer->set_matrix("embedding", std::as_const(matrix.value()).view()).ok());
  test::run(*trainer, 20);
  CHECK(trainer->tying_changed_at() == kBlockSteps);
  REQUIRE(trainer->restart().ok());
  CHECK(trainer->tying_changed_at() == 0);
}

TEST_CASE("a run that diverges returns to its last good step with the progress of that step") {
  TrainingConfig training = test::small_training(OptimizerKind::kSgd);
  training.gradient_clip = 0;
  training.learning_rate = 0.01;
  training.warmup_steps = 0;
  training.decay = Decay::kConstant;
  training.input_gradient_scale.n_points = 2;
  // Diverges in the second block.
  training.input_gradient_scale.points[0] = {8, 1};
  training.input_gradient_scale.points[1] = {11, 1e30};
  for (const Tying tying : {Tying::kTied, Tying::kUntied}) {
    const auto trainer =
        test::trainer_on(when(tying, TyingCondition::kAbove, 1), training, test::small_stream(), {.snapshot_bytes = 0});
    std::vector<test::File> known{test::saved(*trainer)};
    Status status;
    for (std::uint64_t i = 0; i < 100 && status.ok(); ++i) {
      status = trainer->step();
      if (status.ok()) known.push_back(test::saved(*trainer));
    }
    REQUIRE_FALSE(status.ok());
    REQUIRE(trainer->rewind(trainer->furthest_step()).ok());
    const auto good = static_cast<std::size_t>(trainer->steps_done());
    REQUIRE(good < known.size());
    CHECK(good % kBlockSteps != 0);
    // The file has the progress.
    CHECK(test::saved(*trainer) == known[good]);
  }
}

TEST_CASE("a transformer, a table of counts, accumulated batches and dropout can change at a condition too") {
  ModelConfig model = test::small_transformer(Tying::kTied);
  model.dropout = 0.1;
  TrainingConfig training = test::small_training();
  training.gradient_accumulation = 2;
  ModelConfig scheduled = model;
  model.tying_condition = TyingCondition::kAbove;
  model.tying_over = 6;
  scheduled.untie_at_step = 6;
  const auto one = test::trainer_on(model, training, test::small_stream());
  const auto other = test::trainer_on(scheduled, training, test::small_stream());
  CHECK(test::hashes(*one, 20) == test::hashes(*other, 20));
  CHECK(one->tying_changed_at() == 6);

  const auto counts = test::counts_of(test::small_stream(), 13);
  const auto table = test::trainer_on(when(Tying::kUntied, TyingCondition::kBelow, 1), test::small_training(), counts);
  const auto at = test::trainer_on(at_step(Tying::kUntied, kBlockSteps), test::small_training(), counts);
  CHECK(test::hashes(*table, 20) == test::hashes(*at, 20));
}
