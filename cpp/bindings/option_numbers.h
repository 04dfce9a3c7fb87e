// Options as arrays of doubles, in the order of fields_of(config), as web/core/model/option-codec.ts writes and reads
// them. Choices are indices into their words; 64-bit integers are doubles, since web/core passes none above 2^53.
#pragma once

#include <cstdint>
#include <vector>

#include "bindings/transfer.h"
#include "model/config.h"
#include "training/training_config.h"

namespace tied::bindings {

inline std::uint64_t whole(double number) { return static_cast<std::uint64_t>(number); }
inline double number(std::uint64_t whole) { return static_cast<double>(whole); }

ModelConfig model_at(Address address);
TrainingConfig training_at(Address address);

void append_numbers(std::vector<double>& numbers, const ModelConfig& config);
void append_numbers(std::vector<double>& numbers, const TrainingConfig& config);
// In models.wasm: appended after both.
void append_further_changes(std::vector<double>& numbers, const ModelConfig& config);

}  // namespace tied::bindings
