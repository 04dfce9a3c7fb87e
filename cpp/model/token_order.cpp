#include "model/token_order.h"

#include <algorithm>

#include "base/allocate.h"
#include "base/elementary.h"

namespace tied {

Status TokenOrder::create(std::span<const std::uint32_t> counts, std::size_t vocab_size) {
  if (Status status = allocate(ids_, vocab_size); !status) return status;
  for (std::size_t i = 0; i < vocab_size; ++i) ids_[i] = static_cast<std::uint32_t>(i);
  if (counts.empty()) return {};
  TIED_ASSERT(counts.size() == vocab_size);
  std::sort(ids_.begin(), ids_.end(), [counts](std::uint32_t a, std::uint32_t b) {
    return counts[a] != counts[b] ? counts[a] > counts[b] : a < b;
  });
  return {};
}

Status TokenProposal::create(Proposal proposal, std::span<const std::uint32_t> counts, std::size_t vocab_size) {
  by_counts_ = proposal == Proposal::kCounts;
  if (by_counts_) {
    if (Status status = allocate(count_ends_, vocab_size + 1); !status) return status;
    for (std::size_t i = 0; i < vocab_size; ++i) {
      count_ends_[i + 1] = count_ends_[i] + 1 + (counts.empty() ? 0 : counts[i]);
    }
    return {};
  }
  if (Status status = order_.create(counts, vocab_size); !status) return status;
  if (Status status = allocate(ranks_, vocab_size); !status) return status;
  for (std::size_t i = 0; i < vocab_size; ++i) ranks_[order_.ids()[i]] = static_cast<std::uint32_t>(i);
  return {};
}

std::uint32_t TokenProposal::draw(Random& random) const {
  const double uniform = random.uniform_double();
  if (by_counts_) {
    const double total = static_cast<double>(count_ends_[count_ends_.size() - 1]);
    const auto at = static_cast<std::uint64_t>(uniform * total);
    const std::uint64_t* end = std::upper_bound(count_ends_.begin() + 1, count_ends_.end() - 1, at);
    return static_cast<std::uint32_t>(end - (count_ends_.begin() + 1));
  }
  const std::size_t vocab_size = order_.ids().size();
  // The inverse of the distribution function log(r + 1) / log(V + 1).
  const double end = exponential(uniform * natural_log(static_cast<double>(vocab_size) + 1));
  const auto rank = std::min(static_cast<std::size_t>(end) - 1, vocab_size - 1);
  return order_.ids()[rank];
}

double TokenProposal::probability(std::uint32_t token) const {
  if (by_counts_) {
    const double total = static_cast<double>(count_ends_[count_ends_.size() - 1]);
    return static_cast<double>(count_ends_[token + std::size_t{1}] - count_ends_[token]) / total;
  }
  const double rank = ranks_[token];
  return natural_log((rank + 2) / (rank + 1)) / natural_log(static_cast<double>(ranks_.size()) + 1);
}

std::uint64_t token_proposal_bytes(Proposal proposal, std::uint64_t vocab_size) {
  if (proposal == Proposal::kCounts) return (vocab_size + 1) * sizeof(std::uint64_t);
  return token_order_bytes(vocab_size) + vocab_size * sizeof(std::uint32_t);
}

}  // namespace tied
