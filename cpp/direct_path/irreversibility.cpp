#include "direct_path/irreversibility.h"

#include <algorithm>
#include <utility>

#include "direct_path/joint.h"

namespace tied {
namespace {

// The counts have been checked: integers whose sum fits.
std::uint32_t count_of(ConstMatrixView<float> counts, std::size_t i, std::size_t j) {
  return static_cast<std::uint32_t>(counts(i, j));
}

double sum_of(ConstMatrixView<float> counts) {
  double total = 0;
  for (std::size_t i = 0; i < counts.rows; ++i) {
    for (std::size_t j = 0; j < counts.cols; ++j) total += static_cast<double>(counts(i, j));
  }
  return total;
}

// Draws uniformly below the last running sum; returns the index of the first running sum above the draw. Empty
// intervals are never drawn.
std::size_t draw(Random& random, const std::uint32_t* sums, std::size_t size) {
  const std::uint32_t u = random.below(sums[size - 1]);
  return static_cast<std::size_t>(std::upper_bound(sums, sums + size, u) - sums);
}

Status fill(AlignedBuffer<std::uint32_t>& buffer, std::size_t size) {
  auto made = AlignedBuffer<std::uint32_t>::create(size);
  if (!made) return made.failure();
  buffer = std::move(made).value();
  return {};
}

}  // namespace

Result<Matrix<float>> net_flow(ConstMatrixView<float> counts) {
  if (auto entropies = bigram_entropies(counts); !entropies) return entropies.failure();
  auto flow = Matrix<float>::create(counts.rows, counts.cols);
  if (!flow) return flow;
  const double total = sum_of(counts);
  for (std::size_t i = 0; i < counts.rows; ++i) {
    for (std::size_t j = 0; j < counts.cols; ++j) {
      const double difference = static_cast<double>(counts(i, j)) - static_cast<double>(counts(j, i));
      flow.value()(i, j) = static_cast<float>(difference / total);
    }
  }
  return flow;
}

Result<ReversibleChains> ReversibleChains::create(ConstMatrixView<float> counts, std::size_t runs, std::uint64_t seed) {
  auto entropies = bigram_entropies(counts);
  if (!entropies) return entropies.failure();
  const double total = sum_of(counts);
  if (total > kMostChainPairs) {
    return make_error(ErrorCode::kInvalidArgument, "sum of counts", total, "at most 250000000 pairs");
  }
  if (runs < 1) return make_error(ErrorCode::kInvalidArgument, "runs", runs, "at least 1");
  ReversibleChains chains(runs, seed);
  chains.entropies_ = entropies.value();
  chains.pairs_ = static_cast<std::uint32_t>(total);
  auto divergences = AlignedBuffer<double>::create(runs);
  if (!divergences) return divergences.failure();
  chains.divergences_ = std::move(divergences).value();
  if (Status status = chains.index_pairs(counts); !status) return status;
  return chains;
}

Status ReversibleChains::index_pairs(ConstMatrixView<float> counts) {
  const std::size_t vocab_size = counts.rows;
  if (Status status = fill(token_sums_, vocab_size); !status) return status;
  if (Status status = fill(row_begins_, vocab_size + 1); !status) return status;
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < vocab_size; ++i) {
    row_begins_[i + 1] = row_begins_[i];
    for (std::size_t j = 0; j < vocab_size; ++j) {
      const std::uint32_t both = count_of(counts, i, j) + count_of(counts, j, i);
      sum += both;
      if (both > 0) ++row_begins_[i + 1];
    }
    token_sums_[i] = sum;
  }
  const std::size_t size = row_begins_[vocab_size];
  for (auto* buffer : {&columns_, &sums_, &mirrors_, &times_}) {
    if (Status status = fill(*buffer, size); !status) return status;
  }
  // The table is symmetric and rows come in order: the mirror image of (i, j) is the next pair of row j.
  AlignedBuffer<std::uint32_t> next;
  if (Status status = fill(next, vocab_size); !status) return status;
  std::copy_n(row_begins_.data(), vocab_size, next.data());
  std::size_t place = 0;
  for (std::size_t i = 0; i < vocab_size; ++i) {
    std::uint32_t row_sum = 0;
    for (std::size_t j = 0; j < vocab_size; ++j) {
      const std::uint32_t both = count_of(counts, i, j) + count_of(counts, j, i);
      if (both == 0) continue;
      row_sum += both;
      columns_[place] = static_cast<std::uint32_t>(j);
      sums_[place] = row_sum;
      mirrors_[place] = next[j]++;
      ++place;
    }
  }
  return {};
}

void ReversibleChains::advance(std::size_t pairs) {
  while (pairs > 0 && !finished()) {
    if (drawn_ == 0) token_ = static_cast<std::uint32_t>(draw(random_, token_sums_.data(), token_sums_.size()));
    const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(pairs, pairs_ - drawn_));
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::size_t begin = row_begins_[token_];
      const std::size_t place = begin + draw(random_, sums_.data() + begin, row_begins_[token_ + 1] - begin);
      ++times_[place];
      token_ = columns_[place];
    }
    pairs -= count;
    drawn_ += count;
    if (drawn_ < pairs_) continue;
    divergences_[done_++] = take_divergence();
    drawn_ = 0;
  }
}

double ReversibleChains::take_divergence() {
  double divergence = 0;
  for (std::size_t place = 0; place < times_.size(); ++place) {
    divergence += divergence_term(times_[place], times_[mirrors_[place]]);
  }
  std::fill_n(times_.data(), times_.size(), 0);
  return std::clamp(divergence / pairs_, 0.0, kLn2);
}

double ReversibleChains::share() const {
  return (static_cast<double>(done_) + static_cast<double>(drawn_) / pairs_) / static_cast<double>(runs_);
}

}  // namespace tied
