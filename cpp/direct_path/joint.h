// A joint distribution over (current, next) token, backed by counts or probabilities without a copy.
#pragma once

#include "linalg/matrix_view.h"

namespace tied {

// J(i, j) = scale * entry (i, j). One type for float and double tables, so that its readers are compiled once
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
