#include "model/clustered_head.h"

#include <algorithm>

#include "base/allocate.h"
#include "linalg/matmul.h"
#include "linalg/reduce.h"
#include "linalg/softmax.h"

namespace tied {
namespace {

// Rows of the same cluster share one copy of its table; more rows share more, but their indices take memory.
constexpr std::uint64_t kMaxBlockRows = 4096;

std::uint64_t largest_cluster(const ModelConfig& config) { return (config.vocab_size - 1) / config.head_clusters + 1; }

std::uint64_t widest(const ModelConfig& config) { return std::max(largest_cluster(config), config.head_clusters); }

std::uint64_t block_rows_of(std::uint64_t max_rows, std::uint64_t tile_rows) {
  return std::max(tile_rows, std::min(max_rows, kMaxBlockRows));
}

}  // namespace

std::uint64_t clustered_head_extent(const ModelConfig& config, std::uint64_t tile_rows) {
  return 2 * padded(largest_cluster(config) * config.d_model) + padded(tile_rows * widest(config)) +
         2 * padded(tile_rows * config.d_model);
}

std::uint64_t clustered_head_bytes(const ModelConfig& config, std::uint64_t max_rows, std::uint64_t tile_rows) {
  return token_order_bytes(config.vocab_size) +
         (2 * config.vocab_size + config.head_clusters + 1 + 2 * block_rows_of(max_rows, tile_rows)) *
             sizeof(std::uint32_t);
}

template <class T>
Status ClusteredHead<T>::bind(const EndParameters& ends, ParameterStore<T>& parameters, T* workspace,
                              const ModelConfig& config, std::uint64_t max_rows, const HeadTokens& tokens) {
  if (Status status = Head<T>::bind(ends, parameters, workspace, config, max_rows, tokens); !status) return status;
  if (Status status = order_.create(tokens.counts, static_cast<std::size_t>(config.vocab_size)); !status) return status;
  n_clusters_ = static_cast<std::size_t>(config.head_clusters);
  block_rows_ = static_cast<std::size_t>(block_rows_of(max_rows, this->tile_rows_));
  for (AlignedBuffer<std::uint32_t>* tables : {&cluster_of_, &place_of_}) {
    if (Status status = allocate(*tables, config.vocab_size); !status) return status;
  }
  if (Status status = allocate(starts_, config.head_clusters + 1); !status) return status;
  for (AlignedBuffer<std::uint32_t>* of_rows : {&by_cluster_, &targets_}) {
    if (Status status = allocate(*of_rows, block_rows_); !status) return status;
  }
  for (std::size_t cluster = 0; cluster < n_clusters_; ++cluster) {
    for (std::size_t i = 0; i < size_of(cluster); ++i) {
      cluster_of_[ids_of(cluster)[i]] = static_cast<std::uint32_t>(cluster);
      place_of_[ids_of(cluster)[i]] = static_cast<std::uint32_t>(i);
    }
  }
  T* next = workspace + static_cast<std::size_t>(full_head_extent(config, max_rows));
  const auto take = [&](std::uint64_t size) {
    T* taken = next;
    next += padded(size);
    return taken;
  };
  rows_ = take(largest_cluster(config) * config.d_model);
  rows_gradient_ = take(largest_cluster(config) * config.d_model);
  z_ = take(this->tile_rows_ * widest(config));
  group_ = take(this->tile_rows_ * config.d_model);
  group_gradient_ = take(this->tile_rows_ * config.d_model);
  return {};
}

template <class T>
MatrixView<T> ClusteredHead<T>::gather_cluster(std::size_t cluster) {
  const MatrixView<T> rows(rows_, size_of(cluster), this->d_model());
  this->gather(rows, ids_of(cluster), rows.rows);
  return rows;
}

// In z_.
template <class T>
MatrixView<T> ClusteredHead<T>::cluster_logits(const ConstMatrixView<T>& read_out) {
  const MatrixView<T> z(z_, read_out.rows, n_clusters_);
  matmul_nt(z, read_out, this->parameters_->values(this->ends_.clusters));
  const T factor = this->scale_ * this->inverse_temperature_;
  if (factor != T{1}) scale(z.data, z.rows * z.cols, factor);
  return z;
}

template <class T>
void ClusteredHead<T>::logits(const MatrixView<T>& out, const ConstMatrixView<T>& h) {
  for (std::size_t first = 0; first < h.rows; first += this->tile_rows_) {
    const std::size_t count = std::min(this->tile_rows_, h.rows - first);
    const ConstMatrixView<T> read_out = this->read_out(h.row_block(first, count));
    const MatrixView<T> of_clusters = cluster_logits(read_out);
    log_softmax_rows(of_clusters, of_clusters);
    // Kept where they are added, since the tokens' logits need the same buffer.
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t token = 0; token < out.cols; ++token) out(first + i, token) = of_clusters(i, cluster_of_[token]);
    }
    for (std::size_t cluster = 0; cluster < n_clusters_; ++cluster) {
      const MatrixView<T> rows = gather_cluster(cluster);
      const MatrixView<T> z(z_, count, rows.rows);
      this->subset_logits(z, read_out, rows, ids_of(cluster), rows.rows);
      log_softmax_rows(z, z);
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < rows.rows; ++j) out(first + i, ids_of(cluster)[j]) += z(i, j);
      }
    }
  }
}

template <class T>
double ClusteredHead<T>::cluster_loss(const ConstMatrixView<T>& read_out, const Targets<T>& targets, bool with_gradient,
                                      const MatrixView<T>& read_out_gradient) {
  const ConstMatrixView<T> clusters = this->parameters_->values(this->ends_.clusters);
  double loss = 0;
  for (std::size_t first = 0; first < read_out.rows; first += this->tile_rows_) {
    const std::size_t count = std::min(this->tile_rows_, read_out.rows - first);
    const ConstMatrixView<T> tile = read_out.row_block(first, count);
    const MatrixView<T> z = cluster_logits(tile);
    for (std::size_t i = 0; i < count; ++i) targets_[i] = cluster_of_[targets.tokens[first + i]];
    loss += smoothed_cross_entropy(z, {targets_.data(), targets.weight, {}, targets.label_smoothing}, with_gradient);
    if (!with_gradient) continue;
    const T factor = this->scale_ * this->inverse_temperature_;
    if (factor != T{1}) scale(z.data, z.rows * z.cols, factor);
    matmul_tn(this->parameters_->gradient(this->ends_.clusters), z, tile, Accumulate::kAdd);
    matmul_nn(read_out_gradient.row_block(first, count), z, clusters);
  }
  return loss;
}

// Adds to read_out_gradient.
template <class T>
double ClusteredHead<T>::token_loss(const ConstMatrixView<T>& read_out, const Targets<T>& targets, bool with_gradient,
                                    const MatrixView<T>& read_out_gradient) {
  const std::size_t cols = read_out.cols;
  // Row indices by cluster, those of a cluster in their order: by counting.
  starts_.fill(0);
  for (std::size_t i = 0; i < read_out.rows; ++i) ++starts_[cluster_of_[targets.tokens[i]]];
  for (std::size_t c = 0, sum = 0; c <= n_clusters_; ++c) {
    const std::size_t size = starts_[c];
    starts_[c] = static_cast<std::uint32_t>(sum);
    sum += size;
  }
  for (std::size_t i = 0; i < read_out.rows; ++i) {
    by_cluster_[starts_[cluster_of_[targets.tokens[i]]]++] = static_cast<std::uint32_t>(i);
  }
  double loss = 0;
  for (std::size_t first = 0; first < read_out.rows;) {
    const std::size_t cluster = cluster_of_[targets.tokens[by_cluster_[first]]];
    const std::size_t end = starts_[cluster];  // where the next one starts, after the loop above
    const MatrixView<T> rows = gather_cluster(cluster);
    while (first < end) {
      const std::size_t count = std::min(this->tile_rows_, end - first);
      const std::uint32_t* members = by_cluster_.data() + first;
      const MatrixView<T> group(group_, count, cols);
      for (std::size_t i = 0; i < count; ++i) {
        std::copy_n(read_out.row(members[i]), cols, group.row(i));
        targets_[i] = place_of_[targets.tokens[members[i]]];
      }
      const MatrixView<T> z(z_, count, rows.rows);
      this->subset_logits(z, group, rows, ids_of(cluster), rows.rows);
      loss += smoothed_cross_entropy(z, {targets_.data(), targets.weight, {}, targets.label_smoothing}, with_gradient);
      first += count;
      if (!with_gradient) continue;
      const MatrixView<T> group_gradient(group_gradient_, count, cols);
      this->subset_backward(z, group, rows, ids_of(cluster), rows.rows, {rows_gradient_, rows.rows, cols},
                            group_gradient);
      for (std::size_t i = 0; i < count; ++i) {
        add_scaled(read_out_gradient.row(members[i]), group_gradient.row(i), cols, T{1});
      }
    }
  }
  return loss;
}

template <class T>
double ClusteredHead<T>::block_loss(const ConstMatrixView<T>& read_out, const Targets<T>& targets, bool with_gradient,
                                    const MatrixView<T>& read_out_gradient) {
  const double of_clusters = cluster_loss(read_out, targets, with_gradient, read_out_gradient);
  return of_clusters + token_loss(read_out, targets, with_gradient, read_out_gradient);
}

template <class T>
double ClusteredHead<T>::loss(const ConstMatrixView<T>& h, const Targets<T>& targets, bool with_gradient,
                              const MatrixView<T>& dh) {
  // With M, read_out has memory for one tile.
  const std::size_t most = this->ends_.between == kNoParameter ? block_rows_ : this->tile_rows_;
  double loss = 0;
  for (std::size_t first = 0; first < h.rows; first += most) {
    const std::size_t count = std::min(most, h.rows - first);
    const ConstMatrixView<T> block = h.row_block(first, count);
    const MatrixView<T> block_gradient = with_gradient ? dh.row_block(first, count) : MatrixView<T>();
    loss += block_loss(this->read_out(block), targets.rows(first, count), with_gradient,
                       with_gradient ? this->read_out_gradient(block_gradient) : MatrixView<T>());
    if (with_gradient) this->backward_read_out(block, block_gradient);
  }
  return loss;
}

template class ClusteredHead<float>;
template class ClusteredHead<double>;

}  // namespace tied
