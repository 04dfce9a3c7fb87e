#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "diagnostics/similarity.h"
#include "support.h"

using namespace tied;

namespace {

SpaceSimilarity similarity_of(const Matrix<float>& a, const Matrix<float>& b, std::size_t dimensions,
                              std::size_t blocks = std::size_t{1} << 20) {
  return test::finished(Similarity::create(a.view(), b.view(), dimensions), blocks).similarity();
}

}  // namespace

TEST_CASE("kernel alignment and overlap of subspaces agree with an independent program") {
  const SpaceSimilarity found = similarity_of(test::source_table(), test::narrow_table(), 3, 1);
  CHECK(found.cka == doctest::Approx(reference::kCka).epsilon(1e-9));
  CHECK(found.cka_by_chance == doctest::Approx(reference::kCkaByChance).epsilon(1e-9));
  CHECK(found.subspace_overlap == doctest::Approx(reference::kSubspaceOverlap).epsilon(1e-9));
  CHECK(found.subspace_by_chance == doctest::Approx(3.0 / 39).epsilon(1e-12));
}

TEST_CASE("a rotated and scaled table is the same space, unrelated ones are as similar as by chance") {
  const Matrix<float> table = test::normal_matrix(900, 10, 1);
  Matrix<float> other = test::product(table, test::rotation(10));
  for (std::size_t i = 0; i < 9000; ++i) other.data()[i] *= -3;
  const SpaceSimilarity same = similarity_of(table, other, 10);
  CHECK(same.cka == doctest::Approx(1).epsilon(1e-6));
  CHECK(same.subspace_overlap == doctest::Approx(1).epsilon(1e-6));
  const SpaceSimilarity unrelated = similarity_of(table, test::normal_matrix(900, 20, 2), 10);
  CHECK(std::fabs(unrelated.cka - unrelated.cka_by_chance) < 0.005);
  CHECK(std::fabs(unrelated.subspace_overlap - unrelated.subspace_by_chance) < 0.01);
}

TEST_CASE("dimensions that a table does not have are refused by name") {
  Matrix<float> flat = test::source_table();
  for (std::size_t i = 0; i < flat.rows(); ++i) flat(i, 5) = flat(i, 0) - flat(i, 1);
  const Matrix<float> other = test::target_table();
  auto made = Similarity::create(flat.view(), other.view(), 6);
  REQUIRE(made.ok());
  const Status status = made.value().advance(1000);
  REQUIRE(!status.ok());
  CHECK(status.error().message() == "dimensions is 6; expected at most 5, the rank of a");
  CHECK(Similarity::create(flat.view(), test::narrow_table().view(), 5).error().message() ==
        "dimensions is 5; expected at least 1 and at most 4");

  auto fewer = Similarity::create(flat.view(), other.view(), 10, true);
  REQUIRE(fewer.ok());
  const SpaceSimilarity found = test::finished(std::move(fewer), 1000).similarity();
  CHECK(found.dimensions == 5);
  CHECK(found.subspace_overlap == similarity_of(flat, other, 5).subspace_overlap);
  CHECK(found.cka == similarity_of(flat, other, 5).cka);
}

TEST_CASE("tables of zeros, and of one row repeated, are refused by name") {
  const Matrix<float> table = test::source_table();
  const Matrix<float> zero = test::zeros(table.rows(), table.cols());
  CHECK(Similarity::create(table.view(), zero.view(), 2).error().message() ==
        "b is all zeros; expected at least one row that is not zero");
  Matrix<float> flat = test::source_table();
  for (std::size_t i = 0; i < flat.rows(); ++i) std::copy_n(table.view().row(0), flat.cols(), flat.view().row(i));
  auto made = Similarity::create(table.view(), flat.view(), 2);
  REQUIRE(made.ok());
  CHECK(made.value().advance(1000).error().message() == "b is the same in all rows; expected rows that differ");
}
