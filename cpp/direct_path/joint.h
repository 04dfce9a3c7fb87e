// A joint distribution over (current, next) token, backed by counts or probabilities without a copy, and its terms.
#pragma once

#include "base/elementary.h"
#include "linalg/matrix_view.h"

namespace tied {

// x ln(x / y), 0 for x = 0.
inline double weighted_log(double x, double y) { return x > 0 ? x * natural_log(x / y) : 0; }

// The term that the entry `forward` of a table J, whose mirror image is `backward`, adds to JS(J, J^T). The mean of two
// equal values is exact, so symmetric tables give 0.
inline double divergence_term(double forward, double backward) {
  return weighted_log(forward, (forward + backward) / 2);
}

// The largest value of JS(J, J^T).
inline constexpr double kLn2 = 0.6931471805599453;

// J(i, j) = scale * entry (i, j). One type for float and double tables, so the code that reads it is compiled only once
// (payload).
class Joint {
 public:
  explicit Joint(ConstMatrixView<float> weights)
      : floats_(weights.data), size_(weights.rows), stride_(weights.stride) {}
  explicit Joint(ConstMatrixView<double> weights)
      : doubles_(weights.data), size_(weights.rows), stride_(weights.stride) {}

  // Number of tokens.
  std::size_t size() const { return size_; }
  void set_scale(double scale) { scale_ = scale; }

  double operator()(std::size_t i, std::size_t j) const {
    TIED_ASSERT(i < size_ && j < size_);
    const std::size_t place = i * stride_ + j;
    return scale_ * (floats_ != nullptr ? static_cast<double>(floats_[place]) : doubles_[place]);
  }

 private:
  const float* floats_ = nullptr;
  const double* doubles_ = nullptr;
  std::size_t size_;
  std::size_t stride_;
  double scale_ = 1;
};

}  // namespace tied
