#include "accounting/compute.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "accounting/parameters.h"
#include "models.h"

namespace tied {
namespace {

ComputeCount compute_of(const Architecture& architecture, const Batch& batch) {
  auto count = count_compute(architecture, batch);
  REQUIRE(count.ok());
  return std::move(count).value();
}

double share(Whole part, Whole whole) { return part.as_double() / whole.as_double(); }

double head_share_of_weights(const Architecture& architecture) {
  const ComputeCount count = compute_of(architecture, {});
  return share(count.head.forward, count.all().forward - count.scores.forward);
}

// The work of a batch counted a second time, from the architecture instead of its table of tensors.
struct Work {
  std::uint64_t lookup = 0, projections = 0, scores = 0, feed_forward = 0, head = 0;
};

Work work_of(const Architecture& a, const Batch& batch) {
  const bool both = a.stack == Stack::kEncoderDecoder;
  const std::uint64_t d = a.d_model, q = a.n_heads * a.d_head, k = a.n_key_value_heads * a.d_head;
  const std::uint64_t maps = a.feed_forward == FeedForwardKind::kGated ? 3 : 2;
  const std::uint64_t n = batch.sequences * batch.tokens, m = batch.sequences * batch.encoder_tokens;
  Work work;
  const auto layers = [&](std::uint64_t count, std::uint64_t rows, std::uint64_t keys_each) {
    for (std::uint64_t layer = 0; layer < count; ++layer) {
      work.projections += rows * (2 * d * q + 2 * d * k);
      work.scores += 2 * rows * keys_each * q;
      if (a.n_experts == 0) {
        work.feed_forward += rows * maps * d * a.d_feed_forward;
      } else if (layer < a.n_dense_layers) {
        work.feed_forward += rows * maps * d * a.d_dense_feed_forward;
      } else {
        const std::uint64_t experts = a.n_active_experts + a.n_shared_experts;
        work.feed_forward += rows * (maps * d * a.d_feed_forward * experts + d * a.n_experts);
      }
    }
  };
  layers(a.n_layers, n, batch.tokens);
  if (both) {
    layers(a.n_encoder_layers, m, batch.encoder_tokens);
    work.projections += a.n_layers * (n * 2 * d * q + m * 2 * d * k);
    work.scores += a.n_layers * 2 * n * batch.encoder_tokens * q;
  }
  const std::uint64_t r = a.table_rank;
  work.lookup = (n + (both ? m : 0)) * d * r;
  work.head = r == 0 ? n * d * a.output_vocab_size : n * r * (d + a.output_vocab_size);
  if (a.head_transform) work.head += n * d * d;
  if (batch.tying == TableTying::kTiedLinear) work.head += n * d * d;
  if (batch.tying == TableTying::kTiedMlp) work.head += n * 2 * d * a.d_feed_forward;
  if (batch.tying == TableTying::kTiedLowRank) work.head += n * (d + a.output_vocab_size) * a.low_rank;
  return work;
}

TEST_CASE("the head of B 4, T 128, d 4,096 and V 32,000 takes 67,108,864,000 forward and twice that backward") {
  Batch batch;
  batch.sequences = 4;
  batch.tokens = 128;
  const ComputeCount count = compute_of(plain_formula(32000, 4096, 32), batch);
  CHECK(count.head.forward.text() == "67108864000");
  CHECK(count.head.backward().text() == "134217728000");
  CHECK(count.head.total().text() == "201326592000");
  // 4.03e11 FLOP.
  CHECK((count.head.total() * 2).text() == "402653184000");
  CHECK(count.bytes.logits.text() == "65536000");
}

TEST_CASE("the head's fraction without scores is V / (V + 12 L d)") {
  CHECK(head_share_of_weights(plain_formula(32000, 4096, 32)) == doctest::Approx(32000.0 / (32000 + 12 * 32 * 4096)));
  CHECK(head_share_of_weights(plain_formula(32000, 4096, 32)) == doctest::Approx(0.020).epsilon(0.01));
  CHECK(head_share_of_weights(plain_formula(50257, 768, 12)) == doctest::Approx(0.312).epsilon(0.002));
  CHECK(head_share_of_weights(plain_formula(128256, 2048, 16)) == doctest::Approx(0.246).epsilon(0.002));
  CHECK(head_share_of_weights(plain_formula(512, 64, 4)) == doctest::Approx(0.143).epsilon(0.002));
  // GPT-2 has the same matrices as the formula.
  CHECK(head_share_of_weights(gpt2()) == head_share_of_weights(plain_formula(50257, 768, 12)));
}

TEST_CASE("parts of known models in closed form") {
  Batch batch;
  batch.sequences = 2;
  batch.tokens = 1024;
  const std::uint64_t n = 2048, d = 768;
  const ComputeCount count = compute_of(gpt2(), batch);
  CHECK(count.projections.forward == n * 12 * 4 * d * d);
  CHECK(count.scores.forward == n * 12 * 2 * 1024 * d);
  CHECK(count.feed_forward.forward == n * 12 * 8 * d * d);
  CHECK(count.head.forward == n * 50257 * d);

  batch.tying = TableTying::kUntied;
  const ComputeCount grouped = compute_of(llama3(), batch);
  CHECK(grouped.projections.forward == n * 32 * (2 * 4096 * 4096 + 2 * 4096 * 1024));
  CHECK(grouped.scores.forward == n * 32 * 2 * 1024 * 4096);
  CHECK(grouped.feed_forward.forward == Whole(n) * 32 * 3 * 4096 * 14336);

  const ComputeCount experts = compute_of(mixtral(), batch);
  CHECK(experts.projections.forward == grouped.projections.forward);
  CHECK(experts.feed_forward.forward == Whole(n) * 32 * (2 * 3 * std::uint64_t{4096} * 14336 + 8 * 4096));

  batch.encoder_tokens = 100;
  batch.tying = TableTying::kTied;
  const std::uint64_t m = 200, w = 512 * 512;
  const ComputeCount both = compute_of(t5_small(), batch);
  CHECK(both.projections.forward == 6 * (4 * w * m + 6 * w * n + 2 * w * m));
  CHECK(both.scores.forward == 6 * 2 * 512 * (m * 100 + n * 1024 + n * 100));
  CHECK(both.feed_forward.forward == 6 * 8 * w * (m + n));
  CHECK(both.head.forward == n * 512 * 32128);
}

TEST_CASE("parts of random models agree with a second count that does not use the table of tensors") {
  RandomModels random(5);
  for (int i = 0; i < 2000; ++i) {
    const Architecture a = random.architecture();
    const Batch batch = random.batch(a);
    const ComputeCount count = compute_of(a, batch);
    const Work work = work_of(a, batch);
    CHECK(count.lookup.forward == work.lookup);
    CHECK(count.projections.forward == work.projections);
    CHECK(count.scores.forward == work.scores);
    CHECK(count.feed_forward.forward == work.feed_forward);
    CHECK(count.head.forward == work.head);
    CHECK(count.all().forward == work.lookup + work.projections + work.scores + work.feed_forward + work.head);
    for (const Macs* macs : {&count.lookup, &count.projections, &count.scores, &count.feed_forward, &count.head}) {
      CHECK(macs->backward() == macs->forward * 2);
      CHECK(macs->total() == macs->forward + macs->backward());
    }
  }
}

TEST_CASE("twice the sequences take twice the work; twice the tokens too, but four times the scores") {
  RandomModels random(6);
  for (int i = 0; i < 300; ++i) {
    const Architecture a = random.architecture();
    Batch batch = random.batch(a);
    const ComputeCount one = compute_of(a, batch);
    batch.sequences *= 2;
    const ComputeCount two = compute_of(a, batch);
    CHECK(two.projections.total() == one.projections.total() * 2);
    CHECK(two.scores.total() == one.scores.total() * 2);
    CHECK(two.feed_forward.total() == one.feed_forward.total() * 2);
    CHECK(two.head.total() == one.head.total() * 2);
    CHECK(two.bytes.activations == one.bytes.activations * 2);
    CHECK(two.bytes.weights == one.bytes.weights);
    CHECK(two.serving.flop_per_token == one.serving.flop_per_token * 2);
    batch.sequences /= 2;
    batch.tokens *= 2;
    batch.encoder_tokens *= 2;
    const ComputeCount longer = compute_of(a, batch);
    CHECK(longer.projections.total() == one.projections.total() * 2);
    CHECK(longer.scores.total() == one.scores.total() * 4);
    CHECK(longer.feed_forward.total() == one.feed_forward.total() * 2);
    CHECK(longer.head.total() == one.head.total() * 2);
  }
}

TEST_CASE("tying saves parameters but no work") {
  RandomModels random(7);
  for (int i = 0; i < 500; ++i) {
    const Architecture a = random.architecture();
    if (a.output_vocab_size != a.vocab_size) continue;
    Batch batch = random.batch(a);
    batch.tying = TableTying::kTied;
    const ComputeCount tied = compute_of(a, batch);
    batch.tying = TableTying::kUntied;
    const ComputeCount untied = compute_of(a, batch);
    CHECK(tied.all().total() == untied.all().total());
    CHECK(tied.head.total() == untied.head.total());
    CHECK(tied.bytes.weights < untied.bytes.weights);
    CHECK(tied.untied_bytes.total() == untied.bytes.total());
    CHECK(untied.untied_bytes.total() == untied.bytes.total());
  }
}

TEST_CASE("the head's fraction starts at 1 and falls with every layer") {
  Batch batch;
  batch.tokens = 64;
  double previous = 2;
  for (std::uint64_t layers = 0; layers < 100; ++layers) {
    const ComputeCount count = compute_of(plain_formula(512, 64, layers), batch);
    const double now = share(count.head.forward, count.all().forward);
    CHECK(now < previous);
    if (layers == 0) CHECK(now == 1);
    previous = now;
  }
}

TEST_CASE("GPT-2 small takes 1.144 times the 6 N of the rule of thumb, and 0.993 times without scores") {
  // 6 FLOP per parameter and token (Kaplan et al. 2020) ignore the scores, 2 T d L products for 142 million per token
  // at T = 1,024, and count positions, norms and biases as matrices.
  Batch batch;
  batch.sequences = 8;
  batch.tokens = 1024;
  const ComputeCount count = compute_of(gpt2(), batch);
  const Whole rule = count_parameters(gpt2(), TableTying::kTied).value().stored * 6 * (8 * 1024);
  CHECK(share(count.all().total() * 2, rule) == doctest::Approx(1.1444).epsilon(1e-4));
  CHECK(share((count.all().total() - count.scores.total()) * 2, rule) == doctest::Approx(0.9927).epsilon(1e-4));
}

TEST_CASE("counts are exact up to 2^64 - 2, and refused beyond") {
  constexpr std::uint64_t kLargest = (std::uint64_t{1} << 53) - 1;
  Batch batch;
  batch.sequences = 1 << 10;
  batch.precision = Precision::kBfloat16;
  const ComputeCount count = compute_of(plain_formula(kLargest, 1, 0), batch);
  CHECK(count.head.forward == (std::uint64_t{1} << 63) - (1 << 10));
  // Overflow is sticky and reported.
  CHECK_FALSE(count.head.total().fits());
  CHECK_FALSE(count.all().total().fits());
  batch.sequences = 1 << 12;
  const auto refused = count_compute(plain_formula(kLargest, 1, 0), batch);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == ErrorCode::kInvalidArgument);
  CHECK(refused.error().message() ==
        "work or memory of the batch is more than 2^64 - 2; expected a smaller batch or model");
  batch.sequences = batch.tokens = kLargest;
  CHECK_FALSE(count_compute(plain_formula(2, 1 << 20, 1 << 20), batch).ok());
}

TEST_CASE("a step of 405 billion parameters over 16 million tokens can be counted") {
  Architecture a = llama3();
  a.d_model = 16384;
  a.n_layers = 126;
  a.n_heads = 128;
  a.d_feed_forward = 53248;
  Batch batch;
  batch.sequences = 2048;
  batch.tokens = 8192;
  batch.tying = TableTying::kUntied;
  batch.precision = Precision::kMixed;
  CHECK(compute_of(a, batch).bytes.weights == Whole(6) * 405'853'388'800);  // as published
}

TEST_CASE("a batch of size 0 or above the limit is refused") {
  const auto allows = [](const Batch& batch) {
    const Status status = validate(batch, gpt2());
    if (!status)
      CHECK(
          status.error().message() ==
          "batch is out of range; expected sizes from 1 to 2^53 - 1, and heads that fit the vocabulary and the width");
    return status.ok();
  };
  constexpr std::uint64_t kTooLarge = std::uint64_t{1} << 53;
  CHECK(allows({}));
  CHECK_FALSE(allows({.sequences = 0}));
  CHECK_FALSE(allows({.tokens = 0}));
  CHECK_FALSE(allows({.encoder_tokens = 0}));
  CHECK_FALSE(allows({.sequences = kTooLarge}));
  CHECK_FALSE(allows({.tokens = kTooLarge}));
  CHECK_FALSE(allows({.encoder_tokens = kTooLarge}));
  // The expected tokens per cluster could not be rounded to an integer.
  const std::uint64_t cutoffs[] = {1};
  const Batch most = {.sequences = 1 << 20, .tokens = (std::uint64_t{1} << 33) - 1, .heads = {.cutoffs = cutoffs}};
  Batch more = most;
  ++more.tokens;
  CHECK(validate(most, gpt2()).ok());
  CHECK_FALSE(validate(more, gpt2()).ok());
  more.heads.cutoffs = {};
  CHECK(validate(more, gpt2()).ok());
}

}  // namespace
}  // namespace tied
