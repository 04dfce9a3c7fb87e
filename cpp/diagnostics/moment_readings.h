// Diagnostics from sums over the rows of two tables, without the tables: see table_moments.h. Each takes a few products
// or decompositions of [d, d] matrices in double, and needs rows() of at least 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/record.h"
#include "diagnostics/spectrum.h"
#include "diagnostics/table_moments.h"
#include "linalg/tridiagonal.h"

namespace tied {

// How far A = E U^T is from its transpose.
struct PathAsymmetry {
  double asymmetry = 0;  // skew_norm / norm, in [0, 1]; 0 for a zero matrix
  double norm = 0;
  double symmetric_norm = 0;
  double skew_norm = 0;
  // The root of the mean square of the asymmetry over all orders of the rows of U, exact. NaN below two rows. With E_c
  // and U_c the centered tables, e and u their mean rows, n rows:
  //   E tr((E^T P U)^2) = <E_c^T E_c, U_c^T U_c> / (n - 1) + (n e . u)^2
  double by_chance = 0;

  using Answered = Record<&PathAsymmetry::asymmetry, &PathAsymmetry::norm, &PathAsymmetry::symmetric_norm,
                          &PathAsymmetry::skew_norm, &PathAsymmetry::by_chance>;
};

// `folded`: with U times the final norm. The asymmetry of tied tables is exactly 0.
// Errors: kNotFinite if the norms leave the range of double; kOutOfMemory.
Result<PathAsymmetry> path_asymmetry(const TableMoments& moments, bool folded);

// Gram matrices of the tables, reduced to tridiagonal form with the direction of their mean row first: the spectra of a
// table with and without its mean row, and the null of an alignment, are all read from one reduction. Each is made when
// it is first needed.
class TableGrams {
 public:
  // The sums must be the same in each call, unless `forget` was called in between. Errors: kNotFinite; kOutOfMemory.
  Result<const Tridiagonal*> of(const TableMoments& moments, TableRole role);
  // To be called when rows have been added.
  void forget();

 private:
  std::optional<Tridiagonal> found_[2];
};

// Measures of one table. Rows of zeros are left out; see Spectrum and IsotropyMeasures.
struct TableReading {
  AlignedBuffer<double> values;    // min(V, d) singular values, descending
  AlignedBuffer<double> centered;  // of the table minus its mean row
  Dimensions dimensions;
  Dimensions centered_dimensions;
  double mean_cosine = 0;
  double iso_score = 0;
  double mean_share = 0;
  std::uint64_t left_out = 0;

  using Answered = Record<&TableReading::values, &TableReading::centered, &TableReading::dimensions,
                          &TableReading::centered_dimensions, &TableReading::mean_cosine, &TableReading::iso_score,
                          &TableReading::mean_share, &TableReading::left_out>;
};

// Errors: kInvalidArgument if all rows are zero; kOutOfMemory.
Result<TableReading> read_table(const TableMoments& moments, TableGrams& grams, TableRole role);

// How well a map of the centered input table agrees with the centered output table. Rows that are zero in both are left
// out.
struct TableAlignment {
  // ||E W - U||_F / ||U||_F for W = I, the best orthogonal and the best linear W. Linear: absent if columns of E are
  // dependent.
  double identity = 0;
  double orthogonal = 0;
  std::optional<double> linear;
  // <E W, U> / (||E W||_F ||U||_F) for the orthogonal W: the nuclear norm of E^T U over the norms of both.
  double cosine = 0;
  // The same with the rows of U in a random order, drawn from the normal distribution that has the mean and the
  // covariance of E^T P U over all orders P.
  std::vector<double> null_cosines;
  // The expected residual of a linear map to rows in a random order: sqrt(1 - d / (n - 1)).
  double linear_by_chance = 0;

  using Answered = Record<&TableAlignment::identity, &TableAlignment::orthogonal, &TableAlignment::linear,
                          &TableAlignment::cosine, &TableAlignment::null_cosines, &TableAlignment::linear_by_chance>;
};

// Errors: kInvalidArgument below two rows, and if a table is constant; kOutOfMemory.
Result<TableAlignment> read_alignment(const TableMoments& moments, TableGrams& grams, std::size_t null_runs,
                                      std::uint64_t seed);

// How far U is from E, if the two are the same table at two times.
struct TableDrift {
  double distance = 0;  // ||U - E||_F / ||E||_F
  // The mean cosine of e_i and u_i with the rows of U in a random order, exact: the mean over all pairs of non-zero
  // rows e_i and u_j. NaN without such rows.
  double cosine_by_chance = 0;

  using Answered = Record<&TableDrift::distance, &TableDrift::cosine_by_chance>;
};

// Errors: kInvalidArgument if all rows of E are zero.
Result<TableDrift> read_drift(const TableMoments& moments);

}  // namespace tied
