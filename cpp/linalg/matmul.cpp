// One product for all three forms. The parts of it:
//
//   micro kernel   kTileRows x kTileCols sums held in registers, over at most kDepth products each
//   b, packed      a block of b [kDepth, kBlockCols] copied into panels of kTileCols columns, so that the micro kernel
//                  reads it in one straight line. Transposed on the way where the form is a b^T.
//   a, in place    its rows are read where they are: one number at a time, broadcast to all lanes. Only where the form
//   is
//                  a^T b they are transposed into a small block first.
//
// Every entry is the sum of its products in ascending k, within runs of kDepth that are then added in ascending order,
// whatever the shape and wherever the entry lies: an entry's bits do not depend on the tile it falls into. So a product
// done in blocks of rows or columns equals the whole product, and a b^T with a = b is symmetric to the last bit.
#include "linalg/matmul.h"

#include <algorithm>

#include "linalg/simd.h"

namespace tied {
namespace {

using simd::Batch;
using simd::kLanes;

// 12 sums, 2 batches of b and 1 of a: 15 of the 16 registers of SSE, and of V8 on x86.
constexpr std::size_t kTileRows = 6;
template <class T>
constexpr std::size_t kTileCols = 2 * kLanes<T>;

// A panel of b [kDepth, kTileCols] is 8 KB and stays in the first cache, a packed block [kDepth, kBlockCols] is 256 KB
// and stays in the second.
constexpr std::size_t kDepth = 256;
constexpr std::size_t kBlockCols = 256;
constexpr std::size_t kBlockRows = 48;
// Rows of the transposed block of a: a little more than a power of two, so that six rows do not share a cache set.
constexpr std::size_t kRowStride = kDepth + 16;

// Scratch, not state: nothing is left in it that a later call reads.
template <class T>
struct Scratch {
  alignas(kAlignmentBytes) T b[kDepth * kBlockCols];
  alignas(kAlignmentBytes) T a[kBlockRows * kRowStride];
  alignas(kAlignmentBytes) T last_rows[kTileRows * kRowStride];
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
  const T* b;
  std::size_t b_stride;
  std::size_t depth;
  bool add;
};

// out [kTileRows, kTileCols] (+)= a [kTileRows, depth] b [depth, kTileCols].
template <class T>
[[gnu::noinline]] void micro_kernel(const Tile<T>& tile) {
  Batch<T> low[kTileRows];
  Batch<T> high[kTileRows];
  const T* a[kTileRows];
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < kTileRows; ++i) {
    low[i] = Batch<T>(T{0});
    high[i] = Batch<T>(T{0});
    a[i] = tile.a + i * tile.a_stride;
  }
  const T* b = tile.b;
  const std::size_t b_stride = tile.b_stride;
#pragma clang loop unroll_count(4)
  for (std::size_t k = 0; k < tile.depth; ++k) {
    const Batch<T> b_low = simd::load(b);
    const Batch<T> b_high = simd::load(b + kLanes<T>);
    b += b_stride;
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < kTileRows; ++i) {
      const Batch<T> a_ik(a[i][k]);
      low[i] += a_ik * b_low;
      high[i] += a_ik * b_high;
    }
  }
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < kTileRows; ++i) {
    T* out = tile.out + i * tile.out_stride;
    if (tile.add) {
      low[i] = simd::load(out) + low[i];
      high[i] = simd::load(out + kLanes<T>) + high[i];
    }
    simd::store(out, low[i]);
    simd::store(out + kLanes<T>, high[i]);
  }
}

// The same where only `rows` x `cols` of the tile belong to out: through a full tile of its own.
template <class T>
void edge_tile(Tile<T> tile, std::size_t rows, std::size_t cols) {
  alignas(kAlignmentBytes) T whole[kTileRows * kTileCols<T>];
  T* out = tile.out;
  const std::size_t out_stride = tile.out_stride;
  const bool add = tile.add;
  tile.out = whole;
  tile.out_stride = kTileCols<T>;
  tile.add = false;
  micro_kernel(tile);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) {
      T& entry = out[i * out_stride + j];
      entry = add ? entry + whole[i * kTileCols<T> + j] : whole[i * kTileCols<T> + j];
    }
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
    for (; c + n <= cols; c += n) {
      if constexpr (n == 4) {
        const Batch<T> x0 = simd::load(source + c);
        const Batch<T> x1 = simd::load(source + from_stride + c);
        const Batch<T> x2 = simd::load(source + 2 * from_stride + c);
        const Batch<T> x3 = simd::load(source + 3 * from_stride + c);
        const Batch<T> even_low = xsimd::zip_lo(x0, x2);
        const Batch<T> even_high = xsimd::zip_hi(x0, x2);
        const Batch<T> odd_low = xsimd::zip_lo(x1, x3);
        const Batch<T> odd_high = xsimd::zip_hi(x1, x3);
        simd::store(target + c * to_stride, xsimd::zip_lo(even_low, odd_low));
        simd::store(target + (c + 1) * to_stride, xsimd::zip_hi(even_low, odd_low));
        simd::store(target + (c + 2) * to_stride, xsimd::zip_lo(even_high, odd_high));
        simd::store(target + (c + 3) * to_stride, xsimd::zip_hi(even_high, odd_high));
      } else {
        const Batch<T> x0 = simd::load(source + c);
        const Batch<T> x1 = simd::load(source + from_stride + c);
        simd::store(target + c * to_stride, xsimd::zip_lo(x0, x1));
        simd::store(target + (c + 1) * to_stride, xsimd::zip_hi(x0, x1));
      }
    }
    for (; c < cols; ++c) {
      for (std::size_t i = 0; i < n; ++i) target[c * to_stride + i] = source[i * from_stride + c];
    }
  }
  for (; r < rows; ++r) {
    for (std::size_t c = 0; c < cols; ++c) to[c * to_stride + r] = from[r * from_stride + c];
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

// out [rows, cols] from `rows` rows of a and all panels of the block of b, `panel_step` numbers a column apart. What
// differs from tile to tile is set here; the rest of `tile` is the block's.
template <class T>
void block_rows(Tile<T> tile, const T* b, std::size_t panel_step, std::size_t rows, std::size_t cols) {
  T* out = tile.out;
  const T* a = tile.a;
  for (std::size_t i = 0; i < rows; i += kTileRows) {
    const std::size_t height = std::min(kTileRows, rows - i);
    tile.a = a + i * tile.a_stride;
    if (height < kTileRows) {
      // The last rows move to where the kernel may read a full tile; what fills it up is computed and dropped.
      T* copy = scratch<T>().last_rows;
      for (std::size_t r = 0; r < kTileRows; ++r) {
        std::copy_n(tile.a + std::min(r, height - 1) * tile.a_stride, tile.depth, copy + r * kRowStride);
      }
      tile.a = copy;
      tile.a_stride = kRowStride;
    }
    for (std::size_t j = 0; j < cols; j += kTileCols<T>) {
      const std::size_t width = std::min(kTileCols<T>, cols - j);
      tile.out = out + i * tile.out_stride + j;
      tile.b = b + j * panel_step;
      if (height == kTileRows && width == kTileCols<T>) {
        micro_kernel(tile);
      } else {
        edge_tile(tile, height, width);
      }
    }
  }
}

// out [m, n] (+)= op(a) [m, k] op(b) [k, n].
template <class T>
void product(MatrixView<T> out, ConstMatrixView<T> a, bool a_transposed, ConstMatrixView<T> b, bool b_transposed,
             Accumulate accumulate) {
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
  // With few rows, packing b would cost as much as the product: its full panels are then read in place.
  const bool in_place = !b_transposed && m <= kTileRows;

  for (std::size_t j = 0; j < n; j += kBlockCols) {
    const std::size_t cols = std::min(kBlockCols, n - j);
    const std::size_t cols_in_place = in_place ? cols - cols % kTileCols<T> : 0;
    for (std::size_t p = 0; p < k; p += kDepth) {
      const std::size_t depth = std::min(kDepth, k - p);
      pack_b(space.b, b, b_transposed, j + cols_in_place, cols - cols_in_place, p, depth);
      Tile<T> tile{};
      tile.out_stride = out.stride;
      tile.depth = depth;
      tile.add = p > 0 || accumulate == Accumulate::kAdd;

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
        if (cols_in_place > 0) {
          tile.b_stride = b.stride;
          block_rows(tile, b.data + p * b.stride + j, 1, rows, cols_in_place);
          tile.out += cols_in_place;
        }
        tile.b_stride = kTileCols<T>;
        block_rows(tile, space.b, depth, rows, cols - cols_in_place);
      }
    }
  }
}

}  // namespace

template <class T>
void matmul_nn(MatrixView<T> out, Deduced<ConstMatrixView<T>> a, Deduced<ConstMatrixView<T>> b, Accumulate accumulate) {
  product<T>(out, a, false, b, false, accumulate);
}

template <class T>
void matmul_nt(MatrixView<T> out, Deduced<ConstMatrixView<T>> a, Deduced<ConstMatrixView<T>> b, Accumulate accumulate) {
  product<T>(out, a, false, b, true, accumulate);
}

template <class T>
void matmul_tn(MatrixView<T> out, Deduced<ConstMatrixView<T>> a, Deduced<ConstMatrixView<T>> b, Accumulate accumulate) {
  product<T>(out, a, true, b, false, accumulate);
}

template void matmul_nn<float>(MatrixView<float>, ConstMatrixView<float>, ConstMatrixView<float>, Accumulate);
template void matmul_nt<float>(MatrixView<float>, ConstMatrixView<float>, ConstMatrixView<float>, Accumulate);
template void matmul_tn<float>(MatrixView<float>, ConstMatrixView<float>, ConstMatrixView<float>, Accumulate);
template void matmul_nn<double>(MatrixView<double>, ConstMatrixView<double>, ConstMatrixView<double>, Accumulate);
template void matmul_nt<double>(MatrixView<double>, ConstMatrixView<double>, ConstMatrixView<double>, Accumulate);
template void matmul_tn<double>(MatrixView<double>, ConstMatrixView<double>, ConstMatrixView<double>, Accumulate);

}  // namespace tied
