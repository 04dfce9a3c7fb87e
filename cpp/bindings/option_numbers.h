// Options as arrays of doubles: fields_of(config) and web/core/option-numbers.ts have the same order. Choices are
// places in its lists, which follow the enumerations; whole numbers of 64 bits are doubles, since web/core lets none
// above 2^53 through.
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

}  // namespace tied::bindings
