// Trainers. A trainer's handle is its address, which JavaScript holds until it calls `deleteTrainer`.
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <emscripten/bind.h>

#include "bindings/transfer.h"
#include "training/trainer.h"

namespace tied::bindings {
namespace {

using FloatTrainer = Trainer<float>;

FloatTrainer& trainer_at(Address handle) { return *reinterpret_cast<FloatTrainer*>(handle); }

// Whole numbers of 64 bits cross as doubles: web/core lets none above 2^53 through.
std::uint64_t whole(double number) { return static_cast<std::uint64_t>(number); }
double number(std::uint64_t whole) { return static_cast<double>(whole); }

// Both structures cross as arrays of doubles; web/core/option-numbers.ts has the same order. Choices are places in its
// lists, which follow the enumerations.
struct ModelOptions {
  double vocab_size, d_model, tying, output_bias, init_std, d_feed_forward;
};

struct TrainingOptions {
  double optimizer, learning_rate, warmup_steps, decay, total_steps, final_learning_rate_fraction, weight_decay,
      gradient_clip, momentum, beta1, beta2, epsilon, batch_size, input_gradient_scale, seed, init_seed;
};

ModelConfig model_at(Address address) {
  const ModelOptions& options = *at<ModelOptions>(address);
  ModelConfig config;
  config.vocab_size = whole(options.vocab_size);
  config.d_model = whole(options.d_model);
  config.tying = static_cast<Tying>(whole(options.tying));
  config.output_bias = options.output_bias != 0;
  config.init_std = options.init_std;
  config.d_feed_forward = whole(options.d_feed_forward);
  return config;
}

TrainingConfig training_at(Address address) {
  const TrainingOptions& options = *at<TrainingOptions>(address);
  TrainingConfig config;
  config.optimizer = static_cast<OptimizerKind>(whole(options.optimizer));
  config.learning_rate = options.learning_rate;
  config.warmup_steps = whole(options.warmup_steps);
  config.decay = static_cast<Decay>(whole(options.decay));
  config.total_steps = whole(options.total_steps);
  config.final_learning_rate_fraction = options.final_learning_rate_fraction;
  config.weight_decay = options.weight_decay;
  config.gradient_clip = options.gradient_clip;
  config.momentum = options.momentum;
  config.beta1 = options.beta1;
  config.beta2 = options.beta2;
  config.epsilon = options.epsilon;
  config.batch_size = whole(options.batch_size);
  config.input_gradient_scale = options.input_gradient_scale;
  config.seed = whole(options.seed);
  config.init_seed = whole(options.init_seed);
  return config;
}

// The options that a trainer holds, in the order of ModelOptions and TrainingOptions; then its tokens per step.
bool trainer_options(Address handle) {
  const FloatTrainer& trainer = trainer_at(handle);
  const ModelConfig& model = trainer.model_config();
  const TrainingConfig& training = trainer.training_config();
  answer.numbers({
      number(model.vocab_size),
      number(model.d_model),
      number(static_cast<std::uint64_t>(model.tying)),
      model.output_bias ? 1.0 : 0.0,
      model.init_std,
      number(model.feed_forward_width()),
      number(static_cast<std::uint64_t>(training.optimizer)),
      training.learning_rate,
      number(training.warmup_steps),
      number(static_cast<std::uint64_t>(training.decay)),
      number(training.total_steps),
      training.final_learning_rate_fraction,
      training.weight_decay,
      training.gradient_clip,
      training.momentum,
      training.beta1,
      training.beta2,
      training.epsilon,
      number(training.batch_size),
      training.input_gradient_scale.points[0].value,
      number(training.seed),
      number(training.init_seed),
      number(trainer.tokens_per_step()),
  });
  return true;
}

// 0 where it failed.
Address handle_of(Result<std::unique_ptr<FloatTrainer>> trainer) {
  if (!trainer) {
    failed(trainer.error());
    return 0;
  }
  return reinterpret_cast<Address>(std::move(trainer).value().release());
}

// The trainer that `data` were prepared for; data that failed make none.
Address create(Address model, Address training, Result<TrainingData<float>> data) {
  if (!data) {
    failed(data.error());
    return 0;
  }
  return handle_of(FloatTrainer::create(model_at(model), training_at(training), std::move(data).value()));
}

// Whether a trainer with so many bytes of data fits; asked before they are copied into the core.
bool fits(Address model, Address training, double data_bytes) {
  const TrainerLimits limits;
  const auto estimate = estimate_memory(model_at(model), training_at(training), limits, whole(data_bytes));
  if (!estimate) return failed(estimate.error());
  if (estimate.value().bytes <= limits.memory_bytes) return true;
  return failed(make_error(ErrorCode::kOutOfMemory, "memory of the trainer in bytes", estimate.value().bytes,
                           "at most " + text_of(limits.memory_bytes)));
}

Address create_from_tokens(Address model, Address training, Address ids, Address size, Address validation_ids,
                           Address validation_size) {
  return create(model, training,
                training_data_from_tokens<float>(at<std::uint32_t>(ids), size, at<std::uint32_t>(validation_ids),
                                                 validation_size, model_at(model).vocab_size));
}

// counts [V, V] of the model's vocabulary.
Address create_from_counts(Address model, Address training, Address counts) {
  const auto size = static_cast<std::size_t>(model_at(model).vocab_size);
  return create(model, training, training_data_from_counts<float>(matrix_at(counts, size, size)));
}

Address load(Address file, Address size) { return handle_of(FloatTrainer::load({at<std::uint8_t>(file), size})); }

void drop(Address handle) { delete &trainer_at(handle); }

double steps_done(Address handle) { return number(trainer_at(handle).steps_done()); }

// Records as rows of 8 numbers, in the order of web/core/trainer.ts.
bool run(Address handle, double steps, double record_every, bool record_last) {
  std::vector<StepRecord> records;
  const Status status = trainer_at(handle).run(whole(steps), whole(record_every), record_last, records);
  if (!status) return failed(status.error());
  std::vector<double> numbers;
  numbers.reserve(records.size() * 8);
  for (const StepRecord& record : records) {
    for (const double value :
         {number(record.step), record.loss, record.input_gradient_norm, record.output_gradient_norm, record.input_share,
          record.gradient_norm, record.embedding_drift, record.unembedding_drift}) {
      numbers.push_back(value);
    }
  }
  answer.numbers(std::move(numbers));
  return true;
}

// [loss, perplexity, tokens]; no ids = on the validation tokens or the training data.
bool evaluate(Address handle, Address ids, Address size) {
  FloatTrainer& trainer = trainer_at(handle);
  const auto evaluation = size == 0 ? trainer.evaluate() : trainer.evaluate(at<std::uint32_t>(ids), size);
  if (!evaluation) return failed(evaluation.error());
  answer.numbers({evaluation.value().loss, evaluation.value().perplexity, number(evaluation.value().tokens)});
  return true;
}

// Of each parameter: rows, cols, whether it is a vector, index of the one that it is tied to or -1; then their names,
// each followed by a zero byte.
bool parameters(Address handle) {
  std::vector<double> numbers;
  std::string names;
  for (const Parameter& parameter : trainer_at(handle).table().list()) {
    const double tied_to = parameter.owns_storage() ? -1 : number(parameter.tied_to);
    for (const double value :
         {number(parameter.rows), number(parameter.cols), parameter.is_vector ? 1.0 : 0.0, tied_to}) {
      numbers.push_back(value);
    }
    names += parameter.name;
    names += '\0';
  }
  answer.numbers(std::move(numbers));
  answer.text(std::move(names));
  return true;
}

const std::string& name_of(const FloatTrainer& trainer, Address parameter) {
  return trainer.table().list()[parameter].name;
}

// `parameter`: its place in the list.
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

// input, output, total [V, d], then [input rows, output rows]; `size` 0 = on the data of the next step.
bool gradient(Address handle, Address inputs, Address targets, Address size) {
  FloatTrainer& trainer = trainer_at(handle);
  auto result = size == 0 ? trainer.gradient()
                          : trainer.gradient(TokenBatch{at<std::uint32_t>(inputs), at<std::uint32_t>(targets), size});
  if (!result) return failed(result.error());
  GradientLedger<float>& ledger = result.value();
  answer.matrix(std::move(ledger.input));
  answer.matrix(std::move(ledger.output));
  answer.matrix(std::move(ledger.total));
  answer.numbers({number(ledger.input_rows), number(ledger.output_rows)});
  return true;
}

// [from, to]; an empty `to` = all tokens.
bool next_token(Address handle, Address from, Address from_size, Address to, Address to_size, bool probabilities) {
  auto table = trainer_at(handle).next_token({at<std::uint32_t>(from), from_size}, {at<std::uint32_t>(to), to_size},
                                             probabilities ? NextToken::kProbabilities : NextToken::kLogits);
  if (!table) return failed(table.error());
  answer.matrix(std::move(table).value());
  return true;
}

bool save(Address handle) {
  auto file = trainer_at(handle).save();
  if (!file) return failed(file.error());
  answer.bytes(std::move(file).value());
  return true;
}

bool rewind(Address handle, double step) { return done(trainer_at(handle).rewind(whole(step))); }

// Bytes of each part; then their names, each followed by a zero byte.
bool memory_parts(Address model, Address training) {
  const auto estimate = estimate_memory(model_at(model), training_at(training));
  if (!estimate) return failed(estimate.error());
  std::vector<double> bytes;
  std::string names;
  for (const MemoryPart& part : estimate.value().parts) {
    bytes.push_back(number(part.bytes));
    names += part.name;
    names += '\0';
  }
  answer.numbers(std::move(bytes));
  answer.text(std::move(names));
  return true;
}

}  // namespace

EMSCRIPTEN_BINDINGS(tied_training) {
  using emscripten::function;
  function("trainerFits", &fits);
  function("createTrainerFromTokens", &create_from_tokens);
  function("createTrainerFromCounts", &create_from_counts);
  function("loadTrainer", &load);
  function("deleteTrainer", &drop);
  function("trainerOptions", &trainer_options);
  function("stepsDone", &steps_done);
  function("run", &run);
  function("evaluate", &evaluate);
  function("parameters", &parameters);
  function("readParameter", &read_parameter);
  function("setParameter", &set_parameter);
  function("gradient", &gradient);
  function("nextToken", &next_token);
  function("saveTrainer", &save);
  function("rewind", &rewind);
  function("memoryParts", &memory_parts);
}

}  // namespace tied::bindings
