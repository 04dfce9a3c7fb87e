// How differently the neighbors of tokens are connected in two embedding tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/record.h"
#include "diagnostics/neighbors.h"

namespace tied {

// The graph of nearest neighbors of n rows, undirected: A = (N + N^T) / 2, N_ij = 1 if j is one of the k nearest
// rows of i.
class NeighborGraph {
 public:
  static Result<NeighborGraph> create(std::size_t rows, std::size_t k);
  // Adds the neighbors of one row, in any order.
  void add(std::size_t row, std::span<const Neighbor> neighbors);

  std::size_t rows() const { return ends_.size(); }
  // y += scale * A x for two vectors at once, x and y [n, 2]. permuted: node i of the graph is row permuted[i] of x and
  // y; empty: i itself.
  void multiply_add(double* y, const double* x, double scale, std::span<const std::uint32_t> permuted) const;

 private:
  std::size_t k_ = 0;
  AlignedBuffer<std::uint32_t> neighbors_;  // [n, k]
  AlignedBuffer<std::uint32_t> ends_;       // number of neighbors of each row [n]
};

// The eigenvalues of largest magnitude of the omnibus matrix of two graphs and their eigenvectors, by the Lanczos
// method with full reorthogonalisation:
//   M = [[A, (A + B) / 2], [(A + B) / 2, B]]
class OmnibusEigen {
 public:
  // permutation: the order of B's nodes; empty: unchanged. Errors: kOutOfMemory.
  static Result<OmnibusEigen> create(std::size_t rows, std::size_t dimensions, std::vector<std::uint32_t> permutation);

  // Adds one more vector of the Krylov space; at times, checks whether the eigenvectors have converged. Errors:
  // kNotFinite, kOutOfMemory.
  Status step(const NeighborGraph& a, const NeighborGraph& b);
  bool finished() const { return distance_.has_value(); }
  double share() const;

  // |Z_a - Z_b| / min(|Z_a|, |Z_b|), spectral norms; [Z_a; Z_b] = U sqrt|L| [2n, dimensions].
  double distance() const { return *distance_; }
  // The largest |M u - l u| of the eigenvectors, divided by the largest |l|.
  double residual() const { return residual_; }

  using Answered = Record<&OmnibusEigen::distance, &OmnibusEigen::residual>;

 private:
  // y = M x
  void multiply(double* y, const double* x, const NeighborGraph& a, const NeighborGraph& b);
  // Makes `next` orthogonal to all vectors so far, and returns its length.
  double orthogonalize(double* next);
  Status restart(double* next);
  Status check();

  std::size_t rows_ = 0;
  std::size_t dimensions_ = 0;
  std::vector<std::uint32_t> permutation_;
  std::size_t next_check_ = 0;
  std::size_t most_ = 0;
  std::size_t size_ = 0;         // vectors so far
  Matrix<double> basis_;         // [most + 1, 2n], one vector per row
  AlignedBuffer<double> alpha_;  // the tridiagonal projection of M
  AlignedBuffer<double> beta_;
  AlignedBuffer<double> products_;
  AlignedBuffer<double> halves_;  // [3, 2n], of `multiply`
  std::uint64_t restarts_ = 0;
  std::optional<double> distance_;
  double residual_ = 0;
};

struct SpectralOptions {
  std::size_t k = 64;
  std::size_t dimensions = 128;
  NeighborMetric metric = NeighborMetric::kCosine;
  std::size_t sample = 0;  // rows of the graphs; 0: all
  std::size_t null_runs = 1;
  std::uint64_t seed = 0;
};

// The distance between two graphs of nearest neighbors in their joint embedding, and the same with the rows of the
// second table in a random order. Rows without a direction in either table are left out; neighbors are searched among
// the rows of the sample.
// K. Levin and others, "A central limit theorem for an omnibus embedding of multiple random graphs", arXiv 1705.09355;
// B. Duderstadt, H. Helm, C. Priebe, "Comparing foundation models using data kernels", arXiv 2305.05126.
class SpectralDistance {
 public:
  // The tables are copied. Errors: those of Directions; kShapeMismatch unless the tables have equally many rows;
  // kInvalidArgument unless 1 <= k < n - 1, 1 <= dimensions <= n, and the sample is not larger than the tables;
  // kOutOfMemory.
  static Result<SpectralDistance> create(ConstMatrixView<float> a, ConstMatrixView<float> b,
                                         const SpectralOptions& options);

  // Works through `blocks` more blocks of rows, or as many steps. Errors: those of OmnibusEigen.
  Status advance(std::size_t blocks);
  double share() const;
  bool finished() const { return next_ == work_.size() && searched_ == sample_.size(); }

  // Results for the tables, then for each null run.
  std::span<const OmnibusEigen> runs() const { return work_; }
  std::size_t rows() const { return sample_.size(); }
  std::size_t left_out() const { return left_out_; }

  using Answered = Record<&SpectralDistance::runs, &SpectralDistance::rows, &SpectralDistance::left_out>;

 private:
  void search();

  Matrix<float> rows_a_;
  Matrix<float> rows_b_;
  std::optional<Directions> a_;
  std::optional<Directions> b_;
  AlignedBuffer<std::uint32_t> sample_;
  std::size_t left_out_ = 0;
  NeighborSearch in_a_;
  NeighborSearch in_b_;
  NeighborGraph graph_a_;
  NeighborGraph graph_b_;
  std::size_t searched_ = 0;
  std::vector<OmnibusEigen> work_;
  std::size_t next_ = 0;
};

}  // namespace tied
