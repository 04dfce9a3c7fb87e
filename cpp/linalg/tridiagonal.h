// Symmetric matrices as tridiagonal ones of the same eigenvalues. Of one that is changed in a single direction, such as
// the Gram matrix of a table less its mean row, one reduction gives the eigenvalues before and after: with that
// direction first, the change is in one entry.
#pragma once

#include "linalg/matrix_view.h"

namespace tied {

// T = Q^T A Q for an orthogonal Q whose first column is `first` at length 1.
struct Tridiagonal {
  AlignedBuffer<double> diagonal;  // [n]
  AlignedBuffer<double> beside;    // [n - 1]
};

// a [n, n]: its upper triangle is read; the matrix is used up. `first` [n]: may be zeros, or null; Q is any then. Each
// step reads and writes what is left of the triangle once. Errors: kNotFinite; kOutOfMemory.
Result<Tridiagonal> tridiagonal_of(const MatrixView<double>& a, const double* first);

// Ascending, of T with `change` added to its first entry: of A + change q q^T, with q the direction `first` at
// length 1. Errors: kNotFinite (also if the iteration does not converge); kOutOfMemory.
Result<AlignedBuffer<double>> eigenvalues_of(const Tridiagonal& t, double change = 0);

}  // namespace tied
