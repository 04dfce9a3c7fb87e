// Values that the scripts of tests/reference and the tests compute in the same way, and comparisons with the scripts'
// output.
#pragma once

#include <cmath>
#include <string>

#include "support.h"

namespace tied::test::inline training_tests {

// In [-1, 1) with twelve bits, from a name and an index: `unit` of the script.
inline double unit(const std::string& name, std::size_t i) {
  std::uint32_t x = 0x811C9DC5u;
  for (const char c : name) x = (x ^ static_cast<unsigned char>(c)) * 0x01000193u;
  x += static_cast<std::uint32_t>(i + 1) * 2654435761u;
  x = (x ^ (x >> 16)) * 0x45D9F3Bu;
  x ^= x >> 16;
  return static_cast<double>(x >> 20) / 2048 - 1;
}

inline double start_of(const Parameter& parameter, std::size_t i) {
  const double number = unit(parameter.name, i);
  if (parameter.name.ends_with("norm.weight")) return 1 + 0.25 * number;
  if (parameter.name == "between") return 0.125 * number + (i / parameter.cols == i % parameter.cols ? 1 : 0);
  return (parameter.is_vector ? 0.25 : 0.5) * number;
}

template <class T>
double largest_difference(ConstMatrixView<T> ours, const double* theirs) {
  double largest = 0;
  for (std::size_t i = 0; i < ours.rows; ++i) {
    for (std::size_t j = 0; j < ours.cols; ++j) {
      const double difference = std::fabs(static_cast<double>(ours(i, j)) - theirs[i * ours.cols + j]);
      // Written so that NaN counts as a difference.
      if (!(difference <= largest)) largest = difference;
    }
  }
  return largest;
}

// Sets every parameter of a trainer to the values of `start_of`.
template <class T>
void set_starts(Trainer<T>& trainer) {
  for (const Parameter& parameter : trainer.table().list()) {
    if (!parameter.owns_storage()) continue;
    auto matrix = Matrix<T>::create(static_cast<std::size_t>(parameter.rows), static_cast<std::size_t>(parameter.cols));
    REQUIRE(matrix.ok());
    for (std::size_t i = 0; i < parameter.size(); ++i) {
      matrix.value().data()[i] = static_cast<T>(start_of(parameter, i));
    }
    REQUIRE(trainer.set_matrix(parameter.name, std::as_const(matrix.value()).view()).ok());
  }
}

}  // namespace tied::test::inline training_tests
