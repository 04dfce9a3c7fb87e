#include "diagnostics/row_norm.h"

#include <algorithm>
#include <string>

#include "base/allocate.h"
#include "diagnostics/tables.h"
#include "linalg/normalization.h"

namespace tied {
namespace {

void copy_rows(const MatrixView<float>& out, const ConstMatrixView<float>& x) {
  if (out.data == x.data) return;
  for (std::size_t i = 0; i < x.rows; ++i) std::copy_n(x.row(i), x.cols, out.row(i));
}

}  // namespace

Status copy_numbers(AlignedBuffer<float>& to, std::string_view name, const float* from, std::size_t size) {
  if (from == nullptr) return {};
  if (Status status = check_table(name, {from, 1, size}); !status) return status;
  if (Status status = allocate(to, size); !status) return status;
  std::copy_n(from, size, to.data());
  return {};
}

const float* data_or_null(const AlignedBuffer<float>& buffer) { return buffer.size() == 0 ? nullptr : buffer.data(); }

Result<RowNorm> RowNorm::create(std::string_view prefix, const NormWeights& weights, std::size_t width,
                                std::size_t max_rows) {
  RowNorm made;
  made.norm_ = weights.norm;
  made.epsilon_ = weights.epsilon;
  const std::string name(prefix);
  if (Status status = copy_numbers(made.weight_, name + "_weight", weights.weight, width); !status) return status;
  if (Status status = copy_numbers(made.bias_, name + "_bias", weights.bias, width); !status) return status;
  for (AlignedBuffer<float>* statistics : {&made.mean_, &made.inverse_}) {
    if (Status status = allocate(*statistics, max_rows); !status) return status;
  }
  if (Status status = allocate(made.unused_, width); !status) return status;
  return made;
}

void RowNorm::apply(const MatrixView<float>& out, const Deduced<ConstMatrixView<float>>& x) {
  TIED_ASSERT(x.rows <= mean_.size());
  const float* weight = data_or_null(weight_);
  if (norm_ == ReadoutNorm::kRms) {
    rms_norm<float>(out, inverse_.data(), x, weight, epsilon_);
  } else if (norm_ == ReadoutNorm::kLayer) {
    layer_norm<float>(out, mean_.data(), inverse_.data(), x, weight, data_or_null(bias_), epsilon_);
  } else {
    copy_rows(out, x);
  }
}

void RowNorm::backward(const MatrixView<float>& dx, const Deduced<ConstMatrixView<float>>& dout,
                       const Deduced<ConstMatrixView<float>>& x) {
  const float* weight = data_or_null(weight_);
  float* dweight = weight == nullptr ? nullptr : unused_.data();
  if (norm_ == ReadoutNorm::kNone) return copy_rows(dx, dout);
  for (std::size_t i = 0; i < dx.rows; ++i) std::fill_n(dx.row(i), dx.cols, 0.0F);
  if (norm_ == ReadoutNorm::kRms) {
    rms_norm_backward<float>(dx, dweight, dout, x, weight, inverse_.data());
  } else {
    layer_norm_backward<float>(dx, dweight, nullptr, dout, x, weight, mean_.data(), inverse_.data());
  }
}

}  // namespace tied
