#include "model/two_level_head.h"

#include <algorithm>
#include <utility>

#include "base/allocate.h"
#include "linalg/matmul.h"
#include "linalg/reduce.h"
#include "linalg/softmax.h"

namespace tied {
namespace {

// Rows of the same cluster share one copy of its table; more rows share more, but their indices take memory.
constexpr std::uint64_t kMaxBlockRows = 4096;

bool is_adaptive(const ModelConfig& config) { return config.head == HeadKind::kAdaptive; }

std::uint64_t clusters_of(const ModelConfig& config) {
  return is_adaptive(config) ? config.tails() : config.head_clusters;
}

// Columns of the first softmax.
std::uint64_t first_columns(const ModelConfig& config) {
  return clusters_of(config) + (is_adaptive(config) ? config.tail_begin(0) : 0);
}

std::uint64_t first_projected_width(const ModelConfig& config) {
  return is_adaptive(config) ? config.tail_width(0) : 0;
}

// Calls visit(tokens, width of their vectors) for each size of a cluster.
template <class Visitor>
void for_each_cluster(const ModelConfig& config, Visitor&& visit) {
  if (!is_adaptive(config)) return visit((config.vocab_size - 1) / config.head_clusters + 1, config.table_width());
  for (std::size_t k = 0; k < config.tails(); ++k) {
    visit(config.tail_begin(k + 1) - config.tail_begin(k), config.tail_width(k));
  }
}

// Columns of the wider softmax, and elements of the largest copy of vectors.
std::pair<std::uint64_t, std::uint64_t> largest(const ModelConfig& config) {
  std::uint64_t columns = first_columns(config);
  std::uint64_t numbers = columns * config.table_width();
  for_each_cluster(config, [&](std::uint64_t tokens, std::uint64_t width) {
    columns = std::max(columns, tokens);
    numbers = std::max(numbers, tokens * width);
  });
  return {columns, numbers};
}

std::uint64_t block_rows_of(std::uint64_t max_rows, std::uint64_t tile_rows) {
  return std::max(tile_rows, std::min(max_rows, kMaxBlockRows));
}

}  // namespace

std::uint64_t two_level_head_extent(const ModelConfig& config, std::uint64_t tile_rows) {
  const auto [columns, numbers] = largest(config);
  return 2 * padded(numbers) + padded(tile_rows * columns) + 2 * padded(tile_rows * config.table_width()) +
         2 * padded(tile_rows * first_projected_width(config));
}

std::uint64_t two_level_head_bytes(const ModelConfig& config, std::uint64_t max_rows, std::uint64_t tile_rows) {
  return token_order_bytes(config.vocab_size) +
         (2 * config.vocab_size + 2 * clusters_of(config) + 3 + 2 * block_rows_of(max_rows, tile_rows)) *
             sizeof(std::uint32_t);
}

template <class T>
Status TwoLevelHead<T>::bind(const EndParameters& ends, ParameterStore<T>& parameters, T* workspace,
                             const ModelConfig& config, std::uint64_t max_rows, const HeadTokens& tokens) {
  if (Status status = Head<T>::bind(ends, parameters, workspace, config, max_rows, tokens); !status) return status;
  if (Status status = order_.create(tokens.counts, static_cast<std::size_t>(config.vocab_size)); !status) return status;
  n_clusters_ = static_cast<std::size_t>(clusters_of(config));
  n_direct_ = static_cast<std::size_t>(first_columns(config)) - n_clusters_;
  has_tables_ = config.has_tail_tables();
  block_rows_ = static_cast<std::size_t>(block_rows_of(max_rows, this->tile_rows_));
  const std::pair<AlignedBuffer<std::uint32_t>*, std::uint64_t> lists[] = {
      {&cluster_of_, config.vocab_size}, {&place_of_, config.vocab_size}, {&first_rank_, n_clusters_ + 1ULL},
      {&starts_, n_clusters_ + 2ULL},    {&by_cluster_, block_rows_},     {&targets_, block_rows_},
  };
  for (const auto& [list, size] : lists) {
    if (Status status = allocate(*list, size); !status) return status;
  }
  for (std::size_t k = 0; k <= n_clusters_; ++k) {
    const std::uint64_t rank = is_adaptive(config) ? config.tail_begin(k) : k * config.vocab_size / n_clusters_;
    first_rank_[k] = static_cast<std::uint32_t>(rank);
  }
  const auto place = [&](const Subset& members, std::size_t k) {
    for (std::size_t j = 0; j < members.n; ++j) {
      cluster_of_[members.ids[j]] = static_cast<std::uint32_t>(k);
      place_of_[members.ids[j]] = static_cast<std::uint32_t>(j);
    }
  };
  place(direct(), n_clusters_);
  for (std::size_t k = 0; k < n_clusters_; ++k) place(cluster(k), k);
  T* next = workspace + static_cast<std::size_t>(full_head_extent(config, max_rows));
  const auto take = [&](std::uint64_t size) {
    T* taken = next;
    next += padded(size);
    return taken;
  };
  const auto [columns, numbers] = largest(config);
  rows_ = take(numbers);
  rows_gradient_ = take(numbers);
  z_ = take(this->tile_rows_ * columns);
  group_ = take(this->tile_rows_ * config.table_width());
  group_gradient_ = take(this->tile_rows_ * config.table_width());
  projected_ = take(this->tile_rows_ * first_projected_width(config));
  projected_gradient_ = take(this->tile_rows_ * first_projected_width(config));
  return {};
}

template <class T>
typename TwoLevelHead<T>::Subset TwoLevelHead<T>::direct() const {
  const std::uint32_t* ids = order_.ids().data();
  return {ids, n_direct_, this->ends_.unembedding, has_tables_ ? nullptr : ids};
}

template <class T>
typename TwoLevelHead<T>::Subset TwoLevelHead<T>::cluster(std::size_t k) const {
  const std::uint32_t* ids = order_.ids().data() + first_rank_[k];
  const std::size_t n = first_rank_[k + 1] - first_rank_[k];
  if (has_tables_) return {ids, n, this->ends_.first_tail + k, nullptr};
  return {ids, n, this->ends_.unembedding, ids};
}

template <class T>
ParameterIndex TwoLevelHead<T>::map_of(std::size_t k) const {
  const ParameterIndex first = this->ends_.first_tail;
  return first == kNoParameter ? first : first + (has_tables_ ? n_clusters_ : 0) + k;
}

template <class T>
std::size_t TwoLevelHead<T>::width_of(std::size_t k) const {
  const ParameterIndex map = map_of(k);
  return map == kNoParameter ? this->table_width() : this->parameters_->values(map).rows;
}

template <class T>
MatrixView<T> TwoLevelHead<T>::gather_first() {
  const ConstMatrixView<T> clusters = std::as_const(*this->parameters_).values(this->ends_.clusters);
  const MatrixView<T> rows(rows_, n_direct_ + n_clusters_, clusters.cols);
  this->gather(rows, direct());
  std::copy_n(clusters.data, clusters.rows * clusters.cols, rows.row(n_direct_));
  return rows;
}

template <class T>
MatrixView<T> TwoLevelHead<T>::gather_cluster(std::size_t k) {
  const Subset tokens = cluster(k);
  const MatrixView<T> rows(rows_, tokens.n, width_of(k));
  this->gather(rows, tokens);
  return rows;
}

template <class T>
ConstMatrixView<T> TwoLevelHead<T>::project(const ConstMatrixView<T>& h, std::size_t k) {
  const ParameterIndex map = map_of(k);
  if (map == kNoParameter) return h;
  const MatrixView<T> projected(projected_, h.rows, width_of(k));
  matmul_nt(projected, h, this->parameters_->values(map));
  return projected;
}

template <class T>
void TwoLevelHead<T>::logits(const MatrixView<T>& out, const ConstMatrixView<T>& h) {
  for (std::size_t first = 0; first < h.rows; first += this->tile_rows_) {
    const std::size_t count = std::min(this->tile_rows_, h.rows - first);
    const ConstMatrixView<T> read_out = this->read_out(h.row_block(first, count));
    const MatrixView<T> of_first(z_, count, n_direct_ + n_clusters_);
    this->subset_logits(of_first, read_out, gather_first(), direct());
    log_softmax_rows(of_first, of_first);
    // Stored in `out`, where they are added, since the clusters' tokens need the same buffer.
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t token = 0; token < out.cols; ++token) {
        const std::size_t k = cluster_of_[token];
        out(first + i, token) = of_first(i, k == n_clusters_ ? place_of_[token] : n_direct_ + k);
      }
    }
    for (std::size_t k = 0; k < n_clusters_; ++k) {
      const MatrixView<T> rows = gather_cluster(k);
      const MatrixView<T> z(z_, count, rows.rows);
      this->subset_logits(z, project(read_out, k), rows, cluster(k));
      log_softmax_rows(z, z);
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < rows.rows; ++j) out(first + i, cluster(k).ids[j]) += z(i, j);
      }
    }
  }
}

template <class T>
double TwoLevelHead<T>::first_loss(const ConstMatrixView<T>& read_out, const Targets<T>& targets, bool with_gradient,
                                   const MatrixView<T>& read_out_gradient) {
  const MatrixView<T> rows = gather_first();
  const MatrixView<T> rows_gradient(rows_gradient_, rows.rows, rows.cols);
  double loss = 0;
  for (std::size_t first = 0; first < read_out.rows; first += this->tile_rows_) {
    const std::size_t count = std::min(this->tile_rows_, read_out.rows - first);
    const ConstMatrixView<T> tile = read_out.row_block(first, count);
    const MatrixView<T> z(z_, count, rows.rows);
    this->subset_logits(z, tile, rows, direct());
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t target = targets.tokens[first + i];
      const std::size_t k = cluster_of_[target];
      targets_[i] = static_cast<std::uint32_t>(k == n_clusters_ ? place_of_[target] : n_direct_ + k);
    }
    loss += smoothed_cross_entropy(z, {targets_.data(), targets.weight, {}, targets.label_smoothing}, with_gradient);
    if (!with_gradient) continue;
    this->subset_backward(z, tile, rows, direct(), rows_gradient, read_out_gradient.row_block(first, count));
    const MatrixView<T> of_clusters = this->parameters_->gradient(this->ends_.clusters);
    add_scaled(of_clusters.data, rows_gradient.row(n_direct_), of_clusters.rows * of_clusters.cols, T{1});
  }
  return loss;
}

// Adds to read_out_gradient.
template <class T>
double TwoLevelHead<T>::second_loss(const ConstMatrixView<T>& read_out, const Targets<T>& targets, bool with_gradient,
                                    const MatrixView<T>& read_out_gradient) {
  const std::size_t cols = read_out.cols;
  // Row indices sorted by cluster (by counting), within a cluster in ascending order; rows without a cluster are last.
  starts_.fill(0);
  for (std::size_t i = 0; i < read_out.rows; ++i) ++starts_[cluster_of_[targets.tokens[i]]];
  for (std::size_t k = 0, sum = 0; k < starts_.size(); ++k) {
    const std::size_t size = starts_[k];
    starts_[k] = static_cast<std::uint32_t>(sum);
    sum += size;
  }
  for (std::size_t i = 0; i < read_out.rows; ++i) {
    by_cluster_[starts_[cluster_of_[targets.tokens[i]]]++] = static_cast<std::uint32_t>(i);
  }
  double loss = 0;
  for (std::size_t first = 0; first < read_out.rows;) {
    const std::size_t k = cluster_of_[targets.tokens[by_cluster_[first]]];
    if (k == n_clusters_) break;
    const std::size_t end = starts_[k];  // where the next one starts, after the loop above
    const ParameterIndex map = map_of(k);
    const MatrixView<T> rows = gather_cluster(k);
    while (first < end) {
      const std::size_t count = std::min(this->tile_rows_, end - first);
      const std::uint32_t* members = by_cluster_.data() + first;
      const MatrixView<T> group(group_, count, cols);
      for (std::size_t i = 0; i < count; ++i) {
        std::copy_n(read_out.row(members[i]), cols, group.row(i));
        targets_[i] = place_of_[targets.tokens[members[i]]];
      }
      const ConstMatrixView<T> projected = project(group, k);
      const MatrixView<T> z(z_, count, rows.rows);
      this->subset_logits(z, projected, rows, cluster(k));
      loss += smoothed_cross_entropy(z, {targets_.data(), targets.weight, {}, targets.label_smoothing}, with_gradient);
      first += count;
      if (!with_gradient) continue;
      const MatrixView<T> group_gradient(group_gradient_, count, cols);
      const MatrixView<T> projected_gradient(projected_gradient_, count, rows.cols);
      this->subset_backward(z, projected, rows, cluster(k), {rows_gradient_, rows.rows, rows.cols},
                            map == kNoParameter ? group_gradient : projected_gradient);
      if (map != kNoParameter) {
        matmul_tn(this->parameters_->gradient(map), projected_gradient, group, Accumulate::kAdd);
        matmul_nn(group_gradient, projected_gradient, this->parameters_->values(map));
      }
      for (std::size_t i = 0; i < count; ++i) {
        add_scaled(read_out_gradient.row(members[i]), group_gradient.row(i), cols, T{1});
      }
    }
  }
  return loss;
}

template <class T>
double TwoLevelHead<T>::block_loss(const ConstMatrixView<T>& read_out, const Targets<T>& targets, bool with_gradient,
                                   const MatrixView<T>& read_out_gradient) {
  const double of_first = first_loss(read_out, targets, with_gradient, read_out_gradient);
  return of_first + second_loss(read_out, targets, with_gradient, read_out_gradient);
}

template <class T>
double TwoLevelHead<T>::loss(const ConstMatrixView<T>& h, const Targets<T>& targets, bool with_gradient,
                             const MatrixView<T>& dh) {
  // A read_out that is not h has memory for one tile.
  const std::size_t most = this->maps_hidden() ? this->tile_rows_ : block_rows_;
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

template class TwoLevelHead<float>;
template class TwoLevelHead<double>;

}  // namespace tied
