#include "accounting/memory.h"

#include <doctest/doctest.h>

#include "../../reference/accounting_reference.h"
#include "accounting/compute.h"
#include "accounting/parameters.h"
#include "models.h"

namespace tied {
namespace {

ComputeCount counted_compute(const Architecture& architecture, const Batch& batch) {
  auto count = count_compute(architecture, batch);
  REQUIRE(count.ok());
  return std::move(count).value();
}

TEST_CASE("activations are exactly the elements that PyTorch stores for the backward pass") {
  for (const accounting_reference::Activations& expected : accounting_reference::kActivations) {
    CAPTURE(expected.name);
    Batch batch;
    batch.sequences = expected.sequences;
    batch.tokens = expected.tokens;
    batch.encoder_tokens = expected.encoder_tokens;
    CHECK(activation_values(expected.architecture, expected.tying, batch) == expected.values);
    CHECK(count_bytes(expected.architecture, expected.tying, batch, 0).logits == Whole(expected.logits) * 4);
  }
}

TEST_CASE("a norm made of elementary operations stores two more arrays in PyTorch 1.13") {
  for (const accounting_reference::Activations& expected : accounting_reference::kActivations) {
    if (std::string_view(expected.name) != "llama") continue;
    const Architecture& a = expected.architecture;
    const std::uint64_t norms = a.norms_per_layer * a.n_layers + 1;
    const Whole more = Whole(2) * norms * expected.sequences * expected.tokens * a.d_model;
    CHECK(expected.values + more == accounting_reference::kLlamaElementary);
    return;
  }
  FAIL("the reference has no such case");
}

TEST_CASE("GPT-2 small at its full context stores 12 (16 d + 4 + 12 T) + 2 (d + 1) elements per token") {
  // Per layer: two norms with their outputs 4 d + 4, queries, keys, values and attention output 4 d, attention weights
  // 12 T, feed-forward part 8 d. At the end a norm with its output: 2 d + 2.
  Batch batch;
  batch.sequences = 8;
  batch.tokens = 1024;
  const std::uint64_t d = 768, values = 12 * (16 * d + 4 + 12 * 1024) + 2 * (d + 1);
  CHECK(activation_values(gpt2(), TableTying::kTied, batch) == Whole(8 * 1024) * values);
}

TEST_CASE(
    "a layer of GPT-2 stores what Korthikanti et al. count, without dropout and with the statistics of its norms") {
  // Reducing activation recomputation in large transformer models, 2022, equation 1: s b h (34 + 5 a s / h) bytes.
  // Dropout's part is two masks, s b h, and one mask and output of the attention weights, 3 a s² b.
  const std::uint64_t s = 1024, b = 8, h = 768, heads = 12;
  Batch batch;
  batch.sequences = b;
  batch.tokens = s;
  batch.precision = Precision::kBfloat16;
  Architecture deeper = gpt2();
  ++deeper.n_layers;
  const auto activations = [&batch](const Architecture& a) {
    return count_bytes(a, batch.tying, batch, 0).activations;
  };
  const std::uint64_t published = 34 * s * b * h + 5 * heads * s * s * b;
  const std::uint64_t dropout = 2 * s * b * h + 3 * heads * s * s * b;
  const std::uint64_t statistics = 2 * 2 * 2 * s * b;  // two per norm
  CHECK(activations(deeper) - activations(gpt2()) == published - dropout + statistics);
}

TEST_CASE("bytes per element follow the documented table of precisions") {
  struct Row {
    Precision precision;
    std::uint64_t weights, gradients, state, activations, logits;
  };
  const Row rows[] = {
      {Precision::kFloat32, 4, 4, 4, 4, 4}, {Precision::kBfloat16, 2, 2, 2, 2, 2}, {Precision::kMixed, 6, 2, 4, 2, 4}};
  RandomModels random(1);
  for (int i = 0; i < 200; ++i) {
    const Architecture a = random.architecture();
    Batch batch = random.batch(a);
    const Whole stored = count_parameters(a, batch.tying).value().stored;
    const Whole activations = activation_values(a, batch.tying, batch);
    const Whole logits = Whole(batch.sequences) * batch.tokens * a.output_vocab_size;
    for (const Row& row : rows) {
      batch.precision = row.precision;
      const Bytes bytes = counted_compute(a, batch).bytes;
      CHECK(bytes.weights == stored * row.weights);
      CHECK(bytes.gradients == stored * row.gradients);
      CHECK(bytes.optimizer == stored * row.state * batch.optimizer_states);
      CHECK(bytes.activations == activations * row.activations);
      CHECK(bytes.logits == logits * row.logits);
      CHECK(bytes.total() == bytes.weights + bytes.gradients + bytes.optimizer + bytes.activations + bytes.logits);
    }
  }
}

TEST_CASE("AdamW in mixed precision takes 16 bytes per parameter, as in ZeRO's accounting") {
  // Rajbhandari et al. 2020, section 3.1: 2 + 2 + 12.
  Batch batch;
  batch.precision = Precision::kMixed;
  const Bytes bytes = counted_compute(gpt2(), batch).bytes;
  CHECK(bytes.weights + bytes.gradients + bytes.optimizer == Whole(16) * 124'439'808);
}

TEST_CASE("tying saves weights, gradients and optimizer state of one table, and neither activations nor logits") {
  Batch batch;
  batch.sequences = 4;
  batch.tokens = 128;
  const Whole table = Whole(50257) * 768;
  const ComputeCount count = counted_compute(gpt2(), batch);
  CHECK(count.untied_bytes.weights - count.bytes.weights == table * 4);
  CHECK(count.untied_bytes.gradients - count.bytes.gradients == table * 4);
  CHECK(count.untied_bytes.optimizer - count.bytes.optimizer == table * 8);
  CHECK(count.untied_bytes.activations == count.bytes.activations);
  CHECK(count.untied_bytes.logits == count.bytes.logits);
  CHECK(count.untied_bytes.total() - count.bytes.total() == table * 16);
}

TEST_CASE("Llama 3 8B caches 128 KiB of keys and values per token, a quarter of what its queries would need") {
  Batch batch;
  batch.tokens = 8192;
  batch.precision = Precision::kBfloat16;
  batch.tying = TableTying::kUntied;
  const Serving serving = counted_compute(llama3(), batch).serving;
  CHECK(serving.cache_per_token == 131'072);
  CHECK(serving.cache == Whole(8192) * 131'072);
  CHECK(serving.weights == Whole(2) * 8'030'261'248);  // as published
  CHECK(serving.logits == 2 * 128256);
  CHECK(serving.total() == serving.weights + serving.cache + serving.logits);
}

TEST_CASE("serving a tied model needs less memory, but reads and computes the same per token") {
  RandomModels random(2);
  for (int i = 0; i < 200; ++i) {
    const Architecture a = random.architecture();
    if (a.output_vocab_size != a.vocab_size) continue;
    Batch batch = random.batch(a);
    batch.tying = TableTying::kTied;
    const Serving tied = counted_compute(a, batch).serving;
    batch.tying = TableTying::kUntied;
    const Serving untied = counted_compute(a, batch).serving;
    CHECK(tied.weights < untied.weights);
    CHECK(tied.total() < untied.total());
    CHECK(tied.read_per_token == untied.read_per_token);
    CHECK(tied.flop_per_token == untied.flop_per_token);
  }
}

TEST_CASE("a new token of GPT-2 reads all matrices except positions once, and the cache") {
  Batch batch;
  batch.tokens = 1000;
  const Serving serving = counted_compute(gpt2(), batch).serving;
  const std::uint64_t d = 768, matrices = 12 * 12 * d * d + 50257 * d, cache = 12 * 2 * d * 1000;
  CHECK(serving.read_per_token == 4 * (matrices + cache));
  // Each element of a matrix is multiplied once per sequence, each element of the cache as well.
  CHECK(serving.flop_per_token == 2 * (matrices + cache));
  batch.sequences = 3;
  const Serving three = counted_compute(gpt2(), batch).serving;
  CHECK(three.read_per_token == 4 * (matrices + 3 * cache));
  CHECK(three.flop_per_token == 2 * 3 * (matrices + cache));
}

TEST_CASE("one token reads its active experts, and many tokens at most all experts") {
  const Architecture a = mixtral();
  Batch batch;
  batch.tying = TableTying::kUntied;
  batch.precision = Precision::kBfloat16;
  const auto read_without_cache = [&](std::uint64_t sequences) {
    batch.sequences = sequences;
    const Serving serving = counted_compute(a, batch).serving;
    return serving.read_per_token - serving.cache;
  };
  const Whole expert = Whole(3) * 4096 * 14336 * 32 * 2;
  const Whole rest = (Whole(32) * (2 * 4096 * 4096 + 2 * 4096 * 1024 + 8 * 4096) + Whole(32000) * 4096) * 2;
  CHECK(read_without_cache(1) == rest + expert * 2);
  CHECK(read_without_cache(3) == rest + expert * 6);
  CHECK(read_without_cache(4) == rest + expert * 8);
  CHECK(read_without_cache(100) == rest + expert * 8);
}

TEST_CASE("an encoder-decoder caches keys and values of both texts, and runs its encoder once") {
  Batch batch;
  batch.sequences = 2;
  batch.tokens = 10;
  batch.encoder_tokens = 30;
  const Serving serving = counted_compute(t5_small(), batch).serving;
  CHECK(serving.cache_per_token == 6 * 2 * 512 * 4);
  CHECK(serving.cache == 2 * (10 + 30) * 6 * 2 * 512 * 4);
  // Six layers: four maps of self-attention, two of cross-attention, and 8 d² of the feed-forward part.
  const std::uint64_t d = 512, matrices = 6 * (6 + 8) * d * d + 32128 * d;
  CHECK(serving.read_per_token == 4 * matrices + 2 * (10 + 30) * 6 * 2 * d * 4);
  CHECK(serving.flop_per_token == 2 * 2 * (matrices + 6 * 2 * d * (10 + 30)));
}

TEST_CASE("an encoder alone generates no tokens and has no cache") {
  Architecture a = gpt2();
  a.stack = Stack::kEncoder;
  const Serving serving = counted_compute(a, {}).serving;
  CHECK(serving.cache_per_token.is_zero());
  CHECK(serving.cache.is_zero());
  CHECK(serving.read_per_token.is_zero());
  CHECK(serving.flop_per_token.is_zero());
  CHECK(serving.total() == serving.weights + serving.logits);
}

}  // namespace
}  // namespace tied
