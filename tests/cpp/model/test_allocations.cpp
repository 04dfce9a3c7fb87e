// A transformer allocates nothing after its creation.
#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "../allocations.h"
#include "model/generation.h"
#include "support.h"

#if defined(TIED_WRAPS_ALLOCATORS)

using namespace tied;

namespace {

ModelConfig configuration(Tying tying, bool small_parts) {
  ModelConfig config = test::small_transformer(tying);
  config.output_bias = true;
  config.dropout = 0.1;
  if (small_parts) return config;
  config.context_length = 100;
  config.norm = Norm::kLayer;
  config.biases = Biases::kAll;
  config.positions = Positions::kRotary;
  config.feed_forward = FeedForward::kSwiGlu;
  return config;
}

}  // namespace

TEST_CASE("losses, gradients, logits and a decoder's tokens allocate nothing") {
  for (const Tying tying : test::kTransformerTyings) {
    for (const bool small_parts : {false, true}) {
      const ModelConfig config = configuration(tying, small_parts);
      const std::size_t length = static_cast<std::size_t>(config.context_length);
      const auto model = test::random_model<float>(config, 1, 0.4, 5 * length);
      const auto ids = test::random_ids(30 * length, 7, 2);
      TokenBatch batch{ids.data(), ids.data(), ids.size()};
      batch.dropout_key = 3;
      std::vector<float> numbers(4 * length * length + 7 * length);
      auto decoder = model->create_decoder();
      REQUIRE(decoder.ok());

      const std::size_t before = test::allocations.count;
      model->loss(batch, Pass::kForwardBackward);
      model->loss(batch, Pass::kForward);
      model->zero_gradients();
      model->logits({numbers.data(), length, 7}, ids.data(), length);
      model->attention({numbers.data(), 4 * length, length}, ids.data(), length);
      for (std::size_t i = 0; i < length; ++i) decoder.value()->append(ids.data() + i, 1, numbers.data());
      const std::size_t after = test::allocations.count;
      CHECK(after == before);
    }
  }
}

TEST_CASE("a generation allocates nothing, within its context and beyond") {
  const ModelConfig config = configuration(Tying::kTied, true);
  const auto model = test::random_model<float>(config, 1, 0.4);
  const std::vector<std::uint32_t> prompt{1, 2};
  for (const double temperature : {0.0, 1.0}) {
    auto generation = Generation<float>::create(*model, prompt, {.temperature = temperature, .top_k = 3, .seed = 1});
    REQUIRE(generation.ok());
    std::vector<std::uint32_t> ids(3 * static_cast<std::size_t>(config.context_length));
    const std::size_t before = test::allocations.count;
    const bool succeeded = generation.value()->advance(ids).ok();
    generation.value()->refresh();
    const std::size_t after = test::allocations.count;
    CHECK(succeeded);
    CHECK(after == before);
  }
}

TEST_CASE("a model takes the estimated memory, and its decoder a cache and its weights in another order") {
  for (const Tying tying : test::kTransformerTyings) {
    for (const bool small_parts : {false, true}) {
      const ModelConfig config = configuration(tying, small_parts);
      const ParameterTable table = parameter_table(config);
      std::size_t before = test::allocations.aligned_bytes;
      auto model = create_model<float>(config, 1, 50);
      REQUIRE(model.ok());
      // One bit per row of the input table, in whole cache lines.
      const std::uint64_t touched = (8 * table.touched_extent() + 63) / 64 * 64;
      CHECK(test::allocations.aligned_bytes - before ==
            4 * (table.value_extent() + table.gradient_extent() + workspace_extent(config, 50)) + touched);
      before = test::allocations.aligned_bytes;
      REQUIRE(model.value()->create_decoder().ok());
      // Keys and values of two layers: at most one extra cache line.
      const std::size_t cache = 4 * 2 * static_cast<std::size_t>(config.context_length) * 2 * 4;
      const std::uint64_t packed = 4 * table.value_extent();
      CHECK(test::allocations.aligned_bytes - before >= cache + packed);
      CHECK(test::allocations.aligned_bytes - before < cache + packed + 64);
    }
  }
}

#endif
