// How far a square matrix is from its transpose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/record.h"
#include "direct_path/direct_path.h"
#include "linalg/matrix_view.h"

namespace tied {

// A pair of mirror entries, row < col.
struct SymmetryPair {
  std::uint32_t row = 0;
  std::uint32_t col = 0;
  double forward = 0;   // a(row, col)
  double backward = 0;  // a(col, row)

  using Answered = Record<&SymmetryPair::row, &SymmetryPair::col, &SymmetryPair::forward, &SymmetryPair::backward>;
};

// Multiply-adds that take a second or less in a browser.
inline constexpr double kCheapPairComparison = 8e9;
inline constexpr std::size_t kMaxWorstPairs = 65536;

struct SymmetryOptions {
  double tolerance = 0;   // largest |a_ij - a_ji| that still counts as symmetric
  std::size_t worst = 0;  // number of pairs to list
  // direct_path_symmetry compares all pairs of entries if that takes at most this many multiply-adds, or if worst > 0.
  double most_products = kCheapPairComparison;
};

struct Symmetry {
  bool symmetric = false;                // max_difference <= tolerance; without it, see direct_path_symmetry
  std::optional<double> max_difference;  // max |a_ij - a_ji|; absent if pairs were not compared
  double asymmetry = 0;                  // skew_norm / norm, in [0, 1]; 0 for a zero matrix
  double norm = 0;                       // ||A||_F
  double symmetric_norm = 0;             // ||(A + A^T) / 2||_F
  double skew_norm = 0;                  // ||(A - A^T) / 2||_F
  std::vector<SymmetryPair> worst;       // largest |a_ij - a_ji| first, ties by row, then column
  // The work of direct_path_symmetry: rows of E that were multiplied by M or M - M^T, d_model^2 multiply-adds each, and
  // computed entries of A - A^T, at most 2 d_model each.
  std::uint64_t mapped_rows = 0;
  std::uint64_t compared_entries = 0;

  using Answered = Record<&Symmetry::symmetric, &Symmetry::max_difference, &Symmetry::asymmetry, &Symmetry::norm,
                          &Symmetry::symmetric_norm, &Symmetry::skew_norm, &Symmetry::worst>;
};

// Symmetry of a given matrix [V, V]; differences and norms in double.
// Errors: kShapeMismatch unless square with at least one row; kNotFinite, naming the first such entry; kInvalidArgument
// for a tolerance that is negative or not finite and for worst > kMaxWorstPairs; kOutOfMemory.
Result<Symmetry> symmetry(ConstMatrixView<float> square, const SymmetryOptions& options = {});

// Bytes of the workspace of direct_path_symmetry, without the cache of E' [V, d_model]. `mapped`: there is an M.
std::uint64_t direct_path_symmetry_bytes(std::size_t d_model, bool mapped);

// Symmetry of A = E M U^T as the factors define it: products and sums in double, A never formed or rounded to float.
// Time V d^2 for the norms; memory a few d^2 and blocks of 256 rows.
//
// Norms. Tied, with G = E^T E, X = (M + M^T) / 2 for the symmetric part and X = (M - M^T) / 2 for the skew part:
//   ||E X E^T||_F^2 = <G X, X G>
// Untied, with E' = E M and D = U - E', so that A - A^T = E' D^T - D E'^T:
//   ||A - A^T||_F^2 = 2 (<E'^T E', D^T D> - tr((D^T E')^2))
// Written with D, the difference does not cancel if U is close to E': a tied path without M has D = 0 and gives exactly
// 0, and U = E + noise resolves noise of any size. Other symmetric paths, such as U = 2 E, give an asymmetry of up to
// about 1e-8 instead of 0.
//
// Pairs. max_difference and the worst pairs need all entries: V^2 d multiply-adds, see SymmetryOptions. With M, E' [V,
// d] is cached in double if memory allows, so M costs V d^2, and recomputed otherwise. If pairs are not compared,
// max_difference is absent and `symmetric` means sqrt(2) skew_norm <= tolerance, since no |a_ij - a_ji| exceeds that.
//
// Errors: those of check_factors; kInvalidArgument as for symmetry; kNotFinite if the
// norms leave the range of double; kOutOfMemory.
Result<Symmetry> direct_path_symmetry(const DirectPathFactors& factors, const SymmetryOptions& options = {});

}  // namespace tied
