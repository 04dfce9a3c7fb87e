// How far a square matrix is from its transpose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "direct_path/direct_path.h"
#include "linalg/matrix_view.h"

namespace tied {

// Two mirror entries, row < col.
struct SymmetryPair {
  std::uint32_t row = 0;
  std::uint32_t col = 0;
  double forward = 0;   // a(row, col)
  double backward = 0;  // a(col, row)
};

// Whether direct_path_symmetry compares all pairs of entries, which takes V^2 d multiply-adds where the norms take V
// d^2.
enum class ComparePairs {
  kWhenCheap,  // up to kCheapPairComparison multiply-adds, or where worst > 0
  kAlways,
  kNever,  // worst must be 0
};

// A second or less in a browser.
inline constexpr double kCheapPairComparison = 8e9;
inline constexpr std::size_t kMostWorstPairs = 65536;

struct SymmetryOptions {
  double tolerance = 0;   // largest |a_ij - a_ji| that still counts as symmetric
  std::size_t worst = 0;  // how many pairs to list
  ComparePairs compare_pairs = ComparePairs::kWhenCheap;
};

struct Symmetry {
  bool symmetric = false;                // max_difference <= tolerance; see direct_path_symmetry where that is absent
  std::optional<double> max_difference;  // max |a_ij - a_ji|; absent only where pairs were not compared
  double asymmetry = 0;                  // skew_norm / norm, in [0, 1]; 0 for a matrix of zeros
  double norm = 0;                       // ||A||_F
  double symmetric_norm = 0;             // ||(A + A^T) / 2||_F
  double skew_norm = 0;                  // ||(A - A^T) / 2||_F
  std::vector<SymmetryPair> worst;       // largest |a_ij - a_ji| first, equal ones by row, then column
};

// Of a matrix that is there, [V, V]: differences and norms in double.
// Errors: kShapeMismatch unless square with at least one row; kNotFinite naming the first such entry; kInvalidArgument
// for a tolerance that is negative or not finite and for worst > kMostWorstPairs; kOutOfMemory.
Result<Symmetry> symmetry(ConstMatrixView<float> square, const SymmetryOptions& options = {});

// Bytes that direct_path_symmetry takes beside the factors, one or two tables [V, d_model] and, where `mapped`, M: for
// the norms, and for pairs without M.
std::uint64_t direct_path_symmetry_bytes(std::size_t d_model, bool mapped);

// Of A = E M U^T, exactly as the factors define it (products and sums in double, A itself never rounded to float), and
// without ever forming A: time V d^2, memory a few d^2 and blocks of 256 rows.
//
// Norms. Tied, with G = E^T E:   ||E X E^T||_F^2 = <G X, X G>,  X = (M + M^T) / 2 and (M - M^T) / 2.
//        Untied, with E' = E M and D = U - E':   A - A^T = E' D^T - D E'^T, so
//        ||A - A^T||_F^2 = 2 (<E'^T E', D^T D> - tr((D^T E')^2)).
//   In terms of D the difference does not cancel where U is close to E': a tied path without M has D = 0 and comes out
//   as 0 exactly, and U = E + noise resolves noise of any size. Other paths that are symmetric without looking so
//   (U = 2 E) come out with an asymmetry of up to about 1e-8 instead of 0.
// Pairs. max_difference and the worst pairs need all entries: V^2 d multiply-adds, see ComparePairs. With M, E' [V, d]
// is
//   kept in double meanwhile, where there is memory for it; else its rows are computed anew. Where pairs are not
//   compared, max_difference is absent and `symmetric` is what the norms prove: sqrt(2) skew_norm, which no
//   |a_ij - a_ji| exceeds, is within the tolerance.
// Errors: those of check_factors; kInvalidArgument as for symmetry, and for worst > 0 with kNever; kNotFinite where the
// norms leave the range of double; kOutOfMemory.
Result<Symmetry> direct_path_symmetry(const DirectPathFactors& factors, const SymmetryOptions& options = {});

}  // namespace tied
