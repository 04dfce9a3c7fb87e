#include "diagnostics/moment_readings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "base/allocate.h"
#include "base/random.h"
#include "diagnostics/directions.h"
#include "diagnostics/tables.h"
#include "linalg/blocks.h"
#include "linalg/cholesky.h"
#include "linalg/product_norms.h"
#include "linalg/reduce.h"
#include "linalg/tridiagonal.h"

namespace tied {
namespace {

constexpr double kUndefinedReading = std::numeric_limits<double>::quiet_NaN();

// A matrix [d, d] whose entry (i, j) is entry(i, j).
template <class Entry>
Result<Matrix<double>> square_of(std::size_t size, Entry entry) {
  auto made = Matrix<double>::create(size, size);
  if (!made) return made;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) made.value()(i, j) = entry(i, j);
  }
  return made;
}

// Entries of products of the tables, from the stored products.
class Products {
 public:
  explicit Products(const TableMoments& moments) : moments_(moments), scale_(moments.output_scale()) {}

  double e_e(std::size_t i, std::size_t j) const { return lower(moments_.gram(), i, j); }
  double d_d(std::size_t i, std::size_t j) const {
    return moments_.tied() ? 0 : lower(moments_.difference_gram(), i, j);
  }
  double d_e(std::size_t i, std::size_t j) const { return moments_.tied() ? 0 : moments_.cross()(i, j); }
  double e_u(std::size_t i, std::size_t j) const { return scale_ * (e_e(i, j) + d_e(j, i)); }
  double u_u(std::size_t i, std::size_t j) const {
    return scale_ * scale_ * (e_e(i, j) + d_e(i, j) + d_e(j, i) + d_d(i, j));
  }
  // The i-th entry of the diagonal of (U - E)^T (U - E).
  double distance(std::size_t i) const { return scale_ == 1 ? d_d(i, i) : u_u(i, i) - 2 * e_u(i, i) + e_e(i, i); }
  double gram(TableRole role, std::size_t i, std::size_t j) const {
    return role == TableRole::kInput ? e_e(i, j) : u_u(i, j);
  }

 private:
  static double lower(const ConstMatrixView<double>& m, std::size_t i, std::size_t j) {
    return i >= j ? m(i, j) : m(j, i);
  }

  const TableMoments& moments_;
  double scale_;
};

// Singular values of a table, descending: roots of the eigenvalues of its Gram matrix, after adding `change` along its
// mean.
Result<AlignedBuffer<double>> roots_of(const Tridiagonal& gram, double change, std::size_t count,
                                       Dimensions& dimensions) {
  auto squares = eigenvalues_of(gram, change);
  if (!squares) return squares;
  AlignedBuffer<double>& found = squares.value();
  // Ascending. Rounding may have made small ones negative.
  for (double& square : found) square = std::max(square, 0.0);
  dimensions = dimensions_of({found.data(), found.size()});
  AlignedBuffer<double> values;
  if (Status status = allocate(values, count); !status) return status;
  for (std::size_t k = 0; k < count; ++k) values[k] = std::sqrt(found[found.size() - 1 - k]);
  return values;
}

// The sum of the singular values of m [d, d].
Result<double> nuclear_norm(Matrix<double>& m) {
  auto gram = Matrix<double>::create(m.rows(), m.rows());
  if (!gram) return gram.failure();
  gram_lower(gram.value().view(), m.view());
  // tridiagonal_of reads the upper triangle.
  mirror_lower(gram.value().view());
  auto reduced = tridiagonal_of(gram.value().view(), nullptr);
  if (!reduced) return reduced.failure();
  Dimensions unused;
  auto values = roots_of(reduced.value(), 0, m.rows(), unused);
  if (!values) return values.failure();
  return sum(values.value().data(), values.value().size());
}

// The products of the tables minus their mean rows.
class CenteredProducts {
 public:
  explicit CenteredProducts(const TableMoments& moments)
      : products_(moments),
        input_(moments.sums(TableRole::kInput).rows.data()),
        output_(moments.sums(TableRole::kOutput).rows.data()),
        rows_(static_cast<double>(moments.nonzero_rows())) {}

  double e_e(std::size_t i, std::size_t j) const { return products_.e_e(i, j) - input_[i] * input_[j] / rows_; }
  double u_u(std::size_t i, std::size_t j) const { return products_.u_u(i, j) - output_[i] * output_[j] / rows_; }
  double e_u(std::size_t i, std::size_t j) const { return products_.e_u(i, j) - input_[i] * output_[j] / rows_; }
  double distance(std::size_t i) const {
    const double sum = output_[i] - input_[i];
    return products_.distance(i) - sum * sum / rows_;
  }

 private:
  Products products_;
  const double* input_;
  const double* output_;
  double rows_;
};

double path_asymmetry_by_chance(const TableMoments& moments, const double* norm, double square) {
  const auto n = static_cast<double>(moments.nonzero_rows());
  if (n < 2) return kUndefinedReading;
  const CenteredProducts centered(moments);
  const double* input = moments.sums(TableRole::kInput).rows.data();
  const double* output = moments.sums(TableRole::kOutput).rows.data();
  double product = 0;
  double means = 0;
  for (std::size_t i = 0; i < moments.width(); ++i) {
    means += input[i] * norm[i] * output[i];
    for (std::size_t j = 0; j < moments.width(); ++j) {
      product += centered.e_e(i, j) * norm[i] * norm[j] * centered.u_u(i, j);
    }
  }
  const double expected = product / (n - 1) + (means / n) * (means / n);
  return std::sqrt(std::max(0.0, (square - expected) / 2) / square);
}

Status all_zeros(std::string_view table) {
  return make_error(ErrorCode::kInvalidArgument, table, "all zeros", "at least one row that is not zero");
}

// The sum of the singular values of diag(a) Z diag(b), with Z of independent normal entries.
Result<double> random_nuclear_norm(const AlignedBuffer<double>& a, const AlignedBuffer<double>& b, Random& random) {
  auto product = Matrix<double>::create(a.size(), b.size());
  if (!product) return product.failure();
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) product.value()(i, j) = a[i] * b[j] * random.normal();
  }
  return nuclear_norm(product.value());
}

// The change of a Gram matrix along the mean row when that row is subtracted: -|sum of the rows|^2 / rows.
double change_by_mean(const RowSums& sums, double rows) {
  return -squared_norm(sums.rows.data(), sums.rows.size()) / rows;
}

}  // namespace

Result<PathAsymmetry> path_asymmetry(const TableMoments& moments, bool folded) {
  const std::size_t d = moments.width();
  const Products of(moments);
  AlignedBuffer<double> norm;
  if (Status status = allocate(norm, d); !status) return status;
  for (std::size_t j = 0; j < d; ++j) norm[j] = folded ? moments.norm()[j] : 1;
  // With g the norm, and U' = (U / s) diag(g): U' - E = E diag(g - 1) + D diag(g).
  const auto e_e = square_of(d, [&](std::size_t i, std::size_t j) { return of.e_e(i, j); });
  if (!e_e) return e_e.error();
  const auto d_e =
      square_of(d, [&](std::size_t i, std::size_t j) { return (norm[i] - 1) * of.e_e(i, j) + norm[i] * of.d_e(i, j); });
  if (!d_e) return d_e.error();
  const auto d_d = square_of(d, [&](std::size_t i, std::size_t j) {
    const double left = (norm[i] - 1) * of.e_e(i, j) + norm[i] * of.d_e(i, j);
    return left * (norm[j] - 1) + ((norm[i] - 1) * of.d_e(j, i) + norm[i] * of.d_d(i, j)) * norm[j];
  });
  if (!d_d) return d_d.error();
  PartNorms squares = squared_part_norms(e_e.value().view(), d_d.value().view(), d_e.value().view());
  // E diag(g) E^T is symmetric; any difference is rounding.
  if (moments.tied()) squares = {squares.symmetric + squares.skew, 0};
  if (!std::isfinite(squares.symmetric) || !std::isfinite(squares.skew)) {
    return make_error(ErrorCode::kNotFinite, "norm", squares.symmetric, "tables whose products stay in range");
  }
  PathAsymmetry found;
  // Rounding may have made a small square negative.
  const double scale = moments.output_scale() * moments.output_scale();
  const double symmetric = scale * std::max(0.0, squares.symmetric);
  const double skew = scale * std::max(0.0, squares.skew);
  found.symmetric_norm = std::sqrt(symmetric);
  found.skew_norm = std::sqrt(skew);
  found.norm = std::sqrt(symmetric + skew);
  if (found.norm > 0) {
    found.asymmetry = found.skew_norm / found.norm;
    found.by_chance = path_asymmetry_by_chance(moments, norm.data(), symmetric + skew);
  }
  return found;
}

Result<const Tridiagonal*> TableGrams::of(const TableMoments& moments, TableRole role) {
  auto& found = found_[moments.tied() ? 0 : static_cast<std::size_t>(role)];
  if (!found) {
    const Products products(moments);
    auto gram = square_of(moments.width(), [&](std::size_t i, std::size_t j) { return products.gram(role, i, j); });
    if (!gram) return gram.failure();
    auto made = tridiagonal_of(gram.value().view(), moments.sums(role).rows.data());
    if (!made) return made.failure();
    found = std::move(made).value();
  }
  return &*found;
}

void TableGrams::forget() {
  for (auto& found : found_) found.reset();
}

Result<TableReading> read_table(const TableMoments& moments, TableGrams& grams, TableRole role) {
  const RowSums& sums = moments.sums(role);
  const std::size_t d = moments.width();
  if (sums.nonzero == 0) return all_zeros(role == TableRole::kInput ? "input" : "output");
  TableReading found;
  found.left_out = moments.rows() - sums.nonzero;
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(moments.rows(), d));
  auto gram = grams.of(moments, role);
  if (!gram) return gram.failure();
  auto values = roots_of(*gram.value(), 0, count, found.dimensions);
  if (!values) return values.failure();
  found.values = std::move(values).value();

  const auto n = static_cast<double>(sums.nonzero);
  const Products of(moments);
  double trace = 0;
  for (std::size_t i = 0; i < d; ++i) trace += of.gram(role, i, i);
  found.mean_share = std::sqrt(squared_norm(sums.rows.data(), d) / (n * trace));
  found.mean_cosine = mean_cosine(sums.directions.data(), d, static_cast<std::size_t>(sums.nonzero));
  auto centered = roots_of(*gram.value(), change_by_mean(sums, n), count, found.centered_dimensions);
  if (!centered) return centered.failure();
  found.centered = std::move(centered).value();
  AlignedBuffer<double> variances;
  if (Status status = allocate(variances, d); !status) return status;
  for (std::size_t k = 0; k < count; ++k) variances[k] = found.centered[k] * found.centered[k];
  found.iso_score = iso_score({variances.data(), variances.size()});
  return found;
}

Result<TableDrift> read_drift(const TableMoments& moments) {
  const Products of(moments);
  double distance = 0;
  double length = 0;
  for (std::size_t i = 0; i < moments.width(); ++i) {
    distance += of.distance(i);
    length += of.e_e(i, i);
  }
  if (!(length > 0)) return all_zeros("input");
  TableDrift found;
  found.distance = std::sqrt(distance / length);
  const RowSums& input = moments.sums(TableRole::kInput);
  const RowSums& output = moments.sums(TableRole::kOutput);
  const auto pairs = static_cast<double>(input.nonzero) * static_cast<double>(output.nonzero);
  double product = 0;
  for (std::size_t i = 0; i < moments.width(); ++i) product += input.directions[i] * output.directions[i];
  found.cosine_by_chance = pairs > 0 ? product / pairs : kUndefinedReading;
  return found;
}

Result<TableAlignment> read_alignment(const TableMoments& moments, TableGrams& grams, std::size_t null_runs,
                                      std::uint64_t seed) {
  const std::size_t d = moments.width();
  if (moments.nonzero_rows() < 2) {
    return make_error(ErrorCode::kInvalidArgument, "rows", moments.nonzero_rows(), "at least 2 that are not zero");
  }
  const auto n = static_cast<double>(moments.nonzero_rows());
  const CenteredProducts of(moments);
  double e = 0;
  double u = 0;
  for (std::size_t i = 0; i < d; ++i) {
    e += of.e_e(i, i);
    u += of.u_u(i, i);
  }
  if (!(e > 0) || !(u > 0)) {
    return make_error(ErrorCode::kInvalidArgument, e > 0 ? "output" : "input", "constant", "rows that differ");
  }

  TableAlignment found;
  double distance = 0;
  for (std::size_t i = 0; i < d; ++i) distance += of.distance(i);
  found.identity = std::sqrt(std::max(0.0, distance) / u);
  auto cross = square_of(d, [&](std::size_t i, std::size_t j) { return of.e_u(i, j); });
  if (!cross) return cross.failure();
  const auto nuclear = nuclear_norm(cross.value());
  if (!nuclear) return nuclear.error();
  found.cosine = nuclear.value() / std::sqrt(e * u);
  found.orthogonal = std::sqrt(std::max(0.0, e + u - 2 * nuclear.value()) / u);

  const auto values_of = [&](TableRole role) -> Result<AlignedBuffer<double>> {
    auto gram = grams.of(moments, role);
    if (!gram) return gram.failure();
    Dimensions unused;
    return roots_of(*gram.value(), change_by_mean(moments.sums(role), n), d, unused);
  };
  const auto input_values = values_of(TableRole::kInput);
  if (!input_values) return input_values.error();
  const auto output_values = values_of(TableRole::kOutput);
  if (!output_values) return output_values.error();
  Random random(seed, stream_of("diagnostics:moments:null"));
  for (std::size_t run = 0; run < null_runs; ++run) {
    auto drawn = random_nuclear_norm(input_values.value(), output_values.value(), random);
    if (!drawn) return drawn.error();
    // Normal entries stand for rows in a random order, which a few rows are far from.
    found.null_cosines.push_back(std::min(1.0, drawn.value() / std::sqrt((n - 1) * e * u)));
  }

  found.linear_by_chance = std::sqrt(std::max(0.0, 1 - static_cast<double>(d) / (n - 1)));
  auto input = square_of(d, [&](std::size_t i, std::size_t j) { return of.e_e(i, j); });
  if (!input) return input.failure();
  if (cholesky(input.value().view(), kDependentColumn) != kIndependent) return found;
  // tr(C^T G^-1 C) = ||L^-1 C||^2, with C = E^T U and G = E^T E.
  cholesky_solve_lower(cross.value().view(), input.value().view());
  const double explained = squared_norm<double>(cross.value().view());
  found.linear = std::sqrt(std::max(0.0, 1 - explained / u));
  return found;
}

}  // namespace tied
