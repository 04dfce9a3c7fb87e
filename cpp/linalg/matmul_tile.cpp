#include "linalg/matmul_tile.h"

#include "base/aligned_buffer.h"

namespace tied::matmul_internal {

using simd::Batch;
using simd::kLanes;

namespace {

// The first `panels` panels. With fewer than kRows rows, the last row stands in for the missing ones: it is written
// several times with equal results, since out is read before it is written.
template <class T, std::size_t kRows>
[[gnu::noinline]] void multiply_panels(const TileRow<T>& tiles, std::size_t panels) {
  const T* first[kRows];
  std::size_t to_row[kRows];
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < kRows; ++i) {
    first[i] = i == 0 ? tiles.a : first[i - 1] + (i < tiles.rows ? tiles.a_stride : 0);
    to_row[i] = i == 0 ? 0 : to_row[i - 1] + (i < tiles.rows ? tiles.out_stride : 0);
  }
  // Local copies: the compiler must assume that writing to out changes the originals.
  T* out = tiles.out;
  const T* panel = tiles.b;
  const std::size_t a_step = tiles.a_step;
  const std::size_t b_step = tiles.b_step;
  const std::size_t b_stride = tiles.b_stride;
  const std::size_t depth = tiles.depth;
  const bool add = tiles.add;

#pragma clang loop unroll(disable)
  for (; panels > 0; --panels, out += kTileCols<T>, panel += b_stride) {
    Batch<T> low[kRows];
    Batch<T> high[kRows];
    const T* a[kRows];
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < kRows; ++i) {
      low[i] = Batch<T>(T{0});
      high[i] = Batch<T>(T{0});
      a[i] = first[i];
    }
    const T* b = panel;
    // Unrolled, the compiler would interleave two steps and run out of registers.
#pragma clang loop unroll(disable)
    for (std::size_t k = 0; k < depth; ++k) {
      const Batch<T> b_low = simd::load(b);
      const Batch<T> b_high = simd::load(b + kLanes<T>);
      b += b_step;
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < kRows; ++i) {
        const Batch<T> a_ik(*a[i]);
        a[i] += a_step;
        low[i] = simd::multiply_add(a_ik, b_low, low[i]);
        high[i] = simd::multiply_add(a_ik, b_high, high[i]);
      }
    }
    if (add) {
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < kRows; ++i) {
        low[i] = simd::load(out + to_row[i]) + low[i];
        high[i] = simd::load(out + to_row[i] + kLanes<T>) + high[i];
      }
    }
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < kRows; ++i) {
      simd::store(out + to_row[i], low[i]);
      simd::store(out + to_row[i] + kLanes<T>, high[i]);
    }
  }
}

template <class T>
void multiply_panels(const TileRow<T>& tiles, std::size_t panels) {
  if (tiles.rows > kSmallTileRows) {
    multiply_panels<T, kTileRows>(tiles, panels);
  } else {
    multiply_panels<T, kSmallTileRows>(tiles, panels);
  }
}

}  // namespace

template <class T>
void multiply_tile_row(TileRow<T> tiles) {
  constexpr std::size_t width = kTileCols<T>;
  const std::size_t panels = tiles.cols / width;
  multiply_panels(tiles, panels);
  const std::size_t cols = tiles.cols % width;
  if (cols == 0) return;
  // Part of the last panel is outside out: compute a whole tile on the stack, then copy the columns of out.
  alignas(kAlignmentBytes) T whole[kTileRows * width];
  T* out = tiles.out + panels * width;
  const std::size_t out_stride = tiles.out_stride;
  const bool add = tiles.add;
  tiles.out = whole;
  tiles.out_stride = width;
  tiles.b += panels * tiles.b_stride;
  tiles.add = false;
  multiply_panels(tiles, 1);
  for (std::size_t i = 0; i < tiles.rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) {
      T& entry = out[i * out_stride + j];
      entry = add ? entry + whole[i * width + j] : whole[i * width + j];
    }
  }
}

template void multiply_tile_row<float>(TileRow<float>);
template void multiply_tile_row<double>(TileRow<double>);

}  // namespace tied::matmul_internal
