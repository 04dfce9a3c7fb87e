// What trained transformers predict before the last layer, how far their states are from the words they predict, and
// the gradients of their tables: the verbs `logitLens`, `trainTunedLens`, `gradientReport`, `lossByFrequency` and
// `decomposeHidden`, with their default settings.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tables.h"
#include "training/trainer.h"

namespace tied::experiments {

// The tokens of a text, and how often each occurs in the first part.
struct Split {
  std::span<const std::uint32_t> training;
  std::span<const std::uint32_t> validation;
  std::vector<std::uint32_t> counts;  // [V]
};

// By role, on the first 1,024 predictions of the validation tokens. `at` follows the names of the quantities.
Status measure_gradient(Trainer<float>& trainer, const Split& split, const std::string& at, const Print& print);

// Lenses (tuned on the training tokens), hidden states and losses by frequency, on all validation tokens.
Status measure_states(Trainer<float>& trainer, const Split& split, const Print& print);

}  // namespace tied::experiments
