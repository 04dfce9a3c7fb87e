// One 128-bit register of elements: 4 floats or 2 doubles, on every machine. The only file that includes xsimd.
//
// Always 128 bits, even where wider registers exist: the width decides the order of summation and so the last bits of
// every result. Code that uses it then has the same bits natively with SSE and as wasm; Eigen's (decompositions.cpp)
// has not. (For the same reason, -ffp-contract=off in CMakePresets.json keeps the compiler from fusing a product and a
// sum.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <xsimd/xsimd.hpp>

#include "base/error.h"

namespace tied::simd {

#if defined(__wasm_simd128__)
using Architecture = xsimd::wasm;
#elif defined(__SSE4_2__)
using Architecture = xsimd::sse4_2;
#elif defined(__aarch64__)
using Architecture = xsimd::neon64;
#else
#error "128-bit SIMD is needed: -msimd128, -msse4.2 or an AArch64 machine"
#endif

template <class T>
using Batch = xsimd::batch<T, Architecture>;

// Elements per batch.
template <class T>
inline constexpr std::size_t kLanes = 16 / sizeof(T);

static_assert(Batch<float>::size == kLanes<float> && Batch<double>::size == kLanes<double>);

template <class T>
inline Batch<T> load(const T* from) {
  return Batch<T>::load_unaligned(from);
}

template <class T>
inline void store(T* to, const Batch<T>& batch) {
  batch.store_unaligned(to);
}

// Whether this build uses relaxed multiply-add, whose last bits depend on the processor.
#if defined(__wasm_relaxed_simd__)
inline constexpr bool kRelaxed = true;
#else
inline constexpr bool kRelaxed = false;
#endif

// a b + c. In the relaxed build (-mrelaxed-simd) a single instruction with one rounding or two, depending on the
// processor, so the bits are reproducible on one machine only. Everywhere else a product and a sum, each rounded.
template <class T>
inline Batch<T> multiply_add(const Batch<T>& a, const Batch<T>& b, const Batch<T>& c) {
#if defined(__wasm_relaxed_simd__)
  if constexpr (sizeof(T) == 4) {
    return Batch<T>(wasm_f32x4_relaxed_madd(a.data, b.data, c.data));
  } else {
    return Batch<T>(wasm_f64x2_relaxed_madd(a.data, b.data, c.data));
  }
#else
  return a * b + c;
#endif
}

// a / b and the square root of x, correctly rounded. xsimd's float versions on arm64 are only estimates.
template <class T>
inline Batch<T> divide(const Batch<T>& a, const Batch<T>& b) {
#if defined(__aarch64__)
  if constexpr (sizeof(T) == 4) return Batch<T>(vdivq_f32(a, b));
#endif
  return a / b;
}
template <class T>
inline Batch<T> square_root(const Batch<T>& x) {
#if defined(__aarch64__)
  if constexpr (sizeof(T) == 4) return Batch<T>(vsqrtq_f32(x));
#endif
  return xsimd::sqrt(x);
}

// Constants in all lanes, in memory.
template <class T, std::size_t kCount>
struct SpreadConstants {
  T values[kCount * kLanes<T>];
};
template <class T, std::size_t kCount>
constexpr SpreadConstants<T, kCount> spread(const T (&constants)[kCount]) {
  SpreadConstants<T, kCount> all{};
  for (std::size_t i = 0; i < kCount * kLanes<T>; ++i) all.values[i] = constants[i / kLanes<T>];
  return all;
}

// Loads them. If the compiler knows a batch's values, V8 builds it from three instructions at every use and in every
// iteration of a loop, so the values are hidden from the compiler.
template <class T>
class Constants {
 public:
  template <std::size_t kCount>
  explicit Constants(const SpreadConstants<T, kCount>& all) : at_(all.values) {
#if defined(__wasm_simd128__)
    asm("" : "+r"(at_));
#endif
  }
  Batch<T> operator[](std::size_t i) const { return load(at_ + i * kLanes<T>); }

 private:
  const T* at_;
};

// 4 elements from memory, converted to double.
struct Doubles {
  Batch<double> low;
  Batch<double> high;
};
inline Doubles load_doubles(const double* from) { return {load(from), load(from + 2)}; }
inline Doubles load_doubles(const float* from) {
#if defined(__wasm_simd128__)
  return {wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(from)),
          wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(from + 2))};
#elif defined(__SSE4_2__)
  const __m128 floats = load(from);
  return {_mm_cvtps_pd(floats), _mm_cvtps_pd(_mm_movehl_ps(floats, floats))};
#else
  const float32x4_t floats = load(from);
  return {vcvt_f64_f32(vget_low_f32(floats)), vcvt_high_f64_f32(floats)};
#endif
}

// Four 32-bit words.
using Words = xsimd::batch<std::uint32_t, Architecture>;

// Products a_i b_i of four 32-bit words, as low and high halves. b: 4 words in memory.
struct Products {
  Words low;
  Words high;
};
inline Products multiply_in_full(const Words& a, const std::uint32_t* b) {
#if defined(__wasm_simd128__)
  // Hides b's values from the compiler, which would otherwise widen them up front and multiply 64 by 64 bits, for which
  // engines have no instruction.
  asm volatile("" : "+r"(b));
  const v128_t factor = wasm_v128_load(b);
  const v128_t first = wasm_u64x2_extmul_low_u32x4(a.data, factor);
  const v128_t last = wasm_u64x2_extmul_high_u32x4(a.data, factor);
  return {wasm_i32x4_shuffle(first, last, 0, 2, 4, 6), wasm_i32x4_shuffle(first, last, 1, 3, 5, 7)};
#elif defined(__SSE4_2__)
  const __m128i factor = Words::load_unaligned(b);
  const __m128i even = _mm_mul_epu32(a, factor);
  const __m128i odd = _mm_mul_epu32(_mm_srli_epi64(a, 32), _mm_srli_epi64(factor, 32));
  return {_mm_blend_epi16(even, _mm_slli_epi64(odd, 32), 0xCC), _mm_blend_epi16(_mm_srli_epi64(even, 32), odd, 0xCC)};
#else
  const uint32x4_t factor = vld1q_u32(b);
  const uint32x4_t first = vreinterpretq_u32_u64(vmull_u32(vget_low_u32(a), vget_low_u32(factor)));
  const uint32x4_t last = vreinterpretq_u32_u64(vmull_high_u32(a, factor));
  return {vuzp1q_u32(first, last), vuzp2q_u32(first, last)};
#endif
}

// The first `count` < kLanes elements, with `fill` in the other lanes. Reads nothing beyond them.
template <class T>
inline Batch<T> load_partial(const T* from, std::size_t count, T fill) {
  TIED_ASSERT(count < kLanes<T>);
  T lanes[kLanes<T>];
  for (std::size_t i = 0; i < kLanes<T>; ++i) lanes[i] = i < count ? from[i] : fill;
  return load(lanes);
}

// x with `fill` in all lanes from `count` on, count <= kLanes.
template <class T>
inline Batch<T> first_lanes(const Batch<T>& x, std::size_t count, T fill) {
  TIED_ASSERT(count <= kLanes<T>);
  using Bits = xsimd::as_unsigned_integer_t<T>;
  using BitsBatch = xsimd::batch<Bits, Architecture>;
  // Load at an offset that leaves `count` lanes of ones before the zeros.
  static constexpr auto kOnesThenZeros = [] {
    struct {
      Bits values[2 * kLanes<T>];
    } table{};
    for (std::size_t i = 0; i < kLanes<T>; ++i) table.values[i] = ~Bits{0};
    return table;
  }();
  const BitsBatch mask = BitsBatch::load_unaligned(kOnesThenZeros.values + kLanes<T> - count);
  const BitsBatch filling = xsimd::bitwise_andnot(xsimd::bitwise_cast<Bits>(Batch<T>(fill)), mask);
  return xsimd::bitwise_cast<T>((xsimd::bitwise_cast<Bits>(x) & mask) | filling);
}

template <class T>
inline void store_partial(T* to, const Batch<T>& batch, std::size_t count) {
  TIED_ASSERT(count < kLanes<T>);
  T lanes[kLanes<T>];
  store(lanes, batch);
  for (std::size_t i = 0; i < count; ++i) to[i] = lanes[i];
}

// Sum of all lanes in the order (0 + 1) + (2 + 3), in double.
template <class T>
inline double sum_of_lanes(const Batch<T>& batch) {
  T lanes[kLanes<T>];
  store(lanes, batch);
  double sum = static_cast<double>(lanes[0]) + static_cast<double>(lanes[1]);
  if constexpr (kLanes<T> == 4) sum += static_cast<double>(lanes[2]) + static_cast<double>(lanes[3]);
  return sum;
}

// out[i] = function(x[i]...) over whole arrays. `function` takes and returns batches; lanes past the end hold `fill`.
template <class T, class Function, class... Inputs>
inline void map(T* out, std::size_t size, T fill, Function function, const Inputs*... inputs) {
  std::size_t i = 0;
  for (; i + kLanes<T> <= size; i += kLanes<T>) store(out + i, function(load(inputs + i)...));
  if (i < size) store_partial(out + i, function(load_partial(inputs + i, size - i, fill)...), size - i);
}

// Position of a loop over arrays: at a whole batch, or at the partial batch at the end. Both have the same interface,
// so a loop body is written once.
template <class T>
struct WholeBatch {
  std::size_t index;

  Batch<T> load(const T* from, T = T{0}) const { return simd::load(from + index); }
  void store(T* to, const Batch<T>& batch) const { simd::store(to + index, batch); }
};
template <class T>
struct LastBatch {
  std::size_t index;
  std::size_t count;

  Batch<T> load(const T* from, T fill = T{0}) const { return load_partial(from + index, count, fill); }
  void store(T* to, const Batch<T>& batch) const { store_partial(to + index, batch, count); }
};

// Calls body(at) for each batch of arrays of `size` elements, in order.
template <class T, class Body>
inline void for_batches(std::size_t size, Body body) {
  std::size_t i = 0;
  for (; i + kLanes<T> <= size; i += kLanes<T>) body(WholeBatch<T>{i});
  if (i < size) body(LastBatch<T>{i, size - i});
}

// Sum of all lanes of term(at) over arrays of `size` elements; term must give 0 in lanes past the end. Runs of
// kBatchesPerRun batches are summed in T and the runs in double: fast, and as exact for long arrays as for short ones.
inline constexpr std::size_t kBatchesPerRun = 64;
template <class T, class Term>
inline double sum_over_batches(std::size_t size, Term term) {
  double total = 0;
  std::size_t i = 0;
  while (i + kLanes<T> <= size) {
    const std::size_t left = (size - i) / kLanes<T>;
    const std::size_t end = i + (left < kBatchesPerRun ? left : kBatchesPerRun) * kLanes<T>;
    Batch<T> run(T{0});
    for (; i < end; i += kLanes<T>) run += term(WholeBatch<T>{i});
    total += sum_of_lanes(run);
  }
  if (i < size) total += sum_of_lanes(term(LastBatch<T>{i, size - i}));
  return total;
}

}  // namespace tied::simd
