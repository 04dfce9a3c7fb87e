// Continuing a sequence of tokens, a few at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "model/model.h"
#include "model/sampling.h"

namespace tied {

// Each new token is drawn from what the model says of the last context_length tokens: the prompt and what was made of
// it so far, less at the beginning. T = float or double. Must not outlive its model.
template <class T>
class Generation {
 public:
  // All memory is taken here. Of a prompt longer than the context its last context_length tokens count.
  // Errors: kInvalidArgument for an empty prompt, an id that is not below vocab_size, a temperature that is negative or
  // not finite; kOutOfMemory.
  static Result<std::unique_ptr<Generation>> create(Model<T>& model, std::span<const std::uint32_t> prompt,
                                                    const SamplingOptions& options);

  // Makes out.size() more tokens: the same ones however they are divided among calls. Allocates nothing.
  // Errors: kNotFinite where a logit is not; tokens before it are made and in `out`, as count() tells.
  Status advance(std::span<std::uint32_t> out);

  // Tokens made so far.
  std::uint64_t count() const { return count_; }

  // To be called when parameters of the model have changed: what was read with the old ones is read again.
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
  // The window is tokens_[begin_, end_): at most context_length tokens in a block twice as long, so that it moves back
  // to the front once in context_length tokens.
  AlignedBuffer<std::uint32_t> tokens_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t unread_ = 0;  // tokens at the end of the window that the decoder has not seen
  std::uint64_t count_ = 0;
};

}  // namespace tied
