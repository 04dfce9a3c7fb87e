// The pairs of neighboring tokens of a text, and what the bigrams of a text predict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "base/record.h"

namespace tied {

// For each token, the tokens that follow it in a text: sorted, each as often as it occurs.
class Followers {
 public:
  // Errors: kInvalidArgument, naming `argument`, for fewer than two ids or one of vocab_size or more; kOutOfMemory.
  static Result<Followers> create(std::string_view argument, std::span<const std::uint32_t> token_ids,
                                  std::size_t vocab_size);

  std::size_t vocab_size() const { return starts_.size() - 1; }
  std::size_t pairs() const { return next_.size(); }
  std::span<const std::uint32_t> of(std::size_t token) const {
    return {next_.data() + starts_[token], starts_[token + 1] - starts_[token]};
  }
  // Index of the first follower of a token in the list of all pairs.
  std::size_t first_of(std::size_t token) const { return starts_[token]; }
  std::size_t count(std::size_t from, std::size_t to) const;

 private:
  AlignedBuffer<std::uint32_t> starts_;  // [V + 1]
  AlignedBuffer<std::uint32_t> next_;    // by token
};

// Pearson's correlation of pairs of values, and the mean of the first values.
class Correlation {
 public:
  void add(double x, double y);
  std::size_t size() const { return size_; }
  double mean() const { return mean_x_; }
  // NaN if one of the two does not vary.
  double value() const;

  using Answered = Record<&Correlation::mean, &Correlation::value>;

 private:
  std::size_t size_ = 0;
  double mean_x_ = 0;
  double mean_y_ = 0;
  double square_x_ = 0;
  double square_y_ = 0;
  double product_ = 0;
};

// Facts about a text that need no model.
struct BigramFacts {
  // Mean of -ln P over the pairs of the text, nats per token, of the bigrams and of single tokens.
  double loss = 0;
  double unigram_loss = 0;
  // Correlation of ln P of single tokens with ln P of the bigrams, over the pairs of the text.
  double unigram_correlation = 0;
  // Fraction of the tokens with a follower that are most often followed by themselves.
  double self_prediction = 0;
  // Fraction of the pairs of different tokens i j for which P(j|i) P(i|j) > P(i|i) P(j|j).
  double breaking = 0;

  using Answered = Record<&BigramFacts::loss, &BigramFacts::unigram_loss, &BigramFacts::unigram_correlation,
                          &BigramFacts::self_prediction, &BigramFacts::breaking>;
};

// A text, and the bigrams of a reference text, which may be the same. With c_ij the counts of the reference:
//   P(j|i) = (c_ij + 1/2) / (c_i + V/2)
class BigramText {
 public:
  // Errors: those of Followers.
  static Result<BigramText> create(std::span<const std::uint32_t> text, std::span<const std::uint32_t> reference,
                                   std::size_t vocab_size);

  const Followers& text() const { return text_; }
  // ln P(to | from)
  double log_probability(std::size_t from, std::size_t to) const;
  BigramFacts facts() const;

 private:
  double unigram_log_probability(std::size_t token) const;

  Followers text_;
  Followers reference_;
  AlignedBuffer<std::uint32_t> counts_;  // [V]: how often each token follows another in the reference
};

}  // namespace tied
