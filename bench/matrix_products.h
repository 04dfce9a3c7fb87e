// Benchmarks of matrix products: single ones, and all those of a training step.
#pragma once

#include <cstdint>
#include <vector>

#include "benchmark.h"

namespace tied::bench {

// What a transformer's step multiplies, its sizes being those of the models under `training_steps.h`.
struct TransformerShape {
  std::uint64_t vocab_size = 0;
  std::uint64_t d_model = 0;
  std::uint64_t n_layers = 4;
  std::uint64_t n_heads = 4;
  std::uint64_t context_length = 64;
  std::uint64_t batch_size = 0;

  std::uint64_t tokens() const { return context_length * batch_size; }
};

// Products of square matrices, of language models' logits, of a small transformer's layers and of decoding.
std::vector<Benchmark> single_products();

// All products of one step of a transformer with nothing between them, attention's in full: what a step would take if
// all else were free. (The core leaves out what causal attention does not read, up to half of attention's products.)
Benchmark products_of_step(const std::string& name, const TransformerShape& shape);

}  // namespace tied::bench
