// direct_path_symmetry: norms from d x d matrices, pairs from tiles. The formulas are in symmetry.h.
#include <algorithm>
#include <cmath>

#include "direct_path/symmetry.h"
#include "direct_path/symmetry_options.h"
#include "direct_path/worst_pairs.h"
#include "linalg/matmul.h"
#include "linalg/reduce.h"

namespace tied {
namespace {

using View = MatrixView<double>;
using ConstView = ConstMatrixView<double>;

constexpr std::size_t kRowsPerBlock = 256;
constexpr std::size_t kRowsPerTile = 128;

void widen(View out, ConstMatrixView<float> in) {
  for (std::size_t i = 0; i < in.rows; ++i) {
    for (std::size_t j = 0; j < in.cols; ++j) out(i, j) = static_cast<double>(in(i, j));
  }
}

double inner_product(ConstView a, ConstView b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.rows; ++i) sum += dot(a.row(i), b.row(i), a.cols);
  return sum;
}

// tr(F F)
double trace_of_square(ConstView f) {
  double sum = 0;
  for (std::size_t i = 0; i < f.rows; ++i) {
    for (std::size_t j = 0; j < f.cols; ++j) sum += f(i, j) * f(j, i);
  }
  return sum;
}

// The factors in double, block of rows by block of rows.
class Rows {
 public:
  static Result<Rows> create(const DirectPathFactors& factors, std::size_t rows_per_block) {
    Rows rows(factors);
    const std::size_t d = factors.embedding.cols;
    if (!factors.between) return rows;
    auto between = Matrix<double>::create(d, d);
    if (!between) return between.error();
    auto block = Matrix<double>::create(std::min(rows_per_block, factors.embedding.rows), d);
    if (!block) return block.error();
    widen(between.value().view(), *factors.between);
    rows.between_ = std::move(between).value();
    rows.block_ = std::move(block).value();
    return rows;
  }

  std::size_t count() const { return factors_.embedding.rows; }
  std::size_t width() const { return factors_.embedding.cols; }
  bool tied() const { return !factors_.unembedding; }
  bool mapped() const { return factors_.between.has_value(); }
  ConstView between() const { return between_.view(); }

  // out = rows of E
  void embedding(View out, std::size_t first) const { widen(out, factors_.embedding.row_block(first, out.rows)); }
  // out = rows of U
  void unembedding(View out, std::size_t first) const {
    widen(out, (tied() ? factors_.embedding : *factors_.unembedding).row_block(first, out.rows));
  }
  // out = rows of E' = E M
  void mapped_embedding(View out, std::size_t first) {
    if (!mapped()) {
      embedding(out, first);
      return;
    }
    const View block = block_.view().row_block(0, out.rows);
    embedding(block, first);
    matmul_nn<double>(out, block, between_.view());
  }
  // out = rows of D = U - E', given those of E'
  void difference(View out, ConstView mapped_rows, std::size_t first) const {
    unembedding(out, first);
    for (std::size_t i = 0; i < out.rows; ++i) {
      for (std::size_t j = 0; j < out.cols; ++j) out(i, j) -= mapped_rows(i, j);
    }
  }

 private:
  explicit Rows(const DirectPathFactors& factors) : factors_(factors) {}

  DirectPathFactors factors_;
  Matrix<double> between_;  // M
  Matrix<double> block_;    // rows of E while they are multiplied by M
};

struct SquaredNorms {
  double symmetric = 0;
  double skew = 0;
};

// U = E.
Result<SquaredNorms> tied_norms(Rows& rows) {
  const std::size_t d = rows.width();
  auto gram = Matrix<double>::create(d, d);
  if (!gram) return gram.error();
  auto block = Matrix<double>::create(std::min(kRowsPerBlock, rows.count()), d);
  if (!block) return block.error();
  for (std::size_t i = 0; i < rows.count(); i += kRowsPerBlock) {
    const View e = block.value().view().row_block(0, std::min(kRowsPerBlock, rows.count() - i));
    rows.embedding(e, i);
    matmul_tn<double>(gram.value().view(), e, e, Accumulate::kAdd);
  }
  const ConstView g = gram.value().view();
  if (!rows.mapped()) return SquaredNorms{inner_product(g, g), 0};

  auto part = Matrix<double>::create(d, d);
  if (!part) return part.error();
  auto left = Matrix<double>::create(d, d);
  if (!left) return left.error();
  auto right = Matrix<double>::create(d, d);
  if (!right) return right.error();
  // ||E X E^T||_F^2 with X = (M + sign M^T) / 2
  const auto squared_norm_of_part = [&](double sign) {
    const ConstView m = rows.between();
    const View x = part.value().view();
    for (std::size_t i = 0; i < d; ++i) {
      for (std::size_t j = 0; j < d; ++j) x(i, j) = (m(i, j) + sign * m(j, i)) / 2;
    }
    matmul_nn<double>(left.value().view(), g, x);
    matmul_nn<double>(right.value().view(), x, g);
    return inner_product(left.value().view(), right.value().view());
  };
  return SquaredNorms{squared_norm_of_part(1), squared_norm_of_part(-1)};
}

Result<SquaredNorms> untied_norms(Rows& rows) {
  const std::size_t d = rows.width();
  const std::size_t block_rows = std::min(kRowsPerBlock, rows.count());
  auto p = Matrix<double>::create(d, d);
  if (!p) return p.error();
  auto q = Matrix<double>::create(d, d);
  if (!q) return q.error();
  auto f = Matrix<double>::create(d, d);
  if (!f) return f.error();
  auto mapped_block = Matrix<double>::create(block_rows, d);
  if (!mapped_block) return mapped_block.error();
  auto difference_block = Matrix<double>::create(block_rows, d);
  if (!difference_block) return difference_block.error();
  for (std::size_t i = 0; i < rows.count(); i += kRowsPerBlock) {
    const std::size_t count = std::min(kRowsPerBlock, rows.count() - i);
    const View e = mapped_block.value().view().row_block(0, count);
    const View difference = difference_block.value().view().row_block(0, count);
    rows.mapped_embedding(e, i);
    rows.difference(difference, e, i);
    matmul_tn<double>(p.value().view(), e, e, Accumulate::kAdd);
    matmul_tn<double>(q.value().view(), difference, difference, Accumulate::kAdd);
    matmul_tn<double>(f.value().view(), difference, e, Accumulate::kAdd);
  }
  // With U = E' + D: U^T U = P + F + F^T + D^T D, so ||A||^2 = <P, U^T U> = <P, P> + 2 <P, F> + <P, D^T D>.
  const ConstView pv = p.value().view();
  const ConstView fv = f.value().view();
  const double p_q = inner_product(pv, q.value().view());
  const double norm = inner_product(pv, pv) + 2 * inner_product(pv, fv) + p_q;
  const double skew = (p_q - trace_of_square(fv)) / 2;
  return SquaredNorms{norm - skew, skew};
}

// Visits |a_ij - a_ji| of all pairs i < j, a tile at a time:
//   tied, with K = M - M^T:  a_ij - a_ji = (E K)_i . E_j
//   untied:                  a_ij - a_ji = [E' D]_i . [D -E']_j
template <class Visit>
Status visit_differences(Rows& rows, Visit visit) {
  const std::size_t d = rows.width();
  const std::size_t depth = rows.tied() ? d : 2 * d;
  const std::size_t tile_rows = std::min(kRowsPerTile, rows.count());
  auto left = Matrix<double>::create(tile_rows, depth);
  if (!left) return left.error();
  auto right = Matrix<double>::create(tile_rows, depth);
  if (!right) return right.error();
  auto tile = Matrix<double>::create(tile_rows, tile_rows);
  if (!tile) return tile.error();
  auto skew = Matrix<double>::create(rows.tied() ? d : 0, d);
  if (!skew) return skew.error();
  for (std::size_t i = 0; rows.tied() && i < d; ++i) {
    for (std::size_t j = 0; j < d; ++j) skew.value()(i, j) = rows.between()(i, j) - rows.between()(j, i);
  }

  const auto part = [](View all, std::size_t first, std::size_t width) {
    return View(all.data + first, all.rows, width, all.stride);
  };
  for (std::size_t i = 0; i < rows.count(); i += kRowsPerTile) {
    const View l = left.value().view().row_block(0, std::min(kRowsPerTile, rows.count() - i));
    if (rows.tied()) {
      const View e = right.value().view().row_block(0, l.rows);
      rows.embedding(e, i);
      matmul_nn<double>(l, e, skew.value().view());
    } else {
      rows.mapped_embedding(part(l, 0, d), i);
      rows.difference(part(l, d, d), part(l, 0, d), i);
    }
    for (std::size_t j = i; j < rows.count(); j += kRowsPerTile) {
      const View r = right.value().view().row_block(0, std::min(kRowsPerTile, rows.count() - j));
      if (rows.tied()) {
        rows.embedding(r, j);
      } else {
        rows.mapped_embedding(part(r, d, d), j);
        rows.difference(part(r, 0, d), part(r, d, d), j);
        for (std::size_t row = 0; row < r.rows; ++row) scale(r.row(row) + d, d, -1.0);
      }
      const View differences(tile.value().data(), l.rows, r.rows);
      matmul_nt<double>(differences, l, r);
      for (std::size_t row = 0; row < l.rows; ++row) {
        for (std::size_t col = j == i ? row + 1 : 0; col < r.rows; ++col) {
          visit(std::fabs(differences(row, col)), i + row, j + col);
        }
      }
    }
  }
  return Status();
}

// The entries of the listed pairs, one by one.
Status add_worst(Symmetry& result, Rows& rows, WorstPairs worst) {
  auto space = Matrix<double>::create(4, rows.width());
  if (!space) return space.error();
  const View mapped_row = space.value().view().row_block(0, 1);
  const View mapped_col = space.value().view().row_block(1, 1);
  const View written_row = space.value().view().row_block(2, 1);
  const View written_col = space.value().view().row_block(3, 1);
  for (const WorstPairs::Pair& pair : std::move(worst).sorted()) {
    rows.mapped_embedding(mapped_row, pair.row);
    rows.mapped_embedding(mapped_col, pair.col);
    rows.unembedding(written_row, pair.row);
    rows.unembedding(written_col, pair.col);
    result.worst.push_back({pair.row, pair.col, dot(mapped_row.data, written_col.data, rows.width()),
                            dot(mapped_col.data, written_row.data, rows.width())});
  }
  return Status();
}

Status compare_pairs(Symmetry& result, Rows& rows, const SymmetryOptions& options) {
  WorstPairs worst(listed_pairs(options.worst, rows.count()));
  double largest = 0;
  if (rows.tied() && !rows.mapped()) {
    // Symmetric by construction: every pair is as good as the first.
    for (std::size_t i = 0; i < rows.count() && !worst.full(); ++i) {
      for (std::size_t j = i + 1; j < rows.count() && !worst.full(); ++j) worst.offer(0, i, j);
    }
  } else {
    const Status status = visit_differences(rows, [&](double difference, std::size_t i, std::size_t j) {
      largest = std::max(largest, difference);
      worst.offer(difference, i, j);
    });
    if (!status) return status;
  }
  result.max_difference = largest;
  return add_worst(result, rows, std::move(worst));
}

}  // namespace

Result<Symmetry> direct_path_symmetry(const DirectPathFactors& factors, const SymmetryOptions& options) {
  if (Status status = check_symmetry_options(options); !status) return status.error();
  if (options.worst > 0 && options.compare_pairs == ComparePairs::kNever) {
    return make_error(ErrorCode::kInvalidArgument, "worst", options.worst, "0 where pairs are not compared");
  }
  if (Status status = check_factors(factors); !status) return status.error();
  auto rows = Rows::create(factors, std::max(kRowsPerBlock, kRowsPerTile));
  if (!rows) return rows.error();

  const auto norms = rows.value().tied() ? tied_norms(rows.value()) : untied_norms(rows.value());
  if (!norms) return norms.error();
  const SquaredNorms& squared = norms.value();
  if (!std::isfinite(squared.symmetric) || !std::isfinite(squared.skew)) {
    return make_error(ErrorCode::kNotFinite, "norm", squared.symmetric, "factors whose products stay in range");
  }
  Symmetry result;
  // What rounding made negative is zero.
  result.symmetric_norm = std::sqrt(std::max(0.0, squared.symmetric));
  result.skew_norm = std::sqrt(std::max(0.0, squared.skew));
  set_norm_and_asymmetry(result);

  const auto vocab_size = static_cast<double>(factors.embedding.rows);
  const double multiply_adds = vocab_size * vocab_size * static_cast<double>(factors.embedding.cols);
  const bool free_of_charge = rows.value().tied() && !rows.value().mapped();
  const bool compare = options.compare_pairs == ComparePairs::kAlways || options.worst > 0 || free_of_charge ||
                       multiply_adds <= kCheapPairComparison;
  if (compare && options.compare_pairs != ComparePairs::kNever) {
    if (Status status = compare_pairs(result, rows.value(), options); !status) return status.error();
    result.symmetric = *result.max_difference <= options.tolerance;
  } else {
    result.symmetric = std::sqrt(2.0) * result.skew_norm <= options.tolerance;
  }
  return result;
}

}  // namespace tied
