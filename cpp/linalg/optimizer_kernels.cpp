#include "linalg/optimizer_kernels.h"

#include <cmath>

#include "linalg/simd.h"

namespace tied {
namespace {

using simd::Batch;
using simd::kLanes;

template <class T>
Batch<T> spread(double value) {
  return Batch<T>(static_cast<T>(value));
}

template <class T>
struct Adamw {
  Batch<T> keep;  // 1 - learning_rate weight_decay
  Batch<T> beta1, new1, beta2, new2;
  Batch<T> step;            // learning_rate / bias_correction1
  Batch<T> root_corrected;  // sqrt(bias_correction2)
  Batch<T> epsilon, gradient_scale;

  void update(Batch<T>& w, Batch<T>& m, Batch<T>& v, const Batch<T>& gradient) const {
    const Batch<T> g = gradient_scale * gradient;
    m = beta1 * m + new1 * g;
    v = beta2 * v + new2 * g * g;
    w = keep * w - simd::divide(step * m, simd::divide(simd::square_root(v), root_corrected) + epsilon);
  }
};

}  // namespace

template <class T>
void adamw_update(T* w, T* m, T* v, const T* gradient, std::size_t size, double learning_rate, double beta1,
                  double beta2, double epsilon, double weight_decay, double bias_correction1, double bias_correction2,
                  double gradient_scale) {
  const Adamw<T> adamw{spread<T>(1 - learning_rate * weight_decay),
                       spread<T>(beta1),
                       spread<T>(1 - beta1),
                       spread<T>(beta2),
                       spread<T>(1 - beta2),
                       spread<T>(learning_rate / bias_correction1),
                       spread<T>(std::sqrt(bias_correction2)),
                       spread<T>(epsilon),
                       spread<T>(gradient_scale)};
  std::size_t i = 0;
  for (; i + kLanes<T> <= size; i += kLanes<T>) {
    Batch<T> w_i = simd::load(w + i);
    Batch<T> m_i = simd::load(m + i);
    Batch<T> v_i = simd::load(v + i);
    adamw.update(w_i, m_i, v_i, simd::load(gradient + i));
    simd::store(w + i, w_i);
    simd::store(m + i, m_i);
    simd::store(v + i, v_i);
  }
  if (i == size) return;
  const std::size_t rest = size - i;
  Batch<T> w_i = simd::load_partial(w + i, rest, T{0});
  Batch<T> m_i = simd::load_partial(m + i, rest, T{0});
  Batch<T> v_i = simd::load_partial(v + i, rest, T{0});
  adamw.update(w_i, m_i, v_i, simd::load_partial(gradient + i, rest, T{0}));
  simd::store_partial(w + i, w_i, rest);
  simd::store_partial(m + i, m_i, rest);
  simd::store_partial(v + i, v_i, rest);
}

template <class T>
void sgd_update(T* w, T* velocity, const T* gradient, std::size_t size, double learning_rate, double momentum,
                double weight_decay, double gradient_scale) {
  TIED_ASSERT(velocity != nullptr || momentum == 0);
  const Batch<T> keep = spread<T>(1 - learning_rate * weight_decay);
  const Batch<T> rate = spread<T>(learning_rate);
  const Batch<T> scale = spread<T>(gradient_scale);
  const T* direction = gradient;
  Batch<T> direction_scale = scale;
  if (velocity != nullptr) {
    const Batch<T> factor = spread<T>(momentum);
    simd::map<T>(
        velocity, size, T{0},
        [&](const Batch<T>& velocity_i, const Batch<T>& g) { return factor * velocity_i + scale * g; }, velocity,
        gradient);
    direction = velocity;
    direction_scale = spread<T>(1);
  }
  simd::map<T>(
      w, size, T{0}, [&](const Batch<T>& w_i, const Batch<T>& d) { return keep * w_i - rate * (direction_scale * d); },
      w, direction);
}

template void adamw_update<float>(float*, float*, float*, const float*, std::size_t, double, double, double, double,
                                  double, double, double, double);
template void adamw_update<double>(double*, double*, double*, const double*, std::size_t, double, double, double,
                                   double, double, double, double, double);
template void sgd_update<float>(float*, float*, const float*, std::size_t, double, double, double, double);
template void sgd_update<double>(double*, double*, const double*, std::size_t, double, double, double, double);

}  // namespace tied
