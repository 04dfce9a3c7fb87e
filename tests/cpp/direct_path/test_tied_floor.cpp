// The certified floor of tied direct paths: closed forms, another program's optima, and what it promises of any text.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "direct_path/bigram_bounds.h"
#include "direct_path/tied_floor.h"
#include "reference/tied_floor_reference.h"
#include "support.h"

using namespace tied;
namespace expected = tied::tied_floor_reference;

namespace {

Matrix<float> floor_counts(std::size_t size, const std::vector<float>& entries) {
  Matrix<float> counts = test::zeros(size, size);
  std::copy(entries.begin(), entries.end(), counts.data());
  return counts;
}

TiedFloor floor_of(const Matrix<float>& counts, const TiedFloorOptions& options = {}) {
  auto made = TiedFloor::create(counts.view(), options);
  REQUIRE(made.ok());
  TiedFloor search = std::move(made).value();
  while (search.share() < 1) search.advance(7);
  return search;
}

// Pairs of a text of tokens that mostly follow a rule; with `closed`, its end leads to its beginning.
Matrix<float> random_text(std::uint32_t vocab_size, std::size_t size, std::uint64_t seed, bool closed) {
  Random random(seed, 0);
  std::vector<std::uint32_t> ids = {0};
  while (ids.size() < size) {
    const std::uint32_t next = (3 * ids.back() + 1) % vocab_size;
    ids.push_back(random.uniform() < 0.6F ? next : random.below(vocab_size));
  }
  if (closed) ids.push_back(ids.front());
  Matrix<float> counts = test::zeros(vocab_size, vocab_size);
  for (std::size_t i = 0; i + 1 < ids.size(); ++i) counts(ids[i], ids[i + 1]) += 1;
  return counts;
}

}  // namespace

TEST_CASE("a sticky chain costs a tied path nothing") {
  // ln P is positive semidefinite on vectors that sum to 0, so a tied path reaches the bigram entropy.
  for (const auto& counts : {floor_counts(2, {8, 2, 2, 8}), floor_counts(3, {60, 20, 20, 20, 60, 20, 20, 20, 60})}) {
    const TiedFloor found = floor_of(counts, {.tolerance = 1e-6});
    CHECK(found.bigram() == doctest::Approx(bigram_entropies(counts.view()).value().bigram).epsilon(1e-12));
    CHECK(found.floor() >= found.bigram());
    CHECK(found.floor() <= found.reached());
    CHECK(found.reached() < found.bigram() + 1e-6);
  }
}

TEST_CASE("on a roundabout a tied path is no better than the frequencies of tokens") {
  // K = p p^T: M has no negative eigenvalue, because no token leads to itself more often than to others.
  const Matrix<float> counts = floor_counts(3, {5, 90, 5, 10, 10, 80, 40, 30, 30});
  const Matrix<float> chain = floor_counts(4, {1, 6, 1, 0, 1, 1, 6, 0, 6, 1, 1, 0, 0, 0, 0, 0});
  for (const auto* text : {&counts, &chain}) {
    const TiedFloor found = floor_of(*text, {.tolerance = 1e-6});
    CHECK(found.floor() > found.bigram());
    CHECK(found.floor() <= found.reached());
  }
  const TiedFloor round = floor_of(chain, {.tolerance = 1e-6});
  CHECK(std::fabs(round.floor() - std::log(3.0)) < 1e-6);
  CHECK(std::fabs(round.reached() - std::log(3.0)) < 1e-6);
}

TEST_CASE("a text that never repeats a token has no floor above 0") {
  Matrix<float> counts = test::zeros(12, 12);
  for (std::size_t i = 0; i + 1 < 12; ++i) counts(i, i + 1) = 1;
  const TiedFloor found = floor_of(counts, {.steps = 60});
  CHECK(found.floor() == 0);
  CHECK(found.reached() > 0);
}

TEST_CASE("the floor and the loss that is reached enclose the optima of another program") {
  for (const expected::Text& text : expected::kTexts) {
    CAPTURE(text.size);
    Matrix<float> counts = test::zeros(text.size, text.size);
    std::copy_n(text.counts, text.size * text.size, counts.data());
    const TiedFloor found = floor_of(counts, {.steps = 3000, .tolerance = 1e-5});
    // The other program states its optimum to 1e-6.
    CHECK(found.floor() < text.optimum + 1e-6);
    CHECK(found.reached() > text.optimum - 1e-6);
    CHECK(found.reached() - found.floor() < 1e-4);
  }
}

TEST_CASE("closing a text to a circle hardly changes its floor, and equal sums are repaired, too") {
  const TiedFloor open = floor_of(random_text(11, 5000, 3, false));
  const TiedFloor closed = floor_of(random_text(11, 5000, 3, true));
  for (const TiedFloor* found : {&open, &closed}) {
    CHECK(found->floor() > found->bigram() + 0.1);
    CHECK(found->reached() - found->floor() < 1e-3);
  }
  CHECK(std::fabs(open.floor() - closed.floor()) < 0.01);
}

TEST_CASE("no random table of any width, with a bias, is below the floor") {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Matrix<float> counts = random_text(7, 400, seed, seed % 2 == 0);
    const TiedFloor found = floor_of(counts);
    CAPTURE(seed);
    CHECK(found.floor() > bigram_bounds(counts.view()).value().bigram);
    CHECK(found.reached() - found.floor() < 1e-3);
    Random random(seed, 1);
    double lowest = 1e9;
    for (int table = 0; table < 2000; ++table) {
      const std::size_t width = 1 + random.below(9);
      const double size = 3 * random.uniform_double();
      std::vector<double> rows(7 * width);
      std::vector<double> bias(7);
      for (double& entry : rows) entry = size * random.normal() / std::sqrt(static_cast<double>(width));
      for (double& entry : bias) entry = random.normal();
      double loss = 0;
      double pairs = 0;
      for (std::size_t i = 0; i < 7; ++i) {
        double logits[7];
        double sum = 0;
        for (std::size_t j = 0; j < 7; ++j) {
          logits[j] = bias[j];
          for (std::size_t k = 0; k < width; ++k) logits[j] += rows[i * width + k] * rows[j * width + k];
          sum += std::exp(logits[j]);
        }
        for (std::size_t j = 0; j < 7; ++j) {
          loss += static_cast<double>(counts(i, j)) * (std::log(sum) - logits[j]);
          pairs += static_cast<double>(counts(i, j));
        }
      }
      lowest = std::min(lowest, loss / pairs);
    }
    CHECK(lowest > found.floor());
  }
}

TEST_CASE("the floor has the same bits however the steps are divided") {
  const Matrix<float> counts = random_text(9, 300, 5, true);
  TiedFloor at_once = TiedFloor::create(counts.view(), {.steps = 120, .tolerance = 1e-9}).value();
  at_once.advance(1000);
  const TiedFloor in_parts = floor_of(counts, {.steps = 120, .tolerance = 1e-9});
  CHECK(at_once.floor() == in_parts.floor());
  CHECK(at_once.reached() == in_parts.reached());
  CHECK(at_once.steps_done() == in_parts.steps_done());
}

TEST_CASE("counts that are no counts are refused by name") {
  const auto blamed = [](const Matrix<float>& counts) { return TiedFloor::create(counts.view(), {}).error().argument; };
  CHECK(blamed(test::zeros(2, 3)) == "counts.cols");
  CHECK(blamed(test::zeros(3, 3)) == "counts");
  CHECK(blamed(floor_counts(2, {1, -1, 0, 2})) == "counts[0, 1]");
  CHECK(blamed(floor_counts(2, {1, 1, 0.5F, 2})) == "counts[1, 0]");
  CHECK(blamed(test::zeros(kLargestFloor + 1, kLargestFloor + 1)) == "counts.rows");
}
