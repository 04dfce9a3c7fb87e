// Trains one model: steps, records, evaluation, gradients by role, files, exact rewinding.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "linalg/matrix_view.h"
#include "model/model.h"
#include "model/next_token.h"
#include "training/batches.h"
#include "training/data.h"
#include "training/evaluation.h"
#include "training/gradient_ledger.h"
#include "training/memory_estimate.h"
#include "training/optimizer.h"
#include "training/pair_evaluation.h"
#include "training/shard_sums.h"
#include "training/step_record.h"
#include "training/timeline.h"
#include "training/training_config.h"
#include "training/tying_schedule.h"

namespace tied {

template <class T>
class TrainerFile;

// T = float or double (in the tests). Trainers are independent of each other; every verb that fails leaves its trainer
// unchanged and usable.
template <class T>
class Trainer {
 public:
  // Takes ownership of the data. Nothing is allocated before everything is valid and within `limits`. Without data
  // (kNone), for models that other programs trained, the trainer can be inspected and can generate; steps are refused.
  // Errors: kInvalidArgument and kShapeMismatch naming the field; kOutOfMemory as for check_trainer_memory.
  static Result<std::unique_ptr<Trainer>> create(const ModelConfig& model, const TrainingConfig& training,
                                                 TrainingData<T> data, const TrainerLimits& limits = {});

  // Loads a TrainerFile. Errors: kBadFile for anything else, truncated or altered; kOutOfMemory.
  static Result<std::unique_ptr<Trainer>> load(std::span<const std::uint8_t> file, const TrainerLimits& limits = {});
  // The same for the file of a copy, which does no steps.
  static Result<std::unique_ptr<Trainer>> load_copy(std::span<const std::uint8_t> file);

  const ModelConfig& model_config() const { return model_->config(); }
  const TrainingConfig& training_config() const { return training_; }
  const ParameterTable& table() const { return model_->parameters().table(); }
  // For generation and files. Call restart() after writing to its parameters.
  Model<T>& model() { return *model_; }
  const Model<T>& model() const { return *model_; }
  DataKind data_kind() const { return data_.kind(); }
  // See TrainingData.
  std::span<const std::uint32_t> kept_token_ids() const {
    return {data_.kept_token_ids.data(), data_.kept_token_ids.size()};
  }

  // Makes the current parameters the start: step 0, no records, zero optimizer state. After writing to model(), this
  // imports values from elsewhere. If the tying changes during training, the parameters must be as before the first
  // step.
  // Errors: kNotFinite naming the parameter; the values then remain, and nothing else changes.
  Status restart();

  // Bytes that the trainer stores and saves without reading them: a tokenizer's file. Errors: kOutOfMemory.
  Status set_attachment(std::span<const std::uint8_t> bytes);
  std::span<const std::uint8_t> attachment() const { return {attachment_.data(), attachment_.size()}; }

  std::uint64_t steps_done() const { return steps_done_; }
  // The step at which the tying last changed, by its schedule or its condition; 0 = it has not.
  std::uint64_t tying_changed_at() const { return tied::tying_changed_at(model_config(), steps_done_, tying_); }
  const TyingProgress& tying_progress() const { return tying_; }
  // Predictions per step: of all its batches, or the rows of the table; for pairs of different lengths, their mean.
  std::uint64_t tokens_per_step() const;

  // One step: with a sampled head, on a sampled loss. A record takes a pass over gradients and weights, so it is made
  // only on request. Errors: kUnsupported without data; kNotFinite if the loss, the gradient or the updated weights
  // would not be finite, or the gradient is too large to be squared. Then nothing is updated, and furthest_step() is
  // the last step with a finite loss (or a later state that the caller set or loaded). The trainer is at the latest
  // snapshot up to there; rewind(furthest_step()) replays the rest.
  Status step(StepRecord* record = nullptr);

  // `steps` steps. Appends a record for every step that is a multiple of `record_every` (0 = none), and for the last
  // one if `record_last`. After an error, the records so far remain.
  Status run(std::uint64_t steps, std::uint64_t record_every, bool record_last, std::vector<StepRecord>& records);

  // On the validation tokens or, without any, the training data; without dropout.
  // Errors: kUnsupported without data; kNotFinite if the loss is not finite.
  Result<Evaluation> evaluate();
  // Errors: kInvalidArgument for fewer than two tokens or an id out of range; kNotFinite as above; kUnsupported for a
  // model that reads pairs.
  Result<Evaluation> evaluate(const std::uint32_t* token_ids, std::size_t n_token_ids);

  // The ids that evaluate() uses by default; empty for a table and without data.
  std::span<const std::uint32_t> evaluation_ids() const {
    const auto& ids = data_.validation_token_ids.size() != 0 ? data_.validation_token_ids : data_.token_ids;
    return {ids.data(), ids.size()};
  }

  // Pairs [first, first + count) of `pairs`, without dropout; with `translates`, their sources are also translated by
  // greedy decoding. Errors: kUnsupported for a model that reads no pairs; kNotFinite; kOutOfMemory.
  Result<PairEvaluation> evaluate_pairs(const Pairs& pairs, std::size_t first, std::size_t count, bool translates);
  // What evaluate() uses for a model that reads pairs.
  const Pairs& evaluation_pairs() const {
    return data_.validation_pairs.size() != 0 ? data_.validation_pairs : data_.pairs;
  }

  // By role, exactly as in the next step: all its batches, with dropout. Changes nothing.
  // Errors: kUnsupported without data; kNotFinite if loss or gradient is not finite; kOutOfMemory.
  Result<GradientLedger<T>> gradient();
  // The same for the given pairs, without dropout. Errors: kUnsupported for a model that reads no pairs, as above.
  Result<GradientLedger<T>> gradient(const Pairs& pairs);
  // On the given tokens, without dropout. Errors: as checked_batch; kNotFinite and kOutOfMemory as above.
  Result<GradientLedger<T>> gradient(const TokenBatch& batch);

  // Shards [first, end) of the next step, a node of the tree of its sum, as a message for trainers in the same state.
  // It is kept: a step takes what it was given and computes the rest. Whatever changes the state discards all of them.
  // A node that consists of others that are kept takes their place. The message is valid until the next verb. Shards
  // that are kept are not computed again. Messages take memory beyond the estimate, except for the one that was
  // computed last, whose gradients are not copied. Errors: kInvalidArgument naming `shards` if they are no such node,
  // or a part of one that is kept; kUnsupported without data; kOutOfMemory.
  Result<ShardMessage> compute_shards(std::uint64_t first, std::uint64_t end);
  // Keeps a copy of what another trainer computed. Errors: as above; kBadFile naming `message` if it is another one or
  // of another step, or its trainer has other options or weights, as far as a sample shows. Its numbers are trusted.
  // Without a copy, if it was received in shard_room().
  Status give_shards(std::uint64_t first, std::uint64_t end, std::span<const std::uint8_t> message);
  // Memory for the next message, until then; null if there is none.
  std::uint8_t* shard_room(std::uint64_t bytes) { return sums_.room(bytes); }

  // What a copy that only computes shards (TrainerFile) needs after a step of this trainer. Which weights the last step
  // changed, as pairs of the first and the number in the buffer of all; all of them, unless the others are sparse.
  std::vector<std::uint32_t> changed_weights() const;
  AlignedBuffer<T>& weights() { return model_->parameters().all_values(); }
  bool are_tables_joined() const { return is_joined(); }
  // The copy has got these weights, and is where that trainer is.
  void follow(std::uint64_t steps_done, bool joined);

  // A view that is valid until the next verb. Errors: kInvalidArgument for an unknown name.
  Result<ConstMatrixView<T>> matrix(std::string_view name) const;
  // If the name is tied to another, both change. A condition of the tying measures a new block from here. Later steps
  // belong to a new timeline: see rewind. Errors: kInvalidArgument, kShapeMismatch, kNotFinite naming the first entry.
  Status set_matrix(std::string_view name, ConstMatrixView<T> matrix);

  // [from, to] of the next token, given each token alone. `to` empty = all tokens; probabilities are normalized over
  // all tokens either way.
  // Errors: kInvalidArgument for no rows or an id out of range; kNotFinite if a logit is not finite; kOutOfMemory.
  Result<Matrix<T>> next_token(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to, NextToken what);

  // Restores the exact state after `step` steps, bit for bit, from a snapshot and replay; also goes forward, up to
  // furthest_step(). A set_matrix at step s is part of the recorded timeline: rewinding to s gives the edited matrices,
  // to earlier steps the state before the edit. Changes of the tying are redone or undone. A step() from before an edit
  // leaves the timeline: the edit and everything after it are discarded.
  // Replays at most `most` steps: repeat the call until steps_done() is `step`; meanwhile the trainer is at an earlier
  // step of the same timeline.
  // Errors: kInvalidArgument for a step that has not been reached; kUnsupported for a step between edits whose
  // snapshots were dropped for lack of capacity; as for step() if a file's start does not lead to its state.
  Status rewind(std::uint64_t step, std::uint64_t most = Timeline<T>::kForever);
  std::uint64_t furthest_step() const { return furthest_step_; }

  // 64 bits that change when any parameter's bits do (FNV-1a over the values in table order).
  std::uint64_t parameter_hash() const;

 private:
  friend class TrainerFile<T>;
  Trainer() = default;

  static Result<std::unique_ptr<Trainer>> load_from(std::span<const std::uint8_t> file, const TrainerLimits& limits);
  Status check_has_data() const;
  Status check_reads(bool pairs) const;
  double forward_backward();
  double sum_of(ShardNode node, std::size_t level);
  double shard_loss(std::uint64_t shard);
  ShardState shard_state() const;
  void as_in_training(TokenBatch& batch, std::uint64_t part) const;
  bool is_joined() const { return is_joined_at(model_config(), steps_done_, tying_); }
  Status advance(StepRecord* record);
  void restore_last_finite();
  void restore(std::uint64_t step);
  Result<GradientLedger<T>> ledger(double loss);
  Result<const Parameter*> find(std::string_view name) const;

  TrainingConfig training_;
  TrainingData<T> data_;
  std::unique_ptr<Model<T>> model_;
  Optimizer<T> optimizer_;
  BatchSampler sampler_;
  PairBatcher batcher_;
  Timeline<T> timeline_;
  ShardSums<T> sums_;
  AlignedBuffer<std::uint8_t> attachment_;
  TyingProgress tying_;
  std::uint64_t steps_done_ = 0;
  std::uint64_t furthest_step_ = 0;
};

}  // namespace tied
