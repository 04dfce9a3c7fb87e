// The infimum of the losses of symmetric logits, where row sums and column sums differ: closed forms, another program's
// fits, and tables that are hard to search.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "direct_path/bigram_bounds.h"
#include "reference/symmetric_floor_reference.h"
#include "support.h"

using namespace tied;

namespace {

// What the documentation promises.
constexpr double kLargestGap = 1e-9;

Matrix<float> counts_of(const std::vector<std::uint32_t>& ids, std::size_t vocab_size) {
  Matrix<float> counts = test::zeros(vocab_size, vocab_size);
  for (std::size_t i = 0; i + 1 < ids.size(); ++i) counts(ids[i], ids[i + 1]) += 1;
  return counts;
}

BigramBounds bounds_of(const std::vector<std::uint32_t>& ids, std::size_t vocab_size) {
  return bigram_bounds(counts_of(ids, vocab_size).view()).value();
}

std::vector<std::uint32_t> up_to(std::uint32_t size) {
  std::vector<std::uint32_t> ids(size);
  for (std::uint32_t i = 0; i < size; ++i) ids[i] = i;
  return ids;
}

}  // namespace

TEST_CASE("a text that never repeats a token costs symmetric logits nothing, in the limit") {
  for (const std::uint32_t size : {2U, 12U, 26U, 500U}) {
    const BigramBounds bounds = bounds_of(up_to(size), size);
    CHECK(bounds.jensen_shannon == doctest::Approx(kLn2));
    CHECK(bounds.symmetric_logits == 0);
    CHECK(bounds.symmetric_logits_gap == 0);
  }
}

TEST_CASE("pairs before the first return cost nothing, and those of a roundabout ln 2 each") {
  // x a b c a b c a: six of seven pairs go round.
  const BigramBounds bounds = bounds_of({3, 0, 1, 2, 0, 1, 2, 0}, 4);
  CHECK(bounds.bigram == 0);
  CHECK(bounds.symmetric_logits == doctest::Approx(6 * kLn2 / 7).epsilon(1e-14));
  CHECK(bounds.symmetric_logits_gap < kLargestGap);
}

TEST_CASE("a roundabout left after five steps has the floor of a cubic equation") {
  // a b c a b c with c -> a once less: tables M with the same sums are M_ab = M_bc = 2 - e, M_ca = 1 - e, and the
  // largest entropy is where (2 - e)^2 (1 - e) = e^3.
  const BigramBounds bounds = bounds_of({0, 1, 2, 0, 1, 2}, 3);
  double low = 0;
  double high = 1;
  for (int halving = 0; halving < 200; ++halving) {
    const double e = (low + high) / 2;
    ((2 - e) * (2 - e) * (1 - e) > e * e * e ? low : high) = e;
  }
  const auto entropy = [](double p) { return -weighted_log(p, 1) - weighted_log(1 - p, 1); };
  CHECK(bounds.bigram == 0);
  CHECK(bounds.symmetric_logits == doctest::Approx((4 * entropy(low / 2) + entropy(low)) / 5).epsilon(1e-10));
}

TEST_CASE("the floors of eleven short texts are those of logits that another program fitted") {
  std::size_t texts = 0;
  for (const auto& text : reference::kSymmetricFloorTexts) {
    const std::vector<std::uint32_t> ids(text.ids, text.ids + text.size);
    const BigramBounds bounds = bounds_of(ids, *std::max_element(ids.begin(), ids.end()) + 1);
    // The reference has 12 digits, and approaches the floor from above.
    CHECK(std::fabs(bounds.symmetric_logits - text.fitted) < 1e-10);
    CHECK(bounds.symmetric_logits_gap < kLargestGap);
    ++texts;
  }
  CHECK(texts == 11);
}

TEST_CASE("on a road walked there and back, however uneven, the floor is the bigram entropy") {
  // Every pair lies on no cycle but that of its two tokens, so M = J. Strengths differ by up to 3,400: their
  // exponentials would overflow.
  constexpr std::size_t kTokens = 500;
  Matrix<float> counts = test::zeros(kTokens, kTokens);
  for (std::size_t i = 0; i + 1 < kTokens; ++i) {
    counts(i, i + 1) = 1000;
    counts(i + 1, i) = 1;
  }
  const BigramBounds bounds = bigram_bounds(counts.view()).value();
  CHECK(bounds.jensen_shannon > 0.6);
  CHECK(bounds.symmetric_logits - bounds.bigram < kLargestGap);
  CHECK(bounds.symmetric_logits_gap < kLargestGap);
}

TEST_CASE("a long roundabout with a shortcut is searched to the gap") {
  constexpr std::uint32_t kTokens = 400;
  std::vector<std::uint32_t> ids = up_to(kTokens);
  for (std::uint32_t i = 0; i < kTokens / 2; ++i) ids.push_back(i);
  ids.push_back(0);
  ids.push_back(7);
  const BigramBounds bounds = bounds_of(ids, kTokens);
  CHECK(bounds.symmetric_logits_gap < kLargestGap);
  CHECK(bounds.symmetric_logits < bounds.bigram + bounds.jensen_shannon - 1e-4);
}

// The dual: any table M >= 0 with the same sums M + M^T and the same row sums has at most the floor's entropy.
TEST_CASE("no table with the same unordered pairs and row sums has a conditional entropy above the floor") {
  Random random(5, stream_of("dual"));
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 3 + trial % 4;
    Matrix<float> counts = test::zeros(n, n);
    for (std::size_t i = 0; i < n * n; ++i) counts.data()[i] = static_cast<float>(4 * random.below(6));
    counts(0, 1) += 4;
    const BigramBounds bounds = bigram_bounds(counts.view()).value();
    CHECK(bounds.symmetric_logits_gap < kLargestGap);
    // Turns random triangles of the table round.
    for (int turn = 0; turn < 40; ++turn) {
      const std::size_t a = random.below(static_cast<std::uint32_t>(n));
      const std::size_t b = random.below(static_cast<std::uint32_t>(n));
      const std::size_t c = random.below(static_cast<std::uint32_t>(n));
      if (a == b || b == c || c == a) continue;
      if (counts(a, b) < 1 || counts(b, c) < 1 || counts(c, a) < 1) continue;
      for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, c}, std::pair{c, a}}) {
        counts(from, to) -= 1;
        counts(to, from) += 1;
      }
      const BigramBounds turned = bigram_bounds(counts.view()).value();
      CHECK(turned.bigram <= bounds.symmetric_logits + 1e-13);
      // The floor depends on these sums only.
      CHECK(std::fabs(turned.symmetric_logits - bounds.symmetric_logits) < 2 * kLargestGap);
    }
  }
}

TEST_CASE("floors of 20,000 random tables are ordered and certified") {
  Random random(9, stream_of("ordered floors"));
  double largest_gap = 0;
  std::size_t below_divergence = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const std::size_t n = 2 + random.below(7);
    const std::uint32_t below = 1U << (1 + random.below(7));
    Matrix<float> counts = test::zeros(n, n);
    for (std::size_t i = 0; i < n * n; ++i) {
      counts.data()[i] = random.below(3) == 0 ? 0.0F : static_cast<float>(random.below(below));
    }
    counts(random.below(static_cast<std::uint32_t>(n)), random.below(static_cast<std::uint32_t>(n))) += 1;
    const BigramBounds bounds = bigram_bounds(counts.view()).value();
    constexpr double kRounding = 1e-14;
    REQUIRE(bounds.bigram >= 0);
    REQUIRE(bounds.symmetric_logits >= bounds.bigram);
    // Symmetric logits can ignore the current token: S_ij = ln q_i + ln q_j. The floor is known up to the gap.
    REQUIRE(bounds.symmetric_logits <= bounds.unigram + kLargestGap);
    REQUIRE(bounds.symmetric_logits <= bounds.bigram + bounds.jensen_shannon + kRounding);
    REQUIRE(bounds.jensen_shannon >= 0);
    REQUIRE(bounds.jensen_shannon <= kLn2);
    largest_gap = std::max(largest_gap, bounds.symmetric_logits_gap);
    below_divergence += bounds.symmetric_logits < bounds.bigram + bounds.jensen_shannon - 1e-6 ? 1 : 0;
  }
  CHECK(largest_gap <= kLargestGap);
  CHECK(below_divergence > 10000);
}

TEST_CASE("of 20,000 random circulations none has a JS above its mutual information, and other tables may") {
  Random random(11, stream_of("circulations"));
  for (int trial = 0; trial < 20000; ++trial) {
    const auto n = static_cast<std::uint32_t>(2 + random.below(7));
    Matrix<float> counts = test::zeros(n, n);
    const std::uint32_t walks = 1 + random.below(8);
    for (std::uint32_t walk = 0; walk < walks; ++walk) {
      const std::uint32_t start = random.below(n);
      std::uint32_t from = start;
      const std::uint32_t steps = random.below(6);
      for (std::uint32_t step = 0; step <= steps; ++step) {
        const std::uint32_t to = step == steps ? start : random.below(n);
        counts(from, to) += 1;
        from = to;
      }
    }
    const BigramEntropies entropies = bigram_entropies(counts.view()).value();
    constexpr double kRounding = 1e-14;
    REQUIRE(entropies.jensen_shannon <= entropies.unigram - entropies.bigram + kRounding);
  }
  // The single pair ab: JS is ln 2, and the current token tells nothing.
  const BigramBounds once = bounds_of({0, 1}, 2);
  CHECK(once.jensen_shannon == doctest::Approx(kLn2));
  CHECK(once.unigram - once.bigram == 0);
}
