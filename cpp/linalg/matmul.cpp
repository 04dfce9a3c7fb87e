// One product for all three forms. Its parts:
//
//   tiles          a few rows x kTileCols sums in registers, over at most kDepth products each: matmul_tile
//   b, packed      a block of b [kDepth, kBlockCols] copied into panels of kTileCols columns, transposed for a b^T,
//                  so that tiles read it sequentially: matmul_pack
//   a, in place    one element at a time, broadcast to all lanes, along a row (a b, a b^T) or a column (a^T b), which
//                  is copied into a row where tiles take several steps together
//   few rows       b is read in place; with very few rows there are no tiles either: matmul_row
//
// Every entry sums its products in ascending k within runs of kDepth, and the runs in ascending order. Neither the
// shape nor the entry's tile matters, so its bits do not depend on them: a product done in blocks of rows or columns
// equals the whole product, and a b^T with a = b is symmetric to the last bit.
#include "linalg/matmul.h"

#include <algorithm>
#include <cstddef>

#include "linalg/matmul_pack.h"
#include "linalg/matmul_row.h"
#include "linalg/matmul_tile.h"
#include "linalg/simd.h"

namespace tied {
namespace {

using matmul_internal::kPackedCols;
using matmul_internal::kSmallTileRows;
using matmul_internal::kTileCols;
using matmul_internal::kTileRows;
using matmul_internal::RowFactor;
using matmul_internal::TileRow;

// At most this many rows are multiplied one by one, without tiles.
constexpr std::size_t kMaxRowsAlone = 3;
// At most this many rows read b in place: they use it too rarely for packing to pay.
constexpr std::size_t kMaxRowsInPlace = 64;

// A panel of b [kDepth, kTileCols] takes 8 KB and stays in the first-level cache; a packed block [kDepth, kBlockCols]
// takes 256 KB and stays in the second.
constexpr std::size_t kDepth = kProductRun;
constexpr std::size_t kBlockCols = 256;
// A block of a^T [kBlockRows, kDepth], if it is copied, and its stride: an odd number of cache lines, so that the ends
// of its rows do not compete for a few sets.
constexpr std::size_t kBlockRows = 240;
constexpr std::size_t kCopyStride = kDepth + 16;

// Workspace: no call reads what an earlier one left.
template <class T>
struct Scratch {
  alignas(kAlignmentBytes) T b[kDepth * kBlockCols];
  alignas(kAlignmentBytes) T a[kCopyStride * kBlockRows];
};
template <class T>
Scratch<T>& scratch() {
  static thread_local Scratch<T> instance;
  return instance;
}

// Whether tiles can read a block in place down its columns. Rows of a wide matrix that are a multiple of a large power
// of two apart compete for a few cache sets: of the second level for a, which is read once for each panel. Panels of b
// are read by every tile; the more tiles there are, the more a copy pays, and for that callers multiply `depth`.
bool reads_well(std::size_t depth, std::size_t stride) { return depth * stride <= 64 * 1024 || stride % 64 != 0; }

// Rows of the next tiles out of `left`: small tiles come first, such that the last ones are full where possible.
std::size_t rows_of_next_tile(std::size_t left) {
  const std::size_t rest = left % kTileRows;
  return std::min(left, rest == 0 || rest > kSmallTileRows ? kTileRows : kSmallTileRows);
}

// What a causal product skips: nothing, columns of out, or the end or the start of a tile row's depth.
enum class Skipped { kNothing, kColumns, kEnd, kStart };

// Where row r of a block begins or ends, in the block's own columns or depth: at r + diagonal.
struct Diagonal {
  Skipped skipped = Skipped::kNothing;
  std::ptrdiff_t diagonal = 0;

  // r + diagonal, clamped to [0, limit].
  std::size_t at(std::size_t r, std::size_t limit) const {
    const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(r) + diagonal;
    return place < 0 ? 0 : std::min(static_cast<std::size_t>(place), limit);
  }
};

// Of the block from row `i` on, whose columns or depth begin at `begin`.
Diagonal diagonal_of(Skipped skipped, std::size_t i, std::size_t begin, std::size_t row_offset) {
  if (row_offset == kWholeProduct) return {};
  const auto offset = static_cast<std::ptrdiff_t>(row_offset);
  const auto first = static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(begin);
  return {skipped, skipped == Skipped::kStart ? first - offset : first + offset};
}

// The rows of `block`, tile by tile.
template <class T>
void multiply_block(const TileRow<T>& block, const Diagonal& diagonal) {
  TileRow<T> tiles = block;
  for (std::size_t i = 0; i < block.rows; i += tiles.rows) {
    tiles.rows = rows_of_next_tile(block.rows - i);
    tiles.out = block.out + i * block.out_stride;
    tiles.a = block.a + i * block.a_stride;
    const std::size_t end = i + tiles.rows;
    if (diagonal.skipped == Skipped::kColumns) {
      const std::size_t whole_panels = (diagonal.at(end, block.cols) + kTileCols<T> - 1) / kTileCols<T> * kTileCols<T>;
      tiles.cols = std::min(whole_panels, block.cols);
    }
    if (diagonal.skipped == Skipped::kEnd) tiles.depth = diagonal.at(end, block.depth);
    if (diagonal.skipped == Skipped::kStart) {
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
  const bool alone = !a_transposed && m <= kMaxRowsAlone;

  for (std::size_t j = 0; j < n; j += kBlockCols) {
    const std::size_t cols = std::min(kBlockCols, n - j);
    for (std::size_t p = 0; p < k; p += kDepth) {
      const std::size_t depth = std::min(kDepth, k - p);
      const bool add = p > 0 || accumulate == Accumulate::kAdd;
      const ConstMatrixView<T> b_block = b_transposed
                                             ? ConstMatrixView<T>(b.data + j * b.stride + p, cols, depth, b.stride)
                                             : ConstMatrixView<T>(b.data + p * b.stride + j, depth, cols, b.stride);
      if (alone) {
        const RowFactor<T> factor{b_block.data, depth, cols, b_transposed ? 1 : b.stride, b_transposed ? b.stride : 1};
        for (std::size_t i = 0; i < m; ++i) {
          matmul_internal::multiply_row<T>(out.data + i * out.stride + j, a.data + i * a.stride + p, factor, add);
        }
        continue;
      }
      TileRow<T> block{};
      block.out_stride = out.stride;
      block.cols = cols;
      block.depth = depth;
      block.add = add;
      if (m <= kMaxRowsInPlace && !b_transposed && cols % kTileCols<T> == 0 &&
          reads_well(depth * m / (3 * kTileRows), b.stride)) {
        block.b = b_block.data;
        block.b_stride = kTileCols<T>;
        block.b_step = b.stride;
      } else {
        matmul_internal::pack_panels<T>(space.b, b_block, b_transposed);
        block.b = space.b;
        block.b_stride = depth * kTileCols<T>;
        block.b_step = kTileCols<T>;
      }

      const bool copies_a = a_transposed && (matmul_internal::kStepsTogether || !reads_well(depth, a.stride));
      const std::size_t rows_step = copies_a ? kBlockRows : m;
      for (std::size_t i = 0; i < m; i += rows_step) {
        block.rows = std::min(rows_step, m - i);
        block.out = out.data + i * out.stride + j;
        block.a_stride = a_transposed ? 1 : a.stride;
        block.a_step = a_transposed ? a.stride : 1;
        block.a = a.data + i * block.a_stride + p * block.a_step;
        if (copies_a) {
          matmul_internal::transpose_block<T>(space.a, kCopyStride, {block.a, depth, block.rows, a.stride});
          block.a = space.a;
          block.a_stride = kCopyStride;
          block.a_step = 1;
        }
        const auto skipped = a_transposed ? Skipped::kStart : b_transposed ? Skipped::kColumns : Skipped::kEnd;
        multiply_block(block, diagonal_of(skipped, i, skipped == Skipped::kColumns ? j : p, row_offset));
      }
    }
  }
}

// Does the products one after the other: the setup of each is too small to measure.
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

// Whole panels only: the last rows of b are read in place.
template <class T>
void pack_for_rows(T* packed, const Deduced<ConstMatrixView<T>>& b) {
  for (std::size_t j = 0; j + kPackedCols<T> <= b.rows; j += kPackedCols<T>) {
    matmul_internal::transpose_block<T>(packed + j * b.cols, kPackedCols<T>, b.row_block(j, kPackedCols<T>));
  }
}

template <class T>
void matmul_packed(const MatrixView<T>& out, const Deduced<ConstMatrixView<T>>& a, const Deduced<ConstMatrixView<T>>& b,
                   const T* packed, Accumulate accumulate) {
  const std::size_t whole = b.rows - b.rows % kPackedCols<T>;
  for (std::size_t p = 0; p < b.cols; p += kDepth) {
    const RowFactor<T> factor{packed + p * kPackedCols<T>, std::min(kDepth, b.cols - p), whole, kPackedCols<T>, b.cols};
    const bool add = p > 0 || accumulate == Accumulate::kAdd;
    for (std::size_t i = 0; i < out.rows; ++i) {
      matmul_internal::multiply_packed_row<T>(out.row(i), a.row(i) + p, factor, add);
    }
  }
  if (whole == b.rows) return;
  product<T>({out.data + whole, out.rows, b.rows - whole, out.stride}, a, false, b.row_block(whole, b.rows - whole),
             true, accumulate, kWholeProduct);
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

#define TIED_INSTANTIATE(T)                                                                                            \
  template void pack_for_rows<T>(T*, const ConstMatrixView<T>&);                                                       \
  template void matmul_packed<T>(const MatrixView<T>&, const ConstMatrixView<T>&, const ConstMatrixView<T>&, const T*, \
                                 Accumulate)
TIED_INSTANTIATE(float);
TIED_INSTANTIATE(double);
#undef TIED_INSTANTIATE

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
