// direct_path_symmetry: norms from d x d matrices, pairs from tiles. The formulas are in symmetry.h.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "direct_path/symmetry.h"
#include "direct_path/symmetry_options.h"
#include "direct_path/worst_pairs.h"
#include "linalg/blocks.h"
#include "linalg/matmul.h"
#include "linalg/product_norms.h"
#include "linalg/reduce.h"

namespace tied {
namespace {

using View = MatrixView<double>;
using ConstView = ConstMatrixView<double>;

// Rows of the factors that are converted to double at a time.
constexpr std::size_t kBlockRows = 256;
// Rows and columns of A - A^T that are compared at a time.
constexpr std::size_t kRowsPerTile = 128;

// The workspace, allocated at once and cut into matrices.
class Workspace {
 public:
  static Result<Workspace> create(const DirectPathFactors& factors) {
    const std::uint64_t size =
        direct_path_symmetry_bytes(factors.embedding.cols, factors.between.has_value()) / sizeof(double);
    if (size > static_cast<std::size_t>(-1)) return out_of_memory(static_cast<std::size_t>(-1));
    auto buffer = AlignedBuffer<double>::create(static_cast<std::size_t>(size));
    if (!buffer) return buffer.failure();
    return Workspace(std::move(buffer).value());
  }

  View take(std::size_t rows, std::size_t cols) {
    const View view(buffer_.data() + next_, rows, cols);
    next_ += rows * cols;
    TIED_ASSERT(next_ <= buffer_.size());
    return view;
  }
  // `release(mark())` frees everything taken in between, for reuse.
  std::size_t mark() const { return next_; }
  void release(std::size_t mark) { next_ = mark; }

 private:
  explicit Workspace(AlignedBuffer<double> buffer) : buffer_(std::move(buffer)) {}

  AlignedBuffer<double> buffer_;
  std::size_t next_ = 0;
};

void fill_zero(View m) { std::fill_n(m.data, m.rows * m.cols, 0.0); }

// Rows of the factors in double, computed block by block.
class FactorRows {
 public:
  FactorRows(const DirectPathFactors& factors, Workspace& space) : factors_(factors) {
    if (!mapped()) return;
    between_ = space.take(width(), width());
    convert(between_, *factors.between);
    block_ = space.take(kBlockRows, width());
  }

  std::size_t count() const { return factors_.embedding.rows; }
  std::size_t width() const { return factors_.embedding.cols; }
  bool tied() const { return !factors_.unembedding; }
  bool mapped() const { return factors_.between.has_value(); }
  // M; only if mapped()
  ConstView between() const { return between_; }

  // out = rows of E
  void embedding(View out, std::size_t first) const { convert(out, factors_.embedding.row_block(first, out.rows)); }
  // out = rows of U
  void unembedding(View out, std::size_t first) const {
    convert(out, (tied() ? factors_.embedding : *factors_.unembedding).row_block(first, out.rows));
  }
  // Caches E', so its rows are computed once instead of for each pair of tiles. If memory does not allow it, rows are
  // recomputed, with the same bits.
  void cache_mapped_embedding() {
    auto cached = Matrix<double>::create(count(), width());
    if (!cached) return;
    for (std::size_t i = 0; i < count(); i += kBlockRows) {
      mapped_embedding(cached.value().view().row_block(i, std::min(kBlockRows, count() - i)), i);
    }
    cached_ = std::move(cached).value();
  }
  // out = rows of E' = E M
  void mapped_embedding(View out, std::size_t first) const {
    if (cached_.rows() != 0) {
      for (std::size_t i = 0; i < out.rows; ++i) std::copy_n(cached_.view().row(first + i), out.cols, out.row(i));
      return;
    }
    if (!mapped()) {
      embedding(out, first);
      return;
    }
    const View block = block_.row_block(0, out.rows);
    embedding(block, first);
    times(out, block, between_);
  }
  // out = e m for rows of E, which counts them.
  void times(View out, ConstView e, ConstView m) const {
    matmul_nn<double>(out, e, m);
    mapped_count_ += out.rows;
  }
  // Rows of E that were multiplied by a matrix [d, d] so far.
  std::uint64_t mapped_count() const { return mapped_count_; }
  // out = rows of D = U - E', given those of E'
  void difference(View out, ConstView mapped_rows, std::size_t first) const {
    unembedding(out, first);
    for (std::size_t i = 0; i < out.rows; ++i) add_scaled(out.row(i), mapped_rows.row(i), out.cols, -1.0);
  }
  // out = M + sign M^T
  void between_with_transpose(View out, double sign) const {
    for (std::size_t i = 0; i < out.rows; ++i) {
      for (std::size_t j = 0; j < out.cols; ++j) out(i, j) = between_(i, j) + sign * between_(j, i);
    }
  }

 private:
  DirectPathFactors factors_;
  View between_;           // M
  View block_;             // rows of E while they are multiplied by M
  Matrix<double> cached_;  // E', empty unless cached
  mutable std::uint64_t mapped_count_ = 0;
};

// U = E.
PartNorms tied_norms(const FactorRows& rows, Workspace& space) {
  const std::size_t d = rows.width();
  const View gram = space.take(d, d);
  const View x = space.take(d, d);
  const View left = space.take(d, d);
  const View right = space.take(d, d);
  const View block = space.take(kBlockRows, d);
  fill_zero(gram);
  for (std::size_t i = 0; i < rows.count(); i += kBlockRows) {
    const View e = block.row_block(0, std::min(kBlockRows, rows.count() - i));
    rows.embedding(e, i);
    gram_lower(gram, e, Accumulate::kAdd);
  }
  mirror_lower(gram);
  if (!rows.mapped()) return {inner_product(gram, gram), 0};

  double squares[2];
  for (const int part : {0, 1}) {
    rows.between_with_transpose(x, part == 0 ? 1 : -1);
    matmul_nn<double>(left, gram, x);
    matmul_nn<double>(right, x, gram);
    squares[part] = inner_product(left, right) / 4;
  }
  return {squares[0], squares[1]};
}

PartNorms untied_norms(const FactorRows& rows, Workspace& space) {
  const std::size_t d = rows.width();
  const View e_e = space.take(d, d);  // E'^T E'
  const View d_d = space.take(d, d);  // D^T D
  const View d_e = space.take(d, d);  // D^T E'
  const View e_block = space.take(kBlockRows, d);
  const View d_block = space.take(kBlockRows, d);
  fill_zero(e_e);
  fill_zero(d_d);
  fill_zero(d_e);
  for (std::size_t i = 0; i < rows.count(); i += kBlockRows) {
    const std::size_t count = std::min(kBlockRows, rows.count() - i);
    const View e = e_block.row_block(0, count);
    const View difference = d_block.row_block(0, count);
    rows.mapped_embedding(e, i);
    rows.difference(difference, e, i);
    gram_lower(e_e, e, Accumulate::kAdd);
    gram_lower(d_d, difference, Accumulate::kAdd);
    matmul_tn<double>(d_e, difference, e, Accumulate::kAdd);
  }
  mirror_lower(e_e);
  mirror_lower(d_d);
  return squared_part_norms(e_e, d_d, d_e);
}

// The largest |a_ij - a_ji|. Offers all pairs i < j to `worst`, tile by tile, and counts the computed `entries`:
//   tied, with K = M - M^T:  a_ij - a_ji = (E K)_i . E_j
//   untied:                  a_ij - a_ji = [E' D]_i . [D -E']_j
double largest_difference(const FactorRows& rows, Workspace& space, WorstPairs& worst, std::uint64_t& entries) {
  const std::size_t d = rows.width();
  const std::size_t depth = rows.tied() ? d : 2 * d;
  const View left = space.take(kRowsPerTile, depth);
  const View right = space.take(kRowsPerTile, depth);
  const View tile = space.take(kRowsPerTile, kRowsPerTile);
  View skew;
  if (rows.tied()) {
    skew = space.take(d, d);
    rows.between_with_transpose(skew, -1);
  }

  double largest = 0;
  for (std::size_t i = 0; i < rows.count(); i += kRowsPerTile) {
    const View l = left.row_block(0, std::min(kRowsPerTile, rows.count() - i));
    if (rows.tied()) {
      const View e = right.row_block(0, l.rows);
      rows.embedding(e, i);
      rows.times(l, e, skew);
    } else {
      rows.mapped_embedding(columns(l, 0, d), i);
      rows.difference(columns(l, d, d), columns(l, 0, d), i);
    }
    for (std::size_t j = i; j < rows.count(); j += kRowsPerTile) {
      const View r = right.row_block(0, std::min(kRowsPerTile, rows.count() - j));
      if (rows.tied()) {
        rows.embedding(r, j);
      } else {
        rows.mapped_embedding(columns(r, d, d), j);
        rows.difference(columns(r, 0, d), columns(r, d, d), j);
        for (std::size_t row = 0; row < r.rows; ++row) scale(r.row(row) + d, d, -1.0);
      }
      const View differences(tile.data, l.rows, r.rows);
      matmul_nt<double>(differences, l, r);
      entries += l.rows * r.rows;
      for (std::size_t row = 0; row < l.rows; ++row) {
        for (std::size_t col = j == i ? row + 1 : 0; col < r.rows; ++col) {
          const double difference = std::fabs(differences(row, col));
          largest = std::max(largest, difference);
          worst.offer(difference, i + row, j + col);
        }
      }
    }
  }
  return largest;
}

// For a path that is symmetric by construction: the entries of each pair are equal.
void offer_first_pairs(const FactorRows& rows, WorstPairs& worst) {
  for (std::size_t i = 0; i < rows.count() && !worst.full(); ++i) {
    for (std::size_t j = i + 1; j < rows.count() && !worst.full(); ++j) worst.offer(0, i, j);
  }
}

// Adds the entries of the listed pairs to the result.
void add_worst(Symmetry& result, const FactorRows& rows, Workspace& space, WorstPairs worst) {
  const std::size_t d = rows.width();
  const View mapped = space.take(1, d);
  const View written = space.take(1, d);
  const auto entry = [&](std::size_t i, std::size_t j) {
    rows.mapped_embedding(mapped, i);
    rows.unembedding(written, j);
    return dot(mapped.data, written.data, d);
  };
  for (const WorstPairs::Pair& pair : std::move(worst).sorted()) {
    result.worst.push_back({pair.row, pair.col, entry(pair.row, pair.col), entry(pair.col, pair.row)});
  }
}

}  // namespace

std::uint64_t direct_path_symmetry_bytes(std::size_t d_model, bool mapped) {
  const std::uint64_t d = d_model;
  const std::uint64_t squares = 4 * d * d + (mapped ? d * d : 0);
  const std::uint64_t blocks = (2 + (mapped ? 1 : 0)) * kBlockRows * d;
  return (squares + blocks + kRowsPerTile * kRowsPerTile) * sizeof(double);
}

Result<Symmetry> direct_path_symmetry(const DirectPathFactors& factors, const SymmetryOptions& options) {
  if (Status status = check_symmetry_options(options); !status) return status;
  if (Status status = check_factors(factors); !status) return status;
  auto created = Workspace::create(factors);
  if (!created) return created.failure();
  Workspace& space = created.value();
  FactorRows rows(factors, space);
  const bool by_construction = rows.tied() && !rows.mapped();

  const std::size_t mark = space.mark();
  const PartNorms squares = rows.tied() ? tied_norms(rows, space) : untied_norms(rows, space);
  space.release(mark);
  if (!std::isfinite(squares.symmetric) || !std::isfinite(squares.skew)) {
    return make_error(ErrorCode::kNotFinite, "norm", squares.symmetric, "factors whose products stay in range");
  }
  Symmetry result;
  // Rounding may have made a small square negative.
  result.symmetric_norm = std::sqrt(std::max(0.0, squares.symmetric));
  result.skew_norm = std::sqrt(std::max(0.0, squares.skew));
  set_norm_and_asymmetry(result);

  const auto vocab_size = static_cast<double>(rows.count());
  const bool cheap =
      by_construction || vocab_size * vocab_size * static_cast<double>(rows.width()) <= options.most_products;
  const bool compare = cheap || options.worst > 0;
  if (!compare) {
    result.symmetric = std::sqrt(2.0) * result.skew_norm <= options.tolerance;
    result.mapped_rows = rows.mapped_count();
    return result;
  }
  if (rows.mapped()) rows.cache_mapped_embedding();
  WorstPairs worst(listed_pairs(options.worst, rows.count()));
  if (by_construction) {
    offer_first_pairs(rows, worst);
    result.max_difference = 0;
  } else {
    result.max_difference = largest_difference(rows, space, worst, result.compared_entries);
    space.release(mark);
  }
  result.symmetric = *result.max_difference <= options.tolerance;
  add_worst(result, rows, space, std::move(worst));
  result.mapped_rows = rows.mapped_count();
  return result;
}

}  // namespace tied
