// A training step allocates nothing, and a trainer takes the estimated memory.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "../allocations.h"
#include "model/transformer_layout.h"
#include "support.h"

#if defined(TIED_WRAPS_ALLOCATORS)

using namespace tied;

namespace {

bool steps_allocate(Trainer<float>& trainer) {
  const std::size_t before = test::allocations.count;
  bool ok = true;
  StepRecord record;
  for (int i = 0; i < 50; ++i) ok = trainer.step(&record).ok() && trainer.step().ok() && ok;
  REQUIRE(ok);
  return test::allocations.count != before;
}

// All kinds, with sizes that are not round numbers.
std::vector<ModelConfig> transformers() {
  std::vector<ModelConfig> models;
  for (const Tying tying : test::kTransformerTyings) models.push_back(test::small_transformer(tying));
  ModelConfig other = test::small_transformer(Tying::kTied);
  other.norm = Norm::kLayer;
  other.biases = Biases::kAll;
  other.positions = Positions::kRotary;
  other.feed_forward = FeedForward::kSwiGlu;
  other.dropout = 0.1;
  other.untie_at_step = 30;
  models.push_back(other);
  other = test::small_transformer(Tying::kUntied);
  other.d_model = 6;
  other.n_heads = 3;
  other.context_length = 70;  // too long for attention to store its probabilities
  other.tie_at_step = 30;
  models.push_back(other);
  for (const ModelConfig& each : test::models_of_other_heads()) models.push_back(each);
  return models;
}

}  // namespace

TEST_CASE("a training step allocates nothing, including snapshots, records and changes of tying") {
  const auto ids = test::stream(2'000, 13, 1);
  std::vector<ModelConfig> models = transformers();
  for (const Tying tying : test::kTyings) models.push_back(test::small_model(tying));
  models.back().tying = Tying::kUntied;
  models.back().tie_at_step = 30;
  for (const ModelConfig& model : models) {
    TrainingConfig training = test::small_training();
    training.batch_size = 5;
    training.gradient_accumulation = 2;
    CHECK_FALSE(steps_allocate(*test::trainer_on(model, training, ids)));
    if (model.kind != ModelKind::kDirectPath || model.head != HeadKind::kFull) continue;
    CHECK_FALSE(steps_allocate(*test::trainer_on(model, training, test::counts_of(ids, 13))));
  }
  // Check that the counter works.
  const std::size_t before = test::allocations.count;
  // Volatile, or the compiler would remove both.
  void* volatile memory = ::operator new(1'000);
  auto block = AlignedBuffer<float>::create(1'000);
  REQUIRE(block.ok());
  float* volatile numbers = block.value().data();
  const bool taken = memory != nullptr && numbers != nullptr;
  CHECK(taken);
  CHECK(test::allocations.count >= before + 2);
  ::operator delete(memory);
}

TEST_CASE("a trainer takes the memory that was estimated") {
  const auto ids = test::stream(2'000, 13, 1);
  const Matrix<float> counts = test::counts_of(ids, 13);
  std::vector<ModelConfig> models = transformers();
  for (const Tying tying : test::kTyings) models.push_back(test::small_model(tying));
  for (const ModelConfig& model : models) {
    for (const OptimizerKind optimizer : test::kAllOptimizers) {
      for (const DataKind kind : {DataKind::kTokens, DataKind::kTable, DataKind::kNone}) {
        if (kind == DataKind::kTable && model.kind == ModelKind::kTransformer) continue;
        // Other heads need to know how often tokens occur in a text.
        if (kind != DataKind::kTokens && model.head != HeadKind::kFull) continue;
        Result<TrainingData<float>> data = TrainingData<float>();
        if (kind == DataKind::kTable) data = training_data_from_counts<float>(counts.view());
        if (kind == DataKind::kTokens) {
          data = training_data_from_tokens<float>(ids.data(), ids.size(), nullptr, 0, 13);
        }
        REQUIRE(data.ok());
        const TrainingConfig training = test::small_training(optimizer);
        const auto estimate = estimate_memory_of(data.value().size(), model, training);
        REQUIRE(estimate.ok());
        const std::uint64_t data_bytes = data.value().bytes();
        const std::size_t before = test::allocations.aligned_bytes;
        const auto trainer = Trainer<float>::create(model, training, std::move(data).value());
        REQUIRE(trainer.ok());
        const auto taken = static_cast<double>(test::allocations.aligned_bytes - before);
        const auto expected = static_cast<double>(estimate.value().bytes - data_bytes);
        // The two buffers of a batch are rounded up to whole cache lines, as are the bits of touched rows and at most
        // seven lists of ids of a head; all others are whole already.
        const double rounded_up = model.head == HeadKind::kFull ? 3 : 9;
        CHECK(taken >= expected);
        CHECK(taken <= expected + rounded_up * 64);
      }
    }
  }
}

TEST_CASE("values, gradients and all arrays of a step start on cache lines") {
  const auto ids = test::stream(2'000, 13, 1);
  std::vector<ModelConfig> models = transformers();
  for (const Tying tying : test::kTyings) models.push_back(test::small_model(tying));
  const auto on_line = [](const float* numbers) { return reinterpret_cast<std::uintptr_t>(numbers) % 64 == 0; };
  for (const ModelConfig& model : models) {
    const auto trainer = test::trainer_on(model, test::small_training(), ids);
    ParameterStore<float>& parameters = trainer->model().parameters();
    for (const Parameter& parameter : trainer->table().list()) {
      CHECK(on_line(parameters.values(parameter).data));
      CHECK(on_line(parameters.gradient(parameter).data));
    }
    if (model.kind != ModelKind::kTransformer) continue;
    // Offsets of the arrays of any layer in the workspace, which is aligned as well.
    const TransformerLayout layout(model, 50);
    std::vector<std::uint64_t> offsets{layout.layer_extent,   layout.probabilities, layout.block_dropped,
                                       layout.block_gradient, layout.statistics,    layout.cosines,
                                       layout.sines,          layout.head,          layout.extent};
    for (const TransformerLayout::Rows& rows :
         {layout.residual, layout.query_key_value, layout.attended, layout.after_attention, layout.up, layout.gate,
          layout.activation, layout.normed, layout.branch, layout.residual_gradient, layout.normed_gradient,
          layout.query_key_value_gradient, layout.activation_gradient}) {
      offsets.push_back(rows.offset);
    }
    for (const std::uint64_t offset : offsets) CHECK(offset % 16 == 0);
  }
}

TEST_CASE("evaluating a long text takes no memory for a transformer, and one id per token for a direct path") {
  const auto ids = test::stream(5'000, 13, 1);
  const auto transformer = test::trainer_on(test::small_transformer(Tying::kTied), test::small_training(), ids);
  std::size_t before = test::allocations.aligned_bytes;
  REQUIRE(transformer->evaluate().ok());
  CHECK(test::allocations.aligned_bytes == before);
  const auto direct = test::trainer_on(test::small_model(Tying::kTied), test::small_training(), ids);
  before = test::allocations.aligned_bytes;
  REQUIRE(direct->evaluate().ok());
  CHECK(test::allocations.aligned_bytes - before < 5'000 * 4 + 14 * 4 + 13 * 13 * 4 + 3 * 64);
}

TEST_CASE("200 reloads, rewinds and refusals leak nothing") {
  const auto ids = test::stream(500, 13, 1);
  ModelConfig tying = test::small_transformer(Tying::kUntied);
  tying.head = HeadKind::kCulled;
  tying.head_kept = 9;
  tying.tie_at_step = 6;
  for (const ModelConfig& model : {tying, test::small_model(Tying::kTied)}) {
    TrainingConfig training = test::small_training();
    training.batch_size = 2;
    auto trainer = test::trainer_on(model, training, ids);
    REQUIRE(trainer->set_attachment(std::vector<std::uint8_t>(100, 1)).ok());
    // The transformer ties its matrices at step 6.
    test::run(*trainer, 10);
    std::size_t held = test::allocations.blocks_held;
    {
      const auto block = AlignedBuffer<float>::create(10);
      REQUIRE(block.ok());
      CHECK(test::allocations.blocks_held == held + 1);
    }
    CHECK(test::allocations.blocks_held == held);
    for (int round = 0; round < 200; ++round) {
      REQUIRE(trainer->rewind(static_cast<std::uint64_t>(round % 11)).ok());
      // In a buffer of our own, since vectors of the C++ library may bypass the hooks in wasm.
      TrainerFile<float> parts(*trainer);
      auto file = AlignedBuffer<std::uint8_t>::create(static_cast<std::size_t>(parts.size()));
      REQUIRE(file.ok());
      const std::span<std::uint8_t> bytes(file.value().data(), file.value().size());
      REQUIRE(parts.next(bytes) == bytes.size());
      CHECK_FALSE(Trainer<float>::load(bytes.first(bytes.size() - 1)).ok());
      auto loaded = Trainer<float>::load(bytes);
      REQUIRE(loaded.ok());
      trainer = std::move(loaded).value();
      REQUIRE(trainer->step().ok());
      REQUIRE(trainer->gradient().ok());
      REQUIRE(trainer->evaluate().ok());
      REQUIRE(trainer->rewind(trainer->furthest_step()).ok());
      test::run(*trainer, 10 - trainer->steps_done() % 10);
      // The first iterations fill the allocator's own pools.
      if (round == 20) held = test::allocations.blocks_held;
      if (round > 20) CHECK(test::allocations.blocks_held == held);
    }
  }
}

#endif
