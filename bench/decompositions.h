// Cases of decompositions of square matrices, and of the symmetry of a large direct path.
#pragma once

#include <vector>

#include "case.h"

namespace tied::bench {

// "decompose/polar/<n>": the orthogonal factor in float. "decompose/symmetric-eigen/<n>" with vectors,
// "decompose/symmetric-eigenvalues/<n>" without, "decompose/singular-values/<n>": in double, as in the core.
void add_decompositions(std::vector<Case>& cases);

// "decompose/svd/<n>": Eigen's divide-and-conquer singular value decomposition with both sets of vectors, in float,
// with the fastest flags. The core has none; this is for comparison.
void add_singular_value_decompositions(std::vector<Case>& cases);

// "symmetry/factors/<V>x<d>": norms of an untied direct path's symmetric and skew parts from its factors, in double.
// "symmetry/products/<V>x<d>": only the three products of [V, d]^T by [V, d] behind them;
// "symmetry/products-in-float/<V>x<d>" in float. "symmetry/pairs/<V>x<d>": also the pairs that differ most.
void add_symmetry(std::vector<Case>& cases);

}  // namespace tied::bench
