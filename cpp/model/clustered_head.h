// A softmax in two levels: over clusters of tokens, then over the tokens of one cluster. Exact: it sums to 1.
#pragma once

#include "model/subset_head.h"
#include "model/token_order.h"

namespace tied {

// log p(t) = log softmax(s h C^T)[c] + log softmax(z of the tokens of c)[t], where c is the cluster of t, C =
// `clusters` [K, d], and z as in Head, with M for both. Cluster c has the tokens of rank floor(c V / K) to floor((c +
// 1) V / K) - 1 by frequency. A temperature and label smoothing apply to each of the two softmaxes.
//
// J. Goodman, "Classes for fast maximum entropy training", 2001.
template <class T>
class ClusteredHead final : public SubsetHead<T> {
 public:
  Status bind(const EndParameters& ends, ParameterStore<T>& parameters, T* workspace, const ModelConfig& config,
              std::uint64_t max_rows, const HeadTokens& tokens) override;
  void logits(const MatrixView<T>& out, const ConstMatrixView<T>& h) override;
  double loss(const ConstMatrixView<T>& h, const Targets<T>& targets, bool with_gradient,
              const MatrixView<T>& dh) override;

 private:
  std::size_t first_rank(std::size_t cluster) const { return cluster * cluster_of_.size() / n_clusters_; }
  std::size_t size_of(std::size_t cluster) const { return first_rank(cluster + 1) - first_rank(cluster); }
  const std::uint32_t* ids_of(std::size_t cluster) const { return order_.ids().data() + first_rank(cluster); }
  MatrixView<T> gather_cluster(std::size_t cluster);
  MatrixView<T> cluster_logits(const ConstMatrixView<T>& read_out);
  double cluster_loss(const ConstMatrixView<T>& read_out, const Targets<T>& targets, bool with_gradient,
                      const MatrixView<T>& read_out_gradient);
  double token_loss(const ConstMatrixView<T>& read_out, const Targets<T>& targets, bool with_gradient,
                    const MatrixView<T>& read_out_gradient);
  double block_loss(const ConstMatrixView<T>& read_out, const Targets<T>& targets, bool with_gradient,
                    const MatrixView<T>& read_out_gradient);

  TokenOrder order_;
  std::size_t n_clusters_ = 0;
  std::size_t block_rows_ = 0;               // rows that are sorted by cluster together
  AlignedBuffer<std::uint32_t> cluster_of_;  // [V]
  AlignedBuffer<std::uint32_t> place_of_;    // [V]: in its cluster
  AlignedBuffer<std::uint32_t> starts_;      // [K + 1]
  AlignedBuffer<std::uint32_t> by_cluster_;  // [block_rows]: row indices
  AlignedBuffer<std::uint32_t> targets_;     // [block_rows]
  T* rows_ = nullptr;                        // [ceil(V / K), d]
  T* rows_gradient_ = nullptr;               // the same
  T* z_ = nullptr;                           // [tile_rows, max(K, ceil(V / K))]
  T* group_ = nullptr;                       // [tile_rows, d]: rows of one cluster
  T* group_gradient_ = nullptr;              // the same
};

std::uint64_t clustered_head_extent(const ModelConfig& config, std::uint64_t tile_rows);
std::uint64_t clustered_head_bytes(const ModelConfig& config, std::uint64_t max_rows, std::uint64_t tile_rows);

}  // namespace tied
