// Translates sources with a model that reads pairs: greedily, by sampling, or by beam search.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/record.h"
#include "model/model.h"
#include "model/sampling.h"

namespace tied {

struct TranslationOptions {
  // Maximum number of tokens of a target, not counting its end; 0 = as many as the model has positions for.
  std::uint64_t max_tokens = 0;
  // Unfinished targets that a beam search continues at each step; 1 = no search.
  std::uint64_t beams = 1;
  // Without a search only; 0 takes the most probable token.
  SamplingOptions sampling{.temperature = 0};
};

struct Translated {
  std::vector<std::uint32_t> tokens;  // without start and end
  // ln P(tokens and their end given the source). Without a search, of the tokens alone if they did not end.
  double log_probability = 0;
  // Whether the model ended them, rather than the limit of tokens: a search ranks targets by their end, too.
  bool ended = false;

  using Answered = Record<&Translated::tokens, &Translated::log_probability, &Translated::ended>;
};

// Reads one token at a time, with cached keys and values of the source and of earlier tokens. T = float or double. Uses
// the current values of the model's parameters; must not outlive its model.
template <class T>
class Translation {
 public:
  // Allocates the caches of all beams. `model` must read pairs. Errors: kInvalidArgument for more tokens than the model
  // has positions for, more than 64 beams or fewer than one, beams with a temperature, and as Sampler; kOutOfMemory.
  static Result<std::unique_ptr<Translation>> create(Model<T>& model, const TranslationOptions& options);

  // The translations found, the most probable first: one, or one per beam, if there are that many targets. A beam
  // search ends when no unfinished target can become more probable than the finished ones.
  // Errors: kInvalidArgument for a source that is empty, too long or has an id out of range; kNotFinite if a logit is
  // not finite; kOutOfMemory for a beam search.
  Result<std::vector<Translated>> translate(std::span<const std::uint32_t> source);

 private:
  struct Beam {
    Translated found;
    T* cache = nullptr;
  };

  Translation(Model<T>& model, const TranslationOptions& options) : model_(model), options_(options) {}
  Status prepare();
  Status read(const Beam& beam, std::size_t source_size);
  Status decode(Translated& found, std::size_t source_size);
  Status search(std::vector<Translated>& found, std::size_t source_size);

  Model<T>& model_;
  TranslationOptions options_;
  Sampler sampler_;
  AlignedBuffer<T> memory_;
  AlignedBuffer<T> caches_;  // two for each beam: those of one step, and those of the next
  AlignedBuffer<T> logits_;
  AlignedBuffer<double> log_probabilities_;
};

}  // namespace tied
