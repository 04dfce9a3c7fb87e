#include "model/sampled_head.h"

#include <algorithm>
#include <limits>

#include "base/allocate.h"
#include "base/elementary.h"
#include "linalg/reduce.h"
#include "linalg/softmax.h"

namespace tied {
namespace {

// Maximum number of distinct tokens, plus the row of zeros.
std::uint64_t most_rows(const ModelConfig& config) { return std::min(config.head_samples, config.vocab_size) + 1; }

}  // namespace

std::uint64_t sampled_head_extent(const ModelConfig& config, std::uint64_t tile_rows) {
  const std::uint64_t rows = most_rows(config);
  return 2 * padded(rows * config.table_width()) + padded(tile_rows * rows) + 2 * padded(rows) + padded(tile_rows);
}

std::uint64_t sampled_head_bytes(const ModelConfig& config, std::uint64_t tile_rows) {
  return token_proposal_bytes(config.proposal, config.vocab_size) +
         (config.head_samples + config.vocab_size + tile_rows) * sizeof(std::uint32_t);
}

template <class T>
Status SampledHead<T>::bind(const EndParameters& ends, ParameterStore<T>& parameters, T* workspace,
                            const ModelConfig& config, std::uint64_t max_rows, const HeadTokens& tokens) {
  if (Status status = Head<T>::bind(ends, parameters, workspace, config, max_rows, tokens); !status) return status;
  const auto vocab_size = static_cast<std::size_t>(config.vocab_size);
  if (Status status = proposal_.create(config.proposal, tokens.counts, vocab_size); !status) return status;
  if (Status status = allocate(draws_, config.head_samples); !status) return status;
  if (Status status = allocate(slots_, config.vocab_size); !status) return status;
  if (Status status = allocate(targets_, this->tile_rows_); !status) return status;
  slots_.fill(kNoSlot);
  samples_ = static_cast<std::size_t>(config.head_samples);
  const std::uint64_t rows = most_rows(config);
  T* next = workspace + static_cast<std::size_t>(full_head_extent(config, max_rows));
  const auto take = [&](std::uint64_t size) {
    T* taken = next;
    next += padded(size);
    return taken;
  };
  rows_ = take(rows * config.table_width());
  rows_gradient_ = take(rows * config.table_width());
  z_ = take(this->tile_rows_ * rows);
  log_weights_ = take(rows);
  shares_ = take(rows);
  target_gradients_ = take(this->tile_rows_);
  return {};
}

template <class T>
void SampledHead<T>::begin(const TokenBatch& batch) {
  samples_now_ = batch.sample_key != 0;
  if (!samples_now_) return;
  for (std::size_t j = 0; j < drawn_; ++j) slots_[draws_[j]] = kNoSlot;
  Random random(batch.sample_key, stream_of("samples"));
  for (std::uint32_t& token : draws_) token = proposal_.draw(random);
  std::sort(draws_.begin(), draws_.end());
  const double vocab_size = static_cast<double>(slots_.size());
  drawn_ = 0;
  for (std::size_t first = 0; first < samples_;) {
    const std::uint32_t token = draws_[first];
    std::size_t end = first + 1;
    while (end < samples_ && draws_[end] == token) ++end;
    const double weight =
        static_cast<double>(end - first) / (static_cast<double>(samples_) * proposal_.probability(token));
    log_weights_[drawn_] = static_cast<T>(natural_log(weight));
    shares_[drawn_] = static_cast<T>(weight / vocab_size);
    slots_[token] = static_cast<std::uint32_t>(drawn_);
    draws_[drawn_++] = token;
    first = end;
  }
  const std::size_t cols = this->table_width();
  this->gather({rows_, drawn_, cols}, this->subset(draws_.data(), drawn_));
  std::fill_n(rows_ + drawn_ * cols, cols, T{0});
  targets_.fill(static_cast<std::uint32_t>(drawn_));
}

template <class T>
double SampledHead<T>::tile_loss(const ConstMatrixView<T>& read_out, const Targets<T>& targets, bool with_gradient,
                                 const MatrixView<T>& read_out_gradient) {
  const std::size_t cols = this->table_width();
  const MatrixView<T> rows(rows_, drawn_ + 1, cols);
  const MatrixView<T> z(z_, read_out.rows, drawn_ + 1);
  const double smoothing = targets.label_smoothing;
  const double target_share = 1 / static_cast<double>(slots_.size());
  double loss = 0;
  this->subset_logits(z, read_out, rows, this->subset(draws_.data(), drawn_));
  for (std::size_t i = 0; i < z.rows; ++i) {
    T* row = z.row(i);
    const std::uint32_t target = targets.tokens[i];
    row[drawn_] = this->logit_of(read_out.row(i), target);
    const std::uint32_t hit = slots_[target];
    if (hit != kNoSlot) row[hit] = T{0};
    if (smoothing != 0) {
      const double mean = dot(shares_, row, drawn_) + target_share * static_cast<double>(row[drawn_]);
      loss += targets.weight * smoothing * (static_cast<double>(row[drawn_]) - mean);
    }
    add_scaled(row, log_weights_, drawn_, T{1});
    if (hit != kNoSlot) row[hit] = -std::numeric_limits<T>::infinity();
  }
  loss += cross_entropy_tokens(z, targets_.data(), targets.weight, with_gradient);
  if (!with_gradient) return loss;
  const double spread = targets.weight * smoothing;
  for (std::size_t i = 0; i < z.rows; ++i) {
    T* row = z.row(i);
    if (smoothing != 0) {
      add_scaled(row, shares_, drawn_, static_cast<T>(-spread));
      row[drawn_] += static_cast<T>(spread * (1 - target_share));
      if (const std::uint32_t hit = slots_[targets.tokens[i]]; hit != kNoSlot) row[hit] = T{0};
    }
    target_gradients_[i] = this->backward_logit(row[drawn_], read_out.row(i), targets.tokens[i]);
  }
  // The last row is 0, so the last column adds nothing here.
  this->subset_backward(z, read_out, rows, this->subset(draws_.data(), drawn_), {rows_gradient_, drawn_ + 1, cols},
                        read_out_gradient);
  const ConstMatrixView<T> table = this->parameters_->values(this->ends_.unembedding);
  for (std::size_t i = 0; i < z.rows; ++i) {
    add_scaled(read_out_gradient.row(i), table.row(targets.tokens[i]), cols, target_gradients_[i]);
  }
  return loss;
}

template <class T>
double SampledHead<T>::loss(const ConstMatrixView<T>& h, const Targets<T>& targets, bool with_gradient,
                            const MatrixView<T>& dh) {
  if (!samples_now_) {
    if (with_gradient) this->touch_all();
    return Head<T>::loss(h, targets, with_gradient, dh);
  }
  double loss = 0;
  for (std::size_t first = 0; first < h.rows; first += this->tile_rows_) {
    const std::size_t rows = std::min(this->tile_rows_, h.rows - first);
    const ConstMatrixView<T> tile = h.row_block(first, rows);
    const MatrixView<T> tile_gradient = with_gradient ? dh.row_block(first, rows) : MatrixView<T>();
    loss += tile_loss(this->read_out(tile), targets.rows(first, rows), with_gradient,
                      with_gradient ? this->read_out_gradient(tile_gradient) : MatrixView<T>());
    if (with_gradient) this->backward_read_out(tile, tile_gradient);
  }
  return loss;
}

template class SampledHead<float>;
template class SampledHead<double>;

}  // namespace tied
