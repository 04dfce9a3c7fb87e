// The matrices of a trained model, in the form that the diagnostics take.
#pragma once

#include <cstddef>
#include <string_view>

#include "diagnostics/readout.h"
#include "training/trainer.h"

namespace tied::experiments {

// Number of tokens whose logits are in memory at a time.
inline constexpr std::size_t kReadRows = 32;

// Without data if the model has no such matrix.
ConstMatrixView<float> matrix_if_any(const Trainer<float>& trainer, std::string_view name);

// The epsilon of the model's norms.
ReadoutNorm norm_of(const ModelConfig& model);

// has_norm: whether the readout applies the final norm, if the model has one.
Result<Readout> readout_of(const Trainer<float>& trainer, bool has_norm = true);

inline std::size_t context_of(const Trainer<float>& trainer) {
  return static_cast<std::size_t>(trainer.model_config().context_length);
}

}  // namespace tied::experiments
