#include "training/memory_estimate.h"

#include <algorithm>

#include "model/model.h"
#include "training/optimizer.h"

namespace tied {

std::uint64_t snapshot_slots(std::uint64_t state_bytes, const TrainerLimits& limits) {
  constexpr std::uint64_t kMostSlots = 64;
  return std::clamp<std::uint64_t>(limits.snapshot_bytes / std::max<std::uint64_t>(state_bytes, 1), 1, kMostSlots);
}

Result<MemoryEstimate> estimate_memory(const ModelConfig& model, const TrainingConfig& training,
                                       const TrainerLimits& limits, std::uint64_t data_bytes,
                                       std::uint64_t number_bytes) {
  if (Status status = validate(model); !status) return status.error();
  const bool has_batches = training.batch_size != 0;
  if (Status status = validate(training, has_batches); !status) return status.error();

  // Sizes are below 2^32 and 2^22 each, so that no product below passes 2^64.
  const ParameterTable table = parameter_table(model);
  const std::uint64_t max_rows = has_batches ? training.batch_size : model.vocab_size;
  const std::uint64_t weights = table.value_extent() * number_bytes;
  const std::uint64_t optimizer = weights * optimizer_state_factor(training);
  const std::uint64_t snapshots = snapshot_slots(weights + optimizer, limits) * (weights + optimizer);

  MemoryEstimate estimate;
  estimate.parts = {
      {"weights", weights},
      {"gradients", table.gradient_extent() * number_bytes},
      {"optimizer", optimizer},
      {"start", weights},
      {"snapshots", snapshots},
      {"workspace", workspace_extent(model, max_rows) * number_bytes},
      {"batch", has_batches ? 2 * training.batch_size * sizeof(std::uint32_t) : 0},
      {"data", data_bytes},
  };
  for (const MemoryPart& part : estimate.parts) estimate.bytes += part.bytes;
  return estimate;
}

}  // namespace tied
