// Continues a sequence of tokens, a few at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "model/model.h"
#include "model/sampling.h"

namespace tied {

// What happens once there are more tokens than the model's context. kRead: the last context_length tokens are read
// again for each new token, so it depends on them alone. kKeep: their keys and values are kept in every layer, with
// what they have from tokens before them; with several layers, a new token then depends on older tokens too.
enum class BeyondContext : std::uint8_t { kRead, kKeep };

// Draws each new token from the model's prediction after the last context_length tokens: the prompt and everything
// generated so far; fewer at the start. T = float or double. Must not outlive its model.
template <class T>
class Generation {
 public:
  // Allocates all memory. Only the last context_length tokens of a prompt are used.
  // Errors: kUnsupported for kKeep with learned positions or n-grams; kInvalidArgument for an empty prompt, an id that
  // is not below vocab_size, a temperature that is negative or not finite; kOutOfMemory.
  static Result<std::unique_ptr<Generation>> create(Model<T>& model, std::span<const std::uint32_t> prompt,
                                                    const SamplingOptions& options,
                                                    BeyondContext beyond = BeyondContext::kRead);

  // Generates out.size() more tokens, which do not depend on how they are divided among calls. Allocates nothing.
  // Errors: kNotFinite if a logit is not finite; the tokens before it are in `out`, and count() includes them.
  Status advance(std::span<std::uint32_t> out);

  // Tokens generated so far.
  std::uint64_t count() const { return count_; }

  // To be called after the model's parameters have changed: recomputes everything from the window.
  void refresh();

 private:
  Generation(Model<T>& model, BeyondContext beyond) : model_(model), beyond_(beyond) {}

  Status prepare(std::span<const std::uint32_t> prompt, const SamplingOptions& options);
  void push(std::uint32_t token);
  void read();

  Model<T>& model_;
  BeyondContext beyond_;
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
