#include "linalg/activation.h"

#include <algorithm>

#include "linalg/simd.h"
#include "linalg/simd_exp.h"

namespace tied {
namespace {

using simd::Batch;

constexpr double kTwiceSquareRootOfTwoOverPi = 1.5957691216057307;
constexpr double kCubic = 0.044715;

// Places in kActivationConstants.
constexpr std::size_t kSign = 0;
constexpr std::size_t kOne = 1;
constexpr std::size_t kFactorOfU = 2;
constexpr std::size_t kCubicOfU = 3;
constexpr std::size_t kCubicOfSlope = 4;

template <class T>
constexpr T kActivationConstantList[] = {T{-0.0}, T{1}, static_cast<T>(kTwiceSquareRootOfTwoOverPi),
                                         static_cast<T>(kCubic), static_cast<T>(3 * kCubic)};
template <class T>
constexpr auto kActivationConstants = simd::spread(kActivationConstantList<T>);

// Exponentials of this many elements are computed before anything else: interleaved, there would be too few registers.
constexpr std::size_t kDecayBlock = 192;

// Calls body(at, to, from, e) for each batch of arrays of `size` elements, where e = exp(-|argument(x)|), which never
// overflows, for the batch x of in[0]. A partial last batch goes through zero-padded copies.
template <class T, std::size_t kOut, std::size_t kIn, class Argument, class Body>
void for_batches_with_decay(std::size_t size, T* const (&out)[kOut], const T* const (&in)[kIn], Argument argument,
                            Body body) {
  constexpr std::size_t lanes = simd::kLanes<T>;
  const Batch<T> sign = simd::Constants<T>(kActivationConstants<T>)[kSign];
  T decay[kDecayBlock];
  T last_out[kOut][lanes];
  T last_in[kIn][lanes];
  for (std::size_t i = 0; i < size;) {
    const std::size_t left = size - i;
    const bool partial = left < lanes;
    const std::size_t count = partial ? lanes : std::min(kDecayBlock, left / lanes * lanes);
    T* to[kOut];
    const T* from[kIn];
    for (std::size_t a = 0; a < kOut; ++a) to[a] = partial ? last_out[a] : out[a] + i;
    for (std::size_t a = 0; a < kIn; ++a) {
      from[a] = in[a] + i;
      if (!partial) continue;
      for (std::size_t j = 0; j < lanes; ++j) last_in[a][j] = j < left ? from[a][j] : T{0};
      from[a] = last_in[a];
    }
#pragma clang loop unroll(disable)
    for (std::size_t j = 0; j < count; j += lanes) simd::store(decay + j, argument(simd::load(from[0] + j)) | sign);
    simd::exponentials_of_nonpositive(decay, count);
#pragma clang loop unroll(disable)
    for (std::size_t j = 0; j < count; j += lanes) body(simd::WholeBatch<T>{j}, to, from, simd::load(decay + j));
    for (std::size_t a = 0; partial && a < kOut; ++a) {
      for (std::size_t j = 0; j < left; ++j) out[a][i + j] = last_out[a][j];
    }
    i += count;
  }
}

// With e = exp(-|x|), sigmoid(x) is 1 / (1 + e) for x >= 0, else e / (1 + e).
template <class T>
Batch<T> sigmoid(const Batch<T>& x, const Batch<T>& e, const Batch<T>& one) {
  return simd::divide(xsimd::select(x >= Batch<T>(T{0}), one, e), one + e);
}

// s = sigmoid(x) and 1 - s, the latter without cancellation.
template <class T>
struct Gate {
  Batch<T> open;
  Batch<T> shut;
};
template <class T>
Gate<T> gate_of(const Batch<T>& x, const Batch<T>& e, const Batch<T>& one) {
  const Batch<T> larger = simd::divide(one, one + e);
  const Batch<T> smaller = simd::divide(e, one + e);
  const auto positive = x >= Batch<T>(T{0});
  return {xsimd::select(positive, larger, smaller), xsimd::select(positive, smaller, larger)};
}

// 2 u and 2 u' of gelu.
template <class T>
Batch<T> twice_u(const Batch<T>& x, const simd::Constants<T>& constants) {
  return constants[kFactorOfU] * x * (constants[kOne] + constants[kCubicOfU] * (x * x));
}
template <class T>
Batch<T> twice_u_slope(const Batch<T>& x, const simd::Constants<T>& constants) {
  return constants[kFactorOfU] * (constants[kOne] + constants[kCubicOfSlope] * (x * x));
}

}  // namespace

template <class T>
void gelu(T* out, T* slope, const T* x, std::size_t size) {
  const bool with_slope = slope != nullptr;
  const simd::Constants<T> constants(kActivationConstants<T>);
  for_batches_with_decay<T>(
      size, {out, with_slope ? slope : out}, {x}, [=](const Batch<T>& x_i) { return twice_u(x_i, constants); },
      [=](auto at, T* const* to, const T* const* from, const Batch<T>& e) {
        const Batch<T> x_i = at.load(from[0]);
        const Gate<T> s = gate_of<T>(twice_u(x_i, constants), e, constants[kOne]);
        const Batch<T> value = x_i * s.open;
        // Without a slope, to[1] is to[0].
        at.store(to[1], with_slope ? s.open + value * s.shut * twice_u_slope(x_i, constants) : value);
        at.store(to[0], value);
      });
}

template <class T>
void silu_gate(T* out, const T* gate, const T* up, std::size_t size) {
  const simd::Constants<T> constants(kActivationConstants<T>);
  for_batches_with_decay<T>(
      size, {out}, {gate, up}, [](const Batch<T>& x) { return x; },
      [=](auto at, T* const* to, const T* const* from, const Batch<T>& e) {
        const Batch<T> x = at.load(from[0]);
        at.store(to[0], x * sigmoid<T>(x, e, constants[kOne]) * at.load(from[1]));
      });
}

template <class T>
void silu_gate_backward(T* dgate, T* dup, const T* gate, const T* up, const T* dout, std::size_t size) {
  const simd::Constants<T> constants(kActivationConstants<T>);
  for_batches_with_decay<T>(
      size, {dgate, dup}, {gate, up, dout}, [](const Batch<T>& x) { return x; },
      [=](auto at, T* const* to, const T* const* from, const Batch<T>& e) {
        const Batch<T> x = at.load(from[0]);
        const Batch<T> up_i = at.load(from[1]);
        const Batch<T> gradient = at.load(from[2]);
        const Gate<T> s = gate_of<T>(x, e, constants[kOne]);
        at.store(to[0], gradient * up_i * (s.open + x * s.open * s.shut));
        at.store(to[1], gradient * (x * s.open));
      });
}

template void gelu<float>(float*, float*, const float*, std::size_t);
template void gelu<double>(double*, double*, const double*, std::size_t);
template void silu_gate<float>(float*, const float*, const float*, std::size_t);
template void silu_gate<double>(double*, const double*, const double*, std::size_t);
template void silu_gate_backward<float>(float*, float*, const float*, const float*, const float*, std::size_t);
template void silu_gate_backward<double>(double*, double*, const double*, const double*, const double*, std::size_t);

}  // namespace tied
