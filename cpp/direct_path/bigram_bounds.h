// Lowest cross-entropies that can be reached when the next token is predicted from the current one alone.
#pragma once

#include <cstddef>

#include "base/aligned_buffer.h"
#include "linalg/matrix_view.h"

namespace tied {

// Cross-entropy floors in nats per token. J is the joint distribution of (current, next) token, p its row sums.
struct BigramBounds {
  // Entropy of the next token alone, -sum_j q_j ln q_j with q the column sums of J: the best without looking.
  double unigram = 0;
  // Entropy of the next token given the current one, -sum_ij J_ij ln(J_ij / p_i): no logits at all do better.
  double bigram = 0;
  // The best that any symmetric matrix of logits does. Where p = q, as in long texts up to one count and in stationary
  // chains, this is bigram + jensen_shannon.
  double symmetric_logits = 0;
  // JS(J, J^T) = sum_ij J_ij ln(2 J_ij / (J_ij + J_ji)), in [0, ln 2]: how irreversible the sequence is.
  double jensen_shannon = 0;
};

// Of counts [V, V], counts(i, j) = how often j follows i; everything in double.
//
// The symmetric floor is found as follows. With symmetric logits S the loss is convex in S, and at its minimum the
// softmax rows are proportional to R_ij / (a_i + a_j), where R = (J + J^T) / 2 and the positive a solve
//   sum_j (J_ij + J_ji) a_i / (a_i + a_j) = p_i:
// the Bradley-Terry model of a tournament in which token i wins against j as often as it precedes it. Equal margins
// p = q are solved by a = 1, the closed form. Else a is found by iteration (M. E. J. Newman, "Efficient computation of
// rankings from pairwise comparisons", JMLR 24, 2023); every iterate is a loss that some symmetric S reaches.
//
// Errors: kShapeMismatch unless square with at least two rows; kInvalidArgument for a count that is negative or not a
// whole number and for a table of zeros, kNotFinite for NaN and infinity, all naming the place; kOutOfMemory.
Result<BigramBounds> bigram_bounds(ConstMatrixView<float> counts);

// The same of a joint distribution (or any non-negative weights; they are divided by their sum).
// Errors: the same, but for fractions, which are welcome.
Result<BigramBounds> joint_bounds(ConstMatrixView<double> joint);

// The floors of text that a Markov chain writes.
struct MarkovBounds {
  AlignedBuffer<double> stationary;  // [V]
  BigramBounds bounds;               // of J = diag(stationary) P, the chain's own entropies
};

// Of the chain with transition matrix P [V, V], P(i, j) = P(next = j | current = i).
// Errors: those of stationary_distribution (text/markov_chain.h).
Result<MarkovBounds> markov_bounds(ConstMatrixView<float> transition);

}  // namespace tied
