#include "diagnostics/feed_forward_map.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/allocate.h"
#include "diagnostics/tables.h"
#include "linalg/activation.h"
#include "linalg/checks.h"
#include "linalg/matmul.h"
#include "linalg/reduce.h"

namespace tied {
namespace {

Status check_map(std::string_view name, const ConstMatrixView<float>& m, std::size_t rows, std::size_t cols) {
  if (Status status = check_table(name, m); !status) return status;
  if (m.rows != rows) return rows_error(name, m.rows, text_of(rows));
  if (m.cols != cols) return cols_error(name, m.cols, text_of(cols));
  return {};
}

}  // namespace

Status FeedForwardMap::copy(Map& to, std::string_view name, const ConstMatrixView<float>& weight, const float* bias) {
  if (Status status = make_zeros(to.weight, weight.rows, weight.cols); !status) return status;
  add_scaled(to.weight.data(), weight.data, weight.rows * weight.cols, 1.0F);
  return copy_numbers(to.bias, std::string(name) + "_bias", bias, weight.rows);
}

Result<FeedForwardMap> FeedForwardMap::create(const FeedForwardWeights& weights, std::size_t width,
                                              std::size_t max_rows) {
  TIED_ASSERT(max_rows > 0);
  const std::size_t hidden = weights.up.rows;
  const bool gated = weights.gate.data != nullptr;
  if (Status status = check_map("up", weights.up, hidden, width); !status) return status;
  if (Status status = check_map("down", weights.down, width, hidden); !status) return status;
  FeedForwardMap made;
  if (Status status = copy(made.up_, "up", weights.up, weights.up_bias); !status) return status;
  if (Status status = copy(made.down_, "down", weights.down, weights.down_bias); !status) return status;
  if (gated) {
    if (Status status = check_map("gate", weights.gate, hidden, width); !status) return status;
    if (Status status = copy(made.gate_, "gate", weights.gate, weights.gate_bias); !status) return status;
    if (Status status = make_zeros(made.gates_, max_rows, hidden); !status) return status;
  }
  auto norm = RowNorm::create("norm", weights.norm, width, max_rows);
  if (!norm) return norm.failure();
  made.norm_ = std::move(norm).value();
  if (Status status = make_zeros(made.normed_, max_rows, width); !status) return status;
  if (Status status = make_zeros(made.raised_, max_rows, hidden); !status) return status;
  return made;
}

void FeedForwardMap::apply(const MatrixView<float>& out, const Deduced<ConstMatrixView<float>>& x) {
  TIED_ASSERT(x.rows <= normed_.rows() && x.cols == normed_.cols());
  const auto map = [](const MatrixView<float>& to, const ConstMatrixView<float>& from, const Map& with,
                      Accumulate accumulate) {
    matmul_nt<float>(to, from, with.weight.view(), accumulate);
    if (with.bias.size() > 0) add_row_to_rows(to, with.bias.data());
  };
  const MatrixView<float> normed = normed_.view().row_block(0, x.rows);
  const MatrixView<float> raised = raised_.view().row_block(0, x.rows);
  norm_.apply(normed, x);
  map(raised, normed, up_, Accumulate::kOverwrite);
  const std::size_t size = raised.rows * raised.cols;
  if (gates_.rows() > 0) {
    const MatrixView<float> gates = gates_.view().row_block(0, x.rows);
    map(gates, normed, gate_, Accumulate::kOverwrite);
    silu_gate(raised.data, gates.data, raised.data, size);
  } else {
    gelu(raised.data, static_cast<float*>(nullptr), raised.data, size);
  }
  if (out.data != x.data) {
    for (std::size_t i = 0; i < x.rows; ++i) std::copy_n(x.row(i), x.cols, out.row(i));
  }
  map(out, raised, down_, Accumulate::kAdd);
}

}  // namespace tied
