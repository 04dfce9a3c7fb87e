// Matrices that are tied or untied during training.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "support.h"
#include "training/tying_schedule.h"

using namespace tied;

namespace {

constexpr std::uint64_t kChangeStep = 20;

ModelConfig untying() {
  ModelConfig model = test::small_model(Tying::kTied);
  model.untie_at_step = kChangeStep;
  return model;
}
ModelConfig tying() {
  ModelConfig model = test::small_model(Tying::kUntied);
  model.tie_at_step = kChangeStep;
  return model;
}

double relative_change(const std::vector<double>& now, const std::vector<double>& start) {
  double change = 0;
  double square = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    change += (now[i] - start[i]) * (now[i] - start[i]);
    square += start[i] * start[i];
  }
  return std::sqrt(change / square);
}

}  // namespace

TEST_CASE("until its step a schedule trains to the bits of the model without one") {
  for (const OptimizerKind optimizer : test::kAllOptimizers) {
    const TrainingConfig training = test::small_training(optimizer);
    const auto split = test::trainer_on(untying(), training, test::small_stream());
    const auto joined = test::trainer_on(tying(), training, test::small_stream());
    const auto tied = test::trainer_on(test::small_model(Tying::kTied), training, test::small_stream());
    const auto untied = test::trainer_on(test::small_model(Tying::kUntied), training, test::small_stream());
    CHECK(test::hashes(*split, kChangeStep - 1) == test::hashes(*tied, kChangeStep - 1));
    CHECK(test::hashes(*joined, kChangeStep - 1) == test::hashes(*untied, kChangeStep - 1));
    CHECK(split->table().parameter_count() == tied->table().parameter_count());
    CHECK(joined->table().parameter_count() == untied->table().parameter_count());
    test::run(*split, 1);
    test::run(*joined, 1);
    CHECK(split->table().parameter_count() == untied->table().parameter_count());
    CHECK(joined->table().parameter_count() == tied->table().parameter_count());
  }
}

TEST_CASE("at the step of untying both matrices are bit copies of the shared one, and then diverge") {
  const auto split = test::trainer_on(untying(), test::small_training(), test::small_stream());
  const auto tied = test::trainer_on(test::small_model(Tying::kTied), test::small_training(), test::small_stream());
  test::run(*split, kChangeStep);
  test::run(*tied, kChangeStep);
  const auto expected = test::elements_of(*tied, "embedding");
  CHECK(test::elements_of(*split, "embedding") == expected);
  CHECK(test::elements_of(*split, "unembedding") == expected);
  test::run(*split, 1);
  CHECK(test::elements_of(*split, "embedding") != test::elements_of(*split, "unembedding"));
}

TEST_CASE("untied matrices both inherit the optimizer's state: with zero gradients they move equally") {
  // A rate of zero would hide it, so the loss is made flat instead: all weights are zero, but the optimizer's state is
  // not.
  TrainingConfig training = test::small_training();
  training.weight_decay = 0;
  const auto split = test::trainer_on<double>(untying(), training, test::small_stream());
  test::run(*split, kChangeStep);
  auto embedding = Matrix<double>::create(13, 4);
  REQUIRE(embedding.ok());
  // E = U = 0: the gradients of both, dz^T x and dz U, are zero.
  REQUIRE(split->set_matrix("embedding", std::as_const(embedding.value()).view()).ok());
  REQUIRE(split->set_matrix("unembedding", std::as_const(embedding.value()).view()).ok());
  test::run(*split, 1);
  const auto moved = test::elements_of(*split, "embedding");
  CHECK(moved == test::elements_of(*split, "unembedding"));
  double square = 0;
  for (const double number : moved) square += number * number;
  CHECK(square > 0);
}

TEST_CASE("tied matrices become their mean; first moments, second moments and velocities are added") {
  for (const OptimizerKind optimizer : test::kAllOptimizers) {
    const ModelConfig config = tying();
    ParameterStore<double> parameters;
    REQUIRE(parameters.allocate(parameter_table(config)).ok());
    parameters.initialize(3);
    const TrainingConfig training = test::small_training(optimizer);
    Optimizer<double> state;
    REQUIRE(state.allocate(training, parameters.table()).ok());
    for (std::size_t i = 0; i < state.state().size(); ++i) state.state()[i] = static_cast<double>(i);
    const Parameter& input = *parameters.table().find("embedding");
    const Parameter& output = *parameters.table().find("unembedding");
    const std::size_t size = static_cast<std::size_t>(input.size());
    const std::size_t extent = parameters.all_values().size();
    const auto before = parameters.all_values().clone();
    REQUIRE(before.ok());
    change_tying(false, parameters, state.state());
    CHECK(output.owns_storage());
    change_tying(true, parameters, state.state());
    REQUIRE_FALSE(output.owns_storage());
    CHECK(output.offset == input.offset);
    for (std::size_t i = 0; i < size; ++i) {
      const double a = before.value()[static_cast<std::size_t>(input.own_offset) + i];
      const double b = before.value()[static_cast<std::size_t>(output.own_offset) + i];
      CHECK(parameters.values(output).data[i] == (a + b) / 2);
      for (std::size_t first = 0; first < state.state().size(); first += extent) {
        const std::size_t place = first + static_cast<std::size_t>(input.own_offset) + i;
        const std::size_t other = first + static_cast<std::size_t>(output.own_offset) + i;
        CHECK(state.state()[place] == static_cast<double>(place + other));
      }
    }
    // Repeating it does nothing.
    const auto after = parameters.all_values().clone();
    change_tying(true, parameters, state.state());
    CHECK(std::memcmp(after.value().data(), parameters.all_values().data(), extent * sizeof(double)) == 0);
  }
}

TEST_CASE("two large matrices have a finite mean") {
  const ModelConfig config = tying();
  ParameterStore<float> parameters;
  REQUIRE(parameters.allocate(parameter_table(config)).ok());
  parameters.all_values().fill(3e38F);
  AlignedBuffer<float> none;
  change_tying(true, parameters, none);
  CHECK(parameters.values(*parameters.table().find("embedding")).data[0] == 3e38F);
}

TEST_CASE("any step is restored bit for bit, across the change and back") {
  for (const ModelConfig& model : {untying(), tying()}) {
    for (const OptimizerKind optimizer : test::kAllOptimizers) {
      for (const std::uint64_t snapshot_bytes : {std::uint64_t{1} << 24, std::uint64_t{0}}) {
        const auto trainer = test::trainer_on(model, test::small_training(optimizer), test::small_stream(),
                                              {.snapshot_bytes = snapshot_bytes});
        const auto expected = test::hashes(*trainer, 60);
        for (const std::uint64_t step : {60, 19, 20, 21, 0, 20, 18, 59, 16, 33, 19, 60}) {
          REQUIRE(trainer->rewind(step).ok());
          REQUIRE(trainer->parameter_hash() == expected[static_cast<std::size_t>(step)]);
          const bool one = trainer->table().find("unembedding")->owns_storage() == false;
          CHECK(one == ((model.untie_at_step != 0) == (step < kChangeStep)));
        }
        REQUIRE(trainer->rewind(10).ok());
        for (std::size_t step = 11; step <= 60; ++step) {
          REQUIRE(trainer->step().ok());
          REQUIRE(trainer->parameter_hash() == expected[step]);
        }
      }
    }
  }
}

TEST_CASE("files saved before, at and after the change continue bit for bit, and reach the steps before it") {
  for (const ModelConfig& model : {untying(), tying()}) {
    for (const OptimizerKind optimizer : test::kAllOptimizers) {
      const auto trainer = test::trainer_on(model, test::small_training(optimizer), test::small_stream());
      const auto expected = test::hashes(*trainer, 60);
      for (const std::uint64_t step : {0, 7, 19, 20, 21, 40}) {
        REQUIRE(trainer->rewind(step).ok());
        const auto file = test::saved(*trainer);
        auto copy = Trainer<float>::load(file);
        REQUIRE(copy.ok());
        CHECK(copy.value()->parameter_hash() == expected[static_cast<std::size_t>(step)]);
        CHECK(test::saved(*copy.value()) == file);
        test::run(*copy.value(), 60 - step);
        CHECK(copy.value()->parameter_hash() == expected[60]);
        for (const std::uint64_t back : {5, 25, 19}) {
          REQUIRE(copy.value()->rewind(back).ok());
          CHECK(copy.value()->parameter_hash() == expected[static_cast<std::size_t>(back)]);
        }
      }
    }
  }
}

TEST_CASE("setting a matrix on either side of the change sets the matrix that has the name at that step") {
  auto ones = Matrix<float>::create(13, 4);
  REQUIRE(ones.ok());
  for (std::size_t i = 0; i < 52; ++i) ones.value().data()[i] = 0.01F * static_cast<float>(i);
  const auto view = std::as_const(ones.value()).view();
  const std::vector<float> set(view.data, view.data + 52);
  for (const ModelConfig& model : {untying(), tying()}) {
    for (const std::uint64_t step : {std::uint64_t{0}, kChangeStep - 1, kChangeStep, kChangeStep + 5}) {
      const auto trainer = test::trainer_on(model, test::small_training(), test::small_stream());
      test::run(*trainer, step);
      const bool one = (model.untie_at_step != 0) == (step < kChangeStep);
      const auto embedding = test::elements_of(*trainer, "embedding");
      REQUIRE(trainer->set_matrix("unembedding", view).ok());
      CHECK(test::elements_of(*trainer, "unembedding") == set);
      CHECK(test::elements_of(*trainer, "embedding") == (one ? set : embedding));
      const std::uint64_t edited = trainer->parameter_hash();
      const auto after = test::hashes(*trainer, 30);
      REQUIRE(trainer->rewind(step).ok());
      CHECK(trainer->parameter_hash() == edited);
      REQUIRE(trainer->rewind(step + 30).ok());
      CHECK(trainer->parameter_hash() == after[30]);
    }
  }
}

TEST_CASE(
    "drift is that of the matrix in use: from the shared start after untying, from the mean of both after tying") {
  for (const ModelConfig& model : {untying(), tying()}) {
    const auto trainer = test::trainer_on<double>(model, test::small_training(), test::small_stream());
    const auto embedding = test::elements_of(*trainer, "embedding");
    const auto unembedding = test::elements_of(*trainer, "unembedding");
    std::vector<double> mean(embedding.size());
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = 0.5 * (embedding[i] + unembedding[i]);
    for (std::uint64_t step = 1; step <= 2 * kChangeStep; ++step) {
      StepRecord record;
      REQUIRE(trainer->step(&record).ok());
      const bool joined = model.tie_at_step != 0 && step >= kChangeStep;
      // Sums of squares in another order.
      CHECK(record.embedding_drift ==
            doctest::Approx(relative_change(test::elements_of(*trainer, "embedding"), joined ? mean : embedding))
                .epsilon(1e-12));
      CHECK(record.unembedding_drift ==
            doctest::Approx(relative_change(test::elements_of(*trainer, "unembedding"), joined ? mean : unembedding))
                .epsilon(1e-12));
    }
  }
}

TEST_CASE("the ledger's total is the sum of both parts while tied, and the input part while untied") {
  for (const ModelConfig& model : {untying(), tying()}) {
    TrainingConfig training = test::small_training();
    training.input_gradient_scale = 3;
    const auto trainer = test::trainer_on(model, training, test::small_stream());
    for (const std::uint64_t step : {kChangeStep - 1, kChangeStep, kChangeStep + 1}) {
      test::run(*trainer, step - trainer->steps_done());
      const auto ledger = trainer->gradient();
      REQUIRE(ledger.ok());
      const bool one = (model.untie_at_step != 0) == (step < kChangeStep);
      for (std::size_t i = 0; i < 52; ++i) {
        const float output = one ? ledger.value().output.data()[i] : 0.0F;
        CHECK(ledger.value().total.data()[i] == ledger.value().input.data()[i] * 3.0F + output);
      }
    }
  }
}

TEST_CASE("a run that diverges just after its tying has changed returns to its last good step") {
  for (const ModelConfig& model : {untying(), tying()}) {
    TrainingConfig training = test::small_training(OptimizerKind::kSgd);
    training.gradient_clip = 0;
    training.learning_rate = 0.01;
    // Good until the change; then the rate rises without end.
    training.warmup_steps = 0;
    training.decay = Decay::kConstant;
    training.input_gradient_scale.n_points = 2;
    training.input_gradient_scale.points[0] = {kChangeStep - 2, 1};
    training.input_gradient_scale.points[1] = {kChangeStep + 1, 1e30};
    const auto trainer = test::trainer_on(model, training, test::small_stream());
    std::vector<std::uint64_t> known{trainer->parameter_hash()};
    Status status;
    for (std::uint64_t i = 0; i < 100; ++i) {
      status = trainer->step();
      if (!status) break;
      known.push_back(trainer->parameter_hash());
    }
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().code == ErrorCode::kNotFinite);
    REQUIRE(trainer->rewind(trainer->furthest_step()).ok());
    const auto good = static_cast<std::size_t>(trainer->steps_done());
    REQUIRE(good < known.size());
    CHECK(trainer->parameter_hash() == known[good]);
    CHECK(trainer->evaluate().ok());
    REQUIRE(trainer->rewind(3).ok());
    CHECK(trainer->parameter_hash() == known[3]);
  }
}
