// The vocabulary of GPT-2 at the training lab's width: the memory that a phone's browser needs for it.
#include <doctest/doctest.h>

#include <vector>

#include "support.h"

using namespace tied;

namespace {

constexpr std::uint64_t kVocabSize = 50'257;

ModelConfig model_of(Tying tying) {
  return {.kind = ModelKind::kTransformer, .vocab_size = kVocabSize, .d_model = 64, .tying = tying};
}

TrainingConfig training_of(std::uint64_t batch_size) {
  return {.learning_rate = 3e-3, .weight_decay = 0.1, .gradient_clip = 1, .beta2 = 0.95, .batch_size = batch_size};
}

}  // namespace

TEST_CASE("with the vocabulary of GPT-2, tying saves four matrices of memory, and either trains in less than 300 MB") {
  // A million tokens of text. test_allocations.cpp checks the estimates.
  constexpr std::uint64_t kTextBytes = 4'000'000;
  const auto tied = estimate_memory(model_of(Tying::kTied), training_of(16), {}, kTextBytes);
  const auto untied = estimate_memory(model_of(Tying::kUntied), training_of(16), {}, kTextBytes);
  REQUIRE(tied.ok());
  REQUIRE(untied.ok());
  CHECK(untied.value().bytes < 300'000'000);
  // The saving: one matrix each of weights and initial weights, and two moments. Gradients are stored by role, so a
  // tied matrix has two. Only the tied model is small enough for a snapshot.
  constexpr std::uint64_t kMatrixBytes = kVocabSize * 64 * sizeof(float);
  const auto without_snapshots = [](const MemoryEstimate& estimate) {
    std::uint64_t bytes = 0;
    for (const MemoryPart& part : estimate.parts) bytes += part.name == "snapshots" ? 0 : part.bytes;
    return bytes;
  };
  CHECK(without_snapshots(untied.value()) - without_snapshots(tied.value()) == 4 * kMatrixBytes);
  CHECK(without_snapshots(untied.value()) == untied.value().bytes);

  // 1,024 rows of logits at once would take 206 MB alone.
  for (const MemoryPart& part : untied.value().parts) {
    if (part.name == "workspace") CHECK(part.bytes < 50'000'000);
  }
}

TEST_CASE("a transformer with the vocabulary of GPT-2 learns") {
  std::vector<std::uint32_t> ids;
  for (std::uint32_t i = 0; i < 500; ++i) ids.push_back(i % 5 * 12'564);
  TrainingConfig training = training_of(1);
  training.learning_rate = 0.02;
  const auto trainer = test::trainer_on(model_of(Tying::kTied), training, ids);
  StepRecord first;
  REQUIRE(trainer->step(&first).ok());
  // Weights start near zero: no token is much likelier than another.
  CHECK(std::fabs(first.loss - std::log(static_cast<double>(kVocabSize))) < 0.1);
  test::run(*trainer, 4);
  StepRecord last;
  REQUIRE(trainer->step(&last).ok());
  CHECK(last.loss < first.loss - 1);
}
