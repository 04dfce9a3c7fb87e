// Options as arrays of doubles (see given.h), in the order of fields_of(config).
#pragma once

#include <cstdint>

#include "bindings/transfer.h"
#include "model/config.h"
#include "training/training_config.h"

namespace tied::bindings {

inline std::uint64_t whole(double number) { return static_cast<std::uint64_t>(number); }
inline double number(std::uint64_t whole) { return static_cast<double>(whole); }

ModelConfig model_at(Address address);
TrainingConfig training_at(Address address);

// Writes the fields into the answer, then the points of each schedule.
void write_options(const ModelConfig& model, const TrainingConfig& training);

}  // namespace tied::bindings
