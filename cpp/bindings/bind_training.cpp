// Trainers, except for their files.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <emscripten/bind.h>

#include "base/allocate.h"
#include "bindings/option_numbers.h"
#include "bindings/trainer_handle.h"
#include "bindings/transfer.h"
#include "training/trainer.h"

namespace tied::bindings {
namespace {

// -> the fields of the model and of its training, tokens per step, and the further changes of the tying
bool trainer_options(Address handle) {
  const FloatTrainer& trainer = trainer_at(handle);
  write_options(trainer.model_config(), trainer.training_config());
  answer.write(trainer.tokens_per_step());
  answer.write(trainer.model_config().later_changes());
  return true;
}

// Creates a trainer on `data`, or fails with the error of `data`.
Address create(Address model, Address training, Result<TrainingData<float>> data) {
  if (!data) {
    failed(data.error());
    return 0;
  }
  return handle_of(FloatTrainer::create(model_at(model), training_at(training), std::move(data).value()));
}

// Whether a trainer with `data_bytes` bytes of data fits; called before the data is copied into the core.
bool fits(Address model, Address training, bool whole_table, double data_bytes) {
  const DataSize data{whole_table ? DataKind::kTable : DataKind::kTokens, whole(data_bytes)};
  return done(check_trainer_memory(data, model_at(model), training_at(training)));
}

// kept_ids: the chosen tokens of a culled head.
Address create_from_tokens(Address model, Address training, Address ids, Address size, Address validation_ids,
                           Address validation_size, Address kept_ids, Address kept_size) {
  auto data = training_data_from_tokens<float>(at<std::uint32_t>(ids), size, at<std::uint32_t>(validation_ids),
                                               validation_size, model_at(model).vocab_size);
  if (data && kept_size != 0) {
    if (Status status = allocate(data.value().kept_token_ids, kept_size); !status)
      return create(model, training, std::move(status));
    std::copy_n(at<std::uint32_t>(kept_ids), kept_size, data.value().kept_token_ids.begin());
  }
  return create(model, training, std::move(data));
}

// counts [V, V] of the model's vocabulary.
Address create_from_counts(Address model, Address training, Address counts) {
  const auto size = static_cast<std::size_t>(model_at(model).vocab_size);
  return create(model, training, training_data_from_counts<float>(matrix_at(counts, size, size)));
}

bool attach(Address handle, Address bytes, Address size) {
  return done(trainer_at(handle).set_attachment({at<std::uint8_t>(bytes), size}));
}

bool attachment(Address handle) {
  answer.bytes(trainer_at(handle).attachment());
  return true;
}

void drop(Address handle) { delete &trainer_at(handle); }

double steps_done(Address handle) { return number(trainer_at(handle).steps_done()); }

// 0 = it has not.
double tying_changed_at(Address handle) { return number(trainer_at(handle).tying_changed_at()); }

// The steps at which the tying changed, for a model whose tying changes more than once.
bool tying_changes(Address handle) {
  std::vector<double> steps;
  for (const std::uint64_t step : trainer_at(handle).tying_progress().changes) {
    if (step != 0) steps.push_back(static_cast<double>(step));
  }
  answer.write(steps);
  return true;
}

double furthest_step(Address handle) { return number(trainer_at(handle).furthest_step()); }

bool run(Address handle, double steps, double record_every, bool record_last) {
  std::vector<StepRecord> records;
  const Status status = trainer_at(handle).run(whole(steps), whole(record_every), record_last, records);
  if (!status) return failed(status.error());
  answer.write(records);
  return true;
}

// Without ids: on the validation tokens or the training data; if `tokens` is not 0, only on that many predictions,
// starting at `first`.
bool evaluate(Address handle, Address ids, Address size, Address first, Address tokens) {
  FloatTrainer& trainer = trainer_at(handle);
  const std::uint32_t* from = size != 0 ? at<std::uint32_t>(ids) : trainer.evaluation_ids().data() + first;
  return answered(size == 0 && tokens == 0 ? trainer.evaluate()
                                           : trainer.evaluate(from, size != 0 ? size : tokens + 1));
}

double evaluation_size(Address handle) { return number(trainer_at(handle).evaluation_ids().size()); }

// The ids that evaluate() uses by default.
bool evaluation_ids(Address handle) {
  answer.ids(trainer_at(handle).evaluation_ids());
  return true;
}

bool parameters(Address handle) {
  answer.write(trainer_at(handle).table().list());
  return true;
}

const std::string& name_of(const FloatTrainer& trainer, Address parameter) {
  return trainer.table().list()[parameter].name;
}

// `parameter`: index in the list.
bool read_parameter(Address handle, Address parameter) {
  const FloatTrainer& trainer = trainer_at(handle);
  const auto matrix = trainer.matrix(name_of(trainer, parameter));
  if (!matrix) return failed(matrix.error());
  answer.matrix(matrix.value());
  return true;
}

bool set_parameter(Address handle, Address parameter, Address data, Address rows, Address cols) {
  FloatTrainer& trainer = trainer_at(handle);
  return done(trainer.set_matrix(name_of(trainer, parameter), matrix_at(data, rows, cols)));
}

// `size` 0 = on the data of the next step.
bool gradient(Address handle, Address inputs, Address targets, Address size, Address sequence_length) {
  FloatTrainer& trainer = trainer_at(handle);
  const TokenBatch batch{at<std::uint32_t>(inputs), at<std::uint32_t>(targets), size, sequence_length};
  return answered(size == 0 ? trainer.gradient() : trainer.gradient(batch));
}

// -> the message, which must be copied before the trainer's state changes: where gradients are, its bytes, their runs
bool compute_shards(Address handle, Address first, Address end) {
  FloatTrainer& trainer = trainer_at(handle);
  auto message = trainer.compute_shards(first, end);
  if (!message) return failed(message.error());
  answer.write(reinterpret_cast<Address>(trainer.model().parameters().all_gradients().data()));
  answer.bytes(message.value().bytes);
  answer.ids(std::move(message.value().runs));
  return true;
}

// -> whether the tables are one; all weights, where they are; which of them the last step changed
bool weights(Address handle) {
  FloatTrainer& trainer = trainer_at(handle);
  answer.write(trainer.are_tables_joined());
  const AlignedBuffer<float>& values = trainer.weights();
  answer.bytes({reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()});
  answer.ids(trainer.changed_weights());
  return true;
}

bool follow(Address handle, double steps_done, bool joined) {
  trainer_at(handle).follow(whole(steps_done), joined);
  return true;
}

// Memory for the next message; 0 if there is none.
Address shard_room(Address handle, Address size) {
  return reinterpret_cast<Address>(trainer_at(handle).shard_room(size));
}

// `message`: an address in that memory.
bool give_shards(Address handle, Address first, Address end, Address message, Address size) {
  return done(trainer_at(handle).give_shards(first, end, {at<std::uint8_t>(message), size}));
}

// [from, to]; an empty `to` = all tokens.
bool next_token(Address handle, Address from, Address from_size, Address to, Address to_size, bool probabilities) {
  auto table = trainer_at(handle).next_token({at<std::uint32_t>(from), from_size}, {at<std::uint32_t>(to), to_size},
                                             probabilities ? NextToken::kProbabilities : NextToken::kLogits);
  if (!table) return failed(table.error());
  answer.matrix(std::move(table).value());
  return true;
}

// Replays at most `most` steps.
bool rewind(Address handle, double step, Address most) { return done(trainer_at(handle).rewind(whole(step), most)); }

bool memory_parts(Address model, Address training) {
  const auto estimate = estimate_memory(model_at(model), training_at(training));
  if (!estimate) return failed(estimate.error());
  answer.write(estimate.value().parts);
  return true;
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_training) {
  using emscripten::function;
  function("fieldsVersion", +[] { return static_cast<double>(fields_version()); });
  function("trainerFits", &fits);
  function("createTrainerFromTokens", &create_from_tokens);
  function("createTrainerFromCounts", &create_from_counts);
  function("attach", &attach);
  function("attachment", &attachment);
  function("deleteTrainer", &drop);
  function("trainerOptions", &trainer_options);
  function("stepsDone", &steps_done);
  function("tyingChangedAt", &tying_changed_at);
  function("tyingChanges", &tying_changes);
  function("furthestStep", &furthest_step);
  function("run", &run);
  function("evaluate", &evaluate);
  function("evaluationSize", &evaluation_size);
  function("evaluationIds", &evaluation_ids);
  function("parameters", &parameters);
  function("readParameter", &read_parameter);
  function("setParameter", &set_parameter);
  function("gradient", &gradient);
  function("computeShards", &compute_shards);
  function("shardRoom", &shard_room);
  function("giveShards", &give_shards);
  function("weights", &weights);
  function("follow", &follow);
  function("nextToken", &next_token);
  function("rewind", &rewind);
  function("memoryParts", &memory_parts);
}

}  // namespace tied::bindings
