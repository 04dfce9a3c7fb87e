// Matrices that are untied and tied again, or the reverse, in one run.
#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <vector>

#include "files.h"
#include "support.h"
#include "training/tying_schedule.h"

using namespace tied;

namespace {

constexpr std::uint64_t kPlanSteps = 60;

TyingChange given(std::uint64_t step) { return {.at_step = step}; }
// A limit of 0 holds for every block, a limit of 1 for none.
TyingChange above(double share, std::uint64_t over, std::uint64_t from = 0) {
  return {.condition = TyingCondition::kAbove, .share = share, .over = over, .from = from};
}

ModelConfig plan(Tying first, const std::vector<TyingChange>& changes) {
  ModelConfig model = test::small_model(first);
  const TyingChange& one = changes.front();
  (first == Tying::kTied ? model.untie_at_step : model.tie_at_step) = one.at_step;
  model.tying_condition = one.condition;
  model.tying_share = one.share;
  model.tying_over = one.over;
  model.tying_from = one.from;
  model.n_further_changes = changes.size() - 1;
  for (std::size_t i = 1; i < changes.size(); ++i) model.further_changes[i - 1] = changes[i];
  return model;
}

Tying other(Tying tying) { return tying == Tying::kTied ? Tying::kUntied : Tying::kTied; }

auto trainer_of(const ModelConfig& model, OptimizerKind optimizer = OptimizerKind::kAdamW,
                const TrainerLimits& limits = {}) {
  return test::trainer_on(model, test::small_training(optimizer), test::small_stream(), limits);
}

std::vector<std::uint64_t> made_by(const Trainer<float>& trainer) {
  std::vector<std::uint64_t> steps;
  for (const std::uint64_t step : trainer.tying_progress().changes) {
    if (step != 0) steps.push_back(step);
  }
  return steps;
}

// `to` with the weights and the optimizer's state of `from`, through their files. Both have the same number of tables
// now, but may have begun with different numbers.
std::unique_ptr<Trainer<float>> edited(Trainer<float>& to, Trainer<float>& from, std::uint64_t start_of_to,
                                       std::uint64_t start_of_from) {
  const test::File a = test::saved(to);
  const test::File b = test::saved(from);
  const std::size_t weights = static_cast<std::size_t>(to.table().parameter_count()) * sizeof(float);
  const std::size_t state = weights * static_cast<std::size_t>(optimizer_state_factor(to.training_config()));
  const std::size_t start_a = static_cast<std::size_t>(start_of_to) * sizeof(float);
  const std::size_t start_b = static_cast<std::size_t>(start_of_from) * sizeof(float);
  REQUIRE(from.table().parameter_count() == to.table().parameter_count());
  test::File file = a;
  const std::size_t place_a = a.size() - 8 - state - start_a - weights;
  const std::size_t place_b = b.size() - 8 - state - start_b - weights;
  std::memcpy(file.data() + place_a, b.data() + place_b, weights);
  std::memcpy(file.data() + a.size() - 8 - state, b.data() + b.size() - 8 - state, state);
  auto loaded = Trainer<float>::load(test::rehashed(file));
  REQUIRE(loaded.ok());
  return std::move(loaded).value();
}

const std::vector<std::vector<TyingChange>>& plans() {
  static const std::vector<std::vector<TyingChange>> all = {
      {given(10), given(25)},
      {given(10), given(25), given(40)},
      {above(0, 5), above(0, 7, 3)},
      {given(7), above(0, 4, 2), given(30), above(0, 9)},
      {above(1, 3), given(20), above(0, 4, 1)},
  };
  return all;
}

}  // namespace

TEST_CASE("several changes give the bits of runs in which each change is made by hand, in a file") {
  for (const OptimizerKind optimizer : test::kAllOptimizers) {
    for (const Tying first : {Tying::kTied, Tying::kUntied}) {
      const std::uint64_t steps[] = {10, 25, 40};
      const auto trainer = trainer_of(plan(first, {given(10), given(25), given(40)}), optimizer);
      const auto expected = test::hashes(*trainer, kPlanSteps);
      CHECK(made_by(*trainer) == std::vector<std::uint64_t>{10, 25, 40});

      Tying now = first;
      auto hand = trainer_of(plan(now, {given(steps[0])}), optimizer);
      std::uint64_t start = hand->table().parameter_count();
      for (std::size_t i = 0;; ++i) {
        const std::uint64_t end = i + 1 < std::size(steps) ? steps[i + 1] - 1 : kPlanSteps;
        while (hand->steps_done() < end) {
          REQUIRE(hand->step().ok());
          REQUIRE(hand->parameter_hash() == expected[static_cast<std::size_t>(hand->steps_done())]);
        }
        if (end == kPlanSteps) break;
        now = other(now);
        auto next = trainer_of(plan(now, {given(steps[i + 1])}), optimizer);
        const std::uint64_t next_start = next->table().parameter_count();
        test::run(*next, end);
        hand = edited(*next, *hand, next_start, start);
        start = next_start;
      }
    }
  }
}

TEST_CASE("a condition counts from the change before it, and changes at the end of the block as a given step does") {
  for (const Tying first : {Tying::kTied, Tying::kUntied}) {
    const auto measured = trainer_of(plan(first, {above(0, 5), above(0, 7, 3), above(0, 4)}));
    const auto scheduled = trainer_of(plan(first, {given(5), given(15), given(19)}));
    for (std::uint64_t step = 1; step <= kPlanSteps; ++step) {
      test::run(*measured, 1);
      test::run(*scheduled, 1);
      REQUIRE(measured->parameter_hash() == scheduled->parameter_hash());
      REQUIRE(measured->tying_changed_at() == scheduled->tying_changed_at());
      const bool tied = (first == Tying::kTied) == (step < 5 || (step >= 15 && step < 19));
      REQUIRE(measured->table().find("unembedding")->owns_storage() != tied);
    }
    CHECK(made_by(*measured) == std::vector<std::uint64_t>{5, 15, 19});
    CHECK(made_by(*scheduled) == std::vector<std::uint64_t>{5, 15, 19});
  }
}

TEST_CASE("a given step takes precedence over a condition that has not held, which is left out") {
  for (const Tying first : {Tying::kTied, Tying::kUntied}) {
    const auto plain = trainer_of(test::small_model(first));
    const auto expected = test::hashes(*plain, kPlanSteps);
    // The condition never holds, or would hold at the very step.
    for (const TyingChange& condition : {above(1, 3), above(0, 20)}) {
      const auto trainer = trainer_of(plan(first, {condition, given(20)}));
      CHECK(test::hashes(*trainer, kPlanSteps) == expected);
      CHECK(made_by(*trainer).empty());
      CHECK(trainer->tying_changed_at() == 0);
    }
    // If two are left out, the tying is as before, so the third is made.
    const auto two = trainer_of(plan(first, {above(1, 3), above(1, 3), given(20)}));
    const auto one = trainer_of(plan(first, {given(20)}));
    CHECK(test::hashes(*two, kPlanSteps) == test::hashes(*one, kPlanSteps));
    CHECK(made_by(*two) == std::vector<std::uint64_t>{20});
    // Blocks of the next condition begin at the step that was left out.
    const auto later = trainer_of(plan(first, {above(1, 3), given(20), above(0, 4, 1)}));
    test::run(*later, kPlanSteps);
    CHECK(made_by(*later) == std::vector<std::uint64_t>{25});
  }
}

TEST_CASE("any step of a run with several changes is restored bit for bit") {
  for (const OptimizerKind optimizer : test::kAllOptimizers) {
    for (const auto& changes : plans()) {
      for (const std::uint64_t snapshot_bytes : {std::uint64_t{1} << 24, std::uint64_t{0}}) {
        const ModelConfig model = plan(Tying::kTied, changes);
        const auto trainer = trainer_of(model, optimizer, {.snapshot_bytes = snapshot_bytes});
        const auto expected = test::hashes(*trainer, kPlanSteps);
        const auto made = made_by(*trainer);
        for (const std::uint64_t step : {60, 26, 24, 9, 10, 41, 25, 5, 15, 19, 0, 60, 12, 40}) {
          REQUIRE(trainer->rewind(step).ok());
          REQUIRE(trainer->parameter_hash() == expected[static_cast<std::size_t>(step)]);
          std::vector<std::uint64_t> so_far;
          for (const std::uint64_t at : made) {
            if (at <= step) so_far.push_back(at);
          }
          CHECK(made_by(*trainer) == so_far);
          CHECK(trainer->tying_changed_at() == (so_far.empty() ? 0 : so_far.back()));
        }
        REQUIRE(trainer->rewind(3).ok());
        while (trainer->steps_done() < kPlanSteps) {
          REQUIRE(trainer->step().ok());
          REQUIRE(trainer->parameter_hash() == expected[static_cast<std::size_t>(trainer->steps_done())]);
        }
      }
    }
  }
}

TEST_CASE("a run with several changes continues from a file of any of its steps, bit for bit") {
  for (const auto& changes : plans()) {
    for (const Tying first : {Tying::kTied, Tying::kUntied}) {
      const auto trainer = trainer_of(plan(first, changes));
      const auto expected = test::hashes(*trainer, kPlanSteps);
      const auto made = made_by(*trainer);
      for (std::uint64_t step = 0; step <= kPlanSteps; ++step) {
        REQUIRE(trainer->rewind(step).ok());
        const test::File file = test::saved(*trainer);
        auto copy = Trainer<float>::load(file);
        REQUIRE(copy.ok());
        CHECK(copy.value()->model_config() == trainer->model_config());
        CHECK(copy.value()->tying_progress() == trainer->tying_progress());
        CHECK(copy.value()->parameter_hash() == expected[static_cast<std::size_t>(step)]);
        CHECK(test::saved(*copy.value()) == file);
        test::run(*copy.value(), kPlanSteps - step);
        CHECK(copy.value()->parameter_hash() == expected[kPlanSteps]);
        CHECK(made_by(*copy.value()) == made);
        REQUIRE(copy.value()->rewind(step / 2).ok());
        CHECK(copy.value()->parameter_hash() == expected[static_cast<std::size_t>(step / 2)]);
      }
    }
  }
}

TEST_CASE("an edit by hand begins a new block and discards no change") {
  const auto trainer = trainer_of(plan(Tying::kTied, {given(5), above(0, 6)}));
  test::run(*trainer, 8);
  const auto before = trainer->matrix("embedding");
  auto matrix = Matrix<float>::create(before.value().rows, before.value().cols);
  REQUIRE(matrix.ok());
  std::memcpy(matrix.value().data(), before.value().data,
              matrix.value().rows() * matrix.value().cols() * sizeof(float));
  REQUIRE(trainer->set_matrix("embedding", std::as_const(matrix.value()).view()).ok());
  test::run(*trainer, 10);
  CHECK(made_by(*trainer) == std::vector<std::uint64_t>{5, 14});
  REQUIRE(trainer->rewind(7).ok());
  test::run(*trainer, 10);
  CHECK(made_by(*trainer) == std::vector<std::uint64_t>{5, 11});
}

TEST_CASE("a file with changes that its steps cannot reach is refused") {
  const auto trainer = trainer_of(plan(Tying::kTied, {above(0, 5, 2), given(20), above(0, 3)}));
  test::run(*trainer, 30);
  const test::File file = test::saved(*trainer);
  const auto parameters = static_cast<std::size_t>(trainer->table().parameter_count());
  const std::size_t start =
      static_cast<std::size_t>(trainer_of(test::small_model(Tying::kTied))->table().parameter_count());
  const std::size_t place = file.size() - 8 - (3 * parameters + start) * sizeof(float) - 12 * 8;
  const auto with = [&](std::vector<std::uint64_t> numbers) {
    numbers.resize(12);
    test::File changed = file;
    for (std::size_t i = 0; i < 12 * 8; ++i) {
      changed[place + i] = static_cast<std::uint8_t>(numbers[i / 8] >> (8 * (i % 8)));
    }
    return Trainer<float>::load(test::rehashed(changed));
  };
  // Sum, count, changed_at, passed, changes. At 23 the model is untied again, as its weights are.
  REQUIRE(with({0, 0, 0, 3, 7, 20, 23}).ok());
  CHECK(with({0, 0, 0, 3, 12, 20, 30}).ok());
  const std::vector<std::vector<std::uint64_t>> impossible = {
      {0, 0, 7, 3, 7, 20, 23},     // also a single change
      {0, 1, 0, 3, 7, 20, 23},     // a block after the last change
      {0, 0, 0, 4, 7, 20, 23},     // more changes than there are
      {0, 0, 0, 3, 6, 20, 23},     // before the end of a block
      {0, 0, 0, 3, 20, 20, 23},    // a condition at a given step
      {0, 0, 0, 3, 7, 21, 24},     // not at the given step
      {0, 0, 0, 3, 7, 20, 22},     // before the end of the next block
      {0, 0, 0, 3, 7, 20, 31},     // after the steps done
      {0, 0, 0, 3, 0, 20, 23},     // a given step that is made though it has nothing to change
      {0, 0, 0, 3, 7, 0, 23},      // a given step that is not made
      {0, 0, 0, 1, 7, 0, 0},       // a given step that is reached but not passed
      {0, 0, 0, 3, 7, 20, 0},      // one left out without a given step after it
      {0, 0, 0, 2, 7, 20, 23},     // made but not passed
      {0, 0, 0, 3, 7, 20, 23, 9},  // more than there are
      {0, 0, 0, ~std::uint64_t{0}, 7, 20, 23},
  };
  for (const auto& numbers : impossible) {
    CAPTURE(numbers[3]);
    CAPTURE(numbers[4]);
    CAPTURE(numbers[5]);
    const auto refused = with(numbers);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().code == ErrorCode::kBadFile);
  }
}

TEST_CASE("further changes out of order, without a first one, or out of range are refused") {
  const auto refused = [](ModelConfig model) {
    const Status status = validate(model);
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().code == ErrorCode::kInvalidArgument);
    return status.error().argument;
  };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  ModelConfig without = test::small_model(Tying::kTied);
  without.n_further_changes = 1;
  without.further_changes[0] = given(5);
  CHECK(refused(without) == "further_changes");
  TyingChange both = above(0, 5);
  both.at_step = 9;
  TyingChange outside = above(0, 5, ~std::uint64_t{0});
  for (const TyingChange& change : {given(5), given(4), TyingChange{}, both, above(1.5, 5), above(kNan, 5), above(0, 0),
                                    above(-0.1, 5), given(~std::uint64_t{0}), outside}) {
    CHECK(refused(plan(Tying::kTied, {given(5), change})) == "further_changes");
  }
  CHECK(refused(plan(Tying::kTied, {given(9), above(0, 5), given(9)})) == "further_changes");
  TyingChange unknown = above(0, 5);
  unknown.condition = static_cast<TyingCondition>(3);
  CHECK(refused(plan(Tying::kTied, {given(5), unknown})) == "further_changes");
  ModelConfig many = plan(Tying::kUntied, {given(5), given(6)});
  many.n_further_changes = kMaxTyingChanges;
  CHECK(refused(many) == "further_changes");
}
