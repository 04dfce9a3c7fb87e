// The innermost part of matrix products: rows of tiles whose sums are held in registers. Internal to matmul.
#pragma once

#include <cstddef>

#include "linalg/simd.h"

namespace tied::matmul_internal {

// V8 has 15 registers for batches on x86: one of the 16 it keeps for itself. A tile needs two sums for each row, two
// batches of b, one of a and, where product and sum are two instructions, one for the product; with one register more
// than there are, a sum goes through memory in every step, which halves the speed.
inline constexpr std::size_t kTileRows = simd::kRelaxed ? 6 : 5;
// Rows of the smaller tile: about as fast for each row, so that tiles of both kinds fill most numbers of rows.
inline constexpr std::size_t kFewRows = 4;
template <class T>
inline constexpr std::size_t kTileCols = 2 * simd::kLanes<T>;

// A row of tiles and what it is computed from. Numbers of a are `a_stride` apart from row to row and `a_step` from one
// k to the next: a may lie either way. b consists of panels of kTileCols columns, `b_stride` from panel to panel and
// `b_step` from one k to the next; in the last panel as well, kTileCols numbers can be read.
template <class T>
struct TileRow {
  T* out;
  std::size_t out_stride;
  const T* a;
  std::size_t a_stride;
  std::size_t a_step;
  const T* b;
  std::size_t b_stride;
  std::size_t b_step;
  std::size_t rows;  // 1 to kTileRows
  std::size_t cols;
  std::size_t depth;
  bool add;
};

// out [rows, cols] (+)= a [rows, depth] b [depth, cols]. The sum over k begins with 0, in ascending k; then out is
// added.
template <class T>
void multiply_tile_row(TileRow<T> tiles);

}  // namespace tied::matmul_internal
