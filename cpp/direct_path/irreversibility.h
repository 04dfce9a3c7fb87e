// How irreversible a sequence is, and how irreversible a reversible one of the same length looks by chance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/aligned_buffer.h"
#include "base/error.h"
#include "base/random.h"
#include "base/record.h"
#include "direct_path/bigram_bounds.h"
#include "linalg/matrix_view.h"

namespace tied {

// The maximum number of pairs that a reversible chain is drawn with. Sums of C + C^T then fit in 32 bits.
inline constexpr std::uint32_t kMostChainPairs = 250'000'000;

// J - J^T, [V, V], with J the counts divided by their sum: entry (i, j) is how much more often j follows i than i
// follows j, as a fraction of all pairs. Antisymmetric to the last bit. Errors: those of bigram_entropies.
Result<Matrix<float>> net_flow(ConstMatrixView<float> counts);

// The null of JS(J, J^T). A finite sample of a reversible chain has JS > 0 by chance; `runs` samples say how much. The
// chain is the symmetrized one, with joint distribution R = (J + J^T) / 2; each sample starts from the row sums of R
// and has as many pairs as the counts. If all counts are large, 2 N JS of a sample is about chi-squared with K - V + 1
// degrees of freedom: K unordered pairs of different tokens are neighbors, V tokens occur, any of them can be reached
// from any other, and the net flows of a long chain can only run around cycles. The first samples do not depend on how
// many follow.
class ReversibleChains {
 public:
  // Errors: those of bigram_entropies; kInvalidArgument for counts that sum to more than kMostChainPairs and for
  // `runs` below 1; kOutOfMemory.
  static Result<ReversibleChains> create(ConstMatrixView<float> counts, std::size_t runs, std::uint64_t seed);

  // Entropies of the counts.
  const BigramEntropies& entropies() const { return entropies_; }
  // Draws at most `pairs` more pairs.
  void advance(std::size_t pairs);
  bool finished() const { return done_ == runs_; }
  // The fraction of all pairs that has been drawn.
  double share() const;
  // JS of each complete sample, in nats.
  std::span<const double> divergences() const { return {divergences_.data(), done_}; }

  using Answered = Record<&ReversibleChains::share, &ReversibleChains::divergences>;

 private:
  ReversibleChains(std::size_t runs, std::uint64_t seed)
      : random_(seed, stream_of("direct_path:reversible-chain")), runs_(runs) {}
  Status index_pairs(ConstMatrixView<float> counts);
  // Returns JS of the pairs drawn, and discards them.
  double take_divergence();

  BigramEntropies entropies_;
  Random random_;
  std::size_t runs_;
  std::size_t done_ = 0;
  // Pairs per sample, and pairs drawn in this sample.
  std::uint32_t pairs_ = 0;
  std::uint32_t drawn_ = 0;
  std::uint32_t token_ = 0;
  // Cumulative sums of the row sums of C + C^T.
  AlignedBuffer<std::uint32_t> token_sums_;
  // The pairs of each row of C + C^T that occur: where the row begins [V + 1]; then per pair its column, the running
  // sum of the row, the place of its mirror image and how often it was drawn.
  AlignedBuffer<std::uint32_t> row_begins_;
  AlignedBuffer<std::uint32_t> columns_;
  AlignedBuffer<std::uint32_t> sums_;
  AlignedBuffer<std::uint32_t> mirrors_;
  AlignedBuffer<std::uint32_t> times_;
  AlignedBuffer<double> divergences_;
};

}  // namespace tied
