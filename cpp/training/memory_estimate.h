// How much memory a trainer takes, known before any of it is taken.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/config.h"
#include "training/training_config.h"

namespace tied {

struct TrainerLimits {
  // A trainer that would take more is refused.
  std::uint64_t memory_bytes = std::uint64_t{2} << 30;
  // Of that, for snapshots that make rewinding fast; one is kept in any case.
  std::uint64_t snapshot_bytes = std::uint64_t{16} << 20;
};

struct MemoryPart {
  std::string_view name;
  std::uint64_t bytes = 0;
};

struct MemoryEstimate {
  std::uint64_t bytes = 0;
  std::vector<MemoryPart> parts;  // weights, gradients, optimizer, start, snapshots, workspace, batch, data
};

// For single precision; `data_bytes` is what TrainingData::bytes() says or will say.
// `max_rows`: rows of the largest batch, as create_model wants it.
// Errors: kInvalidArgument as both validate().
Result<MemoryEstimate> estimate_memory(const ModelConfig& model, const TrainingConfig& training,
                                       const TrainerLimits& limits = {}, std::uint64_t data_bytes = 0,
                                       std::uint64_t number_bytes = sizeof(float));

// How many snapshots of one state fit in limits.snapshot_bytes: 1 to 64.
std::uint64_t snapshot_slots(std::uint64_t state_bytes, const TrainerLimits& limits);

}  // namespace tied
