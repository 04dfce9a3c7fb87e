// One product for all three forms. The parts of it:
//
//   tiles          a few rows x kTileCols sums held in registers, over at most kDepth products each: matmul_tile
//   b, packed      a block of b [kDepth, kBlockCols] copied into panels of kTileCols columns, so that the tiles read it
//   in
//                  one straight line: matmul_pack. Transposed on the way where the form is a b^T.
//   a, in place    one number at a time, broadcast to all lanes, from where it is, whether that is along a row (a b,
//                  a b^T) or along a column (a^T b).
//   small          a product of few rows reads b in place too, and one of very few is done row by row: matmul_row.
//
// Every entry is the sum of its products in ascending k, within runs of kDepth that are then added in ascending order,
// whatever the shape and wherever the entry lies: an entry's bits do not depend on the tile it falls into. So a product
// done in blocks of rows or columns equals the whole product, and a b^T with a = b is symmetric to the last bit.
#include "linalg/matmul.h"

#include <algorithm>
#include <cstddef>

#include "linalg/matmul_pack.h"
#include "linalg/matmul_row.h"
#include "linalg/matmul_tile.h"
#include "linalg/simd.h"

namespace tied {
namespace {

using matmul_internal::kFewRows;
using matmul_internal::kTileCols;
using matmul_internal::kTileRows;
using matmul_internal::TileRow;

// So many rows are better done one by one.
constexpr std::size_t kRowsAlone = 3;
// So many rows use b too few times for a copy of it to pay.
constexpr std::size_t kRowsInPlace = 64;

// A panel of b [kDepth, kTileCols] is 8 KB and stays in the first cache, a packed block [kDepth, kBlockCols] is 256 KB
// and stays in the second.
constexpr std::size_t kDepth = 256;
constexpr std::size_t kBlockCols = 256;
// A block of a^T [kDepth, kBlockRows], where it is copied: long pieces of its rows, which lie in pages far apart.
constexpr std::size_t kBlockRows = 240;

// Scratch, not state: nothing is left in it that a later call reads.
template <class T>
struct Scratch {
  alignas(kAlignmentBytes) T b[kDepth * kBlockCols];
  alignas(kAlignmentBytes) T a[kDepth * kBlockRows];
};
template <class T>
Scratch<T>& scratch() {
  static thread_local Scratch<T> instance;
  return instance;
}

// Whether tiles can read a block in place down its columns. Not one from a wide matrix whose rows lie a large power of
// two apart: those share a few sets of the cache, from which they drive each other.
bool reads_well(std::size_t depth, std::size_t stride) { return depth * stride <= 64 * 1024 || stride % 64 != 0; }

// How many of the `left` rows the next tiles take, so that in the end none of them is computed in vain where that can
// be had: all tiles are of kTileRows but the first few.
std::size_t rows_of_next_tile(std::size_t left) {
  const std::size_t rest = left % kTileRows;
  return std::min(left, rest == 0 || rest > kFewRows ? kTileRows : kFewRows);
}

// What causal attention leaves out of a product: nothing, columns of out, or depth of a row tile at its end or its
// start.
enum class LeftOut { kNothing, kColumns, kEnd, kStart };

// A row r of a block begins or ends, in the block's own columns or depth, at r + diagonal.
struct Diagonal {
  LeftOut left_out = LeftOut::kNothing;
  std::ptrdiff_t diagonal = 0;

  // r + diagonal, within 0 to `limit`.
  std::size_t at(std::size_t r, std::size_t limit) const {
    const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(r) + diagonal;
    return place < 0 ? 0 : std::min(static_cast<std::size_t>(place), limit);
  }
};

// The rows of `block`, tile by tile. What differs from one row of tiles to the next is set here.
template <class T>
void multiply_block(const TileRow<T>& block, const Diagonal& diagonal) {
  TileRow<T> tiles = block;
  for (std::size_t i = 0; i < block.rows; i += tiles.rows) {
    tiles.rows = rows_of_next_tile(block.rows - i);
    tiles.out = block.out + i * block.out_stride;
    tiles.a = block.a + i * block.a_stride;
    const std::size_t end = i + tiles.rows;
    if (diagonal.left_out == LeftOut::kColumns) {
      const std::size_t whole_panels = (diagonal.at(end, block.cols) + kTileCols<T> - 1) / kTileCols<T> * kTileCols<T>;
      tiles.cols = std::min(whole_panels, block.cols);
    }
    if (diagonal.left_out == LeftOut::kEnd) tiles.depth = diagonal.at(end, block.depth);
    if (diagonal.left_out == LeftOut::kStart) {
      const std::size_t start = diagonal.at(i, block.depth);
      tiles.a += start * block.a_step;
      tiles.b = block.b + start * block.b_step;
      tiles.depth = block.depth - start;
    }
    multiply_tile_row(tiles);
  }
}

// out [m, n] (+)= op(a) [m, k] op(b) [k, n].
template <class T>
void product(MatrixView<T> out, ConstMatrixView<T> a, bool a_transposed, ConstMatrixView<T> b, bool b_transposed,
             Accumulate accumulate, std::size_t row_offset) {
  const std::size_t m = out.rows;
  const std::size_t n = out.cols;
  const std::size_t k = a_transposed ? a.rows : a.cols;
  TIED_ASSERT((a_transposed ? a.cols : a.rows) == m);
  TIED_ASSERT((b_transposed ? b.cols : b.rows) == k);
  TIED_ASSERT((b_transposed ? b.rows : b.cols) == n);
  if (k == 0 && accumulate == Accumulate::kOverwrite) {
    for (std::size_t i = 0; i < m; ++i) std::fill_n(out.data + i * out.stride, n, T{0});
  }
  Scratch<T>& space = scratch<T>();
  const bool alone = !a_transposed && m <= kRowsAlone;

  for (std::size_t j = 0; j < n; j += kBlockCols) {
    const std::size_t cols = std::min(kBlockCols, n - j);
    for (std::size_t p = 0; p < k; p += kDepth) {
      const std::size_t depth = std::min(kDepth, k - p);
      const bool add = p > 0 || accumulate == Accumulate::kAdd;
      const ConstMatrixView<T> b_block = b_transposed
                                             ? ConstMatrixView<T>(b.data + j * b.stride + p, cols, depth, b.stride)
                                             : ConstMatrixView<T>(b.data + p * b.stride + j, depth, cols, b.stride);
      if (alone) {
        for (std::size_t i = 0; i < m; ++i) {
          matmul_internal::multiply_row<T>(out.data + i * out.stride + j, a.data + i * a.stride + p, b_block,
                                           b_transposed, add);
        }
        continue;
      }
      TileRow<T> block{};
      block.out_stride = out.stride;
      block.cols = cols;
      block.depth = depth;
      block.add = add;
      if (m <= kRowsInPlace && !b_transposed && cols % kTileCols<T> == 0 && reads_well(depth, b.stride)) {
        block.b = b_block.data;
        block.b_stride = kTileCols<T>;
        block.b_step = b.stride;
      } else {
        matmul_internal::pack_panels<T>(space.b, b_block, b_transposed);
        block.b = space.b;
        block.b_stride = depth * kTileCols<T>;
        block.b_step = kTileCols<T>;
      }

      const bool copies_a = a_transposed && !reads_well(depth, a.stride);
      const std::size_t rows_step = copies_a ? kBlockRows : m;
      for (std::size_t i = 0; i < m; i += rows_step) {
        block.rows = std::min(rows_step, m - i);
        block.out = out.data + i * out.stride + j;
        if (a_transposed) {
          block.a = a.data + p * a.stride + i;
          block.a_stride = 1;
          block.a_step = a.stride;
        } else {
          block.a = a.data + i * a.stride + p;
          block.a_stride = a.stride;
          block.a_step = 1;
        }
        if (copies_a) {
          matmul_internal::copy_block<T>(space.a, kBlockRows, {block.a, depth, block.rows, a.stride});
          block.a = space.a;
          block.a_step = kBlockRows;
        }
        Diagonal diagonal;
        if (row_offset != kWholeProduct) {
          const auto first = static_cast<std::ptrdiff_t>(i);
          const auto offset = static_cast<std::ptrdiff_t>(row_offset);
          if (a_transposed) {
            diagonal = {LeftOut::kStart, first - offset - static_cast<std::ptrdiff_t>(p)};
          } else if (b_transposed) {
            diagonal = {LeftOut::kColumns, first + offset - static_cast<std::ptrdiff_t>(j)};
          } else {
            diagonal = {LeftOut::kEnd, first + offset - static_cast<std::ptrdiff_t>(p)};
          }
        }
        multiply_block(block, diagonal);
      }
    }
  }
}

// One product after the other: what each decides before it multiplies is too little to be measured.
template <class T>
void products(const ProductBatch& batch, MatrixView<T> out, ConstMatrixView<T> a, bool a_transposed,
              ConstMatrixView<T> b, bool b_transposed, Accumulate accumulate, std::size_t row_offset) {
  for (std::size_t i = 0; i < batch.count; ++i) {
    product<T>(out, a, a_transposed, b, b_transposed, accumulate, row_offset);
    out.data += batch.out_step;
    a.data += batch.a_step;
    b.data += batch.b_step;
  }
}

}  // namespace

template <class T>
void matmul_nn(const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& a, const Deduced<ConstMatrixView<T>>& b,
               Accumulate accumulate, std::size_t row_offset) {
  product<T>(out, a, false, b, false, accumulate, row_offset);
}

template <class T>
void matmul_nt(const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& a, const Deduced<ConstMatrixView<T>>& b,
               Accumulate accumulate, std::size_t row_offset) {
  product<T>(out, a, false, b, true, accumulate, row_offset);
}

template <class T>
void matmul_tn(const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& a, const Deduced<ConstMatrixView<T>>& b,
               Accumulate accumulate, std::size_t row_offset) {
  product<T>(out, a, true, b, false, accumulate, row_offset);
}

template <class T>
void matmul_nn(const ProductBatch& batch, const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& a,
               const Deduced<ConstMatrixView<T>>& b, Accumulate accumulate, std::size_t row_offset) {
  products<T>(batch, out, a, false, b, false, accumulate, row_offset);
}

template <class T>
void matmul_nt(const ProductBatch& batch, const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& a,
               const Deduced<ConstMatrixView<T>>& b, Accumulate accumulate, std::size_t row_offset) {
  products<T>(batch, out, a, false, b, true, accumulate, row_offset);
}

template <class T>
void matmul_tn(const ProductBatch& batch, const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& a,
               const Deduced<ConstMatrixView<T>>& b, Accumulate accumulate, std::size_t row_offset) {
  products<T>(batch, out, a, true, b, false, accumulate, row_offset);
}

#define TIED_INSTANTIATE(T, form)                                                                            \
  template void matmul_##form<T>(const MatrixView<T>&, const ConstMatrixView<T>&, const ConstMatrixView<T>&, \
                                 Accumulate, std::size_t);                                                   \
  template void matmul_##form<T>(const ProductBatch&, const MatrixView<T>&, const ConstMatrixView<T>&,       \
                                 const ConstMatrixView<T>&, Accumulate, std::size_t)
TIED_INSTANTIATE(float, nn);
TIED_INSTANTIATE(float, nt);
TIED_INSTANTIATE(float, tn);
TIED_INSTANTIATE(double, nn);
TIED_INSTANTIATE(double, nt);
TIED_INSTANTIATE(double, tn);
#undef TIED_INSTANTIATE

}  // namespace tied
