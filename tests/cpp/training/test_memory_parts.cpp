// Every part of the estimated memory equals the memory allocated, for random configurations of every kind.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "../allocations.h"
#include "pairs.h"

#if defined(TIED_WRAPS_ALLOCATORS)

using namespace tied;

namespace {

constexpr std::size_t kLine = 64;

struct Choice {
  Random& random;

  std::uint64_t from(std::uint32_t least, std::uint32_t most) { return least + random.below(most - least + 1); }
  bool maybe() { return random.below(2) == 0; }
  template <class Value, std::size_t n>
  Value of(const Value (&values)[n]) {
    return values[random.below(n)];
  }
};

void choose_head(ModelConfig& model, Choice& choice) {
  const auto vocab_size = static_cast<std::uint32_t>(model.vocab_size);
  model.head =
      choice.of({HeadKind::kFull, HeadKind::kSampled, HeadKind::kClustered, HeadKind::kCulled, HeadKind::kAdaptive});
  if (model.head == HeadKind::kSampled) {
    model.head_samples = choice.from(1, 50);
    model.proposal = choice.of({Proposal::kLogUniform, Proposal::kCounts});
  }
  if (model.head == HeadKind::kClustered) model.head_clusters = choice.from(2, vocab_size - 1);
  if (model.head == HeadKind::kCulled) model.head_kept = choice.from(2, vocab_size - 1);
  if (model.head == HeadKind::kAdaptive) {
    model.head_divisor = choice.from(2, 3);
    model.head_cutoffs[0] = choice.from(1, vocab_size / 2);
    if (choice.maybe()) model.head_cutoffs[1] = choice.from(vocab_size / 2 + 1, vocab_size - 1);
    // No width of a cluster is below 1.
    model.d_model *= 9;
  }
}

void choose_layers(ModelConfig& model, Choice& choice) {
  model.n_heads = choice.from(1, 3);
  model.n_kv_heads = choice.maybe() ? 1 : model.n_heads;
  model.d_model = model.n_heads * 2 * choice.from(1, 5);
  model.n_layers = choice.from(1, 3);
  // Attention stores its probabilities only if they are short.
  model.context_length = choice.from(2, choice.maybe() ? 12 : 150);
  model.norm = choice.of({Norm::kRms, Norm::kLayer});
  model.biases = choice.of({Biases::kNone, Biases::kFeedForward, Biases::kAll});
  model.positions = choice.of({Positions::kLearned, Positions::kNone, Positions::kRotary});
  model.feed_forward = choice.of({FeedForward::kGelu, FeedForward::kSwiGlu});
  model.dropout = choice.maybe() ? 0.1 : 0;
}

ModelConfig random_model(Choice& choice) {
  ModelConfig model;
  model.kind = choice.of({ModelKind::kDirectPath, ModelKind::kTransformer, ModelKind::kEncoderDecoder});
  model.vocab_size = choice.from(10, 300);
  model.d_model = choice.from(1, 40);
  model.d_feed_forward = choice.from(1, 40);
  model.output_bias = choice.maybe();
  model.tying = choice.of({Tying::kTied, Tying::kUntied});
  if (model.kind != ModelKind::kDirectPath) choose_layers(model, choice);
  if (model.kind == ModelKind::kEncoderDecoder) {
    model.n_encoder_layers = choice.from(1, 3);
    model.source_length = choice.from(1, choice.maybe() ? 12 : 150);
    model.encoder_table = model.tying == Tying::kTied
                              ? choice.of({EncoderTable::kOwn, EncoderTable::kEmbedding})
                              : choice.of({EncoderTable::kOwn, EncoderTable::kEmbedding, EncoderTable::kUnembedding});
  } else {
    choose_head(model, choice);
  }
  if (model.kind == ModelKind::kTransformer && choice.maybe()) {
    model.ngram_order = choice.from(2, 4);
    model.ngram_rows = choice.from(1, 100);
    if (model.d_model % 2 == 0 && choice.maybe()) model.ngram_heads = 2;
  } else if (model.kind != ModelKind::kEncoderDecoder && model.head == HeadKind::kFull && choice.maybe()) {
    model.table_rank = choice.from(1, static_cast<std::uint32_t>(model.d_model));
  }
  return model;
}

TrainingData<float> data_of(const ModelConfig& model) {
  const auto vocab_size = static_cast<std::uint32_t>(model.vocab_size);
  if (model.kind != ModelKind::kEncoderDecoder) {
    const auto ids = test::stream(1'000, vocab_size, 1);
    auto data = training_data_from_tokens<float>(ids.data(), ids.size(), nullptr, 0, vocab_size);
    REQUIRE(data.ok());
    return std::move(data).value();
  }
  TrainingData<float> data;
  data.vocab_size = model.vocab_size;
  auto made = test::stored(test::reversals(20, 1, vocab_size, 1), model);
  REQUIRE(made.ok());
  data.pairs = std::move(made).value();
  return data;
}

std::uint64_t bytes_of(const MemoryEstimate& estimate, std::initializer_list<std::string_view> names) {
  std::uint64_t bytes = 0;
  for (const MemoryPart& part : estimate.parts) {
    for (const std::string_view name : names) bytes += part.name == name ? part.bytes : 0;
  }
  return bytes;
}

std::size_t whole_lines(std::uint64_t bytes) { return static_cast<std::size_t>((bytes + kLine - 1) / kLine * kLine); }

// Each of the `buffers` buffers is rounded up to whole cache lines, if it is not whole already.
void check_taken(std::size_t taken, std::uint64_t estimated, std::size_t buffers) {
  CHECK(taken >= estimated);
  CHECK(taken <= estimated + buffers * kLine);
}

}  // namespace

TEST_CASE("each part of the estimated memory is allocated, for random models of every kind, head and tying") {
  Random random(3, stream_of("memory"));
  Choice choice{random};
  for (int i = 0; i < 300; ++i) {
    const ModelConfig model = random_model(choice);
    CAPTURE(static_cast<int>(model.kind));
    CAPTURE(static_cast<int>(model.head));
    CAPTURE(i);
    TrainingConfig training = test::small_training(
        choice.of({OptimizerKind::kAdamW, OptimizerKind::kSgd, OptimizerKind::kCoupledAdamW, OptimizerKind::kMuon}));
    training.momentum = choice.maybe() ? 0.9 : 0;
    training.batch_size = choice.from(1, 9);
    training.shards = choice.from(1, static_cast<std::uint32_t>(training.batch_size));
    const TrainerLimits limits{.snapshot_bytes = choice.from(0, 1'000'000)};
    TrainingData<float> data = data_of(model);
    const auto estimated = estimate_memory_of(data.size(), model, training, limits);
    REQUIRE(estimated.ok());
    const MemoryEstimate& estimate = estimated.value();

    std::size_t before = test::allocations.aligned_bytes;
    ParameterStore<float> parameters;
    REQUIRE(parameters.allocate(parameter_table(model)).ok());
    const std::size_t weights_and_gradients = test::allocations.aligned_bytes - before;
    const std::uint64_t sums = ShardSums<float>::extent(parameters.table(), training.shards, sizeof(float));
    const std::uint64_t gradients = bytes_of(estimate, {"gradients"}) - sums;
    const std::uint64_t by_muon = muon_workspace(training, parameters.table()) * sizeof(float);
    check_taken(weights_and_gradients, bytes_of(estimate, {"weights"}) + gradients, 1);
    CHECK(parameters.all_values().size() * sizeof(float) == bytes_of(estimate, {"weights"}));

    // A culled head sorts the tokens in a list of their ids, and counts are made for every head; both are freed before
    // the rest is allocated.
    const std::size_t ids = whole_lines(model.vocab_size * 4);
    const bool full = model.head == HeadKind::kFull;
    before = test::allocations.aligned_bytes;
    REQUIRE(create_model<float>(model, 1, estimate.max_rows).ok());
    const std::size_t of_model = test::allocations.aligned_bytes - before;
    const std::size_t sorted = model.head == HeadKind::kCulled ? ids : 0;
    // Heads have up to seven lists of ids.
    check_taken(of_model - weights_and_gradients - sorted, bytes_of(estimate, {"workspace"}) - by_muon, full ? 0 : 7);

    before = test::allocations.aligned_bytes;
    const auto trainer = Trainer<float>::create(model, training, std::move(data), limits);
    REQUIRE(trainer.ok());
    const std::size_t of_trainer = test::allocations.aligned_bytes - before - of_model - (full ? 0 : ids);
    // The lists of a batch: two, or five for pairs.
    check_taken(
        of_trainer, bytes_of(estimate, {"optimizer", "start", "snapshots", "batch"}) + sums + by_muon,
        (model.kind == ModelKind::kEncoderDecoder ? 5 : 2) + static_cast<std::size_t>(shard_levels(training.shards)));
  }
}

#endif
