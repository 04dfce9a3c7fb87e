// The interface of a model that reads pairs: a source, and the target that follows from it.
#pragma once

#include <cstdint>
#include <span>

#include "linalg/matrix_view.h"
#include "model/token_batch.h"

namespace tied {

enum class Pass : std::uint8_t;

// Pairs of a source and a target, each of any length up to the model's; every id < vocab_size. Row i of the targets has
// the tokens that the decoder reads, the start token first, and those that it must predict, the end token last.
struct PairBatch {
  std::size_t size = 0;
  const std::uint32_t* sources = nullptr;        // of all pairs, one after the other
  const std::uint32_t* source_starts = nullptr;  // [size + 1]: where each begins, from any first value on
  const std::uint32_t* inputs = nullptr;
  const std::uint32_t* targets = nullptr;
  const std::uint32_t* target_starts = nullptr;  // [size + 1]
  // Multiplies loss and gradient, as in TokenBatch.
  double weight = 1;
  std::uint64_t dropout_key = 0;
  double label_smoothing = 0;  // see Targets
  Shard shard = {};            // as in TokenBatch
};

// One pair, for inspection: `inputs` are the tokens that the decoder reads.
struct PairTokens {
  std::span<const std::uint32_t> source;
  std::span<const std::uint32_t> inputs;
};

// Rows in the order (layer, head, from); a column for each token that is attended to.
template <class T>
struct PairAttention {
  MatrixView<T> encoder;  // [n_encoder_layers n_heads source, source]
  MatrixView<T> decoder;  // [n_layers n_heads inputs, inputs]
  MatrixView<T> cross;    // [n_layers n_heads inputs, source]
};

// T = float or double (in the tests).
template <class T>
class PairModel {
 public:
  // Mean cross-entropy of all target tokens in nats, times the batch's weight. Pass::kForwardBackward adds (+=) the
  // gradient.
  virtual double loss(const PairBatch& batch, Pass pass) = 0;
  // out [inputs, vocab_size]: logits of the token after each.
  virtual void logits(MatrixView<T> out, const PairTokens& pair) = 0;
  virtual void attention(const PairAttention<T>& out, const PairTokens& pair) = 0;

  // For decoding: the maximum number of elements that `read` writes.
  virtual std::uint64_t memory_extent() const = 0;
  // Keys and values of a source for every layer of the decoder.
  virtual void read(T* memory, std::span<const std::uint32_t> source) = 0;
  // Elements of a cache: keys and values of as many tokens as a target may have.
  virtual std::uint64_t cache_extent() const = 0;
  // Reads one token at `position` after those in `cache`, to which it is added. logits [vocab_size], of the token after
  // it. memory: as `read` wrote it for a source of source_size tokens.
  virtual void append(T* logits, std::uint32_t token, std::size_t position, T* cache, const T* memory,
                      std::size_t source_size) = 0;

 protected:
  ~PairModel() = default;
};

}  // namespace tied
