#include "linalg/activation.h"

#include "linalg/simd.h"
#include "linalg/simd_exp.h"

namespace tied {
namespace {

using simd::Batch;

constexpr double kTwiceSquareRootOfTwoOverPi = 1.5957691216057307;
constexpr double kCubic = 0.044715;

template <class T>
struct Sigmoid {
  Batch<T> open;  // s = 1 / (1 + exp(-x))
  Batch<T> shut;  // 1 - s, without cancellation
};

template <class T>
Sigmoid<T> sigmoid(const Batch<T>& x) {
  const Batch<T> one(T{1});
  // exp(-|x|) never overflows; which of the two parts it belongs to depends on the sign.
  const Batch<T> e = simd::exp_of_nonpositive<T>(-xsimd::abs(x));
  const Batch<T> larger = one / (one + e);
  const Batch<T> smaller = e / (one + e);
  const auto positive = x >= Batch<T>(T{0});
  return {xsimd::select(positive, larger, smaller), xsimd::select(positive, smaller, larger)};
}

// 2 u and 2 u' of gelu, from x and x^2.
template <class T>
Batch<T> twice_u(const Batch<T>& x, const Batch<T>& square) {
  const Batch<T> factor(static_cast<T>(kTwiceSquareRootOfTwoOverPi));
  return factor * x * (Batch<T>(T{1}) + Batch<T>(static_cast<T>(kCubic)) * square);
}
template <class T>
Batch<T> twice_u_slope(const Batch<T>& square) {
  const Batch<T> factor(static_cast<T>(kTwiceSquareRootOfTwoOverPi));
  return factor * (Batch<T>(T{1}) + Batch<T>(static_cast<T>(3 * kCubic)) * square);
}

}  // namespace

template <class T>
void gelu(T* out, const T* x, std::size_t size) {
  simd::map<T>(
      out, size, T{0}, [](const Batch<T>& batch) { return batch * sigmoid<T>(twice_u<T>(batch, batch * batch)).open; },
      x);
}

template <class T>
void gelu_backward(T* dx, const T* x, const T* dout, std::size_t size) {
  simd::map<T>(
      dx, size, T{0},
      [](const Batch<T>& batch, const Batch<T>& gradient) {
        const Batch<T> square = batch * batch;
        const Sigmoid<T> s = sigmoid<T>(twice_u<T>(batch, square));
        return gradient * (s.open + batch * s.open * s.shut * twice_u_slope<T>(square));
      },
      x, dout);
}

template <class T>
void silu_gate(T* out, const T* gate, const T* up, std::size_t size) {
  simd::map<T>(
      out, size, T{0}, [](const Batch<T>& x, const Batch<T>& y) { return x * sigmoid<T>(x).open * y; }, gate, up);
}

template <class T>
void silu_gate_backward(T* dgate, T* dup, const T* gate, const T* up, const T* dout, std::size_t size) {
  simd::for_batches<T>(size, [=](auto at) {
    const Batch<T> x = at.load(gate);
    const Batch<T> y = at.load(up);
    const Batch<T> gradient = at.load(dout);
    const Sigmoid<T> s = sigmoid<T>(x);
    at.store(dgate, gradient * y * (s.open + x * s.open * s.shut));
    at.store(dup, gradient * (x * s.open));
  });
}

template void gelu<float>(float*, const float*, std::size_t);
template void gelu<double>(double*, const double*, std::size_t);
template void gelu_backward<float>(float*, const float*, const float*, std::size_t);
template void gelu_backward<double>(double*, const double*, const double*, std::size_t);
template void silu_gate<float>(float*, const float*, const float*, std::size_t);
template void silu_gate<double>(double*, const double*, const double*, std::size_t);
template void silu_gate_backward<float>(float*, float*, const float*, const float*, const float*, std::size_t);
template void silu_gate_backward<double>(double*, double*, const double*, const double*, const double*, std::size_t);

}  // namespace tied
