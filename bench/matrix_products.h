// Benchmarks of matrix products: single ones, and all those of a training step.
#pragma once

#include <cstdint>
#include <vector>

#include "case.h"

namespace tied::bench {

// Shape of a transformer whose step is multiplied; the sizes are those of training_steps.h.
struct TransformerShape {
  std::uint64_t vocab_size = 0;
  std::uint64_t d_model = 0;
  std::uint64_t n_layers = 4;
  std::uint64_t n_heads = 4;
  std::uint64_t context_length = 64;
  std::uint64_t batch_size = 0;

  std::uint64_t tokens() const { return context_length * batch_size; }
};

// Cases of one product each, "product/<rows of the result>x<inner>x<columns of the result>/<form>[/<note>]": squares,
// and those of a language model's logits, a small transformer's layers and decoding. And "products/<name>": all
// products of one step of a transformer and nothing else, with full attention: the time of a step if everything else
// were free. (The core skips the masked part of causal attention, up to half of attention's products.)
void add_matrix_products(std::vector<Case>& cases);

// The transformers of the benchmark.
constexpr TransformerShape kTransformerA{.vocab_size = 65, .d_model = 64, .batch_size = 16};
constexpr TransformerShape kTransformerB{.vocab_size = 4096, .d_model = 128, .batch_size = 8};
constexpr TransformerShape kLab{.vocab_size = 512, .d_model = 64, .batch_size = 16};

// Operations of the products of one step.
double operations_of_step(const TransformerShape& shape);

// An encoder-decoder with as many layers in the one stack as in the other.
struct PairShape {
  std::uint64_t vocab_size = 128;
  std::uint64_t d_model = 64;
  std::uint64_t n_layers = 2;  // of each stack
  std::uint64_t n_heads = 4;
  std::uint64_t length = 32;  // of sources, and of targets with their end
  std::uint64_t batch_size = 32;

  std::uint64_t rows() const { return length * batch_size; }
};

// Operations of the products of one step, with whole squares of attention, masked or not, as for transformers.
double operations_of_pairs(const PairShape& shape);

}  // namespace tied::bench
