// The parts of a trainer's file that are neither numbers of the model nor progress: see trainer_file.cpp.
#pragma once

#include <cstdint>

#include "base/byte_stream.h"
#include "training/data.h"

namespace tied {

// Version 1 knew the direct path alone. Up to version 2 direct paths ignored scales_embedding.
inline constexpr std::uint32_t kTrainerFileVersion = 3;

// What is wrong with a file, and where the reader stood when it saw that.
Status bad_file(std::string_view found, std::size_t position);
// A field that makes no model or no data: said as what is wrong with the file.
Status bad_field(const Error& error);

void write_configs(ByteWriter& out, const ModelConfig& model, const TrainingConfig& training);
// What a version did not write keeps its default. The result may be anything: validate it.
void read_configs(ByteReader& in, std::uint32_t version, ModelConfig& model, TrainingConfig& training);

template <class T>
void write_data(ByteWriter& out, const TrainingData<T>& data);
// Checks the data of the file from end to end, takes no memory, and leaves the reader behind them. `size.kind` has been
// read already and `vocab_size` is valid; the rest of `size` is what the data will take. Errors: kBadFile.
template <class T>
Status check_data(ByteReader& in, DataSize& size, std::uint64_t vocab_size);
// Data that were checked. Errors: kOutOfMemory.
template <class T>
Result<TrainingData<T>> read_data(ByteReader in, DataKind kind, std::uint64_t vocab_size);

}  // namespace tied
