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
    v = beta2 * v + new2 * g * g;
    move(w, m, v, g);
  }

  void move(Batch<T>& w, Batch<T>& m, const Batch<T>& v, const Batch<T>& g) const {
    m = beta1 * m + new1 * g;
    w = keep * w - simd::divide(step * m, simd::divide(simd::square_root(v), root_corrected) + epsilon);
  }
};

template <class T>
Adamw<T> adamw_of(double learning_rate, double beta1, double beta2, double epsilon, double weight_decay,
                  double bias_correction1, double bias_correction2, double gradient_scale) {
  return {spread<T>(1 - learning_rate * weight_decay),
          spread<T>(beta1),
          spread<T>(1 - beta1),
          spread<T>(beta2),
          spread<T>(1 - beta2),
          spread<T>(learning_rate / bias_correction1),
          spread<T>(std::sqrt(bias_correction2)),
          spread<T>(epsilon),
          spread<T>(gradient_scale)};
}

// A batch, or the rest of a row.
template <class T>
Batch<T> load_up_to(const T* from, std::size_t count) {
  return count >= kLanes<T> ? simd::load(from) : simd::load_partial(from, count, T{0});
}
template <class T>
void store_up_to(T* to, const Batch<T>& batch, std::size_t count) {
  if (count >= kLanes<T>) {
    simd::store(to, batch);
  } else {
    simd::store_partial(to, batch, count);
  }
}

// v = beta2 v + (1 - beta2) mean g^2. The squares are summed separately, since those of a single row of many can be
// below the rounding error of v.
template <class T>
void update_shared_moments(T* v, const T* gradient, std::size_t rows, std::size_t cols, const Adamw<T>& adamw) {
  const Batch<T> share = spread<T>(1 / static_cast<double>(rows));
  for (std::size_t col = 0; col < cols; col += kLanes<T>) {
    Batch<T> sum = spread<T>(0);
    for (std::size_t row = 0; row < rows; ++row) {
      const Batch<T> g = adamw.gradient_scale * load_up_to(gradient + row * cols + col, cols - col);
      sum = sum + g * g;
    }
    store_up_to(v + col, adamw.beta2 * load_up_to(v + col, cols - col) + adamw.new2 * (share * sum), cols - col);
  }
}

}  // namespace

template <class T>
void adamw_update(T* w, T* m, T* v, const T* gradient, std::size_t size, double learning_rate, double beta1,
                  double beta2, double epsilon, double weight_decay, double bias_correction1, double bias_correction2,
                  double gradient_scale) {
  const Adamw<T> adamw = adamw_of<T>(learning_rate, beta1, beta2, epsilon, weight_decay, bias_correction1,
                                     bias_correction2, gradient_scale);
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
void coupled_adamw_update(T* w, T* m, T* v, const T* gradient, std::size_t rows, std::size_t cols, double learning_rate,
                          double beta1, double beta2, double epsilon, double weight_decay, double bias_correction1,
                          double bias_correction2, double gradient_scale) {
  const Adamw<T> adamw = adamw_of<T>(learning_rate, beta1, beta2, epsilon, weight_decay, bias_correction1,
                                     bias_correction2, gradient_scale);
  update_shared_moments(v, gradient, rows, cols, adamw);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t col = 0; col < cols; col += kLanes<T>) {
      const std::size_t at = row * cols + col;
      const std::size_t count = cols - col;
      Batch<T> w_i = load_up_to(w + at, count);
      Batch<T> m_i = load_up_to(m + at, count);
      adamw.move(w_i, m_i, load_up_to(v + col, count), adamw.gradient_scale * load_up_to(gradient + at, count));
      store_up_to(w + at, w_i, count);
      store_up_to(m + at, m_i, count);
    }
  }
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
template void coupled_adamw_update<float>(float*, float*, float*, const float*, std::size_t, std::size_t, double,
                                          double, double, double, double, double, double, double);
template void coupled_adamw_update<double>(double*, double*, double*, const double*, std::size_t, std::size_t, double,
                                           double, double, double, double, double, double, double);
template void sgd_update<float>(float*, float*, const float*, std::size_t, double, double, double, double);
template void sgd_update<double>(double*, double*, const double*, std::size_t, double, double, double, double);

}  // namespace tied
