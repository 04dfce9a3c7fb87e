#include "diagnostics/similarity.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/allocate.h"
#include "diagnostics/tables.h"
#include "linalg/blocks.h"
#include "linalg/checks.h"
#include "linalg/decompositions.h"
#include "linalg/matmul.h"
#include "linalg/reduce.h"

namespace tied {
namespace {

// Squares of singular values below this fraction of the largest are rounding errors of single precision.
constexpr double kNoDimension = 1e-12;

// The first k right singular vectors over their singular values, V_k S_k^-1 [d, k], from the eigenvalues of the Gram
// matrix: X V_k S_k^-1 are the left singular vectors. If the matrix has fewer dimensions than k, only that many
// columns.
Result<Matrix<double>> scaled_directions(ConstMatrixView<double> gram, std::size_t k) {
  auto eigen = symmetric_eigen(gram);
  if (!eigen) return eigen.failure();
  const std::size_t width = gram.rows;
  const double* values = eigen.value().values.data();
  std::size_t rank = 0;
  while (rank < k && values[width - 1 - rank] > kNoDimension * values[width - 1]) ++rank;
  auto made = Matrix<double>::create(width, rank);
  if (!made) return made;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::size_t column = width - 1 - i;
    const double factor = 1 / std::sqrt(values[column]);
    for (std::size_t j = 0; j < width; ++j) made.value()(j, i) = eigen.value().vectors(j, column) * factor;
  }
  return made;
}

ConstMatrixView<double> first_columns(const Matrix<double>& matrix, std::size_t count) {
  const ConstMatrixView<double> all = matrix.view();
  return {all.data, all.rows, count, all.stride};
}

double trace(ConstMatrixView<double> m) {
  double sum = 0;
  for (std::size_t i = 0; i < m.rows; ++i) sum += m(i, i);
  return sum;
}

}  // namespace

Status Similarity::prepare(Side& side, ConstMatrixView<float> table, std::span<const std::uint32_t> rows) {
  side.table = table;
  if (Status status = allocate(side.means, table.cols); !status) return status;
  column_means(side.means.data(), table, rows);
  if (Status status = make_zeros(side.block, kRowsPerBlock, table.cols); !status) return status;
  return make_zeros(side.gram, table.cols, table.cols);
}

Result<Similarity> Similarity::create(ConstMatrixView<float> a, ConstMatrixView<float> b, std::size_t dimensions,
                                      bool or_fewer) {
  if (Status status = check_some_rows("a", a); !status) return status;
  if (Status status = check_some_rows("b", b); !status) return status;
  if (a.rows != b.rows) return rows_error("b", b.rows, joined({"as many rows as a has, ", text_of(a.rows)}));
  Similarity made;
  auto rows = nonzero_rows({a, b});
  if (!rows) return rows.failure();
  made.rows_ = std::move(rows).value();
  const std::size_t usable = made.rows_.size();
  if (usable < 2) {
    return make_error(ErrorCode::kInvalidArgument, "a.rows", usable, "at least 2 rows that are not zero in a or b");
  }
  const std::size_t most = std::min({a.cols, b.cols, usable - 1});
  if (or_fewer) dimensions = std::min(dimensions, most);
  if (dimensions < 1 || dimensions > most) {
    return make_error(ErrorCode::kInvalidArgument, "dimensions", dimensions,
                      joined({"at least 1 and at most ", text_of(most)}));
  }
  made.similarity_.dimensions = dimensions;
  made.or_fewer_ = or_fewer;
  made.similarity_.left_out = a.rows - usable;
  const std::span<const std::uint32_t> ids(made.rows_.data(), usable);
  if (Status status = prepare(made.a_, a, ids); !status) return status;
  if (Status status = prepare(made.b_, b, ids); !status) return status;
  if (Status status = make_zeros(made.cross_, a.cols, b.cols); !status) return status;
  return made;
}

Status Similarity::advance(std::size_t blocks) {
  for (; blocks > 0 && row_ < rows_.size(); --blocks) {
    const std::size_t count = std::min(kRowsPerBlock, rows_.size() - row_);
    for (Side* side : {&a_, &b_}) {
      const auto block = side->block.view().row_block(0, count);
      gather_rows<double>(block, side->table, {rows_.data() + row_, count}, side->means.data());
      gram_lower(side->gram.view(), block, Accumulate::kAdd);
    }
    matmul_tn<double>(cross_.view(), a_.block.view().row_block(0, count), b_.block.view().row_block(0, count),
                      Accumulate::kAdd);
    row_ += count;
  }
  if (row_ < rows_.size() || finished_) return {};
  finished_ = true;
  return finish();
}

double Similarity::share() const {
  // The decompositions are the last part.
  return finished_ ? 1 : static_cast<double>(row_) / static_cast<double>(rows_.size() + 1);
}

Status Similarity::finish() {
  for (Side* side : {&a_, &b_}) mirror_lower(side->gram.view());
  const double gram_a = std::sqrt(squared_norm<double>(a_.gram.view()));
  const double gram_b = std::sqrt(squared_norm<double>(b_.gram.view()));
  std::size_t& dimensions = similarity_.dimensions;
  auto directions_a = scaled_directions(a_.gram.view(), dimensions);
  if (!directions_a) return directions_a.failure();
  auto directions_b = scaled_directions(b_.gram.view(), dimensions);
  if (!directions_b) return directions_b.failure();
  const std::size_t rank = std::min(directions_a.value().cols(), directions_b.value().cols());
  const std::string_view name = directions_a.value().cols() == rank ? "a" : "b";
  if (rank == 0) return make_error(ErrorCode::kInvalidArgument, name, "the same in all rows", "rows that differ");
  if (rank < dimensions && !or_fewer_) {
    return make_error(ErrorCode::kInvalidArgument, "dimensions", dimensions,
                      joined({"at most ", text_of(rank), ", the rank of ", name}));
  }
  dimensions = rank;
  const auto n = static_cast<double>(rows_.size());
  similarity_.cka = squared_norm<double>(cross_.view()) / (gram_a * gram_b);
  similarity_.cka_by_chance = trace(a_.gram.view()) * trace(b_.gram.view()) / ((n - 1) * gram_a * gram_b);

  Matrix<double> half;
  Matrix<double> cosines;
  if (Status status = make_zeros(half, dimensions, b_.table.cols); !status) return status;
  if (Status status = make_zeros(cosines, dimensions, dimensions); !status) return status;
  matmul_tn<double>(half.view(), first_columns(directions_a.value(), dimensions), cross_.view());
  matmul_nn<double>(cosines.view(), half.view(), first_columns(directions_b.value(), dimensions));
  const auto k = static_cast<double>(dimensions);
  similarity_.subspace_overlap = squared_norm<double>(cosines.view()) / k;
  similarity_.subspace_by_chance = k / (n - 1);
  return {};
}

}  // namespace tied
