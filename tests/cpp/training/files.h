// Trainer files for tests: saved, damaged, loaded.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/hash.h"
#include "support.h"

namespace tied::test::inline training_tests {

using File = std::vector<std::uint8_t>;

// A file with a valid hash, so the checks after the hash are reached.
inline File rehashed(File file) {
  const std::uint64_t hash = fnv1a_64(std::span<const std::uint8_t>(file).first(file.size() - 8));
  for (std::size_t i = 0; i < 8; ++i) file[file.size() - 8 + i] = static_cast<std::uint8_t>(hash >> (8 * i));
  return file;
}

// Memory for the models here and nothing else, so a file that requests much is refused.
inline constexpr TrainerLimits kSmallLimits{.memory_bytes = std::uint64_t{4} << 20, .snapshot_bytes = 1 << 16};

inline std::unique_ptr<Trainer<float>> small_trainer(Tying tying, OptimizerKind optimizer, bool table) {
  const auto ids = stream(300, 13, 1);
  const TrainingConfig training = small_training(optimizer);
  return table ? trainer_on(small_model(tying), training, counts_of(ids, 13), kSmallLimits)
               : trainer_on(small_model(tying), training, ids, kSmallLimits);
}

}  // namespace tied::test::inline training_tests
