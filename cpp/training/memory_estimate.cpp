#include "training/memory_estimate.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "model/model.h"
#include "training/optimizer.h"
#include "training/pairs.h"
#include "training/shard_sums.h"

namespace tied {
namespace {

std::string megabytes(std::uint64_t bytes) { return text_of(bytes >> 20) + " MiB"; }

// Gives `smaller` the sizes of the head of `model`, as far as its width and vocabulary have room for them: otherwise
// every smaller vocabulary would be refused for its head.
void fit_head(ModelConfig& smaller, const ModelConfig& model) {
  smaller.table_rank = std::min(model.table_rank, smaller.d_model);
  smaller.head_clusters = std::min(model.head_clusters, smaller.vocab_size);
  smaller.head_kept = std::min(model.head_kept, smaller.vocab_size);
  std::copy_n(model.head_cutoffs, kMaxCutoffs, smaller.head_cutoffs);
  for (std::size_t i = model.tails(); i-- > 0;) {
    if (smaller.head_cutoffs[i] < smaller.vocab_size) break;
    smaller.head_cutoffs[i] = i == 0 ? smaller.vocab_size - 1 : 0;
  }
}

}  // namespace

std::uint64_t snapshot_slots(std::uint64_t state_bytes, const TrainerLimits& limits) {
  constexpr std::uint64_t kMaxSlots = 64;
  return std::min<std::uint64_t>(limits.snapshot_bytes / std::max<std::uint64_t>(state_bytes, 1), kMaxSlots);
}

std::uint64_t sequence_length_of(const ModelConfig& model) {
  if (model.is_encoder_decoder()) return std::max(model.context_length, model.source_length);
  return model.kind == ModelKind::kDirectPath ? 1 : model.context_length;
}

Result<MemoryEstimate> estimate_memory_of(const DataSize& data, const ModelConfig& model,
                                          const TrainingConfig& training, const TrainerLimits& limits,
                                          std::uint64_t number_bytes) {
  if (Status status = validate(model); !status) return status;
  const bool batches = has_batches(data.kind);
  if (Status status = validate(training, batches); !status) return status;
  const std::uint64_t sequence_length = sequence_length_of(model);
  if (batches && training.batch_size > kMaxBatchTokens / sequence_length) {
    return make_error(ErrorCode::kInvalidArgument, "batch_size", training.batch_size,
                      "at most " + text_of(kMaxBatchTokens / sequence_length) + " sequences of " +
                          text_of(sequence_length) + " tokens");
  }

  // Sizes are limited so that no product below exceeds 2^64.
  const bool trains = data.kind != DataKind::kNone && limits.does_steps;
  const ParameterTable table = parameter_table(model);
  const std::uint64_t all_rows = data.table_rows == 0 ? model.vocab_size : data.table_rows;
  const std::uint64_t batch_rows = batches ? training.batch_size * sequence_length : 0;
  const std::uint64_t shard_size = (training.batch_size + training.shards - 1) / training.shards;
  const std::uint64_t max_rows =
      data.kind == DataKind::kTable ? all_rows : std::max<std::uint64_t>(batches ? shard_size : 0, 1) * sequence_length;
  const std::uint64_t weights = table.value_extent() * number_bytes;
  const std::uint64_t optimizer = trains ? weights * optimizer_state_factor(training) : 0;
  const std::uint64_t snapshots = trains ? snapshot_slots(weights + optimizer, limits) * (weights + optimizer) : 0;

  const std::uint64_t batch_elements =
      data.kind == DataKind::kPairs ? PairBatcher::extent(training.batch_size, model) : 2 * batch_rows;

  MemoryEstimate estimate;
  estimate.max_rows = max_rows;
  estimate.parts = {
      {"weights", weights},
      {"gradients", table.gradient_extent() * number_bytes + table.touched_extent() * sizeof(std::uint64_t) +
                        ShardSums<float>::extent(table, training.shards, number_bytes)},
      {"optimizer", optimizer},
      {"start", trains ? weights : 0},
      {"snapshots", snapshots},
      {"workspace",
       (workspace_extent(model, max_rows) + (trains ? muon_workspace(training, table) : 0)) * number_bytes +
           model_table_bytes(model, max_rows)},
      {"batch", batch_elements * sizeof(std::uint32_t)},
      {"data", data.bytes},
  };
  for (const MemoryPart& part : estimate.parts) estimate.bytes += part.bytes;
  return estimate;
}

Result<MemoryEstimate> estimate_memory(const ModelConfig& model, const TrainingConfig& training,
                                       const TrainerLimits& limits, std::uint64_t data_bytes) {
  const DataKind kind = model.is_encoder_decoder() ? DataKind::kPairs
                        : training.batch_size != 0 ? DataKind::kTokens
                                                   : DataKind::kTable;
  return estimate_memory_of({kind, data_bytes}, model, training, limits);
}

Status check_trainer_memory(const DataSize& data, const ModelConfig& model, const TrainingConfig& training,
                            const TrainerLimits& limits, std::uint64_t number_bytes) {
  ModelConfig smaller = model;
  TrainingConfig shorter = training;
  const auto estimate = [&] { return estimate_memory_of(data, smaller, shorter, limits, number_bytes); };
  auto asked = estimate();
  if (!asked) return asked.failure();
  if (asked.value().bytes <= limits.memory_bytes) return {};

  const auto fits = [&] {
    smaller.low_rank = std::min(model.low_rank, smaller.d_model);
    shorter.shards = std::min(training.shards, std::max<std::uint64_t>(shorter.batch_size, 1));
    fit_head(smaller, model);
    const auto found = estimate();
    return found.ok() && found.value().bytes <= limits.memory_bytes;
  };
  // Sets `field` to the largest multiple of `unit` below its value that fits, or 0 if none does, and returns it.
  const auto largest = [&](std::uint64_t& field, std::uint64_t unit) {
    std::uint64_t none = field / unit + 1;
    std::uint64_t some = 0;
    while (none - some > 1) {
      const std::uint64_t middle = some + (none - some) / 2;
      field = middle * unit;
      (fits() ? some : none) = middle;
    }
    field = some * unit;
    return field;
  };
  const auto refuse = [&](std::string_view name, std::uint64_t value, std::uint64_t most, std::string_view with = "") {
    return make_error(
        ErrorCode::kOutOfMemory, name, text_of(value) + " (" + megabytes(asked.value().bytes) + " in all)",
        most == 0 ? "a trainer of at most " + megabytes(limits.memory_bytes)
                  : "at most " + text_of(most) + std::string(with) + ", for " + megabytes(limits.memory_bytes));
  };

  if (has_batches(data.kind)) {
    if (const std::uint64_t most = largest(shorter.batch_size, 1); most != 0) {
      return refuse("batch_size", training.batch_size, most);
    }
    shorter.batch_size = 1;
  }
  if (model.has_ngrams()) {
    if (const std::uint64_t most = largest(smaller.ngram_rows, 1); most != 0) {
      return refuse("ngram_rows", model.ngram_rows, most);
    }
    smaller.ngram_rows = model.ngram_rows;
  }
  const bool is_transformer = model.kind != ModelKind::kDirectPath;
  // Heads divide the width, those of n-grams too; rotary positions need pairs.
  const std::uint64_t width_unit = is_transformer ? std::lcm(2 * model.n_heads, model.ngram_parts()) : 1;
  const struct {
    std::string_view name;
    std::uint64_t ModelConfig::* field;
    std::uint64_t unit;
    bool applies;
  } sizes[] = {{"context_length", &ModelConfig::context_length, 1, is_transformer},
               {"source_length", &ModelConfig::source_length, 1, model.is_encoder_decoder()},
               {"d_model", &ModelConfig::d_model, width_unit, true},
               {"n_layers", &ModelConfig::n_layers, 1, is_transformer},
               {"n_encoder_layers", &ModelConfig::n_encoder_layers, 1, model.is_encoder_decoder()},
               {"d_feed_forward", &ModelConfig::d_feed_forward, 1, model.d_feed_forward != 0},
               {"vocab_size", &ModelConfig::vocab_size, 1, true}};
  for (const auto& [name, field, unit, applies] : sizes) {
    if (!applies) continue;
    if (const std::uint64_t most = largest(smaller.*field, unit); most != 0) return refuse(name, model.*field, most);
    smaller.*field = model.*field;
  }
  if (!is_transformer) return refuse("vocab_size", model.vocab_size, 0);
  smaller.n_layers = 1;
  smaller.n_encoder_layers = 1;
  smaller.n_heads = 1;
  smaller.n_kv_heads = 1;
  return refuse("d_model", model.d_model, largest(smaller.d_model, 2), ", with one layer of one head");
}

}  // namespace tied
