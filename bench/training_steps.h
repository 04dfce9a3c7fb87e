// Benchmarks of whole training steps.
#pragma once

#include <string>

#include "benchmark.h"
#include "matrix_products.h"
#include "model/config.h"

namespace tied::bench {

// One step (forward, backward, AdamW) of a direct-path model on a batch of pairs of random tokens. Its three products
// (logits, and the two halves of the gradient) are what is counted as operations.
Benchmark direct_path_step(Tying tying, std::uint64_t vocab_size, std::uint64_t d_model, std::uint64_t pairs);

// One step of a transformer on random tokens: RMSNorm, GELU, learned positions, biases in feed-forward layers.
// Counted as operations are those of products_of_step.
Benchmark transformer_step(const std::string& name, Tying tying, const TransformerShape& shape);

// One token after another of a transformer, the context being half full.
Benchmark decoding_step(const std::string& name, const TransformerShape& shape);

}  // namespace tied::bench
