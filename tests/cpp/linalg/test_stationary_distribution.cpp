#include <doctest/doctest.h>

#include <limits>

#include "../square_matrix.h"
#include "linalg/stationary_distribution.h"

using namespace tied;

TEST_CASE("the stationary distribution of the New, York, City chain") {
  // pi in closed form: 13/60, 21.5/60, 25.5/60. Entries of P are floats, so about 1e-8 off their decimals.
  const auto chain = test::square_matrix(3, {.05F, .9F, .05F, .1F, .1F, .8F, .4F, .3F, .3F});
  const auto pi = stationary_distribution(chain.view());
  REQUIRE(pi.ok());
  CHECK(pi.value()[0] == doctest::Approx(.21666667).epsilon(1e-6));
  CHECK(pi.value()[1] == doctest::Approx(.35833333).epsilon(1e-6));
  CHECK(pi.value()[2] == doctest::Approx(.425).epsilon(1e-6));
}

TEST_CASE("periodic chains and chains with transient states have their distribution") {
  const auto turn = test::square_matrix(2, {0, 1, 1, 0});
  auto pi = stationary_distribution(turn.view());
  REQUIRE(pi.ok());
  CHECK(pi.value()[0] == 0.5);
  CHECK(pi.value()[1] == 0.5);

  // 0 and 3 lead into {1, 2} and nothing leads back.
  const auto leaving = test::square_matrix(4, {.5F, .25F, 0, .25F, 0, .5F, .5F, 0, 0, 1, 0, 0, .5F, 0, .5F, 0});
  pi = stationary_distribution(leaving.view());
  REQUIRE(pi.ok());
  CHECK(pi.value()[0] == 0);
  CHECK(pi.value()[1] == doctest::Approx(2.0 / 3).epsilon(1e-15));
  CHECK(pi.value()[2] == doctest::Approx(1.0 / 3).epsilon(1e-15));
  CHECK(pi.value()[3] == 0);

  // One absorbing state gets all probability.
  const auto end = test::square_matrix(3, {0, .5F, .5F, 0, 1, 0, .5F, .5F, 0});
  pi = stationary_distribution(end.view());
  REQUIRE(pi.ok());
  CHECK(pi.value()[1] == 1);
  const auto single = test::square_matrix(1, {1});
  CHECK(stationary_distribution(single.view()).value()[0] == 1);
}

TEST_CASE("a chain with two closed classes is refused") {
  const auto parted = test::square_matrix(3, {1, 0, 0, 0, 1, 0, .5F, .5F, 0});
  const auto refused = stationary_distribution(parted.view());
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == ErrorCode::kInvalidArgument);
  CHECK(refused.error().value == "a chain with more than one closed class of states");
}

TEST_CASE("tables that are not transition matrices are refused, naming the entry") {
  auto bad = test::square_matrix(2, {.5F, .5F, .5F, .5F});
  bad(1, 0) = -.5F;
  bad(1, 1) = 1.5F;
  CHECK(check_transition(bad.view()).error().argument == "transition[1, 0]");
  bad(1, 0) = std::numeric_limits<float>::quiet_NaN();
  CHECK(check_transition(bad.view()).error().code == ErrorCode::kNotFinite);
  bad(1, 0) = std::numeric_limits<float>::infinity();
  CHECK(check_transition(bad.view()).error().code == ErrorCode::kNotFinite);
  bad(1, 0) = .5F;
  bad(1, 1) = .5003F;
  CHECK(check_transition(bad.view()).error().argument == "sum of transition row 1");
  bad(1, 1) = .50005F;
  CHECK(check_transition(bad.view()).ok());
  const auto oblong = Matrix<float>::create(2, 3);
  CHECK(check_transition(oblong.value().view()).error().code == ErrorCode::kShapeMismatch);
  CHECK(check_transition({}).error().code == ErrorCode::kShapeMismatch);
  const auto large = Matrix<float>::create(kLargestChain + 1, kLargestChain + 1);
  CHECK(check_transition(large.value().view()).error().argument == "transition rows");
}
