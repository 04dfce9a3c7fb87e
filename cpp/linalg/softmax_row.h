// What every softmax of a row begins with. For the files of this folder.
#pragma once

#include <cstddef>

namespace tied {

// A row's softmax is exp(scale x_j - maximum) / sum.
struct Normalizer {
  double maximum;
  double sum;
};

// The normalizer of a row of size > 0, scale > 0; where `exponentials` [size] is not null, exp(scale x_j - maximum) is
// written there (may be x). The sum is taken in batches, runs of batches in double: its order follows from `size`
// alone.
//
// room >= size: how many numbers there are at x and `exponentials`. With room for the whole of the row's last batch it
// is read and written as a whole, zeros after the row's own; what stood there does not count.
template <class T>
Normalizer normalizer(const T* x, std::size_t size, T* exponentials, T scale, std::size_t room);

template <class T>
inline Normalizer normalizer(const T* x, std::size_t size, T* exponentials) {
  return normalizer<T>(x, size, exponentials, T{1}, size);
}

}  // namespace tied
