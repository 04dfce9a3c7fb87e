// Whether the pairs of a text run round cycles: Kolmogorov's criterion for three tokens.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/random.h"
#include "base/record.h"
#include "linalg/matrix_view.h"

namespace tied {

struct CycleOptions {
  std::size_t listed = 5;  // maximum number of strongest cycles
  std::size_t null_runs = 20;
  std::uint64_t seed = 0;
};

// Three tokens in the order in which more pairs run than in the opposite one: a to b, b to c, and c to a.
struct Cycle {
  std::array<std::uint32_t, 3> tokens = {};
  // P(b | a) P(c | b) P(a | c), and P(c | a) P(b | c) P(a | b).
  double forward = 0;
  double backward = 0;
  // The smallest of the three net flows n(a, b) - n(b, a): the number of pairs that run round the cycle.
  double flow = 0;

  using Answered = Record<&Cycle::tokens, &Cycle::forward, &Cycle::backward, &Cycle::flow>;
};

// A chain is reversible if and only if the product of its probabilities around every cycle is the same in both
// directions (A. Kolmogoroff, "Zur Theorie der Markoffschen Ketten", Mathematische Annalen 112, 1936). Here: the cycles
// of three different tokens. The affinity of a cycle is |log2(forward / backward)|, if both are above 0.
//
// The null is the affinity that a reversible text of the same pairs has by chance: each pair of neighbors is in either
// order with probability 1/2. In a text, as many pairs enter a token as leave it. The samples ignore this; to first
// order, its effect on the logarithms is a difference of potentials, which sums to 0 around a cycle.
// A run takes O(tokens x pairs) time at worst.
class KolmogorovCycles {
 public:
  // counts [V, V] of pairs. Errors: kShapeMismatch unless square; kNotFinite; kInvalidArgument for a count that is
  // negative, not whole or above 2^24, and if all counts are 0; kOutOfMemory.
  static Result<KolmogorovCycles> create(ConstMatrixView<float> counts, const CycleOptions& options);

  // Works through the cycles that begin with each of `tokens` more tokens.
  void advance(std::size_t tokens);
  double share() const;
  bool finished() const { return run_ > options_.null_runs; }

  // Cycles with pairs all the way round in both directions, and those with pairs all the way round in one of them only.
  std::uint64_t compared() const { return compared_; }
  std::uint64_t one_way() const { return one_way_; }
  // The mean over the cycles that can be compared, bits: of the counts, then of each null run. NaN without a cycle.
  std::span<const double> affinities() const { return affinities_; }
  // The cycles of the largest flow, descending.
  std::span<const Cycle> strongest() const { return strongest_; }

  using Answered = Record<&KolmogorovCycles::compared, &KolmogorovCycles::one_way, &KolmogorovCycles::affinities,
                          &KolmogorovCycles::strongest>;

 private:
  // A cycle i -> j -> k -> i, i < j < k, as the indices of its pairs (i, j), (j, k) and (i, k).
  struct Pairs {
    std::size_t first;
    std::size_t second;
    std::size_t third;
  };

  explicit KolmogorovCycles(const CycleOptions& options);
  // Stores the pairs {i, j}, i < j, that occur in either order, by i.
  Status index(ConstMatrixView<float> counts);
  // Begins a run with the counts of the text or, for a null run, with counts from fair coins.
  void begin_run();
  void add_cycles_of(std::uint32_t token);
  void add(const Pairs& pairs);
  void list(const Pairs& pairs, std::array<std::uint32_t, 3> tokens);

  CycleOptions options_;
  Random random_;
  AlignedBuffer<double> totals_;          // the sum of each row of the counts
  AlignedBuffer<std::uint32_t> begins_;   // [V + 1], in the arrays below
  AlignedBuffer<std::uint32_t> columns_;  // j
  AlignedBuffer<std::uint32_t> forward_;  // n(i, j)
  AlignedBuffer<std::uint32_t> backward_;
  AlignedBuffer<double> ratios_;         // log2(forward / backward) in this run; NaN if one of them is 0
  AlignedBuffer<std::uint32_t> places_;  // [V]: 1 + the index of the pair with the current token; 0 without one
  std::size_t run_ = 0;
  std::size_t token_ = 0;
  double sum_ = 0;
  std::uint64_t cycles_ = 0;
  std::uint64_t compared_ = 0;
  std::uint64_t one_way_ = 0;
  std::vector<double> affinities_;
  std::vector<Cycle> strongest_;
};

}  // namespace tied
