// A floor of the loss of every tied direct path, whatever its width: the dual bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/record.h"
#include "linalg/matrix_view.h"

namespace tied {

struct TiedFloorOptions {
  std::size_t steps = 1000;  // of the search, at most
  double tolerance = 1e-3;   // the search ends when the floor is this close to the loss that it has reached, in nats
  std::uint64_t seed = 0;    // of the table with which it starts
};

// The largest table of counts: products and factors take O(V^3) time.
inline constexpr std::size_t kLargestFloor = 2048;

// J is the joint distribution of (current, next) token, p its row sums, q its column sums. A tied path has logits
// A_ij = e_i . e_j + b_j, and its loss is sum_i p_i ln sum_j exp(A_ij) - sum_ij J_ij A_ij. For any K >= 0 with the row
// sums p, Gibbs' inequality bounds the first sum from below, row by row, by sum_ij K_ij A_ij + H(K), where
// H(K) = -sum_ij K_ij ln(K_ij / p_i). With the column sums q as well, the bias and anything constant in a row drop out:
//   loss >= H(K) + sum_ij M_ij (e_i . e_j),   M = (K + K^T) / 2 - (J + J^T) / 2
// and the sum is not negative if M has no negative eigenvalue. So each such K certifies H(K) as a floor for tables of
// every width, and the largest is the infimum (strong duality, where K = J leaves room).
//
// The search is over tables: K = p softmax(A) of a table near the infimum is near the best K. It is then repaired:
// scaled to the margins p and q (Sinkhorn), and mixed with K0, which keeps every token where it is as far as the
// margins allow, until M, in units of sqrt(d_i d_j), d = (p + q) / 2, has a Cholesky factor apart from its null vector,
// the ones. Both K and M are in double, and the factor must exist with a margin for their rounding.
class TiedFloor {
 public:
  // counts [V, V], counts(i, j) is how often j follows i. Errors: kShapeMismatch unless square with at least two rows;
  // kInvalidArgument for a count that is negative or not an integer and for a table of zeros; kNotFinite;
  // kOutOfMemory, also for more than kLargestFloor rows.
  static Result<TiedFloor> create(ConstMatrixView<float> counts, const TiedFloorOptions& options);

  // So many steps of the search; every kCertified steps, and after the last one, the floor.
  void advance(std::size_t steps);
  double share() const;

  // Certified: no tied path has a lower loss on these counts, nats per token. At least the bigram entropy.
  double floor() const { return floor_; }
  // The loss of the best table found, which is at least the floor.
  double reached() const { return reached_; }
  // H(J), the floor of all matrices of logits.
  double bigram() const { return bigram_; }
  // Steps of the search.
  std::uint64_t steps_done() const { return step_; }

  using Answered = Record<&TiedFloor::floor, &TiedFloor::reached, &TiedFloor::bigram, &TiedFloor::steps_done>;

 private:
  TiedFloor() = default;

  // The loss at `point`; fills in the gradient, and the table K of the point.
  double evaluate(const AlignedBuffer<double>& point);
  bool step();
  // The direction of steepest descent, corrected by the last steps (L-BFGS, two loops).
  void direct();
  void certify();
  bool has_no_negative_eigenvalue(double share);
  // H(K) for K mixed with K0 by that share.
  double entropy(double share) const;
  double held(std::size_t i, std::size_t j) const;

  TiedFloorOptions options_;
  std::size_t n_ = 0;      // tokens that occur
  std::size_t width_ = 0;  // of the tables of the search
  Matrix<double> joint_;   // [n, n]
  AlignedBuffer<double> p_;
  AlignedBuffer<double> q_;
  AlignedBuffer<double> root_;   // sqrt((p + q) / 2)
  double moving_ = 0;            // sum_i p_i - min(p_i, q_i): what K0 cannot keep in place
  Matrix<double> rows_;          // E [n, width]
  Matrix<double> table_;         // logits, then K [n, n]
  Matrix<double> certificate_;   // K with the margins p and q
  Matrix<double> difference_;    // M, then its factor
  Matrix<double> row_gradient_;  // [n, width]
  // A point is E in units of 1 / root, then b in units of 1 / root: [n width + n].
  AlignedBuffer<double> point_;
  AlignedBuffer<double> gradient_;
  AlignedBuffer<double> trial_;
  AlignedBuffer<double> before_;  // the gradient before a step
  AlignedBuffer<double> direction_;
  // The last steps and changes of the gradient; the newest is at (pairs_ - 1) % kMemory.
  std::vector<AlignedBuffer<double>> moves_;
  std::vector<AlignedBuffer<double>> changes_;
  std::size_t pairs_ = 0;
  double loss_ = 0;
  double bigram_ = 0;
  double floor_ = 0;
  double reached_ = 0;
  std::uint64_t step_ = 0;
  bool finished_ = false;
};

}  // namespace tied
