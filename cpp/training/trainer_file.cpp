// The file format of a trainer. All numbers are little-endian; u8, u32, u64 unsigned, f64 doubles, T the trainer's
// type.
//
//   "tiedtrnr", u32 version
//   u8 bytes of T
//   model     its fields in the order of fields_of(), a choice or flag as u8, an integer as u64, a real as f64; then u8
//               further changes of the tying, and per change u8 condition, u64 step, over and from, f64 share
//   training  its fields in the same way; then per schedule, in the order of kSchedules, u8 points, and per point u64
//               step, f64 value
//   data      u8 0 for tokens: u64 token count, u64 validation token count,
//               then the ids, each in the smallest of 1, 2 or 4 bytes for vocab_size - 1
//             u8 1 for a table: u64 pairs, u64 row count,
//               then per row u32 token, u32 entry count, and per entry u32 next token, T probability
//             u8 2 for none
//             u8 3 for pairs: sources, targets, sources for validation, targets for validation, of each of these
//             u64 count and, unless that is 0, u32 starts [count + 1] among their ids, and the ids as above
//   kept      u64 count, u32 ids: the chosen tokens of a culled head; 0 for the most frequent ones
//   attachment  u64 size, bytes
//   progress  u64 steps done,
//             u64 last step that is reached from the start without an edit by hand; 2^64 - 1: any;
//             f64 sum, u64 count, changed_at, passed and changes [8] of the TyingProgress
//   numbers   weights and, if there is data, their initial values and the optimizer state (one or two values per
//             weight); each in table order, only of parameters that own storage: at the start, or after the steps done
//   u64 FNV-1a hash of everything before
//
// The file of a copy begins with "tiedcopy" and has neither attachment nor numbers.
//
// A change of this layout is a new version, as is a field that is added or moved, by its hash: no other is read.
#include "training/trainer_file.h"

#include <algorithm>
#include <utility>

#include "base/allocate.h"
#include "linalg/reduce.h"

namespace tied {
namespace {

constexpr char kMagic[] = {'t', 'i', 'e', 'd', 't', 'r', 'n', 'r'};
constexpr char kCopyMagic[] = {'t', 'i', 'e', 'd', 'c', 'o', 'p', 'y'};
constexpr std::size_t kHashBytes = 8;
// Larger integers are not exact in JavaScript, and no run reaches them.
constexpr std::uint64_t kMaxSteps = std::uint64_t{1} << 53;

ParameterTable with_tying(ParameterTable table, bool joined) {
  table.set_joined(joined);
  return table;
}

// `numbers`: in the layout of the parameters' values.
template <class T>
void write_numbers(ByteWriter& out, const ParameterTable& table, const T* numbers) {
  for (const Parameter& parameter : table.list()) {
    if (parameter.owns_storage()) out.write_all(numbers + parameter.offset, static_cast<std::size_t>(parameter.size()));
  }
}

// The rest of a file, which consists of `T`s. Errors: kBadFile if one is not finite.
template <class T>
Status check_numbers(ByteReader in) {
  constexpr std::size_t kBlock = 256;
  T numbers[kBlock];
  while (in.remaining() >= sizeof(T)) {
    const std::size_t size = std::min(kBlock, in.remaining() / sizeof(T));
    const std::size_t position = in.position();
    in.read_all(numbers, size);
    const std::size_t wrong = first_not_finite(numbers, size);
    if (wrong < size) return bad_file("a number that is not finite", position + wrong * sizeof(T));
  }
  return {};
}

// `numbers`: in the layout of the parameters' values; `in` has been checked.
template <class T>
void read_numbers(ByteReader& in, const ParameterTable& table, T* numbers) {
  for (const Parameter& parameter : table.list()) {
    if (parameter.owns_storage()) in.read_all(numbers + parameter.offset, static_cast<std::size_t>(parameter.size()));
  }
}

}  // namespace

template <class T>
void TrainerFile<T>::write(ByteWriter& out) {
  write_state(out);
  hash_ = fnv1a_64(out.written(), hash_);
  out.write(hash_);
}

// Everything except the hash.
template <class T>
void TrainerFile<T>::write_state(ByteWriter& out) {
  const Timeline<T>& timeline = trainer_.timeline_;
  const ParameterTable& table = trainer_.table();
  const AlignedBuffer<T>& state = trainer_.optimizer_.state();
  const ParameterStore<T>& parameters = trainer_.model().parameters();
  const std::size_t extent = parameters.all_values().size();
  out.write_all(of_copy_ ? kCopyMagic : kMagic, sizeof(kMagic));
  out.write(trainer_file_version());
  out.write(static_cast<std::uint8_t>(sizeof(T)));
  write_configs(out, trainer_.model_config(), trainer_.training_);
  write_data(out, trainer_.data_, written_rows_);
  const AlignedBuffer<std::uint32_t>& kept = trainer_.data_.kept_token_ids;
  out.write(static_cast<std::uint64_t>(kept.size()));
  out.write_all(kept.data(), kept.size());
  const std::span<const std::uint8_t> attachment = of_copy_ ? std::span<const std::uint8_t>() : trainer_.attachment();
  out.write(static_cast<std::uint64_t>(attachment.size()));
  out.write_bytes(attachment);
  // Edits after this step, in a timeline that was rewound, are not part of the file.
  const std::uint64_t valid_until = timeline.start_valid_until();
  out.write(trainer_.steps_done_);
  out.write(valid_until < trainer_.steps_done_ ? valid_until : Timeline<T>::kForever);
  const TyingProgress& tying = trainer_.tying_;
  out.write(tying.sum);
  for (const std::uint64_t steps : {tying.count, tying.changed_at, tying.passed}) out.write(steps);
  out.write_all(tying.changes, kMaxTyingChanges);
  if (of_copy_) return;
  write_numbers(out, table, parameters.all_values().data());
  if (trainer_.data_kind() == DataKind::kNone) return;
  write_numbers(out, with_tying(table, is_joined_at(trainer_.model_config(), 0, {})), timeline.start().data());
  for (std::size_t first = 0; first < state.size(); first += extent) {
    write_numbers(out, table, state.data() + first);
  }
}

namespace {

// What precedes a file's weights. Nothing is allocated for it.
struct FileHead {
  ModelConfig model;
  TrainingConfig training;
  DataSize data;
  ByteReader at_data{std::span<const std::uint8_t>()};
  std::uint64_t n_kept = 0;
  ByteReader at_kept{std::span<const std::uint8_t>()};
  std::span<const std::uint8_t> attachment;
  std::uint64_t steps_done = 0;
  std::uint64_t valid_until = 0;
  TyingProgress tying;
};

// Kind, version, precision and hash of a file; `in` reads all of it but the hash. Errors: kBadFile.
template <class T>
Status check_identity(ByteReader& in, std::span<const std::uint8_t> file, bool of_copy) {
  for (const char letter : of_copy ? kCopyMagic : kMagic) {
    if (in.read<std::uint8_t>() == static_cast<std::uint8_t>(letter)) continue;
    return bad_file("another kind of file", in.position() - 1);
  }
  if (const auto version = in.read<std::uint32_t>(); version != trainer_file_version()) {
    return make_error(ErrorCode::kBadFile, "file", "version " + text_of(version),
                      "version " + text_of(trainer_file_version()));
  }
  if (const auto bytes = in.read<std::uint8_t>(); bytes != sizeof(T)) {
    return bad_file("values of another precision", in.position() - 1);
  }
  if (ByteReader hash(file.last(kHashBytes));
      hash.read<std::uint64_t>() != fnv1a_64(file.first(file.size() - kHashBytes))) {
    return make_error(ErrorCode::kBadFile, "file", "cut short or altered", "the bytes as they were saved");
  }
  return {};
}

// Configurations and the size of the data. Errors: kBadFile.
template <class T>
Status read_model_and_data(ByteReader& in, FileHead& head) {
  read_configs(in, head.model, head.training);
  const auto kind = static_cast<DataKind>(in.read<std::uint8_t>());
  if (kind > DataKind::kPairs) {
    return bad_file("data of no known kind", in.position() - 1);
  }
  if (Status status = validate(head.model); !status) return bad_field(status.error());
  if (Status status = validate(head.training, has_batches(kind)); !status) return bad_field(status.error());
  if (head.model.head != HeadKind::kFull && kind != DataKind::kTokens) {
    return bad_file("a head that needs tokens, without any,", in.position());
  }
  if (kind == DataKind::kTable && head.model.kind != ModelKind::kDirectPath) {
    return bad_file("a table for a model that reads a context", in.position());
  }
  head.at_data = in;
  head.data.kind = kind;
  if (Status status = check_data<T>(in, head.data, head.model.vocab_size); !status) return status;
  head.n_kept = in.read<std::uint64_t>();
  if (in.failed() || (head.n_kept != 0 && head.n_kept != head.model.head_kept) ||
      head.n_kept > in.remaining() / sizeof(std::uint32_t)) {
    return bad_file("another number of kept tokens than the model has", in.position());
  }
  head.at_kept = in;
  in.read_span(static_cast<std::size_t>(head.n_kept * sizeof(std::uint32_t)));
  return {};
}

// The attachment and the steps done. Errors: kBadFile.
Status read_progress(ByteReader& in, FileHead& head) {
  const auto attached = in.read<std::uint64_t>();
  if (in.failed() || attached > in.remaining()) return bad_file("more attached bytes than there are", in.position());
  head.attachment = in.read_span(static_cast<std::size_t>(attached));
  head.steps_done = in.read<std::uint64_t>();
  head.valid_until = in.read<std::uint64_t>();
  if (in.failed() || head.steps_done > kMaxSteps) return bad_file("too many steps", in.position());
  TyingProgress& tying = head.tying;
  tying.sum = in.read<double>();
  for (std::uint64_t* steps : {&tying.count, &tying.changed_at, &tying.passed}) *steps = in.read<std::uint64_t>();
  in.read_all(tying.changes, kMaxTyingChanges);
  if (in.failed() || !is_possible(head.model, head.steps_done, tying)) {
    return bad_file("tying progress that these steps cannot reach", in.position());
  }
  return {};
}

}  // namespace

template <class T>
Result<std::unique_ptr<Trainer<T>>> Trainer<T>::load_from(std::span<const std::uint8_t> file,
                                                          const TrainerLimits& limits) {
  constexpr std::size_t kHeaderBytes = sizeof(kMagic) + sizeof(trainer_file_version()) + 1;
  if (file.size() < kHeaderBytes + kHashBytes) {
    return bad_file("its end", file.size());
  }
  ByteReader in(file.first(file.size() - kHashBytes));
  FileHead head;
  if (Status status = check_identity<T>(in, file, !limits.does_steps); !status) return status;
  if (Status status = read_model_and_data<T>(in, head); !status) return status;
  if (Status status = read_progress(in, head); !status) return status;
  const auto& [model, training, data_size, at_data, n_kept, at_kept, attachment, steps_done, valid_until, tying] = head;

  // The rest must be exactly the weights. Nothing has been allocated so far: the memory for a file is bounded by its
  // content and by the limits.
  const ParameterTable start_table = parameter_table(model);
  const bool joined = is_joined_at(model, steps_done, tying);
  const ParameterTable now_table = with_tying(start_table, joined);
  const bool trains = data_size.kind != DataKind::kNone;
  const std::uint64_t arrays = trains ? 1 + optimizer_state_factor(training) : 1;
  const std::uint64_t all = arrays * now_table.parameter_count() + (trains ? start_table.parameter_count() : 0);
  const std::uint64_t count = limits.does_steps ? all : 0;
  if (in.remaining() % sizeof(T) != 0 || count != in.remaining() / sizeof(T) || (steps_done > 0 && !trains)) {
    return bad_file("more or fewer weights than the model has", in.position());
  }
  if (Status status = check_numbers<T>(in); !status) return status;
  if (Status status = check_trainer_memory(data_size, model, training, limits, sizeof(T)); !status) {
    // See below.
    if (status.error().code != ErrorCode::kOutOfMemory) return bad_field(status.error());
    return status;
  }
  auto data = read_data<T>(at_data, data_size.kind, model.vocab_size);
  if (!data) return data.failure();
  if (n_kept != 0) {
    if (Status status = allocate(data.value().kept_token_ids, n_kept); !status) return status;
    ByteReader kept = at_kept;
    kept.read_all(data.value().kept_token_ids.data(), static_cast<std::size_t>(n_kept));
  }
  auto created = create(model, training, std::move(data).value(), limits);
  // Data that does not match the model is a bad file as well; data that does not fit in memory is not.
  if (!created && created.error().code != ErrorCode::kOutOfMemory) return bad_field(created.error());
  if (!created) return created.failure();
  std::unique_ptr<Trainer> trainer = std::move(created).value();
  if (!limits.does_steps) {
    trainer->follow(steps_done, joined);
    return trainer;
  }
  if (Status status = trainer->set_attachment(attachment); !status) return status;

  AlignedBuffer<T>& values = trainer->model_->parameters().all_values();
  AlignedBuffer<T>& state = trainer->optimizer_.state();
  if (!trains) {
    read_numbers(in, now_table, values.data());
    return trainer;
  }
  auto weights = values.clone();
  if (!weights) return weights.failure();
  read_numbers(in, now_table, weights.value().data());
  read_numbers(in, start_table, values.data());
  trainer->timeline_.set_start(values);
  values = std::move(weights).value();
  for (std::size_t first = 0; first < state.size(); first += values.size()) {
    read_numbers(in, now_table, state.data() + first);
  }
  trainer->model_->parameters().set_joined(joined);
  trainer->tying_ = tying;
  trainer->steps_done_ = steps_done;
  trainer->furthest_step_ = steps_done;
  if (steps_done > 0) {
    if (valid_until < steps_done) {
      if (Status status = trainer->timeline_.need_slot(); !status) return status;
    }
    trainer->timeline_.resume(steps_done, valid_until, values, state, tying);
  }
  return trainer;
}

template <class T>
Result<std::unique_ptr<Trainer<T>>> Trainer<T>::load(std::span<const std::uint8_t> file, const TrainerLimits& limits) {
  return load_from(file, limits);
}

template <class T>
Result<std::unique_ptr<Trainer<T>>> Trainer<T>::load_copy(std::span<const std::uint8_t> file) {
  return load_from(file, {.does_steps = false});
}

template class TrainerFile<float>;
template class TrainerFile<double>;
template Result<std::unique_ptr<Trainer<float>>> Trainer<float>::load(std::span<const std::uint8_t>,
                                                                      const TrainerLimits&);
template Result<std::unique_ptr<Trainer<double>>> Trainer<double>::load(std::span<const std::uint8_t>,
                                                                        const TrainerLimits&);
template Result<std::unique_ptr<Trainer<float>>> Trainer<float>::load_copy(std::span<const std::uint8_t>);
template Result<std::unique_ptr<Trainer<double>>> Trainer<double>::load_copy(std::span<const std::uint8_t>);

}  // namespace tied
