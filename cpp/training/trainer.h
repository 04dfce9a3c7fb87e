// Trains one model: steps, records, evaluation, gradients by role, files, exact rewinding.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/byte_stream.h"
#include "linalg/matrix_view.h"
#include "model/model.h"
#include "model/next_token.h"
#include "training/batches.h"
#include "training/data.h"
#include "training/evaluation.h"
#include "training/gradient_ledger.h"
#include "training/memory_estimate.h"
#include "training/optimizer.h"
#include "training/step_record.h"
#include "training/timeline.h"
#include "training/training_config.h"

namespace tied {

// T = float or double (the tests' twin). One trainer knows nothing of another; every verb that can fail leaves the
// trainer as it was, and usable.
template <class T>
class Trainer {
 public:
  // Takes the data over. Nothing is allocated before all is found valid and within `limits`. Without data (kind kNone)
  // the trainer can be looked at and can write, and steps are refused: for models that other programs trained.
  // Errors: kInvalidArgument and kShapeMismatch naming the field; kOutOfMemory as check_trainer_memory.
  static Result<std::unique_ptr<Trainer>> create(const ModelConfig& model, const TrainingConfig& training,
                                                 TrainingData<T> data, const TrainerLimits& limits = {});

  // What save() wrote. Errors: kBadFile for anything else, cut short or altered; kOutOfMemory.
  static Result<std::unique_ptr<Trainer>> load(std::span<const std::uint8_t> file, const TrainerLimits& limits = {});
  // Everything: both configurations, weights, their start, optimizer state, step, the data, and the attachment. A
  // loaded trainer goes on bit for bit as this one would.
  // Errors: kOutOfMemory.
  Result<AlignedBuffer<std::uint8_t>> save() const;

  const ModelConfig& model_config() const { return model_->config(); }
  const TrainingConfig& training_config() const { return training_; }
  const ParameterTable& table() const { return model_->parameters().table(); }
  // For generation and files. Who writes to its parameters calls restart() afterwards.
  Model<T>& model() { return *model_; }
  const Model<T>& model() const { return *model_; }
  DataKind data_kind() const { return data_.kind(); }

  // Makes what the parameters hold now the start: no step done, nothing recorded, optimizer state zero. With model()
  // this is how values from elsewhere come in. Where two matrices will be joined or split, they are as at the start.
  // Errors: kNotFinite naming the parameter; then the values stand as they are, and nothing else has changed.
  Status restart();

  // Bytes that the trainer keeps and saves and does not look at: a tokenizer's file. Errors: kOutOfMemory.
  Status set_attachment(std::span<const std::uint8_t> bytes);
  std::span<const std::uint8_t> attachment() const { return {attachment_.data(), attachment_.size()}; }

  std::uint64_t steps_done() const { return steps_done_; }
  // Predictions that one step learns from: of all its batches, or the rows of the table.
  std::uint64_t tokens_per_step() const;

  // One step. The record costs a pass over the gradients and weights, so it is made only where asked for.
  // Errors: kUnsupported without data; kNotFinite where the loss or the gradient is not finite, or too large to be
  // squared, or where the weights would not be finite after it. Then nothing is updated, and furthest_step() is the
  // last step whose loss was finite (or the state that the caller set or loaded, if that came after it). The trainer
  // stands at the latest snapshot up to there: rewind(furthest_step()) does the rest, which may take its time.
  Status step(StepRecord* record = nullptr);

  // `steps` steps; appends a record for every step that is a multiple of `record_every` (0 = none), and for the last
  // one where `record_last`. On an error the records so far are kept.
  Status run(std::uint64_t steps, std::uint64_t record_every, bool record_last, std::vector<StepRecord>& records);

  // On the validation tokens, else on the training data; nothing is dropped out.
  // Errors: kUnsupported without data; kNotFinite where the matrices are so large that the loss is not finite.
  Result<Evaluation> evaluate();
  // Errors: kInvalidArgument for fewer than two tokens or an id out of range; kNotFinite as above.
  Result<Evaluation> evaluate(const std::uint32_t* token_ids, std::size_t n_token_ids);

  // The ids that evaluate() reads where it is given none; empty for a table and without data.
  std::span<const std::uint32_t> evaluation_ids() const {
    const auto& ids = data_.validation_token_ids.size() != 0 ? data_.validation_token_ids : data_.token_ids;
    return {ids.data(), ids.size()};
  }

  // By role, exactly as the next step would have it: all its batches, with dropout. Changes nothing.
  // Errors: kUnsupported without data; kNotFinite where loss or gradient is not; kOutOfMemory.
  Result<GradientLedger<T>> gradient();
  // On the given tokens, where nothing is dropped out. Errors: as checked_batch; kNotFinite, kOutOfMemory as above.
  Result<GradientLedger<T>> gradient(const TokenBatch& batch);

  // A view that is valid until the next verb. Errors: kInvalidArgument for a name that the model has not.
  Result<ConstMatrixView<T>> matrix(std::string_view name) const;
  // Where the name is tied to another, both change. Steps after this one are another timeline: see rewind.
  // Errors: kInvalidArgument, kShapeMismatch, kNotFinite naming the first entry.
  Status set_matrix(std::string_view name, ConstMatrixView<T> matrix);

  // [from, to] of the next token, of each token alone. `to` empty = all tokens; probabilities are normalised over all
  // tokens either way.
  // Errors: kInvalidArgument for no rows or an id out of range; kNotFinite where a logit is not; kOutOfMemory.
  Result<Matrix<T>> next_token(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to, NextToken what);

  // The exact state after `step` steps, bit for bit, by snapshot and replay; forward again too, as far as this run has
  // been (furthest_step). set_matrix at step s is part of the recorded timeline: rewinding to s gives the edited
  // matrices, to less than s the state before the edit. Matrices that are joined or split on the way are so again, or
  // not yet. Going on by step() from before an edit leaves it: the edit and
  // what followed are then forgotten.
  // Replays at most `most` steps: call it again until steps_done() is `step`. In between the trainer stands at an
  // earlier step of the same timeline. Errors: kInvalidArgument for a step that has not been reached; kUnsupported for
  // one that lies between edits whose snapshots had to be dropped for lack of room; as step() where a file's start does
  // not lead to its state.
  Status rewind(std::uint64_t step, std::uint64_t most = Timeline<T>::kForever);
  std::uint64_t furthest_step() const { return furthest_step_; }

  // 64 bits that differ when any parameter's bits do (FNV-1a over the values in table order).
  std::uint64_t parameter_hash() const;

 private:
  Trainer() = default;

  void write(ByteWriter& out) const;
  Status check_has_data() const;
  double forward_backward();
  Status advance(StepRecord* record);
  void step_back_from_not_finite();
  void restore(std::uint64_t step);
  Result<GradientLedger<T>> ledger(double loss);
  Result<const Parameter*> find(std::string_view name) const;

  TrainingConfig training_;
  TrainingData<T> data_;
  std::unique_ptr<Model<T>> model_;
  Optimizer<T> optimizer_;
  BatchSampler sampler_;
  Timeline<T> timeline_;
  AlignedBuffer<std::uint8_t> attachment_;
  std::uint64_t steps_done_ = 0;
  std::uint64_t furthest_step_ = 0;
};

}  // namespace tied
