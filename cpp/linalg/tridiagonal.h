// Reduces symmetric matrices to tridiagonal ones with the same eigenvalues. If a matrix is changed in a single
// direction, as the Gram matrix of a table is by subtracting the mean row, one reduction gives the eigenvalues before
// and after: with that direction first, the change is in one entry.
#pragma once

#include "linalg/matrix_view.h"

namespace tied {

// T = Q^T A Q for an orthogonal Q whose first column is `first` scaled to length 1.
struct Tridiagonal {
  AlignedBuffer<double> diagonal;  // [n]
  AlignedBuffer<double> beside;    // [n - 1]
};

// a [n, n]: only its upper triangle is read; a is overwritten. `first` [n]: if it is zero or null, Q is arbitrary. Each
// step reads and writes the rest of the triangle once. Errors: kNotFinite; kOutOfMemory.
Result<Tridiagonal> tridiagonal_of(const MatrixView<double>& a, const double* first);

// Eigenvalues, ascending, of T with `change` added to its first entry: those of A + change q q^T, where q is `first`
// scaled to length 1. Errors: kNotFinite (also if the iteration does not converge); kOutOfMemory.
Result<AlignedBuffer<double>> eigenvalues_of(const Tridiagonal& t, double change = 0);

}  // namespace tied
