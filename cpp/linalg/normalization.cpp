// An RMS norm is a layer norm whose mean is taken as 0 (subtracting 0 changes no bit), so one kernel serves both.
#include "linalg/normalization.h"

#include <algorithm>
#include <cmath>

#include "linalg/simd.h"

namespace tied {
namespace {

using simd::Batch;

// Rows that go through each part of their operations together: each part is a long chain.
constexpr std::size_t kNormRows = 16;

// x shifted and scaled, before weight and bias.
template <class T>
struct Normalized {
  Batch<T> center;
  Batch<T> inverse;

  Batch<T> operator()(const Batch<T>& x) const { return (x - center) * inverse; }
};

template <class T>
void normalize(MatrixView<T> out, T* mean, T* inverse, ConstMatrixView<T> x, const T* weight, const T* bias,
               double epsilon) {
  TIED_ASSERT(out.rows == x.rows && out.cols == x.cols && x.cols > 0);
  const std::size_t cols = x.cols;
  const double inverse_cols = 1 / static_cast<double>(cols);
  for (std::size_t first = 0; first < x.rows; first += kNormRows) {
    const std::size_t end = std::min(x.rows, first + kNormRows);
    for (std::size_t i = first; mean != nullptr && i < end; ++i) {
      const T* from = x.row(i);
      mean[i] = static_cast<T>(simd::sum_over_batches<T>(cols, [=](auto at) { return at.load(from); }) * inverse_cols);
    }
    for (std::size_t i = first; i < end; ++i) {
      const T* from = x.row(i);
      const T center = mean != nullptr ? mean[i] : T{0};
      const Batch<T> shift(center);
      const double square = simd::sum_over_batches<T>(cols, [=](auto at) {
        const Batch<T> difference = at.load(from, center) - shift;
        return difference * difference;
      });
      inverse[i] = static_cast<T>(1 / std::sqrt(square * inverse_cols + epsilon));
    }
    for (std::size_t i = first; i < end; ++i) {
      const T* from = x.row(i);
      T* to = out.row(i);
      const Normalized<T> normalized{Batch<T>(mean != nullptr ? mean[i] : T{0}), Batch<T>(inverse[i])};
      simd::for_batches<T>(cols, [=](auto at) {
        Batch<T> y = normalized(at.load(from));
        if (weight != nullptr) y = y * at.load(weight);
        if (bias != nullptr) y = y + at.load(bias);
        at.store(to, y);
      });
    }
  }
}

template <class T>
void normalize_backward(MatrixView<T> dx, T* dweight, T* dbias, ConstMatrixView<T> dout, ConstMatrixView<T> x,
                        const T* weight, const T* mean, const T* inverse) {
  TIED_ASSERT(dx.rows == x.rows && dx.cols == x.cols && dout.rows == x.rows && dout.cols == x.cols && x.cols > 0);
  TIED_ASSERT((dweight == nullptr) == (weight == nullptr));
  const std::size_t cols = x.cols;
  const double inverse_cols = 1 / static_cast<double>(cols);
  for (std::size_t i = 0; i < x.rows; ++i) {
    const T* from = x.row(i);
    const T* incoming = dout.row(i);
    T* to = dx.row(i);
    const Batch<T> factor(inverse[i]);
    const Normalized<T> normalized{Batch<T>(mean != nullptr ? mean[i] : T{0}), factor};
    const auto weighted = [=](auto at) {
      const Batch<T> gradient = at.load(incoming);
      return weight != nullptr ? gradient * at.load(weight) : gradient;
    };
    Batch<T> mean_gradient(T{0});
    if (mean != nullptr)
      mean_gradient = Batch<T>(static_cast<T>(simd::sum_over_batches<T>(cols, weighted) * inverse_cols));
    // Lanes past the end hold a gradient of 0.
    const double product =
        simd::sum_over_batches<T>(cols, [=](auto at) { return weighted(at) * normalized(at.load(from)); });
    const Batch<T> mean_product(static_cast<T>(product * inverse_cols));
    simd::for_batches<T>(cols, [=](auto at) {
      const Batch<T> y = normalized(at.load(from));
      const Batch<T> gradient = at.load(incoming);
      at.store(to, at.load(to) + factor * ((weighted(at) - mean_gradient) - y * mean_product));
      if (dweight != nullptr) at.store(dweight, at.load(dweight) + gradient * y);
      if (dbias != nullptr) at.store(dbias, at.load(dbias) + gradient);
    });
  }
}

}  // namespace

template <class T>
void rms_norm(MatrixView<T> out, T* inverse, Deduced<ConstMatrixView<T>> x, const T* weight, double epsilon) {
  normalize<T>(out, nullptr, inverse, x, weight, nullptr, epsilon);
}

template <class T>
void rms_norm_backward(MatrixView<T> dx, T* dweight, Deduced<ConstMatrixView<T>> dout, Deduced<ConstMatrixView<T>> x,
                       const T* weight, const T* inverse) {
  normalize_backward<T>(dx, dweight, nullptr, dout, x, weight, nullptr, inverse);
}

template <class T>
void layer_norm(MatrixView<T> out, T* mean, T* inverse, Deduced<ConstMatrixView<T>> x, const T* weight, const T* bias,
                double epsilon) {
  normalize<T>(out, mean, inverse, x, weight, bias, epsilon);
}

template <class T>
void layer_norm_backward(MatrixView<T> dx, T* dweight, T* dbias, Deduced<ConstMatrixView<T>> dout,
                         Deduced<ConstMatrixView<T>> x, const T* weight, const T* mean, const T* inverse) {
  normalize_backward<T>(dx, dweight, dbias, dout, x, weight, mean, inverse);
}

template void rms_norm<float>(MatrixView<float>, float*, ConstMatrixView<float>, const float*, double);
template void rms_norm<double>(MatrixView<double>, double*, ConstMatrixView<double>, const double*, double);
template void rms_norm_backward<float>(MatrixView<float>, float*, ConstMatrixView<float>, ConstMatrixView<float>,
                                       const float*, const float*);
template void rms_norm_backward<double>(MatrixView<double>, double*, ConstMatrixView<double>, ConstMatrixView<double>,
                                        const double*, const double*);
template void layer_norm<float>(MatrixView<float>, float*, float*, ConstMatrixView<float>, const float*, const float*,
                                double);
template void layer_norm<double>(MatrixView<double>, double*, double*, ConstMatrixView<double>, const double*,
                                 const double*, double);
template void layer_norm_backward<float>(MatrixView<float>, float*, float*, ConstMatrixView<float>,
                                         ConstMatrixView<float>, const float*, const float*, const float*);
template void layer_norm_backward<double>(MatrixView<double>, double*, double*, ConstMatrixView<double>,
                                          ConstMatrixView<double>, const double*, const double*, const double*);

}  // namespace tied
