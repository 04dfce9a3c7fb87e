#include "linalg/activation.h"

#include "linalg/simd.h"
#include "linalg/simd_exp.h"

namespace tied {
namespace {

using simd::Batch;

constexpr double kTwiceSquareRootOfTwoOverPi = 1.5957691216057307;
constexpr double kCubic = 0.044715;

// Batches processed together: their exponentials share constants.
constexpr std::size_t kGroupSize = 4;
template <class T>
using Batches = Batch<T>[kGroupSize];

// Calls body(to, from) for groups of kGroupSize batches of arrays of `size` elements. A partial last group goes through
// zero-padded copies.
template <class T, std::size_t kOut, std::size_t kIn, class Body>
void for_groups(std::size_t size, T* const (&out)[kOut], const T* const (&in)[kIn], Body body) {
  constexpr std::size_t kStep = kGroupSize * simd::kLanes<T>;
  T last_out[kOut][kStep];
  T last_in[kIn][kStep];
  for (std::size_t i = 0; i < size; i += kStep) {
    T* to[kOut];
    const T* from[kIn];
    for (std::size_t a = 0; a < kOut; ++a) to[a] = out[a] + i;
    for (std::size_t a = 0; a < kIn; ++a) from[a] = in[a] + i;
    const std::size_t left = size - i;
    if (left < kStep) {
      for (std::size_t a = 0; a < kOut; ++a) to[a] = last_out[a];
      for (std::size_t a = 0; a < kIn; ++a) {
        for (std::size_t j = 0; j < kStep; ++j) last_in[a][j] = j < left ? from[a][j] : T{0};
        from[a] = last_in[a];
      }
    }
    body(to, from);
    if (left < kStep) {
      for (std::size_t a = 0; a < kOut; ++a) {
        for (std::size_t j = 0; j < left; ++j) out[a][i + j] = last_out[a][j];
      }
    }
  }
}

template <class T>
void load_group(Batches<T>& x, const T* from) {
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < kGroupSize; ++i) x[i] = simd::load(from + i * simd::kLanes<T>);
}

// e = exp(-|x|), which never overflows. sigmoid(x) is 1 / (1 + e) for x >= 0, else e / (1 + e).
template <class T>
void decay_of(Batches<T>& e, const Batches<T>& x) {
#pragma clang loop unroll(full)
  for (std::size_t i = 0; i < kGroupSize; ++i) e[i] = x[i] | Batch<T>(T{-0.0});  // -|x|
  simd::exp_of_nonpositive<T, kGroupSize>(e);
}

// s = sigmoid(x)
template <class T>
Batch<T> sigmoid(const Batch<T>& x, const Batch<T>& e) {
  const Batch<T> one(T{1});
  return simd::divide(xsimd::select(x >= Batch<T>(T{0}), one, e), one + e);
}

// s and 1 - s, the latter without cancellation.
template <class T>
struct Gate {
  Batch<T> open;
  Batch<T> shut;
};
template <class T>
Gate<T> gate_of(const Batch<T>& x, const Batch<T>& e) {
  const Batch<T> one(T{1});
  const Batch<T> larger = simd::divide(one, one + e);
  const Batch<T> smaller = simd::divide(e, one + e);
  const auto positive = x >= Batch<T>(T{0});
  return {xsimd::select(positive, larger, smaller), xsimd::select(positive, smaller, larger)};
}

// 2 u and 2 u' of gelu.
template <class T>
Batch<T> twice_u(const Batch<T>& x) {
  const Batch<T> factor(static_cast<T>(kTwiceSquareRootOfTwoOverPi));
  return factor * x * (Batch<T>(T{1}) + Batch<T>(static_cast<T>(kCubic)) * (x * x));
}
template <class T>
Batch<T> twice_u_slope(const Batch<T>& x) {
  const Batch<T> factor(static_cast<T>(kTwiceSquareRootOfTwoOverPi));
  return factor * (Batch<T>(T{1}) + Batch<T>(static_cast<T>(3 * kCubic)) * (x * x));
}

}  // namespace

template <class T>
void gelu(T* out, T* slope, const T* x, std::size_t size) {
  const bool with_slope = slope != nullptr;
  for_groups<T>(size, {out, with_slope ? slope : out}, {x}, [=](T* const* to, const T* const* from) {
    Batches<T> x_i;
    Batches<T> argument;
    Batches<T> e;
    load_group(x_i, from[0]);
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < kGroupSize; ++i) argument[i] = twice_u<T>(x_i[i]);
    decay_of<T>(e, argument);
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < kGroupSize; ++i) {
      const std::size_t at = i * simd::kLanes<T>;
      const Gate<T> s = gate_of<T>(argument[i], e[i]);
      const Batch<T> value = x_i[i] * s.open;
      // Without a slope, to[1] is to[0].
      simd::store(to[1] + at, with_slope ? s.open + value * s.shut * twice_u_slope<T>(x_i[i]) : value);
      simd::store(to[0] + at, value);
    }
  });
}

template <class T>
void silu_gate(T* out, const T* gate, const T* up, std::size_t size) {
  for_groups<T>(size, {out}, {gate, up}, [](T* const* to, const T* const* from) {
    Batches<T> x;
    Batches<T> e;
    load_group(x, from[0]);
    decay_of<T>(e, x);
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < kGroupSize; ++i) {
      const std::size_t at = i * simd::kLanes<T>;
      simd::store(to[0] + at, x[i] * sigmoid<T>(x[i], e[i]) * simd::load(from[1] + at));
    }
  });
}

template <class T>
void silu_gate_backward(T* dgate, T* dup, const T* gate, const T* up, const T* dout, std::size_t size) {
  for_groups<T>(size, {dgate, dup}, {gate, up, dout}, [](T* const* to, const T* const* from) {
    Batches<T> x;
    Batches<T> e;
    load_group(x, from[0]);
    decay_of<T>(e, x);
#pragma clang loop unroll(full)
    for (std::size_t i = 0; i < kGroupSize; ++i) {
      const std::size_t at = i * simd::kLanes<T>;
      const Batch<T> up_i = simd::load(from[1] + at);
      const Batch<T> gradient = simd::load(from[2] + at);
      const Gate<T> s = gate_of<T>(x[i], e[i]);
      simd::store(to[0] + at, gradient * up_i * (s.open + x[i] * s.open * s.shut));
      simd::store(to[1] + at, gradient * (x[i] * s.open));
    }
  });
}

template void gelu<float>(float*, float*, const float*, std::size_t);
template void gelu<double>(double*, double*, const double*, std::size_t);
template void silu_gate<float>(float*, const float*, const float*, std::size_t);
template void silu_gate<double>(double*, const double*, const double*, std::size_t);
template void silu_gate_backward<float>(float*, float*, const float*, const float*, const float*, std::size_t);
template void silu_gate_backward<double>(double*, double*, const double*, const double*, const double*, std::size_t);

}  // namespace tied
