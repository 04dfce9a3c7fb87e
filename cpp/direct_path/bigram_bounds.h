// Floors of the loss: the lowest cross-entropies that a prediction from the current token alone can reach.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/aligned_buffer.h"
#include "base/record.h"
#include "direct_path/joint.h"
#include "direct_path/tournament.h"
#include "linalg/matrix_view.h"

namespace tied {

// In nats per token. J is the joint distribution of (current, next) token, p its row sums.
struct BigramEntropies {
  // Entropy of the next token alone, -sum_j q_j ln q_j with q the column sums of J: the floor without any context.
  double unigram = 0;
  // Entropy of the next token given the current one, -sum_ij J_ij ln(J_ij / p_i): the floor of all matrices of logits.
  double bigram = 0;
  // JS(J, J^T) = sum_ij J_ij ln(2 J_ij / (J_ij + J_ji)), in [0, ln 2]: how irreversible the sequence is.
  double jensen_shannon = 0;

  using Answered = Record<&BigramEntropies::unigram, &BigramEntropies::bigram, &BigramEntropies::jensen_shannon>;
};

struct BigramBounds : BigramEntropies {
  // Floor of all symmetric matrices of logits, the infimum of their losses: some logits may have to grow without limit.
  // If p = q, as in stationary chains and, up to one count, in long texts, it is bigram + jensen_shannon.
  double symmetric_logits = 0;
  // The infimum is at most symmetric_logits and at least this much less: at most 1e-9, unless rounding or the limit of
  // steps ended the search before; 0 if p = q.
  double symmetric_logits_gap = 0;

  using Answered = Record<&BigramBounds::unigram, &BigramBounds::bigram, &BigramBounds::symmetric_logits,
                          &BigramBounds::symmetric_logits_gap>;
};

// Floors of a table of counts [V, V], where counts(i, j) is how often j follows i. Computed in double.
//
// The symmetric floor: with symmetric logits S the loss is convex in S. At a minimum S_ij = ln(C_ij / (u_i + u_j)) with
// C = J + J^T for i /= j, C_ii = 2 J_ii, and the positive u_i = exp(s_i) minimize
//   excess(s) = sum over i /= j of J_ij ln(J_ij / (C_ij u_i / (u_i + u_j)))
// This is the Bradley-Terry model of a tournament in which token i beats j as often as it precedes it, and its minimum
// is the floor's distance from the bigram entropy. The problem's dual: of all tables M >= 0 with M + M^T = J + J^T and
// the row sums p, the one with the largest conditional entropy, which is the floor. Equal margins p = q are solved by
// s = 0, in closed form: excess(0) is JS(J, J^T).
//
// Otherwise let the edges of a graph be the pairs with J_ij > 0. Between tokens that do not lead to each other, M = J
// is the only choice, so pairs of different strongly connected components add nothing: their strengths move apart
// without limit. Within a component the minimum is attained (L. R. Ford, "Solution of a ranking problem from binary
// comparisons", 1957) and found by Newton's method, until tangents bound it from below (tournament.cpp).
//
// Errors: kShapeMismatch unless square with at least two rows; kInvalidArgument for a count that is negative or not an
// integer and for a table of zeros, kNotFinite for NaN and infinity, all naming the entry; kOutOfMemory.
Result<BigramBounds> bigram_bounds(ConstMatrixView<float> counts);

// The same without the symmetric floor, in one pass over the table.
Result<BigramEntropies> bigram_entropies(ConstMatrixView<float> counts);

// The floors of a joint distribution, or any non-negative weights: they are divided by their sum.
// Errors: as above, except that fractions are allowed.
Result<BigramBounds> joint_bounds(ConstMatrixView<double> joint);

// The same floors, found row by row. The table must outlive it and must not change.
class BoundsSearch {
 public:
  // What the entries are: integers, or weights of any size.
  enum class Entries : std::uint8_t { kCounts, kWeights };
  enum class Floor : std::uint8_t { kFound, kLeftOut };

  BoundsSearch(const Joint& joint, Entries entries, Floor symmetric)
      : joint_(joint), entries_(entries), symmetric_(symmetric) {}

  bool finished() const { return stage_ == Stage::kFinished; }
  // Works on `rows` rows of the table, each of which is read several times. Errors: as bigram_bounds; after an error,
  // only the destructor may be called.
  Status advance(std::size_t rows);
  // Once finished.
  const BigramBounds& bounds() const { return bounds_; }

 private:
  enum class Stage : std::uint8_t { kSums, kEntropies, kSymmetricFloor, kFinished };

  Status row();
  Status add_sums(std::size_t i);
  Status end_sums();
  void add_entropies(std::size_t i);
  void end_entropies();

  Joint joint_;
  Entries entries_;
  Floor symmetric_;
  Stage stage_ = Stage::kSums;
  std::size_t row_ = 0;
  AlignedBuffer<double> row_sums_;
  AlignedBuffer<double> col_sums_;
  double total_ = 0;
  double margin_difference_ = 0;
  SymmetricFloor floor_;
  BigramBounds bounds_;
};

// Floors of text that a Markov chain generates.
struct MarkovBounds {
  AlignedBuffer<double> stationary;  // [V]
  BigramBounds bounds;               // of J = diag(stationary) P, the chain's own entropies

  using Answered = Record<&MarkovBounds::stationary, &MarkovBounds::bounds>;
};

// Floors of the chain with transition matrix P [V, V], P(i, j) = P(next = j | current = i).
// Errors: those of stationary_distribution (linalg/stationary_distribution.h).
Result<MarkovBounds> markov_bounds(ConstMatrixView<float> transition);

}  // namespace tied
