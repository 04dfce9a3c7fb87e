// What is done with an architecture: on how many tokens at once, in which precision, and with which head.
#pragma once

#include <cstdint>
#include <span>

#include "accounting/architecture.h"
#include "base/error.h"

namespace tied {

// kFloat32, kBFloat16: everything in it. kMixed: weights, gradients and activations in bfloat16; a copy of the weights,
// the optimizer's state and the logits in float32.
enum class Precision : std::uint8_t { kFloat32, kBFloat16, kMixed };

// What to compare with a softmax over the whole vocabulary: 0, or no cutoffs, where it was not asked for.
struct HeadOptions {
  std::uint64_t samples = 0;  // sampled softmax: so many tokens beside the target, the same for the whole batch
  // Adaptive softmax: ids by frequency; where the head, and each cluster but the last, ends. Cluster i, from 1, has
  // vectors of d / divisor^i numbers, rounded down. A view: who counts keeps the list.
  std::span<const std::uint64_t> cutoffs = {};
  std::uint64_t divisor = 4;
  std::uint64_t culled_vocab_size = 0;
  std::uint64_t clusters = 0;  // two levels: first one of so many clusters, then a token of it
};

struct Batch {
  std::uint64_t sequences = 1;
  std::uint64_t tokens = 1;          // of a sequence; in an encoder-decoder, of the decoder
  std::uint64_t encoder_tokens = 1;  // of a sequence that an encoder-decoder's encoder reads
  TableTying tying = TableTying::kTied;
  Precision precision = Precision::kFloat32;
  std::uint64_t optimizer_numbers = 2;  // kept for each parameter: AdamW 2, momentum 1, plain gradient descent 0
  HeadOptions heads = {};
};

// Errors: kInvalidArgument where sizes are 0 or above 2^53 - 1, where vocabulary or width do not allow a head, and for
// an adaptive head over more than 2^53 - 1 tokens: one message for all, as web/core/count-compute.ts names the field
// before a batch comes here. `architecture` is valid.
Status validate(const Batch& batch, const Architecture& architecture);

}  // namespace tied
