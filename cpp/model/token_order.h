// Tokens by how often they occur, and draws of tokens by frequency.
#pragma once

#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "base/random.h"
#include "model/config.h"

namespace tied {

// The most frequent token first; tokens of equal frequency in the order of their ids.
class TokenOrder {
 public:
  // counts [vocab_size], or empty: all equal. Errors: kOutOfMemory.
  Status create(std::span<const std::uint32_t> counts, std::size_t vocab_size);

  // Ids by rank [V].
  std::span<const std::uint32_t> ids() const { return {ids_.data(), ids_.size()}; }

 private:
  AlignedBuffer<std::uint32_t> ids_;
};

// Draws tokens with replacement: see Proposal.
class TokenProposal {
 public:
  // Errors: kOutOfMemory.
  Status create(Proposal proposal, std::span<const std::uint32_t> counts, std::size_t vocab_size);

  // Advances `random` by two positions.
  std::uint32_t draw(Random& random) const;
  // The probability that a draw is `token`.
  double probability(std::uint32_t token) const;

 private:
  bool by_counts_ = false;
  TokenOrder order_;
  AlignedBuffer<std::uint32_t> ranks_;       // [V]; log-uniform only
  AlignedBuffer<std::uint64_t> count_ends_;  // [V + 1]: counts + 1 of the tokens below; by counts only
};

// Bytes that each allocates.
inline std::uint64_t token_order_bytes(std::uint64_t vocab_size) { return vocab_size * sizeof(std::uint32_t); }
std::uint64_t token_proposal_bytes(Proposal proposal, std::uint64_t vocab_size);

}  // namespace tied
