// Cases of whole training steps (forward, backward, AdamW) on random tokens, and of decoding.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "case.h"
#include "matrix_products.h"
#include "model/config.h"

namespace tied::bench {

// "train/A", "train/B", "train/laboratory": tied transformers with RMSNorm, GELU, learned positions and biases in
// feed-forward layers; untied with the suffix "/untied". "train/C": the direct path with two tables, V 2000, d 64, 1024
// pairs; "train/C/tied" with one; "train/little" with V 65, d 16. "decode/laboratory": one token after another. The
// operations are those of the matrix products, counted for transformers as in "products/<name>". "train/pairs": an
// encoder-decoder of two layers in each stack with one table, V 128, d 64, 32 pairs of 32 tokens each, counted in the
// same way; "train/pairs/d128" and "/d256" wider ones; "train/pairs/lengths" with pairs of 1 to 32 tokens.
// "memory/train/50257x64": memory of a program that trains an untied transformer of 50,257 tokens at width 64 or, with
// the suffix "/direct-path", a direct path with two tables.
void add_training_steps(std::vector<Case>& cases);

// A step of a model on a text, whose tokens are made when the case is prepared.
Case step_on(std::string id, const ModelConfig& model, std::uint64_t batch_size,
             const std::function<std::vector<std::uint32_t>()>& tokens);
ModelConfig transformer_of(Tying tying, const TransformerShape& shape);

}  // namespace tied::bench
