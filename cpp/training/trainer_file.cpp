// The file of a trainer. All numbers are little-endian; u8, u32, u64 unsigned, f64 doubles, T the trainer's numbers.
//
//   "tiedtrnr", u32 version
//   u8 bytes of T
//   configurations  u8 kind, tying, output_bias, optimizer, decay; then 8 u64 and 10 f64 as in `numbers_of` below
//   data      u8 0 for tokens: u64 token count, u64 validation token count,
//               then the ids, each in the fewest of 1, 2 or 4 bytes that hold vocab_size - 1
//             u8 1 for a table: u64 pairs, u64 row count,
//               then for each row u32 token, u32 entry count, and of each entry u32 next token, T share
//   progress  u64 steps done,
//             u64 last step that is reached from the start without an edit by hand; 2^64 - 1: any
//   numbers   weights, their start, optimizer state (as often as it has a number for each weight),
//             each in table order, parameters that own storage only
//   u64 FNV-1a hash of everything before
#include <cmath>
#include <utility>

#include "linalg/reduce.h"
#include "model/allocate.h"
#include "training/byte_stream.h"
#include "training/trainer.h"

namespace tied {
namespace {

constexpr char kMagic[] = {'t', 'i', 'e', 'd', 't', 'r', 'n', 'r'};
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHashBytes = 8;
// Whole numbers beyond this are not exact in JavaScript, and no run gets there.
constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 53;

std::uint64_t hash_of(std::span<const std::uint8_t> bytes) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001B3;
  return hash;
}

// What is wrong and where the reader stood when it saw that.
Error bad_file(std::string_view found, std::size_t position) {
  return make_error(ErrorCode::kBadFile, "file", std::string(found) + " at byte " + text_of(position),
                    "what Trainer.save() wrote");
}

// A field that makes no model: said as what is wrong with the file.
Error bad_field(const Error& error) {
  return make_error(ErrorCode::kBadFile, "file", error.argument + " " + error.value, error.expected);
}

// Where the numbers of both configurations are, in the file's order.
struct ConfigNumbers {
  std::uint64_t* whole[8];
  double* real[10];
};

ConfigNumbers numbers_of(ModelConfig& model, TrainingConfig& training) {
  return {{&model.vocab_size, &model.d_model, &model.d_feed_forward, &training.warmup_steps, &training.total_steps,
           &training.batch_size, &training.seed, &training.init_seed},
          {&model.init_std, &training.learning_rate, &training.final_learning_rate_fraction, &training.weight_decay,
           &training.gradient_clip, &training.momentum, &training.beta1, &training.beta2, &training.epsilon,
           &training.input_gradient_scale.points[0].value}};
}

void write_configs(ByteWriter& out, ModelConfig model, TrainingConfig training) {
  out.write(static_cast<std::uint8_t>(model.kind));
  out.write(static_cast<std::uint8_t>(model.tying));
  out.write(static_cast<std::uint8_t>(model.output_bias));
  out.write(static_cast<std::uint8_t>(training.optimizer));
  out.write(static_cast<std::uint8_t>(training.decay));
  const ConfigNumbers numbers = numbers_of(model, training);
  for (const std::uint64_t* number : numbers.whole) out.write(*number);
  for (const double* number : numbers.real) out.write(*number);
}

void read_configs(ByteReader& in, ModelConfig& model, TrainingConfig& training) {
  model.kind = static_cast<ModelKind>(in.read<std::uint8_t>());
  model.tying = static_cast<Tying>(in.read<std::uint8_t>());
  model.output_bias = in.read<std::uint8_t>() != 0;
  training.optimizer = static_cast<OptimizerKind>(in.read<std::uint8_t>());
  training.decay = static_cast<Decay>(in.read<std::uint8_t>());
  const ConfigNumbers numbers = numbers_of(model, training);
  for (std::uint64_t* number : numbers.whole) *number = in.read<std::uint64_t>();
  for (double* number : numbers.real) *number = in.read<double>();
}

std::size_t id_bytes(std::uint64_t vocab_size) {
  if (vocab_size <= 0x100) return 1;
  return vocab_size <= 0x10000 ? 2 : 4;
}

void write_ids(ByteWriter& out, const AlignedBuffer<std::uint32_t>& ids, std::size_t width) {
  for (const std::uint32_t id : ids) out.write_bits(id, width);
}

void read_ids(ByteReader& in, AlignedBuffer<std::uint32_t>& ids, std::size_t width) {
  for (std::uint32_t& id : ids) id = static_cast<std::uint32_t>(in.read_bits(width));
}

template <class T>
void write_data(ByteWriter& out, const TrainingData<T>& data) {
  out.write(static_cast<std::uint8_t>(data.has_table()));
  if (!data.has_table()) {
    out.write(static_cast<std::uint64_t>(data.token_ids.size()));
    out.write(static_cast<std::uint64_t>(data.validation_token_ids.size()));
    write_ids(out, data.token_ids, id_bytes(data.vocab_size));
    write_ids(out, data.validation_token_ids, id_bytes(data.vocab_size));
    return;
  }
  const JointTable<T>& table = data.table;
  out.write(table.n_pairs);
  out.write(static_cast<std::uint64_t>(table.rows.size()));
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    std::uint32_t entries = 0;
    for (std::size_t j = 0; j < table.joint.cols(); ++j) entries += table.joint(i, j) != 0 ? 1 : 0;
    out.write(table.rows[i]);
    out.write(entries);
    for (std::size_t j = 0; j < table.joint.cols(); ++j) {
      if (table.joint(i, j) == 0) continue;
      out.write(static_cast<std::uint32_t>(j));
      out.write(table.joint(i, j));
    }
  }
}

template <class T>
Result<TrainingData<T>> read_tokens(ByteReader& in, std::uint64_t vocab_size) {
  const auto n_tokens = in.read<std::uint64_t>();
  const auto n_validation = in.read<std::uint64_t>();
  const std::size_t width = id_bytes(vocab_size);
  const std::uint64_t room = in.remaining() / width;
  if (in.failed() || n_tokens > room || n_validation > room - n_tokens) {
    return bad_file("more tokens than bytes", in.position());
  }
  TrainingData<T> data;
  data.vocab_size = vocab_size;
  if (Status status = allocate(data.token_ids, n_tokens); !status) return status.error();
  if (Status status = allocate(data.validation_token_ids, n_validation); !status) return status.error();
  read_ids(in, data.token_ids, width);
  read_ids(in, data.validation_token_ids, width);
  if (n_tokens < 2 || n_validation == 1) return bad_file("a stream of one token", in.position());
  for (const auto* ids : {&data.token_ids, &data.validation_token_ids}) {
    if (Status status = check_token_ids("token", ids->data(), ids->size(), vocab_size); !status) {
      return bad_field(status.error());
    }
  }
  return data;
}

template <class T>
Result<TrainingData<T>> read_table(ByteReader& in, std::uint64_t vocab_size, const TrainerLimits& limits) {
  constexpr std::size_t kLeastRowBytes = 2 * sizeof(std::uint32_t) + sizeof(std::uint32_t) + sizeof(T);
  const auto n_pairs = in.read<std::uint64_t>();
  const auto n_rows = in.read<std::uint64_t>();
  if (in.failed() || n_rows == 0 || n_rows > vocab_size || n_rows > in.remaining() / kLeastRowBytes) {
    return bad_file("more rows than tokens, or none,", in.position());
  }
  if (n_rows > limits.memory_bytes / (vocab_size * sizeof(T))) {
    return make_error(ErrorCode::kOutOfMemory, "file", "a table of " + text_of(n_rows) + " rows",
                      "a table that fits in memory");
  }
  TrainingData<T> data;
  data.vocab_size = vocab_size;
  if (Status status = allocate(data.table.rows, n_rows); !status) return status.error();
  auto joint = Matrix<T>::create(static_cast<std::size_t>(n_rows), static_cast<std::size_t>(vocab_size));
  if (!joint) return joint.error();
  data.table.joint = std::move(joint).value();
  data.table.n_pairs = n_pairs;

  double total = 0;
  for (std::size_t i = 0; i < data.table.rows.size(); ++i) {
    const auto row = in.read<std::uint32_t>();
    const auto entries = in.read<std::uint32_t>();
    const bool ascends = i == 0 || row > data.table.rows[i - 1];
    if (in.failed() || !ascends || row >= vocab_size || entries == 0 || entries > vocab_size) {
      return bad_file("a row out of order or without entries", in.position());
    }
    data.table.rows[i] = row;
    std::uint64_t next = 0;  // the least token that may follow
    for (std::uint32_t k = 0; k < entries; ++k) {
      const auto col = in.read<std::uint32_t>();
      const T value = in.read<T>();
      if (in.failed() || col < next || col >= vocab_size || !(value > 0 && value <= 1)) {
        return bad_file("an entry out of order, or no share of 1,", in.position());
      }
      data.table.joint(i, col) = value;
      total += static_cast<double>(value);
      next = std::uint64_t{col} + 1;
    }
  }
  // Rounding of up to V^2 shares to single precision stays far below this.
  if (!(std::fabs(total - 1) < 1e-3)) return bad_file("a table that does not sum to 1", in.position());
  return data;
}

// `numbers`: laid out as the parameters' values.
template <class T>
void write_numbers(ByteWriter& out, const ParameterTable& table, const T* numbers) {
  for (const Parameter& parameter : table.list()) {
    if (parameter.owns_storage()) out.write_all(numbers + parameter.offset, static_cast<std::size_t>(parameter.size()));
  }
}

// Errors: kBadFile where one is not finite.
template <class T>
Status read_numbers(ByteReader& in, const ParameterTable& table, T* numbers) {
  for (const Parameter& parameter : table.list()) {
    if (!parameter.owns_storage()) continue;
    const std::size_t size = static_cast<std::size_t>(parameter.size());
    in.read_all(numbers + parameter.offset, size);
    if (in.failed() || !all_finite(numbers + parameter.offset, size)) {
      return bad_file("a number that is not finite", in.position());
    }
  }
  return {};
}

}  // namespace

// All but the hash.
template <class T>
void Trainer<T>::write(ByteWriter& out) const {
  const ParameterStore<T>& parameters = std::as_const(*model_).parameters();
  const std::size_t extent = parameters.all_values().size();
  out.write_all(kMagic, sizeof(kMagic));
  out.write(kVersion);
  out.write(static_cast<std::uint8_t>(sizeof(T)));
  write_configs(out, model_->config(), training_);
  write_data(out, data_);
  // Edits after this step, of a timeline that was rewound, are not part of the file.
  const std::uint64_t valid_until = timeline_.start_valid_until();
  out.write(steps_done_);
  out.write(valid_until < steps_done_ ? valid_until : Timeline<T>::kForever);
  write_numbers(out, table(), parameters.all_values().data());
  write_numbers(out, table(), timeline_.start().data());
  for (std::size_t first = 0; first < optimizer_.state().size(); first += extent) {
    write_numbers(out, table(), optimizer_.state().data() + first);
  }
}

template <class T>
Result<AlignedBuffer<std::uint8_t>> Trainer<T>::save() const {
  ByteWriter counter;
  write(counter);
  auto file = AlignedBuffer<std::uint8_t>::create(counter.size() + kHashBytes);
  if (!file) return file.error();
  const std::span<std::uint8_t> bytes(file.value().data(), file.value().size());
  ByteWriter out(bytes);
  write(out);
  out.write(hash_of(bytes.first(out.size())));
  return file;
}

template <class T>
Result<std::unique_ptr<Trainer<T>>> Trainer<T>::load(std::span<const std::uint8_t> file, const TrainerLimits& limits) {
  constexpr std::size_t kHeaderBytes = sizeof(kMagic) + sizeof(kVersion) + 1;
  if (file.size() < kHeaderBytes + kHashBytes) {
    return bad_file("its end", file.size());
  }
  ByteReader in(file.first(file.size() - kHashBytes));
  for (const char letter : kMagic) {
    if (in.read<std::uint8_t>() == static_cast<std::uint8_t>(letter)) continue;
    return bad_file("another kind of file", in.position() - 1);
  }
  if (const auto version = in.read<std::uint32_t>(); version != kVersion) {
    return make_error(ErrorCode::kBadFile, "file", "version " + text_of(version), "version " + text_of(kVersion));
  }
  if (const auto bytes = in.read<std::uint8_t>(); bytes != sizeof(T)) {
    return bad_file("numbers of another size", in.position() - 1);
  }
  if (ByteReader hash(file.last(kHashBytes));
      hash.read<std::uint64_t>() != hash_of(file.first(file.size() - kHashBytes))) {
    return make_error(ErrorCode::kBadFile, "file", "cut short or altered", "the bytes as they were saved");
  }

  ModelConfig model;
  TrainingConfig training;
  read_configs(in, model, training);
  const bool has_table = in.read<std::uint8_t>() != 0;
  if (Status status = validate(model); !status) return bad_field(status.error());
  if (Status status = validate(training, !has_table); !status) return bad_field(status.error());
  auto data = has_table ? read_table<T>(in, model.vocab_size, limits) : read_tokens<T>(in, model.vocab_size);
  if (!data) return data.error();
  const auto steps_done = in.read<std::uint64_t>();
  const auto valid_until = in.read<std::uint64_t>();

  // All that is left must be the numbers, exactly: known before memory is taken for them.
  const std::uint64_t per_number = 2 + optimizer_state_factor(training);
  const std::uint64_t count = parameter_table(model).parameter_count();
  if (in.failed() || steps_done > kMostSteps || in.remaining() % (per_number * sizeof(T)) != 0 ||
      count != in.remaining() / (per_number * sizeof(T))) {
    return bad_file("more or fewer weights than the model has, or too many steps,", in.position());
  }
  auto created = create(model, training, std::move(data).value(), limits);
  if (!created) return created.error();
  std::unique_ptr<Trainer> trainer = std::move(created).value();

  AlignedBuffer<T>& values = trainer->model_->parameters().all_values();
  AlignedBuffer<T>& state = trainer->optimizer_.state();
  const ParameterTable& table = trainer->table();
  auto weights = values.clone();
  if (!weights) return weights.error();
  if (Status status = read_numbers(in, table, weights.value().data()); !status) return status.error();
  if (Status status = read_numbers(in, table, values.data()); !status) return status.error();
  trainer->timeline_.set_start(values);
  values = std::move(weights).value();
  for (std::size_t first = 0; first < state.size(); first += values.size()) {
    if (Status status = read_numbers(in, table, state.data() + first); !status) return status.error();
  }
  trainer->steps_done_ = steps_done;
  trainer->furthest_step_ = steps_done;
  if (steps_done > 0) trainer->timeline_.resume(steps_done, valid_until, values, state);
  return trainer;
}

template void Trainer<float>::write(ByteWriter&) const;
template void Trainer<double>::write(ByteWriter&) const;
template Result<AlignedBuffer<std::uint8_t>> Trainer<float>::save() const;
template Result<AlignedBuffer<std::uint8_t>> Trainer<double>::save() const;
template Result<std::unique_ptr<Trainer<float>>> Trainer<float>::load(std::span<const std::uint8_t>,
                                                                      const TrainerLimits&);
template Result<std::unique_ptr<Trainer<double>>> Trainer<double>::load(std::span<const std::uint8_t>,
                                                                        const TrainerLimits&);

}  // namespace tied
