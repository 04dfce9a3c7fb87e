// Creates trainers; everything is checked before anything is allocated.
#include <string>
#include <utility>

#include "base/allocate.h"
#include "training/trainer.h"

namespace tied {

namespace {

// Heads other than the full one are made from the tokens that they train on.
template <class T>
Status check_head_data(const ModelConfig& model, const TrainingData<T>& data) {
  if (data.kind() != DataKind::kTokens) {
    return make_error(ErrorCode::kUnsupported, "head", "one that depends on the tokens of the training data",
                      "a full head, for a trainer without token_ids");
  }
  const auto& kept = data.kept_token_ids;
  if (kept.size() == 0) return {};
  if (model.head != HeadKind::kCulled || kept.size() != model.head_kept) {
    return make_error(ErrorCode::kInvalidArgument, "head_kept", model.head_kept,
                      "the number of kept tokens, " + text_of(kept.size()));
  }
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i] < model.vocab_size && (i == 0 || kept[i] > kept[i - 1])) continue;
    return make_error(ErrorCode::kInvalidArgument, "head_kept", kept[i],
                      "ascending ids below vocab_size, " + text_of(model.vocab_size));
  }
  return {};
}

}  // namespace

template <class T>
Result<std::unique_ptr<Trainer<T>>> Trainer<T>::create(const ModelConfig& model, const TrainingConfig& training,
                                                       TrainingData<T> data, const TrainerLimits& limits) {
  const DataKind kind = data.kind();
  if (Status status = validate(model); !status) return status;
  if (Status status = validate(training, has_batches(kind)); !status) return status;
  if (kind != DataKind::kNone && data.vocab_size != model.vocab_size) {
    return make_error(ErrorCode::kShapeMismatch, "vocab_size", model.vocab_size,
                      "the vocabulary of the data, " + text_of(data.vocab_size));
  }
  const auto context_length = static_cast<std::size_t>(sequence_length_of(model));
  if (kind == DataKind::kTable && model.kind != ModelKind::kDirectPath) {
    return make_error(ErrorCode::kUnsupported, "bigram_counts", "a table", "tokens, for a model that reads a context");
  }
  if (kind != DataKind::kNone && (kind == DataKind::kPairs) != model.is_encoder_decoder()) {
    return make_error(
        ErrorCode::kUnsupported, "pairs", kind == DataKind::kPairs ? "pairs" : "none",
        kind == DataKind::kPairs ? "tokens, for a model that continues a text" : "pairs, for an encoder-decoder");
  }
  if (kind == DataKind::kPairs) {
    if (Status status = check_pairs("pairs", data.pairs, model); !status) return status;
    if (Status status = check_pairs("validation_pairs", data.validation_pairs, model); !status) return status;
  }
  if (kind == DataKind::kTokens && data.token_ids.size() <= context_length) {
    return make_error(ErrorCode::kInvalidArgument, "token_ids.length", data.token_ids.size(),
                      "more tokens than the context, " + text_of(context_length));
  }
  TrainingConfig config = training;
  if (kind == DataKind::kTable) {
    config.batch_size = 0;
    config.gradient_accumulation = 1;
  }
  if (Status status = check_trainer_memory(data.size(), model, config, limits, sizeof(T)); !status) return status;

  const auto estimate = estimate_memory_of(data.size(), model, config, limits, sizeof(T));
  AlignedBuffer<std::uint32_t> counts;
  if (model.head != HeadKind::kFull) {
    if (Status status = check_head_data(model, data); !status) return status;
    if (Status status = allocate(counts, model.vocab_size); !status) return status;
    for (const std::uint32_t id : data.token_ids) ++counts[id];
  }
  const HeadTokens tokens{{counts.data(), counts.size()}, {data.kept_token_ids.data(), data.kept_token_ids.size()}};
  auto created = create_model<T>(model, config.init_seed, estimate.value().max_rows, tokens);
  if (!created) return created.failure();
  // Freed before the rest is allocated, so memory never exceeds the estimate.
  counts = {};
  std::unique_ptr<Trainer> trainer(new Trainer());
  trainer->model_ = std::move(created).value();
  trainer->model_->set_temperature(config.temperature);
  trainer->training_ = config;
  trainer->data_ = std::move(data);
  if (kind == DataKind::kNone) return trainer;

  if (Status status = trainer->sums_.allocate(trainer->table(), config.shards); !status) return status;
  const auto batch_size = static_cast<std::size_t>(config.batch_size);
  if (Status status = kind == DataKind::kPairs ? trainer->batcher_.allocate(batch_size, model)
                                               : trainer->sampler_.allocate(config.seed, batch_size, context_length);
      !status) {
    return status;
  }
  if (!limits.does_steps) return trainer;
  if (Status status = trainer->optimizer_.allocate(config, trainer->table()); !status) return status;
  const std::size_t values = trainer->model_->parameters().all_values().size();
  const std::size_t state = trainer->optimizer_.state().size();
  const std::uint64_t slots = snapshot_slots((values + state) * sizeof(T), limits);
  if (Status status = trainer->timeline_.allocate(values, state, static_cast<std::size_t>(slots)); !status) {
    return status;
  }
  trainer->timeline_.set_start(trainer->model_->parameters().all_values());
  return trainer;
}

template Result<std::unique_ptr<Trainer<float>>> Trainer<float>::create(const ModelConfig&, const TrainingConfig&,
                                                                        TrainingData<float>, const TrainerLimits&);
template Result<std::unique_ptr<Trainer<double>>> Trainer<double>::create(const ModelConfig&, const TrainingConfig&,
                                                                          TrainingData<double>, const TrainerLimits&);

}  // namespace tied
