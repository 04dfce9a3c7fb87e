// Shared by the tests of linalg: seeded matrices at unaligned starts, between guard values.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "linalg/matrix_view.h"

namespace tied::test::inline linalg_tests {

// A matrix whose rows are `stride` apart and whose first element is `offset` elements off an aligned address, inside a
// larger block of guard values. Reading outside it spoils results; writing outside it changes guards.
template <class T>
class Guarded {
 public:
  static constexpr T kGuard = T(1e30);

  Guarded(std::size_t rows, std::size_t cols, std::size_t padding = 0, std::size_t offset = 0)
      : rows_(rows), cols_(cols), stride_(cols + padding), offset_(offset + 16) {
    block_.assign(offset_ + rows * stride_ + 16, kGuard);
  }

  MatrixView<T> view() { return {block_.data() + offset_, rows_, cols_, stride_}; }
  ConstMatrixView<T> view() const { return {block_.data() + offset_, rows_, cols_, stride_}; }
  T& operator()(std::size_t i, std::size_t j) { return block_[offset_ + i * stride_ + j]; }
  T operator()(std::size_t i, std::size_t j) const { return block_[offset_ + i * stride_ + j]; }

  Guarded& fill_normal(std::uint64_t seed, double scale = 1) {
    Random random(seed, stream_of("test matrix"));
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t j = 0; j < cols_; ++j) (*this)(i, j) = static_cast<T>(scale * random.normal());
    }
    return *this;
  }

  // Whether everything outside the matrix is unchanged.
  bool untouched_outside() const {
    for (std::size_t place = 0; place < block_.size(); ++place) {
      const bool before = place < offset_;
      const bool inside =
          !before && cols_ > 0 && (place - offset_) / stride_ < rows_ && (place - offset_) % stride_ < cols_;
      if (!inside && block_[place] != kGuard) return false;
    }
    return true;
  }

 private:
  std::size_t rows_;
  std::size_t cols_;
  std::size_t stride_;
  std::size_t offset_;
  std::vector<T> block_;
};

// Sizes around those of lanes, tiles and blocks of the kernels.
inline const std::vector<std::size_t> kVectorSizes{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 255, 256, 257, 258, 1000};

// FNV-1a over the bits of a matrix, for results that must be the same on every machine.
inline std::uint64_t hash_of_bits(ConstMatrixView<float> m) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t i = 0; i < m.rows; ++i) {
    for (std::size_t j = 0; j < m.cols; ++j) hash = (hash ^ std::bit_cast<std::uint32_t>(m(i, j))) * 0x100000001b3;
  }
  return hash;
}

// Unit roundoff: half the distance from 1 to the next larger number.
template <class T>
inline constexpr double kRoundoff = sizeof(T) == 4 ? 0x1p-24 : 0x1p-53;

}  // namespace tied::test::inline linalg_tests
