#include "training/trainer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "linalg/reduce.h"

namespace tied {
namespace {

template <class T>
double frobenius_norm(Deduced<ConstMatrixView<T>> matrix) {
  return std::sqrt(squared_norm(matrix.data, matrix.rows * matrix.cols));
}

std::string megabytes(std::uint64_t bytes) { return text_of(bytes >> 20) + " MiB"; }

}  // namespace

template <class T>
Result<std::unique_ptr<Trainer<T>>> Trainer<T>::create(const ModelConfig& model, const TrainingConfig& training,
                                                       TrainingData<T> data, const TrainerLimits& limits) {
  if (Status status = validate(model); !status) return status.error();
  if (Status status = validate(training, !data.has_table()); !status) return status.error();
  if (data.vocab_size != model.vocab_size) {
    return make_error(ErrorCode::kShapeMismatch, "vocab_size", model.vocab_size,
                      "the vocabulary of the data, " + text_of(data.vocab_size));
  }
  TrainingConfig config = training;
  if (data.has_table()) config.batch_size = 0;

  const auto estimate = estimate_memory(model, config, limits, data.bytes(), sizeof(T));
  if (!estimate) return estimate.error();
  if (estimate.value().bytes > limits.memory_bytes) {
    return make_error(ErrorCode::kOutOfMemory, "vocab_size, d_model",
                      text_of(model.vocab_size) + ", " + text_of(model.d_model) + " (" +
                          megabytes(estimate.value().bytes) + " to train)",
                      "a model that trains in " + megabytes(limits.memory_bytes));
  }

  const std::uint64_t max_rows = data.has_table() ? data.table.rows.size() : config.batch_size;
  auto created = create_model<T>(model, config.init_seed, max_rows);
  if (!created) return created.error();
  std::unique_ptr<Trainer> trainer(new Trainer());
  trainer->model_ = std::move(created).value();
  const std::size_t context_length = trainer->model_->context_length();
  if (data.has_table() && !trainer->model_->reads_joint()) {
    return make_error(ErrorCode::kUnsupported, "bigram_counts", "a table", "tokens, for a model that reads a context");
  }
  if (!data.has_table() && data.token_ids.size() <= context_length) {
    return make_error(ErrorCode::kInvalidArgument, "token_ids.length", data.token_ids.size(),
                      "more tokens than the context, " + text_of(context_length));
  }

  if (Status status = trainer->optimizer_.allocate(config, trainer->table()); !status) return status.error();
  if (Status status =
          trainer->sampler_.allocate(config.seed, static_cast<std::size_t>(config.batch_size), context_length);
      !status) {
    return status.error();
  }
  const std::size_t values = trainer->model_->parameters().all_values().size();
  const std::size_t state = trainer->optimizer_.state().size();
  const std::uint64_t slots = snapshot_slots((values + state) * sizeof(T), limits);
  if (Status status = trainer->timeline_.allocate(values, state, static_cast<std::size_t>(slots)); !status) {
    return status.error();
  }

  trainer->training_ = config;
  trainer->data_ = std::move(data);
  trainer->timeline_.set_start(trainer->model_->parameters().all_values());
  return trainer;
}

template <class T>
std::uint64_t Trainer<T>::tokens_per_step() const {
  return data_.has_table() ? data_.table.rows.size() : training_.batch_size * model_->context_length();
}

// ---------------------------------------------------------------- steps

// Loss and gradients by role on the data of the next step.
template <class T>
double Trainer<T>::forward_backward() {
  model_->zero_gradients();
  if (data_.has_table()) return model_->joint_loss(data_.table.batch(), Pass::kForwardBackward);
  const TokenBatch batch = sampler_.draw(data_.token_ids.data(), data_.token_ids.size(), steps_done_);
  return model_->loss(batch, Pass::kForwardBackward);
}

template <class T>
double Trainer<T>::gradient_norm() const {
  double square = 0;
  for (const Parameter& parameter : table().list()) {
    if (!parameter.owns_storage()) continue;
    const auto gradient = std::as_const(*model_).parameters().gradient(parameter);
    square += squared_norm(gradient.data, gradient.rows * gradient.cols);
  }
  return std::sqrt(square);
}

// ||W - W_start||_F / ||W_start||_F; 0 where nothing has moved, infinity where what was all zero has.
template <class T>
double Trainer<T>::drift(const Parameter& parameter) const {
  const auto now = std::as_const(*model_).parameters().values(parameter);
  const T* start = timeline_.start().data() + parameter.offset;
  const std::size_t size = now.rows * now.cols;
  double change = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const double difference = static_cast<double>(now.data[i]) - static_cast<double>(start[i]);
    change += difference * difference;
  }
  return change == 0 ? 0 : std::sqrt(change) / std::sqrt(squared_norm(start, size));
}

template <class T>
Status Trainer<T>::advance(StepRecord* record) {
  ParameterStore<T>& parameters = model_->parameters();
  const double loss = forward_backward();
  const Parameter& input = *table().of_role(ParameterRole::kInput);
  const Parameter& output = *table().of_role(ParameterRole::kOutput);
  StepRecord made;
  if (record != nullptr) {
    made.input_gradient_norm = frobenius_norm<T>(parameters.gradient(input));
    made.output_gradient_norm = frobenius_norm<T>(parameters.gradient(output));
    const double both = made.input_gradient_norm + made.output_gradient_norm;
    made.input_share = both > 0 ? made.input_gradient_norm / both : 0;
  }
  parameters.combine_gradients(training_.input_gradient_scale.at(steps_done_));
  const double norm = gradient_norm();
  if (!std::isfinite(loss) || !std::isfinite(norm)) {
    return make_error(ErrorCode::kNotFinite, "loss", loss,
                      "a finite loss and gradient at step " + text_of(steps_done_ + 1) +
                          ": a smaller learning rate, a warm-up or clipping");
  }
  const bool clips = training_.gradient_clip > 0 && norm > training_.gradient_clip;
  optimizer_.update(parameters, steps_done_, clips ? training_.gradient_clip / norm : 1.0);
  ++steps_done_;

  if (record != nullptr) {
    made.step = steps_done_;
    made.loss = loss;
    made.gradient_norm = norm;
    made.embedding_drift = drift(input);
    made.unembedding_drift = output.owns_storage() ? drift(output) : made.embedding_drift;
    *record = made;
  }
  return {};
}

template <class T>
Status Trainer<T>::step(StepRecord* record) {
  if (timeline_.has_edit_after(steps_done_)) {
    timeline_.forget_after(steps_done_);
    furthest_step_ = steps_done_;
  }
  Status status = advance(record);
  if (!status) {
    step_back_from_not_finite();
    return status;
  }
  furthest_step_ = std::max(furthest_step_, steps_done_);
  timeline_.after_step(steps_done_, model_->parameters().all_values(), optimizer_.state());
  return {};
}

// The loss of the state that we are in is not finite, so that the step before it was the last good one, unless it is
// the caller who brought this state about.
template <class T>
void Trainer<T>::step_back_from_not_finite() {
  if (steps_done_ == 0 || timeline_.is_edit(steps_done_)) return;
  const std::uint64_t good = steps_done_ - 1;
  if (!timeline_.reaches(good)) return;
  replay_to(good);
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

// ---------------------------------------------------------------- looking

namespace {

// Matrices may hold any finite numbers, and the products of the largest overflow.
Error not_finite(double loss) {
  return make_error(ErrorCode::kNotFinite, "loss", loss, "a finite loss and gradient: smaller numbers in the matrices");
}

Result<Evaluation> finite(Evaluation evaluation) {
  if (!std::isfinite(evaluation.loss)) return not_finite(evaluation.loss);
  return evaluation;
}

template <class T>
Result<GradientLedger<T>> finite(Result<GradientLedger<T>> ledger, double loss) {
  if (!ledger) return ledger;
  const Matrix<T>& total = ledger.value().total;
  if (!std::isfinite(loss) || !all_finite(total.data(), total.rows() * total.cols())) return not_finite(loss);
  return ledger;
}

}  // namespace

template <class T>
Result<Evaluation> Trainer<T>::evaluate() {
  if (data_.has_table()) return finite(evaluate_table(*model_, data_.table));
  const AlignedBuffer<std::uint32_t>& ids =
      data_.validation_token_ids.size() != 0 ? data_.validation_token_ids : data_.token_ids;
  return finite(evaluate_stream(*model_, ids.data(), ids.size()));
}

template <class T>
Result<Evaluation> Trainer<T>::evaluate(const std::uint32_t* token_ids, std::size_t n_token_ids) {
  if (n_token_ids <= model_->context_length()) {
    return make_error(ErrorCode::kInvalidArgument, "token_ids.length", n_token_ids,
                      "at least " + text_of(model_->context_length() + 1) + " tokens");
  }
  if (Status status = check_token_ids("token_ids", token_ids, n_token_ids, data_.vocab_size); !status) {
    return status.error();
  }
  return finite(evaluate_stream(*model_, token_ids, n_token_ids));
}

template <class T>
Result<GradientLedger<T>> Trainer<T>::gradient() {
  const double loss = forward_backward();
  return finite(gradient_ledger(model_->parameters(), training_.input_gradient_scale.at(steps_done_)), loss);
}

template <class T>
Result<GradientLedger<T>> Trainer<T>::gradient(const TokenBatch& batch) {
  if (batch.size == 0 || batch.size % model_->context_length() != 0) {
    return make_error(ErrorCode::kInvalidArgument, "inputs.length", batch.size,
                      "a multiple of the context, " + text_of(model_->context_length()) + ", and not zero");
  }
  if (Status status = check_token_ids("inputs", batch.inputs, batch.size, data_.vocab_size); !status) {
    return status.error();
  }
  if (Status status = check_token_ids("targets", batch.targets, batch.size, data_.vocab_size); !status) {
    return status.error();
  }
  model_->zero_gradients();
  const double loss = model_->loss(batch, Pass::kForwardBackward);
  return finite(gradient_ledger(model_->parameters(), training_.input_gradient_scale.at(steps_done_)), loss);
}

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
  const auto parameter = find(name);
  if (!parameter) return parameter.error();
  return std::as_const(*model_).parameters().values(*parameter.value());
}

template <class T>
Status Trainer<T>::set_matrix(std::string_view name, ConstMatrixView<T> matrix) {
  const auto parameter = find(name);
  if (!parameter) return parameter.error();
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
  for (std::size_t i = 0; i < matrix.rows; ++i) {
    std::memcpy(values.row(i), matrix.row(i), matrix.cols * sizeof(T));
  }
  const AlignedBuffer<T>& all = model_->parameters().all_values();
  if (steps_done_ == 0) {
    timeline_.set_start(all);
  } else {
    timeline_.after_edit(steps_done_, all, optimizer_.state());
  }
  furthest_step_ = steps_done_;
  return {};
}

template <class T>
Result<Matrix<T>> Trainer<T>::next_token(std::span<const std::uint32_t> from, std::span<const std::uint32_t> to,
                                         NextToken what) {
  if (from.empty()) return make_error(ErrorCode::kInvalidArgument, "from.length", 0, "at least one token");
  if (Status status = check_token_ids("from", from.data(), from.size(), data_.vocab_size); !status) {
    return status.error();
  }
  if (Status status = check_token_ids("to", to.data(), to.size(), data_.vocab_size); !status) return status.error();

  return tied::next_token(*model_, from, to, what);
}

template <class T>
std::uint64_t Trainer<T>::parameter_hash() const {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const Parameter& parameter : table().list()) {
    if (!parameter.owns_storage()) continue;
    const auto values = std::as_const(*model_).parameters().values(parameter);
    const auto* bytes = reinterpret_cast<const unsigned char*>(values.data);
    for (std::size_t i = 0; i < values.rows * values.cols * sizeof(T); ++i) {
      hash = (hash ^ bytes[i]) * 0x100000001B3;
    }
  }
  return hash;
}

// ---------------------------------------------------------------- going back

// Brings about the state after `step` steps, which the timeline reaches.
template <class T>
void Trainer<T>::replay_to(std::uint64_t step) {
  const bool goes_on = steps_done_ <= step && timeline_.restore_step(step) <= steps_done_;
  if (!goes_on) steps_done_ = timeline_.restore(step, model_->parameters().all_values(), optimizer_.state());
  while (steps_done_ < step) {
    // The same step succeeded before.
    if (!advance(nullptr)) return;
    timeline_.after_step(steps_done_, model_->parameters().all_values(), optimizer_.state());
  }
}

template <class T>
Status Trainer<T>::rewind(std::uint64_t step) {
  if (step > furthest_step_) {
    return make_error(ErrorCode::kInvalidArgument, "step", step,
                      "0 to " + text_of(furthest_step_) + ", the steps done");
  }
  if (!timeline_.reaches(step)) {
    return make_error(ErrorCode::kUnsupported, "step", step,
                      "a step whose state is still known: of the steps between two edits by hand, some are not");
  }
  replay_to(step);
  return {};
}

template class Trainer<float>;
template class Trainer<double>;

}  // namespace tied
