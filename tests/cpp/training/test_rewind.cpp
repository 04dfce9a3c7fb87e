#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support.h"

using namespace tied;

namespace {

Matrix<float> filled(std::size_t rows, std::size_t cols, float value) {
  auto matrix = Matrix<float>::create(rows, cols);
  REQUIRE(matrix.ok());
  for (std::size_t i = 0; i < rows * cols; ++i) matrix.value().data()[i] = value / static_cast<float>(1 + i % 7);
  return std::move(matrix).value();
}

void edit(Trainer<float>& trainer, float value) {
  const Matrix<float> matrix = filled(13, 4, value);
  REQUIRE(trainer.set_matrix("embedding", matrix.view()).ok());
}

std::unique_ptr<Trainer<float>> small_trainer(Tying tying, OptimizerKind optimizer = OptimizerKind::kAdamW,
                                              const TrainerLimits& limits = {}) {
  return test::trainer_on(test::small_model(tying), test::small_training(optimizer), test::stream(400, 13, 1), limits);
}

}  // namespace

TEST_CASE("any step is restored bit for bit, in any order, forward as well") {
  for (const Tying tying : test::kTyings) {
    for (const OptimizerKind optimizer : test::kAllOptimizers) {
      // Memory for 64 snapshots, and for one.
      for (const std::uint64_t snapshot_bytes : {std::uint64_t{1} << 24, std::uint64_t{0}}) {
        const auto trainer = small_trainer(tying, optimizer, {.snapshot_bytes = snapshot_bytes});
        const auto expected = test::hashes(*trainer, 150);
        Random random(7, 7);
        for (int i = 0; i < 40; ++i) {
          const std::uint64_t step = random.below(151);
          REQUIRE(trainer->rewind(step).ok());
          CHECK(trainer->steps_done() == step);
          CHECK(trainer->parameter_hash() == expected[static_cast<std::size_t>(step)]);
        }
        // The optimizer's state is restored too: the following steps are the same as well.
        REQUIRE(trainer->rewind(73).ok());
        for (std::uint64_t step = 74; step <= 150; ++step) {
          REQUIRE(trainer->step().ok());
          CHECK(trainer->furthest_step() == 150);
          CHECK(trainer->parameter_hash() == expected[static_cast<std::size_t>(step)]);
        }
      }
    }
  }
}

TEST_CASE("snapshots are thinned out and every step stays reachable") {
  // Memory for three snapshots of this model and optimizer.
  const auto whole = small_trainer(Tying::kTied);
  const std::uint64_t state_bytes = whole->table().value_extent() * 3 * sizeof(float);
  const auto trainer = small_trainer(Tying::kTied, OptimizerKind::kAdamW, {.snapshot_bytes = 3 * state_bytes});
  const auto expected = test::hashes(*trainer, 1'000);
  for (const std::uint64_t step : {999, 1'000, 16, 17, 500, 0, 750, 3}) {
    REQUIRE(trainer->rewind(step).ok());
    CHECK(trainer->parameter_hash() == expected[static_cast<std::size_t>(step)]);
  }
}

TEST_CASE("an edit at the start becomes the start") {
  const auto trainer = small_trainer(Tying::kTied);
  edit(*trainer, 0.5F);
  const auto expected = test::hashes(*trainer, 40);
  REQUIRE(trainer->rewind(0).ok());
  // Drift is measured from there: a first step of AdamW at a rate of 0.004 is small compared with rows of size 0.5.
  StepRecord record;
  REQUIRE(trainer->step(&record).ok());
  CHECK(record.embedding_drift > 0);
  CHECK(record.embedding_drift < 0.1);
  REQUIRE(trainer->rewind(0).ok());
  CHECK(trainer->parameter_hash() == expected[0]);
  REQUIRE(trainer->rewind(33).ok());
  CHECK(trainer->parameter_hash() == expected[33]);
}

TEST_CASE("an edit is part of the timeline: old states before it, edited ones from it on") {
  for (const std::uint64_t snapshot_bytes : {std::uint64_t{1} << 24, std::uint64_t{0}}) {
    const auto trainer = small_trainer(Tying::kTied, OptimizerKind::kAdamW, {.snapshot_bytes = snapshot_bytes});
    auto expected = test::hashes(*trainer, 50);
    edit(*trainer, 0.5F);
    edit(*trainer, 0.25F);  // twice at one step: the last one counts
    expected.pop_back();
    const auto after = test::hashes(*trainer, 50);
    expected.insert(expected.end(), after.begin(), after.end());
    REQUIRE(expected.size() == 101);
    for (const std::uint64_t step : {100, 10, 49, 50, 51, 0, 77, 32, 100}) {
      REQUIRE(trainer->rewind(step).ok());
      CHECK(trainer->parameter_hash() == expected[static_cast<std::size_t>(step)]);
    }
  }
}

TEST_CASE("a step from before an edit leaves the timeline, and the edit is discarded") {
  const auto unedited = small_trainer(Tying::kUntied);
  const auto expected = test::hashes(*unedited, 100);
  const auto trainer = small_trainer(Tying::kUntied);
  test::run(*trainer, 50);
  edit(*trainer, 0.5F);
  test::run(*trainer, 20);
  REQUIRE(trainer->rewind(40).ok());
  REQUIRE(trainer->step().ok());
  CHECK(trainer->furthest_step() == 41);
  CHECK_FALSE(trainer->rewind(60).ok());
  test::run(*trainer, 59);
  for (const std::uint64_t step : {100, 50, 70, 0, 41, 99}) {
    REQUIRE(trainer->rewind(step).ok());
    CHECK(trainer->parameter_hash() == expected[static_cast<std::size_t>(step)]);
  }
}

TEST_CASE("an edit after rewinding discards all later steps") {
  const auto trainer = small_trainer(Tying::kTied);
  test::run(*trainer, 60);
  REQUIRE(trainer->rewind(30).ok());
  edit(*trainer, 0.5F);
  CHECK(trainer->furthest_step() == 30);
  CHECK_FALSE(trainer->rewind(31).ok());
  const auto after = test::hashes(*trainer, 30);
  REQUIRE(trainer->rewind(45).ok());
  CHECK(trainer->parameter_hash() == after[15]);
}

TEST_CASE("if edits exceed the snapshots, lost steps are refused and the others are exact") {
  const auto trainer = small_trainer(Tying::kTied, OptimizerKind::kAdamW, {.snapshot_bytes = 0});
  const auto first = test::hashes(*trainer, 10);
  edit(*trainer, 0.5F);
  test::run(*trainer, 10);
  edit(*trainer, 0.25F);
  const auto last = test::hashes(*trainer, 10);

  REQUIRE(trainer->rewind(9).ok());
  CHECK(trainer->parameter_hash() == first[9]);
  const Status lost = trainer->rewind(15);
  REQUIRE_FALSE(lost.ok());
  CHECK(lost.error().code == ErrorCode::kUnsupported);
  CHECK(lost.error().argument == "step");
  CHECK(trainer->parameter_hash() == first[9]);
  REQUIRE(trainer->rewind(25).ok());
  CHECK(trainer->parameter_hash() == last[5]);
}

TEST_CASE("the oldest edits are dropped first, and replay never crosses a dropped one") {
  const std::uint64_t state_bytes = small_trainer(Tying::kTied)->table().value_extent() * 3 * sizeof(float);
  const auto trainer = small_trainer(Tying::kTied, OptimizerKind::kAdamW, {.snapshot_bytes = 2 * state_bytes});
  test::run(*trainer, 20);
  edit(*trainer, 0.5F);
  test::run(*trainer, 10);
  edit(*trainer, 0.25F);
  const auto third = test::hashes(*trainer, 10);
  edit(*trainer, 0.125F);
  // Those of steps 30 and 40 remain.
  CHECK_FALSE(trainer->rewind(25).ok());
  REQUIRE(trainer->rewind(35).ok());
  CHECK(trainer->parameter_hash() == third[5]);
  // Leaving the timeline there frees slots, so a replay from the start leaves a snapshot at 16, which is useless for
  // step 25.
  REQUIRE(trainer->step().ok());
  REQUIRE(trainer->rewind(19).ok());
  const Status lost = trainer->rewind(25);
  REQUIRE_FALSE(lost.ok());
  CHECK(lost.error().code == ErrorCode::kUnsupported);
  REQUIRE(trainer->rewind(35).ok());
  CHECK(trainer->parameter_hash() == third[5]);
}

TEST_CASE("after any sequence of edits, rewinds and steps, a reachable step has its original bits") {
  // A random walk that records the bits of every step of the current timeline, with memory for two and for five
  // snapshots.
  const std::uint64_t state_bytes = small_trainer(Tying::kTied)->table().value_extent() * 3 * sizeof(float);
  for (const std::uint64_t slots : {2, 5}) {
    const auto trainer = small_trainer(Tying::kTied, OptimizerKind::kAdamW, {.snapshot_bytes = slots * state_bytes});
    std::vector<std::uint64_t> known{trainer->parameter_hash()};
    std::vector<std::size_t> edits;
    Random random(slots, stream_of("walk"));
    std::size_t returns = 0;
    for (int move = 0; move < 600; ++move) {
      const auto here = static_cast<std::size_t>(trainer->steps_done());
      const std::uint32_t choice = random.below(10);
      if (choice < 3) {
        const std::uint64_t target = random.below(static_cast<std::uint32_t>(known.size()));
        const Status status = trainer->rewind(target);
        if (status.ok()) {
          ++returns;
          REQUIRE(trainer->parameter_hash() == known[static_cast<std::size_t>(target)]);
        } else {
          REQUIRE(status.error().code == ErrorCode::kUnsupported);
          REQUIRE(trainer->steps_done() == here);
        }
      } else if (choice < 4) {
        edit(*trainer, random.uniform());
        known.resize(here + 1);
        known.back() = trainer->parameter_hash();
        while (!edits.empty() && edits.back() >= here) edits.pop_back();
        if (here > 0) edits.push_back(here);
      } else {
        // Leaving the recorded timeline before an edit discards all later states.
        if (!edits.empty() && edits.back() > here) known.resize(here + 1);
        while (!edits.empty() && edits.back() > here) edits.pop_back();
        for (std::uint32_t n = 1 + random.below(30); n-- > 0;) {
          REQUIRE(trainer->step().ok());
          const auto now = static_cast<std::size_t>(trainer->steps_done());
          if (now < known.size()) {
            REQUIRE(known[now] == trainer->parameter_hash());
          } else {
            known.push_back(trainer->parameter_hash());
          }
        }
      }
      REQUIRE(trainer->furthest_step() + 1 == known.size());
    }
    CHECK(returns > 50);
  }
}
