#include "training/trainer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "base/hash.h"
#include "base/token_ids.h"
#include "linalg/reduce.h"
#include "model/masking.h"

namespace tied {

template <class T>
Status Trainer<T>::restart() {
  ParameterStore<T>& parameters = model_->parameters();
  for (const Parameter& parameter : table().list()) {
    const auto values = parameters.values(parameter);
    const std::size_t size = values.rows * values.cols;
    if (const std::size_t i = first_not_finite(values.data, size); i != size) {
      return make_error(ErrorCode::kNotFinite, parameter.name, static_cast<double>(values.data[i]), "finite numbers");
    }
  }
  steps_done_ = 0;
  furthest_step_ = 0;
  tying_ = {};
  parameters.set_joined(is_joined());
  optimizer_.state().fill(T{0});
  sums_.clear();
  if (data_kind() != DataKind::kNone) timeline_.set_start(parameters.all_values());
  return {};
}

template <class T>
Status Trainer<T>::set_attachment(std::span<const std::uint8_t> bytes) {
  auto created = AlignedBuffer<std::uint8_t>::create(bytes.size());
  if (!created) return created.failure();
  attachment_ = std::move(created).value();
  if (!bytes.empty()) std::memcpy(attachment_.data(), bytes.data(), bytes.size());
  return {};
}

template <class T>
std::uint64_t Trainer<T>::tokens_per_step() const {
  switch (data_kind()) {
    case DataKind::kTable:
      return data_.table.rows.size();
    case DataKind::kTokens:
      return training_.batch_size * training_.gradient_accumulation * model_->context_length();
    case DataKind::kPairs: {
      const std::uint64_t pairs = std::max<std::uint64_t>(data_.pairs.size(), 1);
      const std::uint64_t targets = data_.pairs.targets.ids.size() + pairs;
      return (targets * training_.batch_size * training_.gradient_accumulation + pairs / 2) / pairs;
    }
    case DataKind::kNone:
      break;
  }
  return 0;
}

// ---------------------------------------------------------------- steps

template <class T>
Status Trainer<T>::check_has_data() const {
  if (data_kind() != DataKind::kNone) return {};
  return make_error(ErrorCode::kUnsupported, "token_ids", "none", "a trainer with tokens or counts to train on");
}

template <class T>
Status Trainer<T>::check_reads(bool pairs) const {
  if (model_->reads_pairs() == pairs) return {};
  return make_error(ErrorCode::kUnsupported, "model", pairs ? "one that continues a text" : "an encoder-decoder",
                    pairs ? "an encoder-decoder, which reads pairs" : "a model that continues a text");
}

// Sets the options in which the loss of a training step differs from that of an evaluation.
template <class T>
void Trainer<T>::as_in_training(TokenBatch& batch, std::uint64_t part) const {
  batch.label_smoothing = training_.label_smoothing;
  if (model_config().head == HeadKind::kSampled) {
    batch.sample_key = dropout_key(training_.seed, steps_done_, part);
  }
}

namespace {

// Up to this norm, squares of a gradient's elements are finite in single precision.
constexpr double kLargestGradientNorm = 1e19;

Status diverged(std::string_view argument, double value, const char* expected, std::uint64_t step) {
  return make_error(
      ErrorCode::kNotFinite, argument, value,
      std::string(expected) + " at step " + text_of(step) + ": a smaller learning rate, a warm-up or clipping");
}

}  // namespace

// If the weights are no longer finite, the step has been made and must be undone; other errors change nothing.
template <class T>
Status Trainer<T>::advance(StepRecord* record) {
  ParameterStore<T>& parameters = model_->parameters();
  const double loss = forward_backward();
  sums_.clear();
  StepRecord made;
  if (record != nullptr) record_roles(made, *model_);
  // Whether or not the step is recorded, so that records change nothing.
  const bool measures = needs_input_share(model_config(), steps_done_, tying_);
  const double input_share = measures ? input_share_of(parameters) : 0;
  parameters.combine_gradients(training_.input_gradient_scale.at(steps_done_),
                               training_.output_gradient_scale.at(steps_done_));
  const double norm = gradient_norm(parameters);
  const bool clips = training_.gradient_clip > 0 && norm > training_.gradient_clip;
  const double scale = clips ? training_.gradient_clip / norm : 1.0;
  if (!std::isfinite(loss) || !std::isfinite(norm)) {
    return diverged("loss", loss, "a finite loss and gradient", steps_done_ + 1);
  }
  if (norm * scale > kLargestGradientNorm) {
    return diverged("gradient_norm", norm, "at most 1e19", steps_done_ + 1);
  }
  optimizer_.update(parameters, steps_done_, scale);
  ++steps_done_;
  if (model_config().changes_again()) pass_given_step(model_config(), steps_done_, tying_);
  if (measures) add_input_share(model_config(), steps_done_, input_share, tying_);
  change_tying(is_joined(), parameters, optimizer_.state());
  for (const Parameter& parameter : table().list()) {
    if (!parameter.owns_storage()) continue;
    const T* values = parameters.values(parameter).data;
    for (typename ParameterStore<T>::Run run; parameters.next_touched(run, parameter);) {
      const T* changed = values + run.first;
      if (const std::size_t i = first_not_finite(changed, run.size); i != run.size) {
        return diverged("weight", static_cast<double>(changed[i]), "a finite number", steps_done_);
      }
    }
  }

  if (record != nullptr) {
    made.step = steps_done_;
    made.loss = loss;
    made.gradient_norm = norm;
    record_drifts(made, parameters, timeline_.start(), is_joined_at(model_config(), 0, {}));
    *record = made;
  }
  return {};
}

template <class T>
Status Trainer<T>::step(StepRecord* record) {
  if (Status status = check_has_data(); !status) return status;
  if (timeline_.has_edit_after(steps_done_)) {
    timeline_.discard_after(steps_done_);
    furthest_step_ = steps_done_;
  }
  Status status = advance(record);
  if (!status) {
    restore_last_finite();
    return status;
  }
  furthest_step_ = std::max(furthest_step_, steps_done_);
  timeline_.after_step(steps_done_, model_->parameters().all_values(), optimizer_.state(), tying_);
  return {};
}

// Loss, gradient or weights of the current state are not finite, so the step before it was the last good one, unless
// the caller set this state.
template <class T>
void Trainer<T>::restore_last_finite() {
  if (steps_done_ == 0 || timeline_.is_given(steps_done_)) return;
  const std::uint64_t good = steps_done_ - 1;
  if (!timeline_.reaches(good)) return;
  restore(good);
  furthest_step_ = good;
}

template <class T>
Status Trainer<T>::run(std::uint64_t steps, std::uint64_t record_every, bool record_last,
                       std::vector<StepRecord>& records) {
  for (std::uint64_t i = 0; i < steps; ++i) {
    const bool due = record_every != 0 && (steps_done_ + 1) % record_every == 0;
    if (due || (record_last && i + 1 == steps)) {
      StepRecord record;
      if (Status status = step(&record); !status) return status;
      records.push_back(record);
    } else if (Status status = step(); !status) {
      return status;
    }
  }
  return {};
}

// ---------------------------------------------------------------- inspection

template <class T>
Result<const Parameter*> Trainer<T>::find(std::string_view name) const {
  if (const Parameter* parameter = table().find(name); parameter != nullptr) return parameter;
  std::string known;
  for (const Parameter& parameter : table().list()) {
    if (!known.empty()) known += ", ";
    known += "'" + parameter.name + "'";
  }
  return make_error(ErrorCode::kInvalidArgument, "name", "'" + std::string(name) + "'", "one of " + known);
}

template <class T>
Result<ConstMatrixView<T>> Trainer<T>::matrix(std::string_view name) const {
  auto parameter = find(name);
  if (!parameter) return parameter.failure();
  return std::as_const(*model_).parameters().values(*parameter.value());
}

template <class T>
Status Trainer<T>::set_matrix(std::string_view name, ConstMatrixView<T> matrix) {
  auto parameter = find(name);
  if (!parameter) return parameter.failure();
  const MatrixView<T> values = model_->parameters().values(*parameter.value());
  if (matrix.rows != values.rows || matrix.cols != values.cols) {
    return make_error(ErrorCode::kShapeMismatch, name, text_of(matrix.rows) + " x " + text_of(matrix.cols),
                      text_of(values.rows) + " x " + text_of(values.cols));
  }
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    const std::size_t j = first_not_finite(matrix.row(i), matrix.cols);
    if (j == matrix.cols) continue;
    return make_error(ErrorCode::kNotFinite, std::string(name) + "[" + text_of(i) + ", " + text_of(j) + "]",
                      static_cast<double>(matrix(i, j)), "a finite number");
  }
  if (steps_done_ > 0) {
    if (Status status = timeline_.need_slot(); !status) return status;
  }
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    std::memcpy(values.row(i), matrix.row(i), matrix.cols * sizeof(T));
  }
  const AlignedBuffer<T>& all = model_->parameters().all_values();
  sums_.clear();
  // The open block's shares were measured on other matrices.
  tying_.sum = 0;
  tying_.count = 0;
  if (steps_done_ == 0) {
    if (data_kind() != DataKind::kNone) timeline_.set_start(all);
  } else {
    timeline_.after_edit(steps_done_, all, optimizer_.state(), tying_);
  }
  furthest_step_ = steps_done_;
  return {};
}

template <class T>
Result<Matrix<T>> Trainer<T>::next_token(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to,
                                         NextToken what) {
  if (Status status = check_reads(false); !status) return status;
  if (model_config().is_masked()) return reads_both_sides();
  if (from.empty()) return make_error(ErrorCode::kInvalidArgument, "from.length", 0, "at least one token");
  if (Status status = check_token_ids("from", from, model_config().vocab_size); !status) {
    return status;
  }
  if (Status status = check_token_ids("to", to, model_config().vocab_size); !status) return status;

  return tied::next_token(*model_, from, to, what);
}

template <class T>
std::uint64_t Trainer<T>::parameter_hash() const {
  std::uint64_t hash = fnv1a_64({});
  for (const Parameter& parameter : table().list()) {
    if (!parameter.owns_storage()) continue;
    const auto values = std::as_const(*model_).parameters().values(parameter);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data);
    hash = fnv1a_64({bytes, values.rows * values.cols * sizeof(T)}, hash);
  }
  return hash;
}

// ---------------------------------------------------------------- rewinding

// Restores the latest snapshot from which the timeline reaches `step`.
template <class T>
void Trainer<T>::restore(std::uint64_t step) {
  steps_done_ = timeline_.restore(step, model_->parameters().all_values(), optimizer_.state(), tying_);
  model_->parameters().set_joined(is_joined());
  sums_.clear();
}

template <class T>
Status Trainer<T>::rewind(std::uint64_t step, std::uint64_t most) {
  if (step > furthest_step_) {
    return make_error(ErrorCode::kInvalidArgument, "step", step,
                      "0 to " + text_of(furthest_step_) + ", the steps done");
  }
  if (!timeline_.reaches(step)) {
    return make_error(ErrorCode::kUnsupported, "step", step,
                      "a step that can still be restored: some between two edits by hand cannot");
  }
  if (steps_done_ > step || timeline_.restore_step(step) > steps_done_) restore(step);
  for (; steps_done_ < step && most > 0; --most) {
    // The same step has succeeded before, unless the file was made by hand.
    if (Status status = advance(nullptr); !status) {
      restore(step);
      return status;
    }
    timeline_.after_step(steps_done_, model_->parameters().all_values(), optimizer_.state(), tying_);
  }
  return {};
}

template class Trainer<float>;
template class Trainer<double>;

}  // namespace tied
