// Rotary position embeddings: pairs of elements rotated by angles that grow with the position. T = float or double.
// J. Su and others, "RoFormer: Enhanced transformer with rotary position embedding", arXiv 2104.09864, section 3.2.
#pragma once

#include "linalg/matrix_view.h"

namespace tied {

// cosines, sines [n_positions, head_width / 2] of the angles position / base^(2 i / head_width), base > 0.
// Computed in double from additions, multiplications and divisions alone, so that the bits are the same everywhere.
// Error at most 1e-9 before rounding to T, for positions up to 100,000.
template <class T>
void rotary_table(MatrixView<T> cosines, MatrixView<T> sines, double base);

// Rotates each pair (2 i, 2 i + 1) of every head of x [n, n_heads * head_width] in place, row r by the angles of
// position first_position + r:
//   x_2i, x_2i+1 <- x_2i cos - x_2i+1 sin, x_2i sin + x_2i+1 cos
// `backward` rotates by the negative angles, as the backward pass needs. head_width / 2 = cosines.cols; the tables have
// at least first_position + n rows.
template <class T>
void rotate_pairs(MatrixView<T> x, Deduced<ConstMatrixView<T>> cosines, Deduced<ConstMatrixView<T>> sines,
                  std::size_t n_heads, std::size_t first_position, bool backward);

}  // namespace tied
