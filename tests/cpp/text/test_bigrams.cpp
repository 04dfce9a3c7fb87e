#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "support.h"
#include "text/bigrams.h"

namespace tied {
namespace {

Matrix<float> counted(std::span<const std::uint32_t> ids, std::size_t vocab_size) {
  auto counts = count_bigrams(ids, vocab_size);
  REQUIRE(counts.ok());
  return std::move(counts).value();
}

// Counts in pieces of two ids, summed up a row at a time.
BigramCounting summed_up(std::span<const std::uint32_t> ids, std::size_t vocab_size) {
  auto counting = BigramCounting::create(vocab_size);
  REQUIRE(counting.ok());
  for (; !ids.empty(); ids = ids.subspan(std::min<std::size_t>(ids.size(), 2))) {
    REQUIRE(counting.value().count(ids.first(std::min<std::size_t>(ids.size(), 2))).ok());
  }
  while (!counting.value().is_summed_up()) counting.value().sum_up(1);
  return std::move(counting).value();
}

TEST_CASE("counts and asymmetry of a small text") {
  // 0 1 2 0 1 0: 0->1 twice, 1->2, 2->0, 1->0
  const std::vector<std::uint32_t> ids{0, 1, 2, 0, 1, 0};
  const auto counts = counted(ids, 4);
  const float expected[4][4] = {{0, 2, 0, 0}, {1, 0, 1, 0}, {1, 0, 0, 0}, {0, 0, 0, 0}};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) CHECK(counts(i, j) == expected[i][j]);
  }
  const BigramCounting counting = summed_up(ids, 4);
  CHECK(counting.total() == 5);
  for (std::size_t i = 0; i < 16; ++i) CHECK(counting.counts().data()[i] == counts.data()[i]);

  // ||A||^2 = 4 + 1 + 1 + 1 = 7; differences 2-1, 0-1, 1-0 give ||(A - A^T)/2||^2 = 2 (1 + 1 + 1) / 4 = 1.5
  CHECK(counting.asymmetry() == doctest::Approx(std::sqrt(1.5 / 7)).epsilon(1e-15));
}

TEST_CASE("a text that reads the same backwards has symmetric counts, one-way pairs have asymmetry 0.707") {
  const std::vector<std::uint32_t> back_and_forth{0, 1, 2, 1, 0};
  CHECK(summed_up(back_and_forth, 3).asymmetry() == 0);
  const std::vector<std::uint32_t> one_way{0, 1, 2};
  // A and A^T have no entry in common, so ||A - A^T||^2 = 2 ||A||^2.
  CHECK(summed_up(one_way, 3).asymmetry() == doctest::Approx(std::sqrt(0.5)).epsilon(1e-15));
  CHECK(summed_up({}, 3).asymmetry() == 0);
}

TEST_CASE("counts sum to one less than the ids") {
  Random random(10, stream_of("test"));
  std::vector<std::uint32_t> ids(3000);
  for (auto& id : ids) id = random.below(random.below(20) + 1);
  CHECK(summed_up(ids, 20).total() == 2999);
}

TEST_CASE("bad ids and sizes are refused before allocating") {
  const std::vector<std::uint32_t> ids{0, 1, 5, 1};
  const auto refused = count_bigrams(ids, 5);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == ErrorCode::kInvalidArgument);
  CHECK(refused.error().argument == "ids[2]");
  CHECK(refused.error().value == "5");
  CHECK(count_bigrams(std::span(ids).first(1), 6).error().argument == "ids length");
  CHECK(count_bigrams({}, 6).error().value == "0");
  CHECK(count_bigrams(ids, 1).error().argument == "vocab_size");
  CHECK(count_bigrams(ids, 0).error().argument == "vocab_size");
  CHECK(count_bigrams(ids, 50257).error().code == ErrorCode::kOutOfMemory);
  CHECK(count_bigrams(ids, static_cast<std::size_t>(-1)).error().code == ErrorCode::kOutOfMemory);
}

TEST_CASE("a count that a float cannot represent is refused") {
  std::vector<std::uint32_t> ids((1u << 24) + 1, 1);
  CHECK(counted(ids, 2)(1, 1) == 16777216.0F);
  ids.push_back(1);
  const auto refused = count_bigrams(ids, 2);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().value == "more than 16777216 times 1 followed by 1");
}

}  // namespace
}  // namespace tied
