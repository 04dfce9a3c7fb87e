#include "linalg/matmul_tile.h"

#include "base/aligned_buffer.h"

namespace tied::matmul_internal {

using simd::Batch;
using simd::kLanes;

namespace {

// The kTileCols elements of a row of a tile: two batches, or one 256-bit register in a build for processors that have
// them. No sum crosses columns, so the bits are the same.
#if defined(__AVX2__)
template <class T>
using Pair = xsimd::batch<T, xsimd::avx2>;

template <class T>
inline Pair<T> multiply_add(const Pair<T>& a, const Pair<T>& b, const Pair<T>& c) {
  return a * b + c;
}
#else
template <class T>
struct Pair {
  Batch<T> low;
  Batch<T> high;

  Pair() = default;
  Pair(const Batch<T>& low_, const Batch<T>& high_) : low(low_), high(high_) {}
  explicit Pair(T value) : low(value), high(low) {}

  static Pair load_unaligned(const T* from) { return {simd::load(from), simd::load(from + kLanes<T>)}; }
  void store_unaligned(T* to) const {
    simd::store(to, low);
    simd::store(to + kLanes<T>, high);
  }
  Pair operator+(const Pair& other) const { return {low + other.low, high + other.high}; }
};

template <class T>
inline Pair<T> multiply_add(const Pair<T>& a, const Pair<T>& b, const Pair<T>& c) {
  return {simd::multiply_add(a.low, b.low, c.low), simd::multiply_add(a.high, b.high, c.high)};
}
#endif

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
    Pair<T> sums[kRows];
    const T* a[kRows];
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < kRows; ++i) {
      sums[i] = Pair<T>(T{0});
      a[i] = first[i];
    }
    const T* b = panel;
    // The pointer into the panel counts the steps: a separate counter would be one more instruction per step.
    const T* const end = panel + depth * b_step;
    // Returns whether there are more steps.
    const auto step = [&](std::size_t k) __attribute__((always_inline)) {
      const Pair<T> b_k = Pair<T>::load_unaligned(b);
      b += b_step;
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < kRows; ++i) {
        const Pair<T> a_ik(a[i][k]);
        if constexpr (!kStepsTogether) a[i] += a_step;
        sums[i] = multiply_add(a_ik, b_k, sums[i]);
      }
      return b != end;
    };
    if (depth > 0) {
      // If this were unrolled without a test after each step, optimizers would mix steps and run out of registers.
#pragma clang loop unroll(disable)
      while (step(0) &&
             (!kStepsTogether || (step(1) && step(2) && step(3) && step(4) && step(5) && step(6) && step(7)))) {
        if constexpr (kStepsTogether) {
#pragma clang loop unroll(full)
          for (std::size_t i = 0; i < kRows; ++i) a[i] += 8;
        }
      }
    }
    if (add) {
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < kRows; ++i) sums[i] = Pair<T>::load_unaligned(out + to_row[i]) + sums[i];
    }
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < kRows; ++i) sums[i].store_unaligned(out + to_row[i]);
  }
}

template <class T>
void multiply_panels(const TileRow<T>& tiles, std::size_t panels) {
  TIED_ASSERT(!kStepsTogether || tiles.a_step == 1);
  if (kStepsTogether || tiles.rows > kSmallTileRows) {
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
