#include "model/culled_head.h"

#include <algorithm>

#include "base/allocate.h"
#include "model/token_order.h"

namespace tied {

std::uint64_t culled_head_extent(const ModelConfig& config, std::uint64_t tile_rows) {
  return 2 * padded(config.head_kept * config.table_width()) + padded(tile_rows * config.head_kept) +
         2 * padded(tile_rows * config.table_width());
}

std::uint64_t culled_head_bytes(const ModelConfig& config, std::uint64_t tile_rows) {
  return (config.head_kept + config.vocab_size + tile_rows) * sizeof(std::uint32_t);
}

template <class T>
Status CulledHead<T>::bind(const EndParameters& ends, ParameterStore<T>& parameters, T* workspace,
                           const ModelConfig& config, std::uint64_t max_rows, const HeadTokens& tokens) {
  if (Status status = Head<T>::bind(ends, parameters, workspace, config, max_rows, tokens); !status) return status;
  const auto n_kept = static_cast<std::size_t>(config.head_kept);
  if (Status status = allocate(kept_, n_kept); !status) return status;
  if (Status status = allocate(slots_, config.vocab_size); !status) return status;
  if (Status status = allocate(targets_, this->tile_rows_); !status) return status;
  if (tokens.kept.empty()) {
    TokenOrder order;
    if (Status status = order.create(tokens.counts, static_cast<std::size_t>(config.vocab_size)); !status) {
      return status;
    }
    std::copy_n(order.ids().begin(), n_kept, kept_.begin());
    std::sort(kept_.begin(), kept_.end());
  } else {
    TIED_ASSERT(tokens.kept.size() == n_kept);
    std::copy_n(tokens.kept.begin(), n_kept, kept_.begin());
  }
  slots_.fill(kNoSlot);
  for (std::size_t i = 0; i < n_kept; ++i) slots_[kept_[i]] = static_cast<std::uint32_t>(i);
  T* next = workspace + static_cast<std::size_t>(full_head_extent(config, max_rows));
  const auto take = [&](std::uint64_t size) {
    T* taken = next;
    next += padded(size);
    return taken;
  };
  rows_ = take(config.head_kept * config.table_width());
  rows_gradient_ = take(config.head_kept * config.table_width());
  z_ = take(this->tile_rows_ * config.head_kept);
  sayable_ = take(this->tile_rows_ * config.table_width());
  sayable_gradient_ = take(this->tile_rows_ * config.table_width());
  return {};
}

template <class T>
std::size_t CulledHead<T>::count_sayable(const std::uint32_t* targets, std::size_t n) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; ++i) count += slots_[targets[i]] != kNoSlot ? 1 : 0;
  return count;
}

template <class T>
void CulledHead<T>::logits(const MatrixView<T>& out, const ConstMatrixView<T>& h) {
  const MatrixView<T> rows(rows_, kept_.size(), this->table_width());
  this->gather(rows, this->subset(kept_.data(), kept_.size()));
  for (std::size_t first = 0; first < h.rows; first += this->tile_rows_) {
    const std::size_t count = std::min(this->tile_rows_, h.rows - first);
    const MatrixView<T> z(z_, count, kept_.size());
    this->subset_logits(z, this->read_out(h.row_block(first, count)), rows, this->subset(kept_.data(), kept_.size()));
    for (std::size_t i = 0; i < count; ++i) {
      T* row = out.row(first + i);
      std::fill_n(row, out.cols, static_cast<T>(kUnsayableLogit));
      for (std::size_t j = 0; j < kept_.size(); ++j) row[kept_[j]] = z(i, j);
    }
  }
}

template <class T>
double CulledHead<T>::loss(const ConstMatrixView<T>& h, const Targets<T>& targets, bool with_gradient,
                           const MatrixView<T>& dh) {
  const std::size_t cols = this->table_width();
  const MatrixView<T> rows(rows_, kept_.size(), cols);
  this->gather(rows, this->subset(kept_.data(), kept_.size()));
  double loss = 0;
  for (std::size_t first = 0; first < h.rows; first += this->tile_rows_) {
    const std::size_t count = std::min(this->tile_rows_, h.rows - first);
    const ConstMatrixView<T> tile = h.row_block(first, count);
    const ConstMatrixView<T> read_out = this->read_out(tile);
    const std::uint32_t* tokens = targets.tokens + first;
    std::size_t n_sayable = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (slots_[tokens[i]] == kNoSlot) continue;
      std::copy_n(read_out.row(i), cols, sayable_ + n_sayable * cols);
      targets_[n_sayable++] = slots_[tokens[i]];
    }
    const MatrixView<T> z(z_, n_sayable, kept_.size());
    const ConstMatrixView<T> sayable(sayable_, n_sayable, cols);
    if (n_sayable != 0) {
      this->subset_logits(z, sayable, rows, this->subset(kept_.data(), kept_.size()));
      loss += smoothed_cross_entropy(z, {targets_.data(), targets.weight, {}, targets.label_smoothing}, with_gradient);
    }
    if (!with_gradient) continue;
    const MatrixView<T> sayable_gradient(sayable_gradient_, n_sayable, cols);
    if (n_sayable != 0) {
      this->subset_backward(z, sayable, rows, this->subset(kept_.data(), kept_.size()),
                            {rows_gradient_, kept_.size(), cols}, sayable_gradient);
    }
    const MatrixView<T> tile_gradient = dh.row_block(first, count);
    const MatrixView<T> gradient = this->read_out_gradient(tile_gradient);
    for (std::size_t i = 0, next = 0; i < count; ++i) {
      if (slots_[tokens[i]] == kNoSlot) {
        std::fill_n(gradient.row(i), cols, T{0});
      } else {
        std::copy_n(sayable_gradient.row(next++), cols, gradient.row(i));
      }
    }
    this->backward_read_out(tile, tile_gradient);
  }
  return loss;
}

template class CulledHead<float>;
template class CulledHead<double>;

}  // namespace tied
