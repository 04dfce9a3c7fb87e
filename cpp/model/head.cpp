#include "model/head.h"

#include <algorithm>
#include <cmath>

#include "base/allocate.h"
#include "linalg/matmul.h"
#include "linalg/reduce.h"
#include "linalg/softmax.h"
#include "model/linear.h"

namespace tied {
namespace {

// A tile's logits should stay in the second-level cache during softmax and two products; with too few rows, the
// products would read the whole unembedding for little work. Counted in elements, not bytes, so the double version sums
// in the same order.
constexpr std::uint64_t kTileLogits = 128 * 1024;
constexpr std::uint64_t kMinTileRows = 64;
constexpr std::uint64_t kMaxTileRows = 512;
constexpr std::uint64_t kRowGroup = 8;

std::uint64_t inner_cols_for(const ModelConfig& config) {
  if (config.is_factorized()) return config.table_rank;
  if (config.tying == Tying::kTiedLinear) return config.d_model;
  return config.tying == Tying::kTiedLowRank ? config.low_rank : 0;
}

// Elements from one row of a tile's logits to the next: whole batches.
std::uint64_t logits_stride(std::uint64_t vocab_size) { return (vocab_size + 3) / 4 * 4; }

template <class T>
void scale_rows(const MatrixView<T>& x, T factor) {
  if (factor == T{1}) return;
  for (std::size_t i = 0; i < x.rows; ++i) scale(x.row(i), x.cols, factor);
}

}  // namespace

std::uint64_t head_tile_rows(const ModelConfig& config, std::uint64_t max_rows) {
  const std::uint64_t wanted = std::clamp(kTileLogits / config.vocab_size, kMinTileRows, kMaxTileRows);
  const std::uint64_t useful = std::min(wanted, std::max<std::uint64_t>(max_rows, 1));
  return (useful + kRowGroup - 1) / kRowGroup * kRowGroup;
}

std::uint64_t head_extent(const ModelConfig& config, std::uint64_t max_rows) {
  return full_head_extent(config, max_rows) + other_head_extent(config, head_tile_rows(config, max_rows));
}

std::uint64_t full_head_extent(const ModelConfig& config, std::uint64_t max_rows) {
  const std::uint64_t rows = head_tile_rows(config, max_rows);
  return padded(rows * logits_stride(config.vocab_size)) + 2 * padded(rows * inner_cols_for(config));
}

double logit_scale(const ModelConfig& config) {
  if (config.is_encoder_decoder()) {
    return config.scales_logits ? 1 / std::sqrt(static_cast<double>(config.d_model)) : 1;
  }
  const bool linear = config.kind == ModelKind::kDirectPath && config.tying != Tying::kTiedMlp;
  return linear && config.scales_embedding ? std::sqrt(static_cast<double>(config.d_model)) : 1;
}

template <class T>
double smoothed_cross_entropy(const MatrixView<T>& logits, const Targets<T>& targets, bool with_gradient,
                              std::size_t margin) {
  const bool joint = targets.tokens == nullptr;
  const double smoothing = targets.label_smoothing;
  const double share = smoothing / static_cast<double>(logits.cols);
  double loss = 0;
  // The difference from the loss without smoothing is linear in the logits.
  for (std::size_t i = 0; smoothing != 0 && i < logits.rows; ++i) {
    const T* z = logits.row(i);
    if (joint) {
      const T* p = targets.joint.row(i);
      loss += smoothing * dot(p, z, logits.cols) - share * sum(p, logits.cols) * sum(z, logits.cols);
    } else {
      loss += targets.weight * (smoothing * static_cast<double>(z[targets.tokens[i]]) - share * sum(z, logits.cols));
    }
  }
  loss += joint ? cross_entropy_joint(logits, targets.joint, with_gradient)
                : cross_entropy_tokens(logits, targets.tokens, targets.weight, with_gradient, margin);
  for (std::size_t i = 0; smoothing != 0 && with_gradient && i < logits.rows; ++i) {
    T* gradient = logits.row(i);
    double spread = targets.weight * share;
    if (joint) {
      const T* p = targets.joint.row(i);
      spread = share * sum(p, logits.cols);
      add_scaled(gradient, p, logits.cols, static_cast<T>(smoothing));
    } else {
      gradient[targets.tokens[i]] += static_cast<T>(targets.weight * smoothing);
    }
    for (std::size_t j = 0; j < logits.cols; ++j) gradient[j] -= static_cast<T>(spread);
  }
  return loss;
}

template <class T>
Status Head<T>::bind(const EndParameters& ends, ParameterStore<T>& parameters, T* workspace, const ModelConfig& config,
                     std::uint64_t max_rows, const HeadTokens&) {
  ends_ = ends;
  parameters_ = &parameters;
  scale_ = static_cast<T>(logit_scale(config));
  tile_rows_ = static_cast<std::size_t>(head_tile_rows(config, max_rows));
  inner_cols_ = static_cast<std::size_t>(inner_cols_for(config));
  logits_ = workspace;
  inner_ = logits_ + padded(tile_rows_ * logits_stride(config.vocab_size));
  inner_gradient_ = inner_ + padded(tile_rows_ * inner_cols_);
  return {};
}

template <class T>
ConstMatrixView<T> Head<T>::read_out(const ConstMatrixView<T>& h) {
  if (!maps_hidden()) return h;
  const MatrixView<T> inner(inner_, h.rows, inner_cols_);
  if (ends_.between == kNoParameter) {
    matmul_nt(inner, h, parameters_->values(ends_.unembedding_factor));
  } else {
    matmul_nn(inner, h, parameters_->values(ends_.between));
  }
  return inner;
}

template <class T>
MatrixView<T> Head<T>::read_out_gradient(const MatrixView<T>& dh) const {
  return !maps_hidden() ? dh : MatrixView<T>(inner_gradient_, dh.rows, inner_cols_);
}

template <class T>
void Head<T>::backward_read_out(const ConstMatrixView<T>& h, const MatrixView<T>& dh) {
  if (!maps_hidden()) return;
  const MatrixView<T> inner_gradient(inner_gradient_, h.rows, inner_cols_);
  if (ends_.between == kNoParameter) {
    matmul_tn(parameters_->gradient(ends_.unembedding_factor), inner_gradient, h, Accumulate::kAdd);
    matmul_nn(dh, inner_gradient, parameters_->values(ends_.unembedding_factor));
    return;
  }
  matmul_tn(parameters_->gradient(ends_.between), h, inner_gradient, Accumulate::kAdd);
  matmul_nt(dh, inner_gradient, parameters_->values(ends_.between));
}

// rows <= tile_rows_.
template <class T>
void Head<T>::forward(const MatrixView<T>& logits, const ConstMatrixView<T>& h) {
  const MatrixView<T> inner(inner_, h.rows, inner_cols_);
  linear(logits, read_out(h), *parameters_, {ends_.unembedding, kNoParameter});
  if (ends_.low_rank_a != kNoParameter) {
    matmul_nn(inner, h, parameters_->values(ends_.low_rank_b));
    matmul_nt(logits, inner, parameters_->values(ends_.low_rank_a), Accumulate::kAdd);
  }
  scale_rows(logits, scale_);
  if (ends_.output_bias != kNoParameter) add_row_to_rows(logits, parameters_->values(ends_.output_bias).data);
  scale_rows(logits, inverse_temperature_);
}

// To be called after `forward` of the same rows.
template <class T>
void Head<T>::backward(const MatrixView<T>& dlogits, const ConstMatrixView<T>& h, const MatrixView<T>& dh) {
  const MatrixView<T> inner(inner_, h.rows, inner_cols_);
  const MatrixView<T> inner_gradient(inner_gradient_, h.rows, inner_cols_);
  scale_rows(dlogits, inverse_temperature_);
  if (ends_.output_bias != kNoParameter) add_column_sums(parameters_->gradient(ends_.output_bias).data, dlogits);
  scale_rows(dlogits, scale_);
  const ConstMatrixView<T> unembedding = parameters_->values(ends_.unembedding);
  const MatrixView<T> unembedding_gradient = parameters_->gradient(ends_.unembedding);
  if (maps_hidden()) {
    matmul_tn(unembedding_gradient, dlogits, inner, Accumulate::kAdd);
    matmul_nn(inner_gradient, dlogits, unembedding);
    backward_read_out(h, dh);
    return;
  }
  matmul_tn(unembedding_gradient, dlogits, h, Accumulate::kAdd);
  matmul_nn(dh, dlogits, unembedding);
  if (ends_.low_rank_a != kNoParameter) {
    matmul_tn(parameters_->gradient(ends_.low_rank_a), dlogits, inner, Accumulate::kAdd);
    matmul_nn(inner_gradient, dlogits, parameters_->values(ends_.low_rank_a));
    matmul_tn(parameters_->gradient(ends_.low_rank_b), h, inner_gradient, Accumulate::kAdd);
    matmul_nt(dh, inner_gradient, parameters_->values(ends_.low_rank_b), Accumulate::kAdd);
  }
}

template <class T>
void Head<T>::logits(const MatrixView<T>& out, const ConstMatrixView<T>& h) {
  for (std::size_t first = 0; first < h.rows; first += tile_rows_) {
    const std::size_t rows = std::min(tile_rows_, h.rows - first);
    forward(out.row_block(first, rows), h.row_block(first, rows));
  }
}

template <class T>
double Head<T>::loss(const ConstMatrixView<T>& h, const Targets<T>& targets, bool with_gradient,
                     const MatrixView<T>& dh) {
  double loss = targets.loss_before;
  for (std::size_t first = 0; first < h.rows; first += tile_rows_) {
    const std::size_t rows = std::min(tile_rows_, h.rows - first);
    const std::size_t cols = parameters_->values(ends_.unembedding).rows;
    const MatrixView<T> logits(logits_, rows, cols, static_cast<std::size_t>(logits_stride(cols)));
    const ConstMatrixView<T> tile = h.row_block(first, rows);
    const Targets<T> of_tile = targets.rows(first, rows);
    forward(logits, tile);
    loss += smoothed_cross_entropy(logits, of_tile, with_gradient, logits.stride - cols);
    if (with_gradient) backward(logits, tile, dh.row_block(first, rows));
  }
  return loss;
}

template double smoothed_cross_entropy(const MatrixView<float>&, const Targets<float>&, bool, std::size_t);
template double smoothed_cross_entropy(const MatrixView<double>&, const Targets<double>&, bool, std::size_t);
template class Head<float>;
template class Head<double>;

}  // namespace tied
