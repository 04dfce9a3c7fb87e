// Memory of a trainer, known before it is allocated.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/record.h"
#include "model/config.h"
#include "training/training_config.h"

namespace tied {

struct TrainerLimits {
  // Larger trainers are refused. A wasm instance has at most 2 GiB; the rest is for the module itself, and for
  // arguments and results of calls.
  std::uint64_t memory_bytes = std::uint64_t{1792} << 20;
  // The part of it for snapshots, which make rewinding fast. This is enough for every 64th of 800 steps of the training
  // lab's transformer, so any step is fewer than 64 steps away. A model too large for one has none: a single one saves
  // less than half of the steps of a replay, and would take a quarter of the trainer's memory.
  std::uint64_t snapshot_bytes = std::uint64_t{40} << 20;
  // False for a copy that only computes gradients: it has neither a start nor the optimizer's state.
  bool does_steps = true;
};

struct MemoryPart {
  std::string_view name;
  std::uint64_t bytes = 0;

  using Answered = Record<&MemoryPart::name, &MemoryPart::bytes>;
};

struct MemoryEstimate {
  std::uint64_t bytes = 0;
  std::vector<MemoryPart> parts;  // weights, gradients, optimizer, start, snapshots, workspace, batch, data
  std::uint64_t max_rows = 0;     // rows of the largest part of a batch, for create_model
};

// Kind of training data. Without data, a model can be inspected and can generate, and takes no memory for training.
// In the order of files.
enum class DataKind : std::uint8_t { kTokens, kTable, kNone, kPairs };

inline bool has_batches(DataKind kind) { return kind == DataKind::kTokens || kind == DataKind::kPairs; }

struct DataSize {
  DataKind kind = DataKind::kTokens;
  std::uint64_t bytes = 0;       // TrainingData::bytes()
  std::uint64_t table_rows = 0;  // tokens with a row in the table; 0 = all, if not known yet
};

// Errors: kInvalidArgument as for both validate(), and for a batch of more than kMaxBatchTokens.
Result<MemoryEstimate> estimate_memory_of(const DataSize& data, const ModelConfig& model,
                                          const TrainingConfig& training, const TrainerLimits& limits = {},
                                          std::uint64_t number_bytes = sizeof(float));
// The same for tokens (for an encoder-decoder, pairs) or, if batch_size is 0, for a table.
Result<MemoryEstimate> estimate_memory(const ModelConfig& model, const TrainingConfig& training,
                                       const TrainerLimits& limits = {}, std::uint64_t data_bytes = 0);

// Checks that the trainer stays within limits.memory_bytes.
// Errors: as estimate_memory_of; kOutOfMemory naming the first of batch_size, ngram_rows, context_length, d_model,
// n_layers, d_feed_forward and vocab_size that can be reduced enough on its own (from the second on with a batch of one
// sequence), and the largest value that fits. If there is none, it names the width that fits with one layer and one
// head. The rank is reduced with the width.
Status check_trainer_memory(const DataSize& data, const ModelConfig& model, const TrainingConfig& training,
                            const TrainerLimits& limits = {}, std::uint64_t number_bytes = sizeof(float));

// Maximum number of tokens of one sequence: the context length (for an encoder-decoder, the larger of it and the length
// of sources), or 1 for a direct path.
std::uint64_t sequence_length_of(const ModelConfig& model);

// How many snapshots fit in limits.snapshot_bytes, at most 64.
std::uint64_t snapshot_slots(std::uint64_t state_bytes, const TrainerLimits& limits);

}  // namespace tied
