#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "support.h"
#include "training/batches.h"

using namespace tied;

namespace {

// Token t at position t, so a batch reveals its positions.
std::vector<std::uint32_t> positions(std::size_t size) {
  std::vector<std::uint32_t> ids(size);
  for (std::size_t i = 0; i < size; ++i) ids[i] = static_cast<std::uint32_t>(i);
  return ids;
}

std::vector<std::uint32_t> drawn(std::uint64_t seed, std::size_t batch_size, std::uint64_t step,
                                 std::size_t size = 1000) {
  BatchSampler sampler;
  REQUIRE(sampler.allocate(seed, batch_size, 1).ok());
  const auto ids = positions(size);
  const TokenBatch batch = sampler.draw(ids.data(), ids.size(), step);
  return {batch.inputs, batch.inputs + batch.size};
}

}  // namespace

TEST_CASE("the batch of a step does not need those before it") {
  BatchSampler sampler;
  REQUIRE(sampler.allocate(5, 10, 1).ok());
  const auto ids = positions(1'000);
  for (std::uint64_t step = 0; step < 50; ++step) {
    const TokenBatch batch = sampler.draw(ids.data(), ids.size(), step);
    if (step == 0 || step == 37) CHECK(std::vector(batch.inputs, batch.inputs + batch.size) == drawn(5, 10, step));
  }
}

TEST_CASE("batches differ between steps and seeds, and a larger one starts with the smaller one's pairs") {
  CHECK(drawn(5, 10, 0) != drawn(5, 10, 1));
  CHECK(drawn(5, 10, 0) != drawn(6, 10, 0));
  const auto small = drawn(5, 10, 3);
  auto large = drawn(5, 40, 3);
  large.resize(10);
  CHECK(large == small);
}

TEST_CASE("targets follow inputs, within sequences of the context length") {
  BatchSampler sampler;
  REQUIRE(sampler.allocate(7, 6, 5).ok());
  const auto ids = positions(40);
  const TokenBatch batch = sampler.draw(ids.data(), ids.size(), 9);
  REQUIRE(batch.size == 30);
  for (std::size_t i = 0; i < batch.size; ++i) {
    CHECK(batch.targets[i] == batch.inputs[i] + 1);
    if (i % 5 != 0) CHECK(batch.inputs[i] == batch.inputs[i - 1] + 1);
  }
}

TEST_CASE("positions are uniform, including the first and the last") {
  constexpr std::size_t kStarts = 10;
  constexpr std::size_t kDraws = 20'000;
  std::vector<double> counts(kStarts, 0);
  for (const std::uint32_t position : drawn(8, kDraws, 0, kStarts + 1)) {
    REQUIRE(position < kStarts);
    counts[position] += 1;
  }
  double chi_square = 0;
  for (const double count : counts) {
    const double expected = static_cast<double>(kDraws) / kStarts;
    chi_square += (count - expected) * (count - expected) / expected;
  }
  // Nine degrees of freedom: above 27.9 for one in a thousand seeds.
  CHECK(chi_square < 27.9);
}

TEST_CASE("a stream of two tokens gives its only pair") {
  for (const std::uint32_t position : drawn(9, 20, 4, 2)) CHECK(position == 0);
}

TEST_CASE("a trainer's losses are those of the sampler's batches, in the same order for every tying") {
  const auto ids = test::stream(500, 13, 1);
  for (const Tying tying : test::kTyings) {
    TrainingConfig training = test::small_training();
    REQUIRE(training.batch_size == 24);
    training.learning_rate = 0;  // the weights do not change, so losses identify the batches
    training.weight_decay = 0;
    const auto trainer = test::trainer_on(test::small_model(tying), training, ids);
    auto twin = create_model<float>(test::small_model(tying), training.init_seed, training.batch_size);
    REQUIRE(twin.ok());
    BatchSampler sampler;
    REQUIRE(sampler.allocate(training.seed, 24, 1).ok());
    for (std::uint64_t step = 0; step < 10; ++step) {
      StepRecord record;
      REQUIRE(trainer->step(&record).ok());
      CHECK(record.loss == twin.value()->loss(sampler.draw(ids.data(), ids.size(), step), Pass::kForward));
    }
  }
}
