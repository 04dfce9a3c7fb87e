// A square matrix from its entries.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <utility>

#include "linalg/matrix_view.h"

namespace tied::test {

inline Matrix<float> square_matrix(std::size_t size, std::initializer_list<float> entries) {
  REQUIRE(entries.size() == size * size);
  auto matrix = Matrix<float>::create(size, size);
  REQUIRE(matrix.ok());
  std::copy(entries.begin(), entries.end(), matrix.value().data());
  return std::move(matrix).value();
}

}  // namespace tied::test
