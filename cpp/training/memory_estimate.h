// How much memory a trainer takes, known before any of it is taken.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "model/config.h"
#include "training/training_config.h"

namespace tied {

struct TrainerLimits {
  // A trainer that would take more is refused. Of the 2 GiB that a wasm instance may have at most, the rest is for what
  // else is in it: the module itself, arguments and results of a call.
  std::uint64_t memory_bytes = std::uint64_t{1792} << 20;
  // Of that, for snapshots that make rewinding fast; one is kept in any case. This is room for those of every 64th step
  // of 800 of the laboratory's transformer, so that any step is less than 64 steps away.
  std::uint64_t snapshot_bytes = std::uint64_t{40} << 20;
};

struct MemoryPart {
  std::string_view name;
  std::uint64_t bytes = 0;
};

struct MemoryEstimate {
  std::uint64_t bytes = 0;
  std::vector<MemoryPart> parts;  // weights, gradients, optimizer, start, snapshots, workspace, batch, data
  std::uint64_t max_rows = 0;     // rows of the largest batch, as create_model wants it
};

// What a trainer learns from: without anything it can be looked at and can write, and takes no memory for training.
enum class DataKind : std::uint8_t { kTokens, kTable, kNone };

struct DataSize {
  DataKind kind = DataKind::kTokens;
  std::uint64_t bytes = 0;       // what TrainingData::bytes() says or will say
  std::uint64_t table_rows = 0;  // tokens that have a row in the table; 0 = all, while it is not known
};

// Errors: kInvalidArgument as both validate(), and for a batch of more than kMaxBatchTokens.
Result<MemoryEstimate> estimate_memory_of(const DataSize& data, const ModelConfig& model,
                                          const TrainingConfig& training, const TrainerLimits& limits = {},
                                          std::uint64_t number_bytes = sizeof(float));
// The same for tokens, or, where batch_size is 0, for a table.
Result<MemoryEstimate> estimate_memory(const ModelConfig& model, const TrainingConfig& training,
                                       const TrainerLimits& limits = {}, std::uint64_t data_bytes = 0);

// Whether the trainer stays within limits.memory_bytes.
// Errors: as estimate_memory_of; kOutOfMemory that names the first of batch_size, context_length, d_model, n_layers,
// d_feed_forward and vocab_size which alone (the later ones with a batch of one sequence) can be made small enough, and
// how small; where none can, the width that one layer with one head may have. A rank goes down with the width.
Status check_trainer_memory(const DataSize& data, const ModelConfig& model, const TrainingConfig& training,
                            const TrainerLimits& limits = {}, std::uint64_t number_bytes = sizeof(float));

// Tokens of one sequence: the context, or one for a direct path.
std::uint64_t sequence_length_of(const ModelConfig& model);

// How many snapshots of one state fit in limits.snapshot_bytes: 1 to 64.
std::uint64_t snapshot_slots(std::uint64_t state_bytes, const TrainerLimits& limits);

}  // namespace tied
