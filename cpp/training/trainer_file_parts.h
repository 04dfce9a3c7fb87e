// The parts of a trainer's file that are neither values of the model nor progress: see trainer_file.cpp.
#pragma once

#include <cstdint>

#include "base/byte_stream.h"
#include "training/data.h"
#include "training/training_config.h"

namespace tied {

// Of this layout with the fields of both configurations: a file with other fields is of another version.
inline std::uint32_t trainer_file_version() {
  constexpr std::uint32_t kLayout = 1;
  return fields_version() + kLayout;
}

// The error of an invalid file, with the position of the reader where the fault was found.
Status bad_file(std::string_view found, std::size_t position);
// The error of a file with an invalid field in a configuration or in data.
Status bad_field(const Error& error);

void write_configs(ByteWriter& out, const ModelConfig& model, const TrainingConfig& training);
// The result is not validated.
void read_configs(ByteReader& in, ModelConfig& model, TrainingConfig& training);

// The rows of a table that earlier parts of a file contain: how many, and their bytes. Later parts skip them.
struct WrittenRows {
  std::size_t count = 0;
  std::uint64_t bytes = 0;
};

// Bytes of an id in a file.
inline std::size_t id_bytes(std::uint64_t vocab_size) {
  if (vocab_size <= 0x100) return 1;
  return vocab_size <= 0x10000 ? 2 : 4;
}
void write_ids(ByteWriter& out, const AlignedBuffer<std::uint32_t>& ids, std::size_t width);

// In pair_file.cpp. Reading checks all but the lengths of sequences, which Trainer::create compares with the model's,
// and adds the bytes in memory to `bytes`; without `pairs` it only checks.
void write_pairs(ByteWriter& out, const Pairs& pairs, std::uint64_t vocab_size);
Status read_pairs(ByteReader& in, std::uint64_t& bytes, std::uint64_t vocab_size, Pairs* pairs);

template <class T>
void write_data(ByteWriter& out, const TrainingData<T>& data, WrittenRows& before);
// Checks the data of the file completely without allocating, and leaves the reader behind it. `size.kind` has been read
// and `vocab_size` is valid; fills in the rest of `size`. Errors: kBadFile.
template <class T>
Status check_data(ByteReader& in, DataSize& size, std::uint64_t vocab_size);
// Reads data that has been checked. Errors: kOutOfMemory.
template <class T>
Result<TrainingData<T>> read_data(ByteReader in, DataKind kind, std::uint64_t vocab_size);

}  // namespace tied
