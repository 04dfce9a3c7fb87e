#include "accounting/heads.h"

#include <doctest/doctest.h>

#include "../../reference/accounting_reference.h"
#include "accounting/compute.h"
#include "models.h"

namespace tied {
namespace {

std::vector<HeadCost> heads_of(const Architecture& architecture, const Batch& batch) {
  auto count = count_compute(architecture, batch);
  REQUIRE(count.ok());
  return std::move(count).value().heads;
}

TEST_CASE("the full head alone is there where nothing is asked for, and is the head of the model") {
  RandomModels random(3);
  for (int i = 0; i < 200; ++i) {
    const Architecture a = random.architecture();
    const Batch batch = random.batch(a);
    const auto count = count_compute(a, batch);
    REQUIRE(count.ok());
    REQUIRE(count.value().heads.size() == 1);
    const HeadCost& full = count.value().heads.front();
    CHECK(full.kind == HeadKind::kFull);
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
  REQUIRE(heads.size() == 4);
  CHECK(heads[0].macs.forward == 67'108'864'000);
  CHECK(heads[0].parameters == vocab_size * d);
  CHECK(heads[0].logits == 16'384'000);
  CHECK(heads[0].logits_bytes == 65'536'000);
  CHECK(heads[1].kind == HeadKind::kSampled);
  CHECK(heads[1].macs.forward == n * d * 1025);
  CHECK(heads[1].parameters == vocab_size * d);
  CHECK(heads[1].logits == n * 1025);
  CHECK(heads[2].kind == HeadKind::kCulled);
  CHECK(heads[2].macs.forward == n * d * 8000);
  CHECK(heads[2].parameters == 8000 * d);
  CHECK(heads[2].logits == n * 8000);
  CHECK(heads[3].kind == HeadKind::kClustered);
  // 179 clusters of at most 179 tokens: the fewest rows that two levels can have, about 2 sqrt(V).
  CHECK(heads[3].macs.forward == n * d * (179 + 179));
  CHECK(heads[3].parameters == (vocab_size + 179) * d);
  CHECK(heads[3].logits == n * 358);
  for (const HeadCost& head : heads) {
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
    REQUIRE(heads.size() == 2);
    CHECK(heads[1].kind == HeadKind::kAdaptive);
    CHECK(heads[1].parameters == adaptive.parameters);
  }
}

TEST_CASE("the adaptive softmax works on as many tokens of each cluster as Zipf's law expects") {
  const std::uint64_t n = 64 * 512, d = 1024, vocab_size = 50257;
  Batch batch;
  batch.sequences = 64;
  batch.tokens = 512;
  batch.heads.cutoffs = {2000, 10000};
  const HeadCost adaptive = heads_of(plain_formula(vocab_size, d, 1), batch)[1];
  // Sums of 1 / r, term by term.
  double first = 0, second = 0, all = 0;
  for (std::uint64_t rank = vocab_size; rank > 0; --rank) {
    const double term = 1 / static_cast<double>(rank);
    all += term;
    if (rank > 10000) second += term;
    if (rank > 2000 && rank <= 10000) first += term;
  }
  const auto expected = [&](double sum) {
    return static_cast<std::uint64_t>(static_cast<double>(n) * sum / all + 0.5);
  };
  const std::uint64_t head = n * d * 2002, tail1 = (d + 8000) * 256, tail2 = (d + 40257) * 64;
  CHECK(adaptive.macs.forward == head + expected(first) * tail1 + expected(second) * tail2);
  CHECK(adaptive.at_most.forward == head + n * (tail1 + tail2));
  CHECK(adaptive.logits == n * 2002 + expected(first) * 8000 + expected(second) * 40257);
  // About 14 % and 14 % of the tokens: the law has most of its weight in the head.
  CHECK(first / all == doctest::Approx(0.141).epsilon(0.01));
  CHECK(second / all == doctest::Approx(0.142).epsilon(0.01));
}

TEST_CASE("no head costs more than its bound, and bounds of all but the adaptive one are what it costs") {
  RandomModels random(4);
  for (int i = 0; i < 300; ++i) {
    const Architecture a = random.architecture();
    Batch batch = random.batch(a);
    const std::uint64_t vocab_size = a.output_vocab_size;
    batch.heads.samples = random.between(1, vocab_size - 1);
    batch.heads.culled_vocab_size = random.between(1, vocab_size);
    batch.heads.clusters = random.between(1, vocab_size);
    batch.heads.cutoffs = {random.between(1, vocab_size - 1)};
    batch.heads.divisor = random.between(1, a.d_model);
    const auto heads = heads_of(a, batch);
    REQUIRE(heads.size() == 5);
    const HeadCost& full = heads[0];
    for (const HeadCost& head : heads) {
      CHECK_FALSE(head.at_most.total() < head.macs.total());
      if (head.kind != HeadKind::kAdaptive) CHECK(head.at_most.total() == head.macs.total());
    }
    // A sample of all the others, and a vocabulary that keeps all, are the full head.
    batch.heads = {.samples = vocab_size - 1, .culled_vocab_size = vocab_size, .clusters = 1};
    const auto whole = heads_of(a, batch);
    CHECK(whole[1].macs.total() == full.macs.total());
    CHECK(whole[1].logits == full.logits);
    CHECK(whole[2].macs.total() == full.macs.total());
    CHECK(whole[2].parameters == full.parameters);
    // One cluster has them all, and one row more says which.
    CHECK(whole[3].logits == full.logits + Whole(batch.sequences) * batch.tokens);
    CHECK(full.macs.total() < whole[3].macs.total());
  }
}

TEST_CASE("what stands before the table is in every head") {
  Architecture a = plain_formula(1000, 64, 2);
  a.head_transform = true;
  a.norm = NormKind::kLayer;
  a.norm_biases = true;
  a.output_bias = true;
  Batch batch;
  batch.tokens = 10;
  batch.heads.culled_vocab_size = 100;
  const auto heads = heads_of(a, batch);
  CHECK(heads[0].macs.forward == 10 * (64 * 64 + 64 * 1000));
  CHECK(heads[1].macs.forward == 10 * (64 * 64 + 64 * 100));
  // The map with its bias, a norm with its bias, and a bias a token.
  CHECK(heads[0].parameters == 64 * 64 + 64 + 2 * 64 + 1000 * 65);
  CHECK(heads[1].parameters == 64 * 64 + 64 + 2 * 64 + 100 * 65);
}

TEST_CASE("the low-rank correction is part of each row") {
  Architecture a = plain_formula(1000, 64, 2);
  a.low_rank = 8;
  Batch batch;
  batch.tying = TableTying::kTiedLowRank;
  batch.heads.samples = 9;
  const auto heads = heads_of(a, batch);
  CHECK(heads[0].macs.forward == 64 * 8 + 1000 * 72);
  CHECK(heads[1].macs.forward == 64 * 8 + 10 * 72);
}

TEST_CASE("heads that vocabulary or width do not allow are refused by name") {
  const Architecture a = plain_formula(1000, 64, 2);
  const auto refused = [&a](const HeadOptions& heads) {
    Batch batch;
    batch.heads = heads;
    const auto count = count_compute(a, batch);
    REQUIRE_FALSE(count.ok());
    CHECK(count.error().code == ErrorCode::kInvalidArgument);
    return count.error().message();
  };
  CHECK(refused({.samples = 1000}) == "samples is 1000; expected 0 to 999");
  CHECK(refused({.culled_vocab_size = 1001}) == "culled_vocab_size is 1001; expected 0 to 1000");
  CHECK(refused({.clusters = 1001}) == "clusters is 1001; expected 0 to 1000");
  CHECK(refused({.cutoffs = {0}}) == "cutoffs is 0; expected 1 to 999");
  CHECK(refused({.cutoffs = {1000}}) == "cutoffs is 1000; expected 1 to 999");
  CHECK(refused({.cutoffs = {10, 10}}) == "cutoffs is 10; expected 11 to 999");
  CHECK(refused({.cutoffs = {10}, .divisor = 0}) == "divisor is 0; expected 1 to 64");
  CHECK(refused({.cutoffs = {10}, .divisor = 65}) == "divisor is 65; expected 1 to 64");
  // 64, 16, 4, 1: a fourth cluster would have vectors of no numbers.
  CHECK(count_compute(a, {.heads = {.cutoffs = {1, 2, 3}}}).ok());
  CHECK(refused({.cutoffs = {1, 2, 3, 4}}) == "divisor is 4; expected 1 to 1");
}

}  // namespace
}  // namespace tied
