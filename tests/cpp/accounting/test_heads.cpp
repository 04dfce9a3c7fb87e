#include "accounting/heads.h"

#include <cmath>

#include <doctest/doctest.h>

#include "../../reference/accounting_reference.h"
#include "accounting/compute.h"
#include "models.h"

namespace tied {
namespace {

constexpr HeadCost HeadCosts::* kOthers[] = {&HeadCosts::sampled, &HeadCosts::adaptive, &HeadCosts::culled,
                                             &HeadCosts::clustered};
constexpr HeadCost HeadCosts::* kKinds[] = {&HeadCosts::full, kOthers[0], kOthers[1], kOthers[2], kOthers[3]};

HeadCosts heads_of(const Architecture& architecture, const Batch& batch) {
  auto count = count_compute(architecture, batch);
  REQUIRE(count.ok());
  return std::move(count).value().heads;
}

TEST_CASE("without a request only the full head is counted, and it is the model's head") {
  RandomModels random(3);
  for (int i = 0; i < 200; ++i) {
    const Architecture a = random.architecture();
    const Batch batch = random.batch(a);
    const auto count = count_compute(a, batch);
    REQUIRE(count.ok());
    const HeadCost& full = count.value().heads.full;
    for (const auto kind : kOthers) {
      const HeadCost& other = count.value().heads.*kind;
      CHECK(other.macs.forward.is_zero());
      CHECK(other.parameters.is_zero());
      CHECK(other.logits.is_zero());
    }
    CHECK(full.macs.forward == count.value().head.forward);
    CHECK(full.at_most.total() == full.macs.total());
    CHECK(full.logits == Whole(batch.sequences) * batch.tokens * a.output_vocab_size);
    CHECK(full.logits_bytes == count.value().bytes.logits);
  }
}

TEST_CASE("heads of B 4, T 128, d 4,096 and V 32,000 in closed form") {
  const std::uint64_t n = 512, d = 4096, vocab_size = 32000;
  Batch batch;
  batch.sequences = 4;
  batch.tokens = 128;
  batch.heads.samples = 1024;
  batch.heads.culled_vocab_size = 8000;
  batch.heads.clusters = 179;
  const auto heads = heads_of(plain_formula(vocab_size, d, 32), batch);
  CHECK(heads.full.macs.forward == 67'108'864'000);
  CHECK(heads.full.parameters == vocab_size * d);
  CHECK(heads.full.logits == 16'384'000);
  CHECK(heads.full.logits_bytes == 65'536'000);
  CHECK(heads.sampled.macs.forward == n * d * 1025);
  CHECK(heads.sampled.parameters == vocab_size * d);
  CHECK(heads.sampled.logits == n * 1025);
  CHECK(heads.culled.macs.forward == n * d * 8000);
  CHECK(heads.culled.parameters == 8000 * d);
  CHECK(heads.culled.logits == n * 8000);
  // 179 clusters of at most 179 tokens: the smallest number of rows for two levels, about 2 sqrt(V).
  CHECK(heads.clustered.macs.forward == n * d * (179 + 179));
  CHECK(heads.clustered.parameters == (vocab_size + 179) * d);
  CHECK(heads.clustered.logits == n * 358);
  for (const auto kind : kKinds) {
    const HeadCost& head = heads.*kind;
    CHECK(head.macs.backward() == head.macs.forward * 2);
    CHECK(head.macs.total() == head.macs.forward * 3);
    CHECK(head.logits_bytes == head.logits * 4);
  }
}

TEST_CASE("the adaptive softmax has as many parameters as PyTorch's") {
  for (const accounting_reference::Adaptive& adaptive : accounting_reference::kAdaptive) {
    Batch batch;
    batch.heads.cutoffs = adaptive.cutoffs;
    batch.heads.divisor = adaptive.divisor;
    const auto heads = heads_of(plain_formula(adaptive.vocab_size, adaptive.d_model, 1), batch);
    CHECK(heads.adaptive.parameters == adaptive.parameters);
  }
}

TEST_CASE("the adaptive softmax computes each cluster for the tokens that Zipf's law expects") {
  const std::uint64_t n = 64 * 512, d = 1024, vocab_size = 50257;
  Batch batch;
  batch.sequences = 64;
  batch.tokens = 512;
  const std::uint64_t cutoffs[] = {2000, 10000};
  batch.heads.cutoffs = cutoffs;
  const HeadCost adaptive = heads_of(plain_formula(vocab_size, d, 1), batch).adaptive;
  // Sums of 1 / r, term by term.
  double first = 0, second = 0, all = 0;
  for (std::uint64_t rank = vocab_size; rank > 0; --rank) {
    const double term = 1 / static_cast<double>(rank);
    all += term;
    if (rank > 10000) second += term;
    if (rank > 2000 && rank <= 10000) first += term;
  }
  const auto expected = [&](double sum) {
    return static_cast<std::uint64_t>(std::nearbyint(static_cast<double>(n) * sum / all));
  };
  const std::uint64_t head = n * d * 2002, tail1 = (d + 8000) * 256, tail2 = (d + 40257) * 64;
  CHECK(adaptive.macs.forward == head + expected(first) * tail1 + expected(second) * tail2);
  CHECK(adaptive.at_most.forward == head + n * (tail1 + tail2));
  CHECK(adaptive.logits == n * 2002 + expected(first) * 8000 + expected(second) * 40257);
  // About 14 % of the tokens each: most of the law's weight is in the head.
  CHECK(first / all == doctest::Approx(0.141).epsilon(0.01));
  CHECK(second / all == doctest::Approx(0.142).epsilon(0.01));
}

TEST_CASE("no head costs more than its bound, and all but the adaptive one cost exactly that") {
  RandomModels random(4);
  for (int i = 0; i < 300; ++i) {
    Architecture a = random.architecture();
    a.table_rank = 0;  // an adaptive head is among these
    Batch batch = random.batch(a);
    const std::uint64_t vocab_size = a.output_vocab_size;
    batch.heads.samples = random.between(1, vocab_size - 1);
    batch.heads.culled_vocab_size = random.between(1, vocab_size);
    batch.heads.clusters = random.between(1, vocab_size);
    const std::uint64_t cutoff[] = {random.between(1, vocab_size - 1)};
    batch.heads.cutoffs = cutoff;
    batch.heads.divisor = random.between(1, a.d_model);
    const auto heads = heads_of(a, batch);
    const HeadCost& full = heads.full;
    for (const auto kind : kKinds) {
      const HeadCost& head = heads.*kind;
      CHECK_FALSE(head.at_most.total() < head.macs.total());
      if (kind != &HeadCosts::adaptive) CHECK(head.at_most.total() == head.macs.total());
    }
    // A sample of all other tokens, or a culled vocabulary of all tokens, is the full head.
    batch.heads = {.samples = vocab_size - 1, .culled_vocab_size = vocab_size, .clusters = 1};
    const auto whole = heads_of(a, batch);
    CHECK(whole.sampled.macs.total() == full.macs.total());
    CHECK(whole.sampled.logits == full.logits);
    CHECK(whole.culled.macs.total() == full.macs.total());
    CHECK(whole.culled.parameters == full.parameters);
    // One cluster contains all tokens, and one more row selects it.
    CHECK(whole.clustered.logits == full.logits + Whole(batch.sequences) * batch.tokens);
    CHECK(full.macs.total() < whole.clustered.macs.total());
  }
}

TEST_CASE("every head includes the maps before the table") {
  Architecture a = plain_formula(1000, 64, 2);
  a.head_transform = true;
  a.norm = NormKind::kLayer;
  a.norm_biases = true;
  a.output_bias = true;
  Batch batch;
  batch.tokens = 10;
  batch.heads.culled_vocab_size = 100;
  const auto heads = heads_of(a, batch);
  CHECK(heads.full.macs.forward == 10 * (64 * 64 + 64 * 1000));
  CHECK(heads.culled.macs.forward == 10 * (64 * 64 + 64 * 100));
  // The map with its bias, a norm with its bias, and one bias per token.
  CHECK(heads.full.parameters == 64 * 64 + 64 + 2 * 64 + 1000 * 65);
  CHECK(heads.culled.parameters == 64 * 64 + 64 + 2 * 64 + 100 * 65);
}

TEST_CASE("heads of a factorized table multiply in its rank, after one product with its factor") {
  Architecture a = plain_formula(1000, 64, 2);
  a.table_rank = 8;
  Batch batch;
  batch.heads = {.samples = 9, .culled_vocab_size = 100, .clusters = 10};
  const auto heads = heads_of(a, batch);
  CHECK(heads.full.macs.forward == 8 * (64 + 1000));
  CHECK(heads.full.parameters == 8 * (64 + 1000));
  CHECK(heads.sampled.macs.forward == 8 * (64 + 10));
  CHECK(heads.culled.macs.forward == 8 * (64 + 100));
  CHECK(heads.culled.parameters == 8 * (64 + 100));
  CHECK(heads.clustered.macs.forward == 8 * (64 + 10 + 100));
  CHECK(heads.clustered.parameters == 8 * (64 + 1000 + 10));
  const std::uint64_t cutoff[] = {10};
  batch.heads.cutoffs = cutoff;
  CHECK_FALSE(validate(batch, a).ok());
}

TEST_CASE("the low-rank correction is part of each row") {
  Architecture a = plain_formula(1000, 64, 2);
  a.low_rank = 8;
  Batch batch;
  batch.tying = TableTying::kTiedLowRank;
  batch.heads.samples = 9;
  const auto heads = heads_of(a, batch);
  CHECK(heads.full.macs.forward == 64 * 8 + 1000 * 72);
  CHECK(heads.sampled.macs.forward == 64 * 8 + 10 * 72);
}

TEST_CASE("heads that the vocabulary or the width do not allow are refused") {
  const Architecture a = plain_formula(1000, 64, 2);
  const auto allows = [&a](const HeadOptions& heads) {
    Batch batch;
    batch.heads = heads;
    return validate(batch, a).ok();
  };
  const std::vector<std::uint64_t> none, zero = {0}, one = {1}, last = {999}, beyond = {1000}, same = {10, 10};
  const std::vector<std::uint64_t> three = {1, 2, 3}, four = {1, 2, 3, 4};
  CHECK(allows({.samples = 999}));
  CHECK_FALSE(allows({.samples = 1000}));
  CHECK(allows({.culled_vocab_size = 1000}));
  CHECK_FALSE(allows({.culled_vocab_size = 1001}));
  CHECK(allows({.clusters = 1000}));
  CHECK_FALSE(allows({.clusters = 1001}));
  CHECK(allows({.cutoffs = one}));
  CHECK(allows({.cutoffs = last}));
  CHECK_FALSE(allows({.cutoffs = zero}));
  CHECK_FALSE(allows({.cutoffs = beyond}));
  CHECK_FALSE(allows({.cutoffs = same}));
  CHECK(allows({.cutoffs = none, .divisor = 0}));
  CHECK(allows({.cutoffs = one, .divisor = 1}));
  CHECK(allows({.cutoffs = one, .divisor = 64}));
  CHECK_FALSE(allows({.cutoffs = one, .divisor = 0}));
  CHECK_FALSE(allows({.cutoffs = one, .divisor = 65}));
  // Widths 64, 16, 4, 1: a fourth cluster would have width 0.
  CHECK(allows({.cutoffs = three}));
  CHECK_FALSE(allows({.cutoffs = four}));
}

}  // namespace
}  // namespace tied
