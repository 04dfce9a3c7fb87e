#include "linalg/activation.h"

#include "linalg/simd.h"
#include "linalg/simd_exp.h"

namespace tied {
namespace {

using simd::Batch;

constexpr double kTwiceSquareRootOfTwoOverPi = 1.5957691216057307;
constexpr double kCubic = 0.044715;

template <class T>
struct Gate {
  Batch<T> open;   // s = sigmoid(2 u)
  Batch<T> shut;   // 1 - s, without cancellation
  Batch<T> slope;  // 2 u'
};

template <class T>
Gate<T> gate(const Batch<T>& x) {
  const Batch<T> one(T{1});
  const Batch<T> factor(static_cast<T>(kTwiceSquareRootOfTwoOverPi));
  const Batch<T> cubic(static_cast<T>(kCubic));
  const Batch<T> square = x * x;
  const Batch<T> twice_u = factor * x * (one + cubic * square);
  // exp(-|2 u|) never overflows; which of the two parts it belongs to depends on the sign.
  const Batch<T> e = simd::exp_of_nonpositive<T>(-xsimd::abs(twice_u));
  const Batch<T> larger = one / (one + e);
  const Batch<T> smaller = e / (one + e);
  const auto positive = twice_u >= Batch<T>(T{0});
  const Batch<T> slope = factor * (one + Batch<T>(static_cast<T>(3 * kCubic)) * square);
  return {xsimd::select(positive, larger, smaller), xsimd::select(positive, smaller, larger), slope};
}

}  // namespace

template <class T>
void gelu(T* out, const T* x, std::size_t size) {
  simd::map<T>(out, size, T{0}, [](const Batch<T>& batch) { return batch * gate<T>(batch).open; }, x);
}

template <class T>
void gelu_backward(T* dx, const T* x, const T* dout, std::size_t size) {
  simd::map<T>(
      dx, size, T{0},
      [](const Batch<T>& batch, const Batch<T>& gradient) {
        const Gate<T> g = gate<T>(batch);
        return gradient * (g.open + batch * g.open * g.shut * g.slope);
      },
      x, dout);
}

template void gelu<float>(float*, const float*, std::size_t);
template void gelu<double>(double*, const double*, std::size_t);
template void gelu_backward<float>(float*, const float*, const float*, std::size_t);
template void gelu_backward<double>(double*, const double*, const double*, std::size_t);

}  // namespace tied
