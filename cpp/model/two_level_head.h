// A softmax in two levels: clustered and adaptive heads. Exact: it sums to 1.
#pragma once

#include "model/subset_head.h"
#include "model/token_order.h"

namespace tied {

// The first softmax is over the c most frequent tokens (adaptive only) and K clusters of all others, of similar
// frequency; the second is over the tokens of one cluster:
//   log p(t) = log softmax(z)[t]                            of a token among the first c
//   log p(t) = log softmax(z)[k] + log softmax(z_k)[t]      of a token of cluster k
// z as in Head for tokens, with M for both levels; that of cluster k is s h C_k with C = `clusters` [K, d].
//
// Clustered: c = 0; cluster k has the tokens of rank floor(k V / K) to floor((k + 1) V / K) - 1 by frequency, and z_k
// is their z. Adaptive: c is the first cutoff, and each cutoff begins a cluster. Vectors of cluster k have w_k =
// floor(d / divisor^(k + 1)) elements: z_k = s (h Q_k^T) U_k^T + b with Q_k = `tails.k.map` [w_k, d]. U_k [v_k, w_k] is
// `tails.k.table` in an untied model, whose `unembedding` has the first c tokens only; both by rank. In all others it
// is the first w_k columns of the tokens' rows in the one table.
//
// A temperature and label smoothing apply to each of the two softmaxes.
//
// J. Goodman, "Classes for fast maximum entropy training", 2001; E. Grave et al., "Efficient softmax approximation for
// GPUs", 2017.
template <class T>
class TwoLevelHead final : public SubsetHead<T> {
 public:
  Status bind(const EndParameters& ends, ParameterStore<T>& parameters, T* workspace, const ModelConfig& config,
              std::uint64_t max_rows, const HeadTokens& tokens) override;
  void logits(const MatrixView<T>& out, const ConstMatrixView<T>& h) override;
  double loss(const ConstMatrixView<T>& h, const Targets<T>& targets, bool with_gradient,
              const MatrixView<T>& dh) override;

 private:
  using typename SubsetHead<T>::Subset;

  // The first c tokens.
  Subset direct() const;
  Subset cluster(std::size_t k) const;
  // Width of the vectors of cluster k.
  std::size_t width_of(std::size_t k) const;
  ParameterIndex map_of(std::size_t k) const;

  // Fills rows_ with the vectors of the first c tokens and of the clusters.
  MatrixView<T> gather_first();
  MatrixView<T> gather_cluster(std::size_t k);
  // What the vectors of cluster k are multiplied with: h, or h Q_k^T.
  ConstMatrixView<T> project(const ConstMatrixView<T>& h, std::size_t k);

  double first_loss(const ConstMatrixView<T>& read_out, const Targets<T>& targets, bool with_gradient,
                    const MatrixView<T>& read_out_gradient);
  double second_loss(const ConstMatrixView<T>& read_out, const Targets<T>& targets, bool with_gradient,
                     const MatrixView<T>& read_out_gradient);
  double block_loss(const ConstMatrixView<T>& read_out, const Targets<T>& targets, bool with_gradient,
                    const MatrixView<T>& read_out_gradient);

  TokenOrder order_;
  bool has_tables_ = false;  // tails.k.table
  std::size_t n_direct_ = 0;
  std::size_t n_clusters_ = 0;
  std::size_t block_rows_ = 0;               // rows that are sorted by cluster together
  AlignedBuffer<std::uint32_t> cluster_of_;  // [V]; K for the first c tokens
  AlignedBuffer<std::uint32_t> place_of_;    // [V]: in its cluster, or among the first c
  AlignedBuffer<std::uint32_t> first_rank_;  // [K + 1]: of each cluster, and V
  AlignedBuffer<std::uint32_t> starts_;      // [K + 2]
  AlignedBuffer<std::uint32_t> by_cluster_;  // [block_rows]: row indices
  AlignedBuffer<std::uint32_t> targets_;     // [block_rows]
  T* rows_ = nullptr;                        // as many as the larger of the two levels needs
  T* rows_gradient_ = nullptr;               // the same
  T* z_ = nullptr;                           // [tile_rows, max(c + K, tokens of the largest cluster)]
  T* group_ = nullptr;                       // [tile_rows, d]: rows of one cluster
  T* group_gradient_ = nullptr;              // the same
  T* projected_ = nullptr;                   // [tile_rows, w_0]; adaptive only
  T* projected_gradient_ = nullptr;          // the same
};

std::uint64_t two_level_head_extent(const ModelConfig& config, std::uint64_t tile_rows);
std::uint64_t two_level_head_bytes(const ModelConfig& config, std::uint64_t max_rows, std::uint64_t tile_rows);

}  // namespace tied
