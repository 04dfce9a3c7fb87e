// Memory of a trainer, and the message if it is too large.
#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "support.h"

using namespace tied;

namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

ModelConfig gpt2(std::uint64_t d_model, std::uint64_t n_layers, std::uint64_t n_heads, Tying tying = Tying::kTied) {
  return {.kind = ModelKind::kTransformer,
          .vocab_size = 50'257,
          .d_model = d_model,
          .tying = tying,
          .n_layers = n_layers,
          .n_heads = n_heads,
          .context_length = 1'024,
          .norm = Norm::kLayer,
          .biases = Biases::kAll};
}

std::uint64_t part(const MemoryEstimate& estimate, std::string_view name) {
  for (const MemoryPart& each : estimate.parts) {
    if (each.name == name) return each.bytes;
  }
  FAIL("no such part");
  return 0;
}

// Whether it fits with the value that the refusal names, and not with slightly more.
void check_advice(const DataSize& data, ModelConfig model, TrainingConfig training, const TrainerLimits& limits,
                  const std::string& name, std::uint64_t unit) {
  const Status refused = check_trainer_memory(data, model, training, limits);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == ErrorCode::kOutOfMemory);
  REQUIRE(refused.error().argument == name);
  REQUIRE(refused.error().expected.rfind("at most ", 0) == 0);
  const std::uint64_t most = std::stoull(refused.error().expected.substr(8));
  CHECK(most > 0);
  if (name != "batch_size" && training.batch_size != 0) training.batch_size = 1;
  const auto fits = [&](std::uint64_t value) {
    if (name == "batch_size") training.batch_size = value;
    if (name == "context_length") model.context_length = value;
    if (name == "d_model") model.d_model = value;
    if (name == "vocab_size") model.vocab_size = value;
    if (name == "n_layers") model.n_layers = value;
    if (name == "ngram_rows") model.ngram_rows = value;
    if (name == "d_feed_forward") model.d_feed_forward = value;
    return check_trainer_memory(data, model, training, limits).ok();
  };
  CHECK(fits(most));
  CHECK_FALSE(fits(most + unit));
}

}  // namespace

TEST_CASE("the memory estimate is the sum of its parts, and 50,257 tokens at width 64 train in 400 MB") {
  std::vector<ModelConfig> models;
  for (const Tying tying : test::kTyings) models.push_back({.vocab_size = 50'257, .d_model = 64, .tying = tying});
  for (const Tying tying : test::kTransformerTyings) {
    ModelConfig model = test::small_transformer(tying);
    model.vocab_size = 50'257;
    model.d_model = 64;
    model.context_length = 64;
    models.push_back(model);
  }
  for (const ModelConfig& model : models) {
    const auto estimate = estimate_memory(model, {.learning_rate = 1e-3, .batch_size = 16});
    REQUIRE(estimate.ok());
    std::uint64_t bytes = 0;
    for (const MemoryPart& each : estimate.value().parts) bytes += each.bytes;
    CHECK(estimate.value().bytes == bytes);
    CHECK(bytes < 400'000'000);
    // Weights, gradients by role, two moments: a lower bound.
    CHECK(bytes > std::uint64_t{5} * 50'257 * 64 * 4);
  }
  constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
  CHECK(estimate_memory({.vocab_size = 1, .d_model = 2}, {}).error().argument == "vocab_size");
  CHECK(estimate_memory({.vocab_size = 5, .d_model = 2}, {.learning_rate = not_a_number}).error().argument ==
        "learning_rate");
}

TEST_CASE("a vocabulary that is too large is named with the largest that fits, also if the head is larger than that") {
  const DataSize data{DataKind::kTokens, 1'000};
  const TrainingConfig training{.learning_rate = 1e-3, .batch_size = 1};
  ModelConfig full = gpt2(8, 1, 1, Tying::kUntied);
  full.vocab_size = 4'000'000'000;
  check_advice(data, full, training, {}, "vocab_size", 1);
  for (const HeadKind head : {HeadKind::kClustered, HeadKind::kCulled, HeadKind::kAdaptive}) {
    ModelConfig model = full;
    model.head = head;
    if (head == HeadKind::kClustered) model.head_clusters = 3'000'000'000;
    if (head == HeadKind::kCulled) model.head_kept = 3'000'000'000;
    if (head == HeadKind::kAdaptive) model.head_divisor = 2;
    if (head == HeadKind::kAdaptive) model.head_cutoffs[0] = 3'000'000'000;
    const Status refused = check_trainer_memory(data, model, training, {});
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().argument == "vocab_size");
    CHECK(refused.error().expected.rfind("at most ", 0) == 0);
  }
}

TEST_CASE("accumulated batches take the memory of one") {
  const ModelConfig model = test::small_transformer(Tying::kTied);
  TrainingConfig training = test::small_training();
  training.batch_size = 1'000;
  const auto whole = estimate_memory(model, training);
  training.batch_size = 10;
  const auto part_of_it = estimate_memory(model, training);
  training.gradient_accumulation = 100;
  const auto accumulated = estimate_memory(model, training);
  REQUIRE(whole.ok());
  REQUIRE(accumulated.ok());
  CHECK(accumulated.value().bytes == part_of_it.value().bytes);
  CHECK(accumulated.value().bytes < whole.value().bytes);
}

TEST_CASE("a tying schedule has memory for both matrices from the start") {
  ModelConfig model = test::small_transformer(Tying::kUntied);
  const auto untied = estimate_memory(model, test::small_training());
  model.tie_at_step = 9;
  CHECK(estimate_memory(model, test::small_training()).value().bytes == untied.value().bytes);
  model = test::small_transformer(Tying::kTied);
  const auto tied = estimate_memory(model, test::small_training());
  model.untie_at_step = 9;
  const auto untying = estimate_memory(model, test::small_training());
  CHECK(part(untying.value(), "weights") == part(untied.value(), "weights"));
  CHECK(part(tied.value(), "weights") < part(untied.value(), "weights"));
}

TEST_CASE("a width of 256 with 8,192 tokens: no snapshots, and a tied and an untied model take less than 400 MB") {
  ModelConfig model{.kind = ModelKind::kTransformer,
                    .vocab_size = 8'192,
                    .d_model = 256,
                    .tying = Tying::kTied,
                    .n_layers = 4,
                    .n_heads = 8,
                    .context_length = 128};
  const TrainingConfig training{.learning_rate = 1e-3, .batch_size = 16};
  const auto tied = estimate_memory(model, training);
  model.tying = Tying::kUntied;
  const auto untied = estimate_memory(model, training);
  REQUIRE(tied.ok());
  REQUIRE(untied.ok());
  CHECK(part(tied.value(), "snapshots") == 0);
  CHECK(part(untied.value(), "snapshots") == 0);
  CHECK(tied.value().bytes + untied.value().bytes < 400'000'000);
  // The usual model of the training lab has the snapshots that it had.
  model = {.kind = ModelKind::kTransformer,
           .vocab_size = 1'161,
           .d_model = 48,
           .tying = Tying::kTied,
           .n_layers = 4,
           .n_heads = 4,
           .context_length = 64};
  const auto usual = estimate_memory(model, training);
  REQUIRE(usual.ok());
  CHECK(part(usual.value(), "snapshots") == 20 * 3 * part(usual.value(), "weights"));
}

TEST_CASE("a table's rows are counted if they are known") {
  const ModelConfig model{.vocab_size = 300, .d_model = 4};
  const auto all = estimate_memory_of({DataKind::kTable, 1'000}, model, {});
  const auto some = estimate_memory_of({DataKind::kTable, 1'000, 10}, model, {});
  CHECK(part(all.value(), "data") == 1'000);
  CHECK(some.value().max_rows == 10);
  CHECK(part(some.value(), "workspace") < part(all.value(), "workspace"));
}

TEST_CASE("the sizes of GPT-2: small does not train in the memory of wasm, and the message names what would") {
  const TrainingConfig training{.learning_rate = 1e-4, .batch_size = 8};
  // Weights, gradients, two moments and the start: for XL at least five times 1.56 billion parameters.
  const auto largest = estimate_memory(gpt2(1'600, 48, 25), training);
  REQUIRE(largest.ok());
  CHECK(part(largest.value(), "weights") / 4 >= 1'557'611'200);
  CHECK(largest.value().bytes > std::uint64_t{5} * 1'557'611'200 * 4);
  check_advice({DataKind::kTokens, 0}, gpt2(1'600, 48, 25), training, {}, "d_model", 50);
  check_advice({DataKind::kTokens, 0}, gpt2(1'600, 48, 25, Tying::kUntied), training, {}, "d_model", 50);
  check_advice({DataKind::kTokens, 0}, gpt2(768, 12, 12), training, {}, "d_model", 24);
  // Small fits for inspection and generation.
  CHECK(check_trainer_memory({DataKind::kNone}, gpt2(768, 12, 12), {}).ok());
  check_advice({DataKind::kNone}, gpt2(1'600, 48, 25), {}, {}, "d_model", 50);
}

TEST_CASE("the refusal names what could be smaller: batch, context, width, layers, hidden width, vocabulary") {
  // Memory for exactly the value named as fitting.
  const auto memory_for = [](const DataSize& data, const ModelConfig& model, const TrainingConfig& training) {
    const auto estimate = estimate_memory_of(data, model, training, {.snapshot_bytes = 0});
    REQUIRE(estimate.ok());
    return TrainerLimits{.memory_bytes = estimate.value().bytes, .snapshot_bytes = 0};
  };
  const DataSize tokens{DataKind::kTokens, 1'000};
  const auto batches = [](std::uint64_t batch_size) {
    return TrainingConfig{.learning_rate = 1, .batch_size = batch_size};
  };
  ModelConfig fitting = test::small_transformer(Tying::kTied);
  ModelConfig asked = fitting;
  check_advice(tokens, asked, batches(9'000), memory_for(tokens, fitting, batches(4'000)), "batch_size", 1);
  asked.context_length = 100'000;
  fitting.context_length = 50'000;
  check_advice(tokens, asked, batches(2), memory_for(tokens, fitting, batches(1)), "context_length", 1);
  asked = fitting = test::ngram_transformer(Tying::kTied, 3, 50'000);
  asked.ngram_rows = 90'000;
  check_advice(tokens, asked, batches(2), memory_for(tokens, fitting, batches(1)), "ngram_rows", 1);
  asked = fitting = test::small_transformer(Tying::kTied);
  asked.d_model = 1'000;
  fitting.d_model = 500;
  fitting.context_length = 1;
  check_advice(tokens, asked, batches(7), memory_for(tokens, fitting, batches(1)), "d_model", 4);
  asked = fitting = {.vocab_size = 1'000'000, .d_model = 1};
  fitting.vocab_size = 500'000;
  check_advice(tokens, asked, batches(2), memory_for(tokens, fitting, batches(1)), "vocab_size", 1);
  // As many heads as the width: the width cannot be reduced.
  asked = fitting = test::small_transformer(Tying::kTied);
  asked.n_layers = 100;
  asked.n_heads = fitting.n_heads = fitting.d_model;
  asked.n_kv_heads = fitting.n_kv_heads = fitting.d_model;
  fitting.n_layers = 30;
  check_advice(tokens, asked, batches(7), memory_for(tokens, fitting, batches(1)), "n_layers", 1);
  asked = fitting = test::small_transformer(Tying::kTied);
  asked.d_feed_forward = 500'000;
  fitting.d_feed_forward = 1'000;
  check_advice(tokens, asked, batches(7), memory_for(tokens, fitting, batches(1)), "d_feed_forward", 1);
  const DataSize table{DataKind::kTable, 4'000'000};
  asked = fitting = {.vocab_size = 1'000, .d_model = 4'000};
  fitting.d_model = 900;
  check_advice(table, asked, {}, memory_for(table, fitting, {}), "d_model", 1);
  // The data alone can be too large; then no configuration helps.
  const Status refused = check_trainer_memory({DataKind::kTokens, 2'000 * kMebibyte}, {.vocab_size = 5, .d_model = 3},
                                              {.learning_rate = 1, .batch_size = 2}, {.memory_bytes = kMebibyte});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().expected == "a trainer of at most 1 MiB");
}

TEST_CASE("if no size alone can be reduced enough, the refusal names the width that fits with one layer of one head") {
  ModelConfig model = test::small_transformer(Tying::kTied);
  model.d_model = model.n_heads = 8'192;
  model.n_kv_heads = 0;
  model.d_feed_forward = 0;
  const TrainingConfig training{.learning_rate = 1, .batch_size = 1};
  const Status refused = check_trainer_memory({DataKind::kTokens}, model, training);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().argument == "d_model");
  const std::string& expected = refused.error().expected;
  CHECK(expected.find(", with one layer of one head, for ") != std::string::npos);
  REQUIRE(expected.rfind("at most ", 0) == 0);
  model.n_layers = model.n_heads = 1;
  model.d_model = std::stoull(expected.substr(8));
  CHECK(check_trainer_memory({DataKind::kTokens}, model, training).ok());
  model.d_model += 2;
  CHECK_FALSE(check_trainer_memory({DataKind::kTokens}, model, training).ok());
}

TEST_CASE("the rank is reduced with the named width") {
  ModelConfig model = test::small_transformer(Tying::kTiedLowRank);
  model.d_model = 8'192;
  model.low_rank = 8'000;
  model.d_feed_forward = 0;
  const TrainingConfig training{.learning_rate = 1, .batch_size = 1};
  const Status refused = check_trainer_memory({DataKind::kTokens}, model, training);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().argument == "d_model");
  REQUIRE(refused.error().expected.rfind("at most ", 0) == 0);
  model.d_model = model.low_rank = std::stoull(refused.error().expected.substr(8));
  CHECK(check_trainer_memory({DataKind::kTokens}, model, training).ok());
}

TEST_CASE("no size of a configuration wraps: the largest of everything is refused") {
  ModelConfig model = test::small_transformer(Tying::kUntied);
  model.vocab_size = kMaxVocabSize;
  model.d_model = kMaxWidth;
  model.d_feed_forward = kMaxWidth;
  model.n_layers = 1'000;
  model.context_length = kMaxWidth;
  for (const std::uint64_t n_heads : {std::uint64_t{1}, kMaxWidth / 2, kMaxWidth}) {
    model.n_heads = n_heads;
    for (const std::uint64_t batch_size : {std::uint64_t{1}, kMaxBatchTokens / kMaxWidth}) {
      const auto estimate = estimate_memory(model, {.learning_rate = 1, .batch_size = batch_size});
      REQUIRE(estimate.ok());
      // A thousand layers of twelve times a million squared, and as much again for training.
      CHECK(static_cast<double>(estimate.value().bytes) > 1e16);
    }
  }
  // Only once: it estimates a thousand layers a hundred times, which takes ten times as long with sanitizers.
#if __has_feature(address_sanitizer)
  model.n_layers = 10;
#endif
  const TrainingConfig training{.learning_rate = 1, .batch_size = kMaxBatchTokens / kMaxWidth};
  CHECK_FALSE(check_trainer_memory({DataKind::kTokens}, model, training).ok());
  const auto refused = estimate_memory(model, {.learning_rate = 1, .batch_size = kMaxBatchTokens / kMaxWidth + 1});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().argument == "batch_size");
  CHECK(refused.error().expected == "at most 64 sequences of 1048576 tokens");
}
