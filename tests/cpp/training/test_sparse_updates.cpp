// Updates of some rows only, and trainers with heads other than the full one.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "support.h"
#include "training/optimizer.h"

using namespace tied;

namespace {

constexpr std::size_t kTableRows = 70;  // more than one word of bits
constexpr std::size_t kTableCols = 3;

ParameterStore<float> store_of(bool sparse) {
  ParameterTable table;
  const ParameterIndex matrix = table.add({.name = "matrix",
                                           .rows = kTableRows,
                                           .cols = kTableCols,
                                           .role = ParameterRole::kInput,
                                           .sparse = sparse,
                                           .initial = InitialValue::kNormal,
                                           .initial_std = 1});
  table.add_tied("matrix again", matrix, ParameterRole::kOutput);
  table.add_vector("vector", kTableRows, InitialValue::kOne, sparse);
  ParameterStore<float> store;
  REQUIRE(store.allocate(std::move(table)).ok());
  store.initialize(1);
  return store;
}

// Gradients of `rows` in the second name of the matrix and in the vector.
void add_gradients(ParameterStore<float>& store, const std::vector<std::size_t>& rows, std::uint64_t seed) {
  Random random(seed, 1);
  store.zero_gradients();
  for (const std::size_t row : rows) {
    store.touch(1, row);
    store.touch(2, row);
    for (std::size_t j = 0; j < kTableCols; ++j)
      store.gradient(ParameterIndex{1})(row, j) += static_cast<float>(random.normal());
    store.gradient(ParameterIndex{2}).data[row] += static_cast<float>(random.normal());
  }
  store.combine_gradients(1, 1);
}

std::vector<std::size_t> all_rows() {
  std::vector<std::size_t> rows(kTableRows);
  for (std::size_t i = 0; i < kTableRows; ++i) rows[i] = i;
  return rows;
}

const TrainingConfig kSparseTraining{.learning_rate = 0.1, .weight_decay = 0.2, .momentum = 0.5};

}  // namespace

TEST_CASE("rows that every step touches get the bits of the dense optimizer; others and their state do not change") {
  for (const OptimizerKind kind : {OptimizerKind::kAdamW, OptimizerKind::kSgd}) {
    TrainingConfig training = kSparseTraining;
    training.optimizer = kind;
    ParameterStore<float> sparse = store_of(true);
    ParameterStore<float> dense = store_of(false);
    Optimizer<float> of_sparse;
    Optimizer<float> of_dense;
    REQUIRE(of_sparse.allocate(training, sparse.table()).ok());
    REQUIRE(of_dense.allocate(training, dense.table()).ok());
    for (std::uint64_t step = 0; step < 3; ++step) {
      add_gradients(sparse, all_rows(), step);
      add_gradients(dense, all_rows(), step);
      of_sparse.update(sparse, step, 0.5);
      of_dense.update(dense, step, 0.5);
    }
    for (std::size_t i = 0; i < dense.all_values().size(); ++i) CHECK(sparse.all_values()[i] == dense.all_values()[i]);

    const std::vector<std::size_t> some = {0, 1, 5, 63, 64, 69};
    const auto values = sparse.all_values().clone();
    const auto state = of_sparse.state().clone();
    REQUIRE(values.ok());
    REQUIRE(state.ok());
    add_gradients(sparse, some, 9);
    add_gradients(dense, some, 9);
    of_sparse.update(sparse, 3, 1);
    of_dense.update(dense, 3, 1);
    std::vector<bool> touched(kTableRows);
    for (const std::size_t row : some) touched[row] = true;
    const std::size_t extent = sparse.all_values().size();
    for (std::size_t i = 0; i < kTableRows * kTableCols; ++i) {
      if (touched[i / kTableCols]) {
        CHECK(sparse.all_values()[i] == dense.all_values()[i]);
        continue;
      }
      // Lazy: neither momentum nor decay moves the row, and its moments do not fade.
      CHECK(sparse.all_values()[i] == values.value()[i]);
      CHECK(dense.all_values()[i] != values.value()[i]);
      for (std::size_t first = 0; first < state.value().size(); first += extent) {
        CHECK(of_sparse.state()[first + i] == state.value()[first + i]);
        CHECK(of_dense.state()[first + i] != state.value()[first + i]);
      }
    }
  }
}

TEST_CASE("touched rows are visited in runs, ascending, and cleared when gradients are zeroed") {
  ParameterStore<float> store = store_of(true);
  add_gradients(store, {69, 3, 4, 63, 64, 0}, 1);
  std::vector<std::pair<std::size_t, std::size_t>> runs;
  for (ParameterStore<float>::Run run; store.next_touched(run, store.table().list()[0]);) {
    runs.emplace_back(run.first / kTableCols, run.size / kTableCols);
  }
  CHECK(runs == std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {3, 2}, {63, 2}, {69, 1}});
  store.zero_gradients();
  for (const float number : store.all_gradients()) CHECK(number == 0);
  ParameterStore<float>::Run run;
  CHECK_FALSE(store.next_touched(run, store.table().list()[0]));
  // Any set of rows.
  Random random(2, 3);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<bool> expected(kTableRows);
    store.zero_gradients();
    for (std::uint32_t i = random.below(kTableRows); i > 0; --i) {
      const std::uint32_t row = random.below(kTableRows);
      expected[row] = true;
      store.touch(2, row);
    }
    std::vector<bool> found(kTableRows);
    for (ParameterStore<float>::Run next; store.next_touched(next, store.table().list()[2]);) {
      for (std::size_t i = 0; i < next.size; ++i) found[next.first + i] = true;
    }
    CHECK(found == expected);
  }
}

TEST_CASE("every head and every model with n-grams learns, rewinds and continues from its file, to the bit") {
  const auto ids = test::stream(600, 13, 1);
  for (const ModelConfig& model : test::models_of_other_heads()) {
    CAPTURE(static_cast<int>(model.head));
    TrainingConfig training = test::small_training();
    training.batch_size = 6;
    training.label_smoothing = 0.05;
    training.temperature = 1.25;
    training.gradient_accumulation = 2;
    auto trainer = test::trainer_on(model, training, ids);
    const auto before = trainer->evaluate();
    REQUIRE(before.ok());
    const auto hashes = test::hashes(*trainer, 60);
    const auto after = trainer->evaluate();
    REQUIRE(after.ok());
    // A model that predicts hidden tokens predicts fewer of them in a step.
    CHECK(after.value().loss < before.value().loss - (model.is_masked() ? 0.1 : 0.3));
    CHECK((after.value().lost > 0) == (model.head == HeadKind::kCulled));
    CHECK(after.value().tokens + after.value().lost == ids.size() - 1);
    REQUIRE(trainer->rewind(37).ok());
    CHECK(trainer->parameter_hash() == hashes[37]);
    auto loaded = Trainer<float>::load(test::saved(*trainer));
    REQUIRE(loaded.ok());
    CHECK(loaded.value()->model_config() == trainer->model_config());
    CHECK(loaded.value()->training_config() == training);
    test::run(*loaded.value(), 23);
    CHECK(loaded.value()->parameter_hash() == hashes[60]);
  }
}

TEST_CASE("a record's norm of a sampled gradient is that of all its elements") {
  ModelConfig model = test::small_transformer(Tying::kUntied);
  model.head = HeadKind::kSampled;
  model.head_samples = 3;
  TrainingConfig training = test::small_training();
  training.batch_size = 1;
  auto trainer = test::trainer_on(model, training, test::small_stream());
  StepRecord record;
  test::run(*trainer, 4);
  REQUIRE(trainer->step(&record).ok());
  // The gradients are still there after the step.
  ParameterStore<float>& parameters = trainer->model().parameters();
  double square = 0;
  for (const Parameter& parameter : trainer->table().list()) {
    const auto gradient = parameters.gradient(parameter);
    for (std::size_t i = 0; i < gradient.rows * gradient.cols; ++i) {
      square += static_cast<double>(gradient.data[i]) * static_cast<double>(gradient.data[i]);
    }
  }
  // Sums in double in another order.
  CHECK(record.gradient_norm == doctest::Approx(std::sqrt(square)).epsilon(1e-12));
}

TEST_CASE("chosen kept tokens are checked and stored in the file, and a head without tokens is refused") {
  ModelConfig model = test::small_model(Tying::kUntied);
  model.head = HeadKind::kCulled;
  model.head_kept = 3;
  const auto ids = test::small_stream();
  const auto made = [&](std::vector<std::uint32_t> kept) {
    auto data = training_data_from_tokens<float>(ids.data(), ids.size(), nullptr, 0, 13);
    REQUIRE(data.ok());
    auto buffer = AlignedBuffer<std::uint32_t>::create(kept.size());
    REQUIRE(buffer.ok());
    std::copy(kept.begin(), kept.end(), buffer.value().begin());
    data.value().kept_token_ids = std::move(buffer).value();
    return Trainer<float>::create(model, test::small_training(), std::move(data).value());
  };
  CHECK(test::blamed(made({1, 2})) == "head_kept");
  CHECK(test::blamed(made({1, 5, 4})) == "head_kept");
  CHECK(test::blamed(made({1, 5, 13})) == "head_kept");
  auto trainer = made({0, 7, 12});
  REQUIRE(trainer.ok());
  auto loaded = Trainer<float>::load(test::saved(*trainer.value()));
  REQUIRE(loaded.ok());
  const std::uint32_t all[] = {0, 1, 7, 8, 12};
  CHECK(loaded.value()->model().count_sayable(all, 5) == 3);

  auto counts = training_data_from_counts<float>(test::counts_of(ids, 13).view());
  REQUIRE(counts.ok());
  const auto refused = Trainer<float>::create(model, test::small_training(), std::move(counts).value());
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == ErrorCode::kUnsupported);
  CHECK(refused.error().argument == "head");
}
