// Continues a sequence of tokens, a few at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "model/model.h"
#include "model/sampling.h"

namespace tied {

// Draws each new token from the model's prediction after the last context_length tokens: the prompt and everything
// generated so far; fewer at the start. T = float or double. Must not outlive its model.
template <class T>
class Generation {
 public:
  // Allocates all memory. Only the last context_length tokens of a prompt are used.
  // Errors: kInvalidArgument for an empty prompt, an id that is not below vocab_size, a temperature that is negative or
  // not finite; kOutOfMemory.
  static Result<std::unique_ptr<Generation>> create(Model<T>& model, std::span<const std::uint32_t> prompt,
                                                    const SamplingOptions& options);

  // Generates out.size() more tokens, which do not depend on how they are divided among calls. Allocates nothing.
  // Errors: kNotFinite if a logit is not finite; the tokens before it are in `out`, and count() includes them.
  Status advance(std::span<std::uint32_t> out);

  // Tokens generated so far.
  std::uint64_t count() const { return count_; }

  // To be called after the model's parameters have changed: recomputes everything from the window.
  void refresh();

 private:
  explicit Generation(Model<T>& model) : model_(model) {}

  Status prepare(std::span<const std::uint32_t> prompt, const SamplingOptions& options);
  void push(std::uint32_t token);
  void read();

  Model<T>& model_;
  Sampler sampler_;
  std::unique_ptr<Decoder<T>> decoder_;
  AlignedBuffer<T> logits_;  // [vocab_size], of the token after the window
  // The window is tokens_[begin_, end_): at most context_length tokens in a buffer of twice that size, so that it moves
  // to the front only once in context_length tokens.
  AlignedBuffer<std::uint32_t> tokens_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t unread_ = 0;  // tokens at the end of the window that the decoder has not read
  std::uint64_t count_ = 0;
};

}  // namespace tied
