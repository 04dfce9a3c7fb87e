// Samples a token from logits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/aligned_buffer.h"
#include "base/error.h"

namespace tied {

struct SamplingOptions {
  // Divides the logits; 0 takes the largest logit, the first if several are equal.
  double temperature = 1;
  // Only the k largest logits can be drawn, with ties at the edge going to lower ids; 0 and any k >= the number of
  // tokens mean all.
  std::uint64_t top_k = 0;
  std::uint64_t seed = 0;
};

// P(i) = exp(z_i / temperature) / sum over the top k of exp(z_k / temperature)
// In double with our own exponential, in the order of ids: the same logits give the same token on every machine.
class Sampler {
 public:
  // Allocates all memory for draws. vocab_size > 0. Errors: kInvalidArgument for a temperature that is negative or not
  // finite; kOutOfMemory.
  Status prepare(std::size_t vocab_size, const SamplingOptions& options);

  // logits [vocab_size]. Draw i depends on the seed, i and the logits alone, not on earlier draws.
  // Errors: kNotFinite if a logit is not finite; `out` is then unchanged.
  template <class T>
  Status draw(std::uint32_t& out, const T* logits, std::uint64_t i);

 private:
  template <class T>
  std::uint32_t last_of_largest(const T* logits);

  std::size_t vocab_size_ = 0;
  SamplingOptions options_;
  AlignedBuffer<double> weights_;         // [vocab_size]
  AlignedBuffer<std::uint32_t> largest_;  // [top_k]; empty if all tokens count
};

}  // namespace tied
