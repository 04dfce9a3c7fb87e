#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "diagnostics/spectral_distance.h"
#include "linalg/decompositions.h"
#include "reference/spectral_reference.h"
#include "support.h"

using namespace tied;

namespace {

// N_ij = 1 if j is one of the k rows whose cosine with row i is largest.
Matrix<double> plain_graph(const Matrix<float>& table, std::size_t k) {
  const std::size_t n = table.rows();
  auto graph = Matrix<double>::create(n, n);
  REQUIRE(graph.ok());
  const auto product = [&](std::size_t i, std::size_t j) {
    double sum = 0;
    for (std::size_t c = 0; c < table.cols(); ++c) {
      sum += static_cast<double>(table(i, c)) * static_cast<double>(table(j, c));
    }
    return sum;
  };
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<std::size_t> others(n);
    std::iota(others.begin(), others.end(), std::size_t{0});
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const auto cosine = [&](std::size_t j) { return product(i, j) / std::sqrt(product(j, j)); };
    std::sort(others.begin(), others.end(), [&](std::size_t x, std::size_t y) { return cosine(x) > cosine(y); });
    for (std::size_t rank = 0; rank < k; ++rank) {
      graph.value()(i, others[rank]) += 0.5;
      graph.value()(others[rank], i) += 0.5;
    }
  }
  return std::move(graph).value();
}

double plain_norm(const Matrix<double>& z, std::size_t first, std::size_t rows, const Matrix<double>* minus) {
  auto gram = Matrix<double>::create(z.cols(), z.cols());
  REQUIRE(gram.ok());
  const auto entry = [&](std::size_t i, std::size_t c) {
    return z(first + i, c) - (minus == nullptr ? 0 : (*minus)(i + rows - first, c));
  };
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t c = 0; c < z.cols(); ++c) {
      for (std::size_t e = 0; e < z.cols(); ++e) gram.value()(c, e) += entry(i, c) * entry(i, e);
    }
  }
  auto values = symmetric_eigenvalues(gram.value().view());
  REQUIRE(values.ok());
  return std::sqrt(values.value()[z.cols() - 1]);
}

double plain_distance(const Matrix<double>& a, const Matrix<double>& b, std::size_t dimensions) {
  const std::size_t n = a.rows();
  auto omnibus = Matrix<double>::create(2 * n, 2 * n);
  REQUIRE(omnibus.ok());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      omnibus.value()(i, j) = a(i, j);
      omnibus.value()(n + i, n + j) = b(i, j);
      omnibus.value()(i, n + j) = omnibus.value()(n + i, j) = (a(i, j) + b(i, j)) / 2;
    }
  }
  auto eigen = symmetric_eigen(omnibus.value().view());
  REQUIRE(eigen.ok());
  const auto& [values, vectors] = eigen.value();
  std::vector<std::size_t> order(2 * n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return std::fabs(values[i]) > std::fabs(values[j]); });
  auto z = Matrix<double>::create(2 * n, dimensions);
  REQUIRE(z.ok());
  for (std::size_t i = 0; i < 2 * n; ++i) {
    for (std::size_t c = 0; c < dimensions; ++c) {
      z.value()(i, c) = vectors(i, order[c]) * std::sqrt(std::fabs(values[order[c]]));
    }
  }
  const double least = std::min(plain_norm(z.value(), 0, n, nullptr), plain_norm(z.value(), n, n, nullptr));
  return plain_norm(z.value(), 0, n, &z.value()) / least;
}

Result<SpectralDistance> finished(ConstMatrixView<float> a, ConstMatrixView<float> b, const SpectralOptions& options) {
  auto made = SpectralDistance::create(a, b, options);
  if (!made) return made;
  double before = 0;
  while (!made.value().finished()) {
    if (Status status = made.value().advance(3); !status) return status;
    CHECK(made.value().share() >= before - 0.3);  // a check may require more steps
    before = made.value().share();
  }
  return made;
}

}  // namespace

TEST_CASE("the spectral distance is that of a dense decomposition, also where few of many eigenvectors are asked for") {
  struct Case {
    std::size_t rows, k, dimensions;
  };
  for (const auto& [rows, k, dimensions] : {Case{12, 3, 4}, Case{12, 3, 12}, Case{90, 7, 5}, Case{120, 10, 30}}) {
    CAPTURE(rows);
    CAPTURE(dimensions);
    const Matrix<float> a = test::normal_matrix(rows, 5, 1);
    const Matrix<float> b = test::normal_matrix(rows, 7, 2);
    SpectralOptions options;
    options.k = k;
    options.dimensions = dimensions;
    auto found = finished(a.view(), b.view(), options);
    REQUIRE(found.ok());
    const double expected = plain_distance(plain_graph(a, k), plain_graph(b, k), dimensions);
    CHECK(found.value().runs()[0].distance() == doctest::Approx(expected).epsilon(1e-6));
    CHECK(found.value().runs()[0].residual() < 1e-8);
    // Unrelated tables are as far apart as by chance.
    CHECK(found.value().runs()[1].distance() == doctest::Approx(expected).epsilon(0.25));
  }
}

TEST_CASE("the spectral distance agrees with an independent program") {
  SpectralOptions options;
  options.k = reference::kSpectralNeighbors;
  options.dimensions = reference::kSpectralDimensions;
  auto found = finished(test::source_table().view(), test::narrow_table().view(), options);
  REQUIRE(found.ok());
  CHECK(found.value().runs()[0].distance() == doctest::Approx(reference::kSpectralDistance).epsilon(1e-9));
}

TEST_CASE(
    "a table has no distance from itself, scaled or with rows of zeros, and less from a neighbor than by chance") {
  const Matrix<float> a = test::normal_matrix(80, 6, 3);
  Matrix<float> b = test::normal_matrix(80, 6, 3);
  const Matrix<float> noise = test::normal_matrix(80, 6, 4);
  for (std::size_t i = 0; i < 80; ++i) {
    for (std::size_t j = 0; j < 6; ++j) b(i, j) *= 3;
  }
  for (std::size_t j = 0; j < 6; ++j) b(7, j) = b(70, j) = 0;
  SpectralOptions options;
  options.k = 8;
  options.dimensions = 10;
  auto same = finished(a.view(), b.view(), options);
  REQUIRE(same.ok());
  CHECK(same.value().left_out() == 2);
  CHECK(same.value().rows() == 78);
  CHECK(same.value().runs()[0].distance() < 1e-6);
  CHECK(same.value().runs()[1].distance() > 0.5);
  for (std::size_t i = 0; i < 80; ++i) {
    for (std::size_t j = 0; j < 6; ++j) b(i, j) = a(i, j) + 0.4F * noise(i, j);
  }
  auto near = finished(a.view(), b.view(), options);
  REQUIRE(near.ok());
  CHECK(near.value().runs()[0].distance() > 0.01);
  CHECK(near.value().runs()[0].distance() < 0.7 * near.value().runs()[1].distance());
  options.sample = 40;
  options.null_runs = 0;
  auto sampled = finished(a.view(), b.view(), options);
  REQUIRE(sampled.ok());
  CHECK(sampled.value().rows() == 40);
  CHECK(sampled.value().runs().size() == 1);
}

TEST_CASE("disconnected graphs are decomposed too") {
  // Two groups at right angles: the graph has two parts, and vectors from one never reach the other.
  Matrix<float> a = test::normal_matrix(20, 4, 5);
  for (std::size_t i = 0; i < 20; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      const bool own = (i < 10) == (j < 2);
      a(i, j) = own ? std::fabs(a(i, j)) : 0;
    }
  }
  SpectralOptions options;
  options.k = 3;
  options.dimensions = 6;
  options.null_runs = 0;
  const Matrix<float> b = test::normal_matrix(20, 4, 6);
  auto found = finished(a.view(), b.view(), options);
  REQUIRE(found.ok());
  CHECK(found.value().runs()[0].distance() ==
        doctest::Approx(plain_distance(plain_graph(a, 3), plain_graph(b, 3), 6)).epsilon(1e-6));
}

TEST_CASE("spectral distances refuse arguments that do not fit") {
  const Matrix<float> a = test::normal_matrix(10, 3, 1);
  const Matrix<float> b = test::normal_matrix(9, 3, 1);
  const auto argument_of = [&](const Matrix<float>& other, SpectralOptions options) {
    return SpectralDistance::create(a.view(), other.view(), options).error().argument;
  };
  CHECK(argument_of(b, {}) == "b.rows");
  CHECK(argument_of(a, {.k = 9}) == "k");
  CHECK(argument_of(a, {.k = 0}) == "k");
  CHECK(argument_of(a, {.k = ~std::size_t{0} - 1}) == "k");  // plus 2, it wraps around to 0
  CHECK(argument_of(a, {.k = 2, .dimensions = 11}) == "dimensions");
  CHECK(argument_of(a, {.k = 2, .dimensions = 0}) == "dimensions");
  CHECK(argument_of(a, {.k = 2, .dimensions = 2, .sample = 11}) == "sample");
}
