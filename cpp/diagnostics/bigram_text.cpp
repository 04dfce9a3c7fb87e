#include "diagnostics/bigram_text.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/allocate.h"
#include "base/elementary.h"
#include "base/token_ids.h"

namespace tied {
namespace {

// Added to every count, so that no pair is impossible.
constexpr double kPseudoCount = 0.5;

}  // namespace

Result<Followers> Followers::create(std::string_view argument, std::span<const std::uint32_t> token_ids,
                                    std::size_t vocab_size) {
  if (token_ids.size() < 2) {
    return make_error(ErrorCode::kInvalidArgument, std::string(argument) + ".length", token_ids.size(), "at least 2");
  }
  if (Status status = check_token_ids(argument, token_ids, vocab_size); !status) return status;
  Followers made;
  AlignedBuffer<std::uint32_t> ends;
  if (Status status = allocate(made.starts_, vocab_size + 1); !status) return status;
  if (Status status = allocate(ends, vocab_size); !status) return status;
  if (Status status = allocate(made.next_, token_ids.size() - 1); !status) return status;
  for (std::size_t i = 0; i + 1 < token_ids.size(); ++i) ++made.starts_[token_ids[i] + 1];
  for (std::size_t v = 0; v < vocab_size; ++v) {
    ends[v] = made.starts_[v];
    made.starts_[v + 1] += made.starts_[v];
  }
  for (std::size_t i = 0; i + 1 < token_ids.size(); ++i) made.next_[ends[token_ids[i]]++] = token_ids[i + 1];
  for (std::size_t v = 0; v < vocab_size; ++v) {
    std::sort(made.next_.begin() + made.starts_[v], made.next_.begin() + made.starts_[v + 1]);
  }
  return made;
}

std::size_t Followers::count(std::size_t from, std::size_t to) const {
  const std::span<const std::uint32_t> next = of(from);
  const auto range = std::equal_range(next.begin(), next.end(), static_cast<std::uint32_t>(to));
  return static_cast<std::size_t>(range.second - range.first);
}

void Correlation::add(double x, double y) {
  ++size_;
  const double size = static_cast<double>(size_);
  const double from_x = x - mean_x_;
  const double from_y = y - mean_y_;
  mean_x_ += from_x / size;
  mean_y_ += from_y / size;
  square_x_ += from_x * (x - mean_x_);
  square_y_ += from_y * (y - mean_y_);
  product_ += from_x * (y - mean_y_);
}

double Correlation::value() const { return product_ / std::sqrt(square_x_ * square_y_); }

Result<BigramText> BigramText::create(std::span<const std::uint32_t> text, std::span<const std::uint32_t> reference,
                                      std::size_t vocab_size) {
  BigramText made;
  auto followers = Followers::create("tokenIds", text, vocab_size);
  if (!followers) return followers.failure();
  made.text_ = std::move(followers).value();
  followers = Followers::create("options.bigramsOf", reference, vocab_size);
  if (!followers) return followers.failure();
  made.reference_ = std::move(followers).value();
  if (Status status = allocate(made.counts_, vocab_size); !status) return status;
  for (const std::uint32_t token : reference.subspan(1)) ++made.counts_[token];
  return made;
}

double BigramText::log_probability(std::size_t from, std::size_t to) const {
  const double outcomes = static_cast<double>(reference_.vocab_size());
  const double all = static_cast<double>(reference_.of(from).size()) + kPseudoCount * outcomes;
  return natural_log((static_cast<double>(reference_.count(from, to)) + kPseudoCount) / all);
}

double BigramText::unigram_log_probability(std::size_t token) const {
  const double outcomes = static_cast<double>(reference_.vocab_size());
  const double all = static_cast<double>(reference_.pairs()) + kPseudoCount * outcomes;
  return natural_log((static_cast<double>(counts_[token]) + kPseudoCount) / all);
}

BigramFacts BigramText::facts() const {
  BigramFacts found;
  Correlation unigram;
  std::size_t followed = 0;
  std::size_t different = 0;
  const auto smoothed = [&](std::size_t from, std::size_t to) {
    return static_cast<double>(reference_.count(from, to)) + kPseudoCount;
  };
  for (std::size_t i = 0; i < text_.vocab_size(); ++i) {
    const std::span<const std::uint32_t> own = reference_.of(i);
    const std::size_t repeats = reference_.count(i, i);
    std::size_t most = 0;
    for (std::size_t first = 0; first < own.size();) {
      const std::size_t count = reference_.count(i, own[first]);
      most = std::max(most, count);
      first += count;
    }
    if (!own.empty()) ++followed;
    if (repeats > 0 && repeats == most) found.self_prediction += 1;
    for (const std::uint32_t j : text_.of(i)) {
      const double bigram = log_probability(i, j);
      found.loss -= bigram;
      unigram.add(unigram_log_probability(j), bigram);
      if (j == i) continue;
      ++different;
      if (smoothed(i, j) * smoothed(j, i) > smoothed(i, i) * smoothed(j, j)) found.breaking += 1;
    }
  }
  found.loss /= static_cast<double>(text_.pairs());
  found.unigram_loss = -unigram.mean();
  found.unigram_correlation = unigram.value();
  found.self_prediction /= static_cast<double>(followed);
  found.breaking /= static_cast<double>(different);  // 0 / 0 in a text of one token
  return found;
}

}  // namespace tied
