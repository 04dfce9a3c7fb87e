// Innermost loops of matrix products: rows of tiles whose sums stay in registers. Internal to matmul.
#pragma once

#include <cstddef>

#include "linalg/simd.h"

namespace tied::matmul_internal {

// V8 leaves 15 of the 16 x86 vector registers to the program, and one too many puts a sum through memory in every step,
// which halves the speed. A tile needs two sums per row, two batches of b, one of a and, unless multiply-add is one
// instruction, one for the product. With four rows there are registers for all of a, which matters because V8 in Node
// 20 reads a before it multiplies if a loop has several steps.
inline constexpr std::size_t kTileRows = simd::kRelaxed ? 6 : 4;
// Rows of the smaller tile. It is about as fast per row, so the two sizes cover most row counts without waste.
inline constexpr std::size_t kSmallTileRows = 4;
template <class T>
inline constexpr std::size_t kTileCols = 2 * simd::kLanes<T>;
// Whether the loop does eight steps of k at a time, for which a_step must be 1. If product and sum are two
// instructions, the time of a step is the time to issue its instructions, and this saves those that advance the
// pointers into a.
inline constexpr bool kStepsTogether = !simd::kRelaxed;

// A row of tiles and its inputs. Elements of a are `a_stride` apart from row to row and `a_step` from one k to the
// next, so a may be stored either way. b consists of panels of kTileCols columns, `b_stride` apart, with `b_step` from
// one k to the next; kTileCols elements must be readable in the last panel too.
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

// out [rows, cols] (+)= a [rows, depth] b [depth, cols].
// The sum over k starts at 0 and runs in ascending k; out is added last.
template <class T>
void multiply_tile_row(TileRow<T> tiles);

}  // namespace tied::matmul_internal
