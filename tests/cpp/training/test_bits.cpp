// The same seed gives the same bits: natively, sanitized and as wasm. These constants are what the code computes; a
// change of any of them means that every published seed now means other numbers, and belongs in the changelog.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "support.h"

using namespace tied;

namespace {

struct Expected {
  Tying tying;
  OptimizerKind optimizer;
  bool table;
  std::uint64_t hash;
};

std::uint64_t hash_after_200_steps(const Expected& run) {
  const auto ids = test::stream(5'000, 29, 1);
  const ModelConfig model{.vocab_size = 29, .d_model = 10, .tying = run.tying, .output_bias = true, .init_std = 0.1};
  TrainingConfig training = test::small_training(run.optimizer);
  training.input_gradient_scale = 2;
  const auto trainer =
      run.table ? test::trainer_on(model, training, test::counts_of(ids, 29)) : test::trainer_on(model, training, ids);
  test::run(*trainer, 200);
  return trainer->parameter_hash();
}

}  // namespace

TEST_CASE("200 steps from a seed end at the same bits everywhere") {
  constexpr Expected kExpected[] = {
      {Tying::kTied, OptimizerKind::kAdamW, false, 0x99BA666F90737D53},
      {Tying::kTied, OptimizerKind::kSgd, true, 0x9F420B6679EEBD10},
      {Tying::kUntied, OptimizerKind::kAdamW, true, 0xA128A0FE6B67A26C},
      {Tying::kTiedLinear, OptimizerKind::kAdamW, false, 0xC5823452948946AD},
      {Tying::kTiedMlp, OptimizerKind::kAdamW, false, 0xD58B7798F8A9DEF6},
      {Tying::kTiedMlp, OptimizerKind::kAdamW, true, 0x10AAC68D91AD35BD},
  };
  for (const Expected& run : kExpected) CHECK(hash_after_200_steps(run) == run.hash);
}
