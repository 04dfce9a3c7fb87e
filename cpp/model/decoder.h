// Reads one sequence token by token, with a cache of what attention needs from earlier tokens.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tied {

// Uses the current values of the model's parameters in each call; reset it after a training step. All memory is
// allocated at creation. Must not outlive its model.
template <class T>
class Decoder {
 public:
  virtual ~Decoder() = default;

  // Maximum number of tokens: the model's context.
  virtual std::size_t capacity() const = 0;
  // Number of tokens so far.
  virtual std::size_t size() const = 0;
  // Removes all tokens.
  virtual void reset() = 0;
  // Removes the first token, but keeps what later ones have computed from it: size() >= 1. False if the decoder cannot,
  // and nothing has changed.
  virtual bool remove_first() { return false; }
  // Appends n >= 1 tokens, size() + n <= capacity(), each < vocab_size. logits [vocab_size]: of the token after the
  // last of them; null if not needed.
  virtual void append(const std::uint32_t* tokens, std::size_t n, T* logits) = 0;
};

}  // namespace tied
