#include "model/head.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/allocate.h"
#include "linalg/matmul.h"
#include "linalg/reduce.h"
#include "linalg/softmax.h"

namespace tied {
namespace {

// A tile's logits should stay in the second-level cache while softmax and two products go over them, but few rows would
// make the products read the whole unembedding for little work. Counted in numbers and not in bytes, so that the double
// twin adds in the same order.
constexpr std::uint64_t kTileLogits = 128 * 1024;
constexpr std::uint64_t kMinTileRows = 64;
constexpr std::uint64_t kMaxTileRows = 512;
constexpr std::uint64_t kRowGroup = 8;

std::uint64_t middle_cols_for(const ModelConfig& config) {
  if (config.tying == Tying::kTiedLinear) return config.d_model;
  return config.tying == Tying::kTiedLowRank ? config.low_rank : 0;
}

}  // namespace

void add_unembedding(ParameterTable& table, const ModelConfig& config) {
  const bool tied = config.tying != Tying::kUntied;
  if (tied && !config.changes_tying()) {
    table.add_tied("unembedding", "embedding", ParameterRole::kOutput);
    return;
  }
  Parameter unembedding{.name = "unembedding",
                        .rows = config.vocab_size,
                        .cols = config.d_model,
                        .role = ParameterRole::kOutput,
                        .initial = InitialValue::kNormal,
                        .initial_std = config.init_std};
  if (config.changes_tying()) {
    table.add_joinable(std::move(unembedding), "embedding", tied);
  } else {
    table.add(std::move(unembedding));
  }
}

void add_head_parameters(ParameterTable& table, const ModelConfig& config) {
  const std::uint64_t d_model = config.d_model;
  if (config.tying == Tying::kTiedLinear) {
    table.add({.name = "between", .rows = d_model, .cols = d_model, .initial = InitialValue::kIdentity});
  }
  if (config.tying == Tying::kTiedLowRank) {
    table.add({.name = "low_rank.a", .rows = config.vocab_size, .cols = config.low_rank});
    table.add({.name = "low_rank.b",
               .rows = d_model,
               .cols = config.low_rank,
               .initial = InitialValue::kNormal,
               .initial_std = 1 / std::sqrt(static_cast<double>(d_model))});
  }
  if (config.output_bias) {
    table.add({.name = "output_bias", .rows = 1, .cols = config.vocab_size, .is_vector = true, .decays = false});
  }
}

std::uint64_t head_tile_rows(const ModelConfig& config, std::uint64_t max_rows) {
  const std::uint64_t wanted = std::clamp(kTileLogits / config.vocab_size, kMinTileRows, kMaxTileRows);
  const std::uint64_t useful = std::min(wanted, std::max<std::uint64_t>(max_rows, 1));
  return (useful + kRowGroup - 1) / kRowGroup * kRowGroup;
}

std::uint64_t head_extent(const ModelConfig& config, std::uint64_t max_rows) {
  const std::uint64_t rows = head_tile_rows(config, max_rows);
  return padded(rows * config.vocab_size) + 2 * padded(rows * middle_cols_for(config));
}

double logit_scale(const ModelConfig& config) {
  const bool linear = config.kind == ModelKind::kDirectPath && config.tying != Tying::kTiedMlp;
  return linear && config.scales_embedding ? std::sqrt(static_cast<double>(config.d_model)) : 1;
}

template <class T>
void Head<T>::bind(ParameterStore<T>& parameters, T* workspace, const ModelConfig& config, std::uint64_t max_rows) {
  parameters_ = &parameters;
  const ParameterTable& table = parameters.table();
  unembedding_ = table.find("unembedding");
  between_ = table.find("between");
  low_rank_a_ = table.find("low_rank.a");
  low_rank_b_ = table.find("low_rank.b");
  output_bias_ = table.find("output_bias");
  scale_ = static_cast<T>(logit_scale(config));
  tile_rows_ = static_cast<std::size_t>(head_tile_rows(config, max_rows));
  middle_cols_ = static_cast<std::size_t>(middle_cols_for(config));
  logits_ = workspace;
  middle_ = logits_ + padded(tile_rows_ * config.vocab_size);
  middle_gradient_ = middle_ + padded(tile_rows_ * middle_cols_);
}

// rows <= tile_rows_.
template <class T>
void Head<T>::forward(const MatrixView<T>& logits, const ConstMatrixView<T>& h) {
  const MatrixView<T> middle(middle_, h.rows, middle_cols_);
  ConstMatrixView<T> read_out = h;
  if (between_ != nullptr) {
    matmul_nn(middle, h, parameters_->values(*between_));
    read_out = middle;
  }
  matmul_nt(logits, read_out, parameters_->values(*unembedding_));
  if (low_rank_a_ != nullptr) {
    matmul_nn(middle, h, parameters_->values(*low_rank_b_));
    matmul_nt(logits, middle, parameters_->values(*low_rank_a_), Accumulate::kAdd);
  }
  if (scale_ != T{1}) scale(logits.data, logits.rows * logits.cols, scale_);
  if (output_bias_ != nullptr) add_row_to_rows(logits, parameters_->values(*output_bias_).data);
}

// After `forward` of the same rows.
template <class T>
void Head<T>::backward(const MatrixView<T>& dlogits, const ConstMatrixView<T>& h, const MatrixView<T>& dh) {
  const MatrixView<T> middle(middle_, h.rows, middle_cols_);
  const MatrixView<T> middle_gradient(middle_gradient_, h.rows, middle_cols_);
  if (output_bias_ != nullptr) add_column_sums(parameters_->gradient(*output_bias_).data, dlogits);
  if (scale_ != T{1}) scale(dlogits.data, dlogits.rows * dlogits.cols, scale_);
  const ConstMatrixView<T> unembedding = parameters_->values(*unembedding_);
  const MatrixView<T> unembedding_gradient = parameters_->gradient(*unembedding_);
  if (between_ != nullptr) {
    matmul_tn(unembedding_gradient, dlogits, middle, Accumulate::kAdd);
    matmul_nn(middle_gradient, dlogits, unembedding);
    matmul_tn(parameters_->gradient(*between_), h, middle_gradient, Accumulate::kAdd);
    matmul_nt(dh, middle_gradient, parameters_->values(*between_));
    return;
  }
  matmul_tn(unembedding_gradient, dlogits, h, Accumulate::kAdd);
  matmul_nn(dh, dlogits, unembedding);
  if (low_rank_a_ != nullptr) {
    matmul_tn(parameters_->gradient(*low_rank_a_), dlogits, middle, Accumulate::kAdd);
    matmul_nn(middle_gradient, dlogits, parameters_->values(*low_rank_a_));
    matmul_tn(parameters_->gradient(*low_rank_b_), h, middle_gradient, Accumulate::kAdd);
    matmul_nt(dh, middle_gradient, parameters_->values(*low_rank_b_), Accumulate::kAdd);
  }
}

template <class T>
void Head<T>::logits(const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& h) {
  for (std::size_t first = 0; first < h.rows; first += tile_rows_) {
    const std::size_t rows = std::min(tile_rows_, h.rows - first);
    forward(out.row_block(first, rows), h.row_block(first, rows));
  }
}

template <class T>
double Head<T>::loss(const ConstMatrixView<T>& h, const Targets<T>& targets, bool with_gradient,
                     const MatrixView<T>& dh) {
  double loss = 0;
  for (std::size_t first = 0; first < h.rows; first += tile_rows_) {
    const std::size_t rows = std::min(tile_rows_, h.rows - first);
    const MatrixView<T> logits(logits_, rows, static_cast<std::size_t>(unembedding_->rows));
    const ConstMatrixView<T> tile = h.row_block(first, rows);
    const Targets<T> of_tile = targets.rows(first, rows);
    forward(logits, tile);
    loss += of_tile.tokens == nullptr ? cross_entropy_joint(logits, of_tile.joint, with_gradient)
                                      : cross_entropy_tokens(logits, of_tile.tokens, of_tile.weight, with_gradient);
    if (with_gradient) backward(logits, tile, dh.row_block(first, rows));
  }
  return loss;
}

template class Head<float>;
template class Head<double>;

}  // namespace tied
