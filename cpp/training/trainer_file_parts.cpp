#include "training/trainer_file_parts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

#include "base/allocate.h"

namespace tied {

Status bad_file(std::string_view found, std::size_t position) {
  return make_error(ErrorCode::kBadFile, "file", std::string(found) + " at byte " + text_of(position),
                    "what Trainer.save() wrote");
}

Status bad_field(const Error& error) {
  return make_error(ErrorCode::kBadFile, "file", error.argument + " " + error.value, error.expected);
}

// ---------------------------------------------------------------- configurations

namespace {

template <class Config>
void write_fields(ByteWriter& out, const Config& config) {
  for_each_field(config, [&](const Field&, const auto& value) { out.write(value); });
}

template <class Config>
void read_fields(ByteReader& in, Config& config) {
  for_each_field(config, [&](const Field& field, auto& value) {
    value = in.read<std::remove_reference_t<decltype(value)>>();
    if (field.kind == FieldKind::kFlag) value = value != 0;
  });
}

}  // namespace

void write_configs(ByteWriter& out, const ModelConfig& model, const TrainingConfig& training) {
  write_fields(out, model);
  out.write(static_cast<std::uint8_t>(model.n_further_changes));
  for (std::size_t i = 0; i < model.n_further_changes; ++i) {
    const TyingChange& change = model.further_changes[i];
    out.write(static_cast<std::uint8_t>(change.condition));
    for (const std::uint64_t steps : {change.at_step, change.over, change.from}) out.write(steps);
    out.write(change.share);
  }
  write_fields(out, training);
  for (const ScheduleField& field : kSchedules) {
    const FactorSchedule& schedule = training.*field.schedule;
    out.write(static_cast<std::uint8_t>(schedule.n_points));
    for (std::size_t i = 0; i < schedule.n_points; ++i) {
      out.write(schedule.points[i].step);
      out.write(schedule.points[i].value);
    }
  }
}

void read_configs(ByteReader& in, ModelConfig& model, TrainingConfig& training) {
  read_fields(in, model);
  model.n_further_changes = in.read<std::uint8_t>();
  for (std::size_t i = 0; i < model.n_further_changes && i < std::size(model.further_changes); ++i) {
    TyingChange& change = model.further_changes[i];
    change.condition = static_cast<TyingCondition>(in.read<std::uint8_t>());
    for (std::uint64_t* steps : {&change.at_step, &change.over, &change.from}) *steps = in.read<std::uint64_t>();
    change.share = in.read<double>();
  }
  read_fields(in, training);
  for (const ScheduleField& field : kSchedules) {
    FactorSchedule& schedule = training.*field.schedule;
    schedule.n_points = in.read<std::uint8_t>();
    for (std::size_t i = 0; i < schedule.n_points && i < FactorSchedule::kMaxPoints; ++i) {
      schedule.points[i].step = in.read<std::uint64_t>();
      schedule.points[i].value = in.read<double>();
    }
  }
}

// ---------------------------------------------------------------- data

void write_ids(ByteWriter& out, const AlignedBuffer<std::uint32_t>& ids, std::size_t width) {
  constexpr std::size_t kBlock = 4096;
  for (std::size_t begin = 0; begin < ids.size(); begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, ids.size());
    if (out.skips(std::uint64_t{end - begin} * width)) continue;
    for (std::size_t i = begin; i < end; ++i) out.write_bits(ids[i], width);
  }
}

namespace {

template <class T>
void write_row(ByteWriter& out, const JointTable<T>& table, std::size_t i, std::uint32_t entries) {
  out.write(table.rows[i]);
  out.write(entries);
  for (std::size_t j = 0; j < table.joint.cols(); ++j) {
    if (table.joint(i, j) == 0) continue;
    out.write(static_cast<std::uint32_t>(j));
    out.write(table.joint(i, j));
  }
}

template <class T>
void write_table(ByteWriter& out, const JointTable<T>& table, WrittenRows& before) {
  out.write(table.n_pairs);
  out.write(static_cast<std::uint64_t>(table.rows.size()));
  out.skips(before.bytes);
  for (std::size_t i = before.count; i < table.rows.size(); ++i) {
    // Rows after a full part are written later. A counter has no part.
    if (out.part_end() != 0 && out.size() >= out.part_end()) return;
    std::uint32_t entries = 0;
    for (std::size_t j = 0; j < table.joint.cols(); ++j) entries += table.joint(i, j) != 0 ? 1 : 0;
    const std::uint64_t bytes =
        2 * sizeof(std::uint32_t) + std::uint64_t{entries} * (sizeof(std::uint32_t) + sizeof(T));
    if (!out.skips(bytes)) write_row(out, table, i, entries);
    if (out.size() <= out.part_end()) before = {i + 1, before.bytes + bytes};
  }
}

// Each function below reads its part of a file twice: first without `data`, to check everything before anything is
// allocated, then into `data`.

// Reads `n` ids into `ids`, if there is `data`.
template <class T>
Status read_ids(ByteReader& in, std::uint64_t n, std::uint64_t vocab_size, TrainingData<T>* data,
                AlignedBuffer<std::uint32_t> TrainingData<T>::* ids) {
  if (data != nullptr) {
    if (Status status = allocate(data->*ids, n); !status) return status;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const auto id = static_cast<std::uint32_t>(in.read_bits(id_bytes(vocab_size)));
    if (id >= vocab_size) return bad_file("token " + text_of(id), in.position());
    if (data != nullptr) (data->*ids)[i] = id;
  }
  return {};
}

template <class T>
Status read_tokens(ByteReader& in, DataSize& size, std::uint64_t vocab_size, TrainingData<T>* data) {
  const auto n_tokens = in.read<std::uint64_t>();
  const auto n_validation = in.read<std::uint64_t>();
  const std::uint64_t room = in.remaining() / id_bytes(vocab_size);
  if (in.failed() || n_tokens > room || n_validation > room - n_tokens) {
    return bad_file("more tokens than bytes", in.position());
  }
  if (n_tokens < 2 || n_validation == 1) return bad_file("a stream of one token", in.position());
  size.bytes = (n_tokens + n_validation) * sizeof(std::uint32_t);
  if (Status status = read_ids(in, n_tokens, vocab_size, data, &TrainingData<T>::token_ids); !status) return status;
  return read_ids(in, n_validation, vocab_size, data, &TrainingData<T>::validation_token_ids);
}

template <class T>
Status read_table(ByteReader& in, DataSize& size, std::uint64_t vocab_size, TrainingData<T>* data) {
  const auto n_pairs = in.read<std::uint64_t>();
  const auto n_rows = in.read<std::uint64_t>();
  if (in.failed() || n_rows == 0 || n_rows > vocab_size) {
    return bad_file("more rows than tokens, or none,", in.position());
  }
  size.table_rows = n_rows;
  size.bytes = n_rows * (sizeof(std::uint32_t) + vocab_size * sizeof(T));
  if (data != nullptr) {
    if (Status status = allocate(data->table.rows, n_rows); !status) return status;
    auto joint = Matrix<T>::create(static_cast<std::size_t>(n_rows), static_cast<std::size_t>(vocab_size));
    if (!joint) return joint.failure();
    data->table.joint = std::move(joint).value();
    data->table.n_pairs = n_pairs;
  }
  double total = 0;
  std::uint64_t next_row = 0;  // the smallest id that can follow
  for (std::size_t i = 0; i < n_rows; ++i) {
    const auto row = in.read<std::uint32_t>();
    const auto entries = in.read<std::uint32_t>();
    if (in.failed() || row < next_row || row >= vocab_size || entries == 0 || entries > vocab_size) {
      return bad_file("a row out of order or without entries", in.position());
    }
    next_row = std::uint64_t{row} + 1;
    if (data != nullptr) data->table.rows[i] = row;
    std::uint64_t next = 0;
    for (std::uint32_t k = 0; k < entries; ++k) {
      const auto col = in.read<std::uint32_t>();
      const T value = in.read<T>();
      if (in.failed() || col < next || col >= vocab_size || !(value > 0 && value <= 1)) {
        return bad_file("an entry out of order or out of range,", in.position());
      }
      if (data != nullptr) data->table.joint(i, col) = value;
      total += static_cast<double>(value);
      next = std::uint64_t{col} + 1;
    }
  }
  // The rounding of up to V^2 probabilities to single precision stays far below this.
  if (!(std::fabs(total - 1) < 1e-3)) return bad_file("a table that does not sum to 1", in.position());
  return {};
}

template <class T>
Status read(ByteReader& in, DataSize& size, std::uint64_t vocab_size, TrainingData<T>* data) {
  if (size.kind == DataKind::kPairs) {
    size.bytes = 0;
    for (Pairs TrainingData<T>::* pairs : {&TrainingData<T>::pairs, &TrainingData<T>::validation_pairs}) {
      Pairs* const to = data == nullptr ? nullptr : &(data->*pairs);
      if (Status status = read_pairs(in, size.bytes, vocab_size, to); !status) return status;
    }
    return size.bytes == 0 ? bad_file("no pairs", in.position()) : Status();
  }
  if (size.kind == DataKind::kTokens) return read_tokens(in, size, vocab_size, data);
  if (size.kind == DataKind::kTable) return read_table(in, size, vocab_size, data);
  return {};
}

}  // namespace

template <class T>
void write_data(ByteWriter& out, const TrainingData<T>& data, WrittenRows& before) {
  out.write(static_cast<std::uint8_t>(data.kind()));
  if (data.has_table()) return write_table(out, data.table, before);
  if (data.kind() == DataKind::kNone) return;
  if (data.kind() == DataKind::kPairs) {
    for (const Pairs* pairs : {&data.pairs, &data.validation_pairs}) {
      write_pairs(out, *pairs, data.vocab_size);
    }
    return;
  }
  out.write(static_cast<std::uint64_t>(data.token_ids.size()));
  out.write(static_cast<std::uint64_t>(data.validation_token_ids.size()));
  write_ids(out, data.token_ids, id_bytes(data.vocab_size));
  write_ids(out, data.validation_token_ids, id_bytes(data.vocab_size));
}

template <class T>
Status check_data(ByteReader& in, DataSize& size, std::uint64_t vocab_size) {
  return read<T>(in, size, vocab_size, nullptr);
}

template <class T>
Result<TrainingData<T>> read_data(ByteReader in, DataKind kind, std::uint64_t vocab_size) {
  TrainingData<T> data;
  DataSize size{.kind = kind};
  if (kind != DataKind::kNone) data.vocab_size = vocab_size;
  if (Status status = read(in, size, vocab_size, &data); !status) return status;
  return data;
}

template void write_data(ByteWriter&, const TrainingData<float>&, WrittenRows&);
template void write_data(ByteWriter&, const TrainingData<double>&, WrittenRows&);
template Status check_data<float>(ByteReader&, DataSize&, std::uint64_t);
template Status check_data<double>(ByteReader&, DataSize&, std::uint64_t);
template Result<TrainingData<float>> read_data(ByteReader, DataKind, std::uint64_t);
template Result<TrainingData<double>> read_data(ByteReader, DataKind, std::uint64_t);

}  // namespace tied
