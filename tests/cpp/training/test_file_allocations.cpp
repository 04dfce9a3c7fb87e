#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <string>

#include "../allocations.h"
#include "files.h"

using namespace tied;
using namespace tied::test;

TEST_CASE("saving allocates nothing in proportion to the trainer, its data or its file") {
  for (const bool table : {false, true}) {
    const auto trainer = small_trainer(Tying::kUntied, OptimizerKind::kAdamW, table);
    const std::size_t largest = saved(*trainer).size();
    std::vector<std::uint8_t> part(1000);
    TrainerFile file(*trainer);
    test::allocations.largest_bytes = 0;
    CHECK(file.size() == largest);
    while (file.next(part) == part.size()) continue;
    // Only a table of the parameters, whatever their sizes.
    CHECK(test::allocations.largest_bytes < 1000);
    CHECK(largest > 2000);
  }
}

TEST_CASE("nothing is allocated for a table whose file lacks the weights of its vocabulary") {
  File file = saved(*small_trainer(Tying::kTied, OptimizerKind::kAdamW, true));
  // Magic, version, bytes per element, the kind of model: then the size of the vocabulary.
  const std::uint32_t huge = 100'000'000;
  std::memcpy(&file[8 + 4 + 1 + 1], &huge, sizeof(huge));
  // Without limits that would refuse it first: the file's own size does.
  const TrainerLimits unlimited{.memory_bytes = ~std::uint64_t{0}};
  test::allocations.largest_bytes = 0;
  const auto refused = Trainer<float>::load(rehashed(file), unlimited);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == ErrorCode::kBadFile);
  CHECK(test::allocations.largest_bytes < 10'000);
}

TEST_CASE(
    "nothing is allocated for a trainer whose file has a weight that is not finite, which is named by its place") {
  const auto trainer = trainer_on(small_model(Tying::kUntied), small_training(OptimizerKind::kAdamW),
                                  stream(300, 13, 1), TrainerLimits{.memory_bytes = ~std::uint64_t{0}});
  File file = saved(*trainer);
  // The last element of the optimizer's state, before the hash.
  const std::size_t place = file.size() - 8 - sizeof(float);
  const float wrong = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(&file[place], &wrong, sizeof(wrong));
  const File changed = rehashed(file);
  test::allocations.largest_bytes = 0;
  const auto refused = Trainer<float>::load(changed, {});
  REQUIRE_FALSE(refused.ok());
  CHECK(test::allocations.largest_bytes < 1000);
  CHECK(refused.error().value == "a number that is not finite at byte " + std::to_string(place));
}

TEST_CASE("whatever field of a trainer's file is changed, its memory is bounded by the file or by a check") {
  // Sets every byte before the weights such that its field becomes large.
  for (const bool table : {false, true}) {
    const auto trainer = small_trainer(Tying::kUntied, OptimizerKind::kAdamW, table);
    const File file = saved(*trainer);
    const auto all = static_cast<std::size_t>(4 * trainer->table().parameter_count() * sizeof(float));
    const std::size_t weights = file.size() - 8 - all;
    for (std::size_t i = 13; i < weights; ++i) {
      for (const int value : {0x01, 0x7F, 0xFF}) {
        File changed = file;
        changed[i] = static_cast<std::uint8_t>(value);
        test::allocations.largest_bytes = 0;
        const auto made = Trainer<float>::load(rehashed(std::move(changed)), kSmallLimits);
        if (!made.ok()) CHECK(test::allocations.largest_bytes <= 16 * file.size());
      }
    }
  }
}
