// Maximum and sum of exponentials of a row, shared by all softmax kernels. Internal to linalg.
#pragma once

#include <cstddef>

namespace tied {

// The softmax of a row is exp(scale x_j - maximum) / sum.
struct Normalizer {
  double maximum;
  double sum;
};

// The two halves of `normalizer`, for callers that take several rows through each half: one row is a long chain of
// operations, and a processor overlaps it with the next rows only if their instructions follow soon.
//
// The maximum of the row times scale.
template <class T>
T scaled_maximum(const T* x, std::size_t size, T scale, std::size_t capacity);
// The sum of exp(scale x_j - maximum).
template <class T>
double exponential_sum(const T* x, std::size_t size, T* exponentials, T scale, T maximum, std::size_t capacity);

// Normalizer of a row of size > 0, scale > 0. If `exponentials` [size] is not null, exp(scale x_j - maximum) is written
// there; it may be x. The order of summation follows from `size` alone.
//
// capacity >= size: elements that can be read at x and written at `exponentials`. If it covers the row's last batch,
// that batch is processed as a whole: elements after the row are ignored on reading and become 0.
template <class T>
Normalizer normalizer(const T* x, std::size_t size, T* exponentials, T scale, std::size_t capacity);

template <class T>
inline Normalizer normalizer(const T* x, std::size_t size, T* exponentials) {
  return normalizer<T>(x, size, exponentials, T{1}, size);
}

}  // namespace tied
