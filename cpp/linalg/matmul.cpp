// One product for all three forms. The parts of it:
//
//   micro kernel   kTileRows x kTileCols sums held in registers, over at most kDepth products each
//   b, packed      a block of b [kDepth, kBlockCols] copied into panels of kTileCols columns, so that the micro kernel
//                  reads it in one straight line. Transposed on the way where the form is a b^T.
//   a, in place    its rows are read where they are: one number at a time, broadcast to all lanes. Only where the form
//                  is a^T b they are transposed into a small block first.
//   few rows       go over b where it is, without tiles: packing it would cost more than the product.
//
// Every entry is the sum of its products in ascending k, within runs of kDepth that are then added in ascending order,
// whatever the shape and wherever the entry lies: an entry's bits do not depend on the tile it falls into. So a product
// done in blocks of rows or columns equals the whole product, and a b^T with a = b is symmetric to the last bit.
#include "linalg/matmul.h"

#include <algorithm>
#include <cstddef>

#include "linalg/simd.h"

namespace tied {
namespace {

using simd::Batch;
using simd::kLanes;

// V8 has 15 registers for batches on x86: one of the 16 it keeps for itself. A tile needs two sums for each row, two
// batches of b, one of a and, where product and sum are two instructions, one for the product; with one register more
// than there are, a sum goes through memory in every step, which halves the speed.
constexpr std::size_t kTileRows = simd::kRelaxed ? 6 : 5;
// Rows of the smaller tile: about as fast for each row, so that tiles of both kinds fill most numbers of rows.
constexpr std::size_t kFewRows = 4;
template <class T>
constexpr std::size_t kTileCols = 2 * kLanes<T>;

// So many rows are better done one by one, without packing b.
constexpr std::size_t kRowsAlone = 3;

// A panel of b [kDepth, kTileCols] is 8 KB and stays in the first cache, a packed block [kDepth, kBlockCols] is 256 KB
// and stays in the second. A transposed block of a, 22 or 26 KB, stays in the first.
constexpr std::size_t kDepth = 256;
constexpr std::size_t kBlockCols = 256;
constexpr std::size_t kBlockRows = 4 * kTileRows;
// Rows of the transposed block of a: a little more than a power of two, so that the rows of a tile do not share a cache
// set.
constexpr std::size_t kRowStride = kDepth + 16;

// Scratch, not state: nothing is left in it that a later call reads.
template <class T>
struct Scratch {
  alignas(kAlignmentBytes) T b[kDepth * kBlockCols];
  alignas(kAlignmentBytes) T a[kBlockRows * kRowStride];
};
template <class T>
Scratch<T>& scratch() {
  static thread_local Scratch<T> instance;
  return instance;
}

template <class T>
struct Tile {
  T* out;
  std::size_t out_stride;
  const T* a;
  std::size_t a_stride;
  const T* b;  // a panel: rows of kTileCols numbers, one after the other
  std::size_t depth;
  std::size_t rows;  // of a and out that there are, 1 to kRows
  bool add;
};

// out [rows, kTileCols] (+)= a [rows, depth] b [depth, kTileCols]. Where there are fewer than kRows rows the last one
// stands in for those that are missing, and what it gives there is dropped.
template <class T, std::size_t kRows>
[[gnu::noinline]] void micro_kernel(const Tile<T>& tile) {
  Batch<T> low[kRows];
  Batch<T> high[kRows];
  const T* a[kRows];
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < kRows; ++i) {
    low[i] = Batch<T>(T{0});
    high[i] = Batch<T>(T{0});
    a[i] = i == 0 ? tile.a : a[i - 1] + (i < tile.rows ? tile.a_stride : 0);
  }
  const T* b = tile.b;
  // Two steps in one body would be mixed by the compiler, and then need more registers than there are.
#pragma clang loop unroll(disable)
  for (std::size_t k = 0; k < tile.depth; ++k) {
    const Batch<T> b_low = simd::load(b);
    const Batch<T> b_high = simd::load(b + kLanes<T>);
    b += kTileCols<T>;
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < kRows; ++i) {
      const Batch<T> a_ik(a[i][k]);
      low[i] = simd::multiply_add(a_ik, b_low, low[i]);
      high[i] = simd::multiply_add(a_ik, b_high, high[i]);
    }
  }
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < kRows; ++i) {
    if (i < tile.rows) {
      T* out = tile.out + i * tile.out_stride;
      if (tile.add) {
        low[i] = simd::load(out) + low[i];
        high[i] = simd::load(out + kLanes<T>) + high[i];
      }
      simd::store(out, low[i]);
      simd::store(out + kLanes<T>, high[i]);
    }
  }
}

// How many of the `left` rows the next tile takes, so that in the end none of them is computed in vain where that can
// be had: all tiles are of kTileRows but the first few.
std::size_t rows_of_next_tile(std::size_t left) {
  const std::size_t rest = left % kTileRows;
  return std::min(left, rest == 0 || rest > kFewRows ? kTileRows : kFewRows);
}

template <class T>
void any_tile(const Tile<T>& tile) {
  if (tile.rows > kFewRows) {
    micro_kernel<T, kTileRows>(tile);
  } else {
    micro_kernel<T, kFewRows>(tile);
  }
}

// The same where only `cols` columns of the tile belong to out: through a full tile of its own.
template <class T>
void edge_tile(Tile<T> tile, std::size_t cols) {
  alignas(kAlignmentBytes) T whole[kTileRows * kTileCols<T>];
  T* out = tile.out;
  const std::size_t out_stride = tile.out_stride;
  const bool add = tile.add;
  tile.out = whole;
  tile.out_stride = kTileCols<T>;
  tile.add = false;
  any_tile(tile);
  for (std::size_t i = 0; i < tile.rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) {
      T& entry = out[i * out_stride + j];
      entry = add ? entry + whole[i * kTileCols<T> + j] : whole[i * kTileCols<T> + j];
    }
  }
}

// Row l becomes column l of the square that the batches are.
template <class T>
void transpose_square(Batch<T> (&x)[kLanes<T>]) {
  if constexpr (kLanes<T> == 4) {
    const Batch<T> even_low = xsimd::zip_lo(x[0], x[2]);
    const Batch<T> even_high = xsimd::zip_hi(x[0], x[2]);
    const Batch<T> odd_low = xsimd::zip_lo(x[1], x[3]);
    const Batch<T> odd_high = xsimd::zip_hi(x[1], x[3]);
    x[0] = xsimd::zip_lo(even_low, odd_low);
    x[1] = xsimd::zip_hi(even_low, odd_low);
    x[2] = xsimd::zip_lo(even_high, odd_high);
    x[3] = xsimd::zip_hi(even_high, odd_high);
  } else {
    const Batch<T> low = xsimd::zip_lo(x[0], x[1]);
    x[1] = xsimd::zip_hi(x[0], x[1]);
    x[0] = low;
  }
}

// to[c * to_stride + r] = from[r * from_stride + c], r < rows, c < cols.
template <class T>
void transpose_block(T* to, std::size_t to_stride, const T* from, std::size_t from_stride, std::size_t rows,
                     std::size_t cols) {
  constexpr std::size_t n = kLanes<T>;
  std::size_t r = 0;
  for (; r + n <= rows; r += n) {
    const T* source = from + r * from_stride;
    T* target = to + r;
    std::size_t c = 0;
    for (; c + n <= cols; c += n, target += n * to_stride) {
      Batch<T> x[n];
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < n; ++i) x[i] = simd::load(source + i * from_stride + c);
      transpose_square<T>(x);
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < n; ++i) simd::store(target + i * to_stride, x[i]);
    }
    for (; c < cols; ++c, target += to_stride) {
      for (std::size_t i = 0; i < n; ++i) target[i] = source[i * from_stride + c];
    }
  }
  for (; r < rows; ++r) {
    for (std::size_t c = 0; c < cols; ++c) to[c * to_stride + r] = from[r * from_stride + c];
  }
}

// One row of a product, out [cols] (+)= a [depth] op(b), without packing: a block of b is read once, from where it is.
// b points to the block's first number; `transposed`: its columns are `b_stride` apart, else its rows.
constexpr std::size_t kRowBatches = 4;
template <class T, bool kTransposed>
[[gnu::noinline]] void row_block(T* out, const T* a, const T* b, std::size_t b_stride, std::size_t cols,
                                 std::size_t depth, bool add) {
  constexpr std::size_t n = kLanes<T>;
  const std::size_t column_step = kTransposed ? b_stride : 1;
  std::size_t j = 0;
  for (; j + kRowBatches * n <= cols; j += kRowBatches * n) {
    const T* from = b + j * column_step;
    Batch<T> sums[kRowBatches];
#pragma clang loop unroll(full)
    for (std::size_t c = 0; c < kRowBatches; ++c) sums[c] = Batch<T>(T{0});
    std::size_t k = 0;
    if constexpr (kTransposed) {
      for (; k + n <= depth; k += n) {
#pragma clang loop unroll(full)
        for (std::size_t c = 0; c < kRowBatches; ++c) {
          Batch<T> x[n];
#pragma clang loop unroll(full)
          for (std::size_t i = 0; i < n; ++i) x[i] = simd::load(from + (c * n + i) * b_stride + k);
          transpose_square<T>(x);
#pragma clang loop unroll(full)
          for (std::size_t i = 0; i < n; ++i) sums[c] += Batch<T>(a[k + i]) * x[i];
        }
      }
      for (; k < depth; ++k) {
        T column[kRowBatches * n];
        for (std::size_t c = 0; c < kRowBatches * n; ++c) column[c] = from[c * b_stride + k];
#pragma clang loop unroll(full)
        for (std::size_t c = 0; c < kRowBatches; ++c) sums[c] += Batch<T>(a[k]) * simd::load(column + c * n);
      }
    } else {
      for (; k < depth; ++k, from += b_stride) {
        const Batch<T> a_k(a[k]);
#pragma clang loop unroll(full)
        for (std::size_t c = 0; c < kRowBatches; ++c) sums[c] += a_k * simd::load(from + c * n);
      }
    }
#pragma clang loop unroll(full)
    for (std::size_t c = 0; c < kRowBatches; ++c) {
      T* to = out + j + c * n;
      simd::store(to, add ? simd::load(to) + sums[c] : sums[c]);
    }
  }
  for (; j < cols; ++j) {
    const T* from = b + j * column_step;
    T sum = 0;
    for (std::size_t k = 0; k < depth; ++k) sum += a[k] * from[kTransposed ? k : k * b_stride];
    out[j] = add ? out[j] + sum : sum;
  }
}

// Columns [first, first + cols) and rows [k, k + depth) of b, into panels [depth, kTileCols] padded with zeros on the
// right. `transposed`: b is stored [n, k].
template <class T>
void pack_b(T* panels, ConstMatrixView<T> b, bool transposed, std::size_t first, std::size_t cols, std::size_t k,
            std::size_t depth) {
  for (std::size_t j = 0; j < cols; j += kTileCols<T>) {
    T* panel = panels + j * depth;
    const std::size_t width = std::min(kTileCols<T>, cols - j);
    if (transposed) {
      transpose_block(panel, kTileCols<T>, b.data + (first + j) * b.stride + k, b.stride, width, depth);
    } else {
      const T* from = b.data + k * b.stride + first + j;
      T* to = panel;
      for (std::size_t r = 0; r < depth; ++r, from += b.stride, to += kTileCols<T>) {
        if (width == kTileCols<T>) {
          simd::store(to, simd::load(from));
          simd::store(to + kLanes<T>, simd::load(from + kLanes<T>));
        } else {
          for (std::size_t c = 0; c < width; ++c) to[c] = from[c];
        }
      }
    }
    for (std::size_t r = 0; width < kTileCols<T> && r < depth; ++r) {
      for (std::size_t c = width; c < kTileCols<T>; ++c) panel[r * kTileCols<T> + c] = T{0};
    }
  }
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

// out [rows, cols] from `rows` rows of a and all panels of the block of b. What
// differs from tile to tile is set here; the rest of `tile` is the block's.
template <class T>
void block_rows(Tile<T> tile, const T* b, std::size_t rows, std::size_t cols, const Diagonal& diagonal) {
  T* out = tile.out;
  const T* a = tile.a;
  const std::size_t depth = tile.depth;
  for (std::size_t i = 0; i < rows; i += tile.rows) {
    tile.rows = rows_of_next_tile(rows - i);
    tile.a = a + i * tile.a_stride;
    std::size_t start = 0;
    std::size_t end = cols;
    if (diagonal.left_out == LeftOut::kColumns) end = diagonal.at(i + tile.rows, cols);
    if (diagonal.left_out == LeftOut::kEnd) tile.depth = diagonal.at(i + tile.rows, depth);
    if (diagonal.left_out == LeftOut::kStart) {
      start = diagonal.at(i, depth);
      tile.a += start;
      tile.depth = depth - start;
    }
    for (std::size_t j = 0; j < end; j += kTileCols<T>) {
      const std::size_t width = std::min(kTileCols<T>, cols - j);
      tile.out = out + i * tile.out_stride + j;
      tile.b = b + j * depth + start * kTileCols<T>;
      if (width == kTileCols<T>) {
        any_tile(tile);
      } else {
        edge_tile(tile, width);
      }
    }
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
  // With few rows, packing b would cost more than the product.
  const bool alone = !a_transposed && m <= kRowsAlone;

  for (std::size_t j = 0; j < n; j += kBlockCols) {
    const std::size_t cols = std::min(kBlockCols, n - j);
    for (std::size_t p = 0; p < k; p += kDepth) {
      const std::size_t depth = std::min(kDepth, k - p);
      const bool add = p > 0 || accumulate == Accumulate::kAdd;
      if (alone) {
        const auto block = b_transposed ? row_block<T, true> : row_block<T, false>;
        const T* from = b_transposed ? b.data + j * b.stride + p : b.data + p * b.stride + j;
        for (std::size_t i = 0; i < m; ++i) {
          block(out.data + i * out.stride + j, a.data + i * a.stride + p, from, b.stride, cols, depth, add);
        }
        continue;
      }
      pack_b(space.b, b, b_transposed, j, cols, p, depth);
      Tile<T> tile{};
      tile.out_stride = out.stride;
      tile.depth = depth;
      tile.add = add;

      const std::size_t rows_step = a_transposed ? kBlockRows : m;
      for (std::size_t i = 0; i < m; i += rows_step) {
        const std::size_t rows = std::min(rows_step, m - i);
        if (a_transposed) {
          transpose_block(space.a, kRowStride, a.data + p * a.stride + i, a.stride, depth, rows);
          tile.a = space.a;
          tile.a_stride = kRowStride;
        } else {
          tile.a = a.data + i * a.stride + p;
          tile.a_stride = a.stride;
        }
        tile.out = out.data + i * out.stride + j;
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
        block_rows(tile, space.b, rows, cols, diagonal);
      }
    }
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

#define TIED_INSTANTIATE(T, form)                                                                            \
  template void matmul_##form<T>(const MatrixView<T>&, const ConstMatrixView<T>&, const ConstMatrixView<T>&, \
                                 Accumulate, std::size_t)
TIED_INSTANTIATE(float, nn);
TIED_INSTANTIATE(float, nt);
TIED_INSTANTIATE(float, tn);
TIED_INSTANTIATE(double, nn);
TIED_INSTANTIATE(double, nt);
TIED_INSTANTIATE(double, tn);
#undef TIED_INSTANTIATE

}  // namespace tied
