// A batch: how many tokens at once, in which precision, with which head.
#pragma once

#include <cstdint>
#include <span>

#include "accounting/architecture.h"
#include "base/error.h"
#include "base/record.h"

namespace tied {

// kFloat32, kBfloat16: for everything. kMixed: weights, gradients and activations in bfloat16; the master copy of the
// weights, the optimizer state and the logits in float32.
enum class Precision : std::uint8_t { kFloat32, kBfloat16, kMixed };

// Heads to compare with a softmax over the whole vocabulary; 0, or no cutoffs, if not requested.
struct HeadOptions {
  std::uint64_t samples = 0;  // sampled softmax: tokens drawn in addition to the targets, once for the whole batch
  // Adaptive softmax, with ids ordered by frequency: where the head and each cluster but the last ends. Cluster i, from
  // 1, has vectors of width d / divisor^i, rounded down. A view: the caller owns the list.
  std::span<const std::uint64_t> cutoffs = {};
  std::uint64_t divisor = 4;
  std::uint64_t culled_vocab_size = 0;
  std::uint64_t clusters = 0;  // two levels: choose one of the clusters, then one of its tokens

  using Given =
      Record<&HeadOptions::samples, &HeadOptions::divisor, &HeadOptions::culled_vocab_size, &HeadOptions::clusters>;
};

struct Batch {
  std::uint64_t sequences = 1;
  std::uint64_t tokens = 1;          // per sequence; in an encoder-decoder, of the decoder
  std::uint64_t encoder_tokens = 1;  // per sequence, of an encoder-decoder's encoder
  TableTying tying = TableTying::kTied;
  Precision precision = Precision::kFloat32;
  std::uint64_t optimizer_states = 2;  // values per parameter: AdamW 2, momentum 1, plain gradient descent 0
  HeadOptions heads = {};

  using Given = Record<&Batch::sequences, &Batch::tokens, &Batch::encoder_tokens, &Batch::tying, &Batch::precision,
                       &Batch::optimizer_states, &Batch::heads>;
};

// Errors: kInvalidArgument if sizes are 0 or above 2^53 - 1, if vocabulary or width do not allow a head, and for an
// adaptive head over more than 2^53 - 1 tokens. One message for all: web/core/accounting/count-compute.ts names the
// field before a batch arrives here. `architecture` must be valid.
Status validate(const Batch& batch, const Architecture& architecture);

}  // namespace tied
