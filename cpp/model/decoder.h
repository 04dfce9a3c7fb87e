// Reads one sequence token after token, keeping what attention needs of those before.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tied {

// Uses the values that the model's parameters have at each call; after a training step, reset. All memory is taken at
// creation. Must not outlive its model.
template <class T>
class Decoder {
 public:
  virtual ~Decoder() = default;

  // Tokens that it can hold: the model's context.
  virtual std::size_t capacity() const = 0;
  // Tokens that it holds.
  virtual std::size_t size() const = 0;
  // Forgets all tokens.
  virtual void reset() = 0;
  // Appends n >= 1 tokens, size() + n <= capacity(), each < vocab_size. logits [vocab_size]: of the token that follows
  // the last of them; null where they are not wanted.
  virtual void append(const std::uint32_t* tokens, std::size_t n, T* logits) = 0;
};

}  // namespace tied
