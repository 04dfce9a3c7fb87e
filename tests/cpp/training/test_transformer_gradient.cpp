// Gradients of models with a context, and their dropout.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "linalg/reduce.h"
#include "support.h"
#include "training/batches.h"

using namespace tied;

namespace {

template <class T>
void set(Trainer<T>& trainer, const std::string& name, const std::vector<T>& values) {
  const Parameter& parameter = *trainer.table().find(name);
  REQUIRE(trainer
              .set_matrix(name, {values.data(), static_cast<std::size_t>(parameter.rows),
                                 static_cast<std::size_t>(parameter.cols)})
              .ok());
}
}  // namespace

TEST_CASE("the tied matrix receives scale times the untied twin's input part plus its output part, to 1e-6") {
  for (const bool scales_embedding : {false, true}) {
    for (const double factor : {1.0, 5.0}) {
      ModelConfig model = test::small_transformer(Tying::kTied);
      model.scales_embedding = scales_embedding;
      TrainingConfig training = test::small_training();
      training.batch_size = 4;
      training.input_gradient_scale = factor;
      const auto tied = test::trainer_on(model, training, test::small_stream());
      test::run(*tied, 5);
      // The untied twin has the same values in both matrices.
      model.tying = Tying::kUntied;
      const auto untied = test::trainer_on(model, training, test::small_stream());
      for (const Parameter& parameter : tied->table().list()) {
        set(*untied, parameter.name, test::elements_of(*tied, parameter.name));
      }
      const auto stream = test::small_stream();
      const TokenBatch batch{stream.data(), stream.data() + 1, 4 * 8};
      const auto one = tied->gradient(batch);
      const auto two = untied->gradient(batch);
      REQUIRE(one.ok());
      REQUIRE(two.ok());
      const Matrix<float>& total = one.value().total;
      const std::size_t size = total.rows() * total.cols();
      double difference = 0;
      for (std::size_t i = 0; i < size; ++i) {
        const double expected = factor * static_cast<double>(two.value().input.data()[i]) +
                                static_cast<double>(two.value().output.data()[i]);
        difference = std::fmax(difference, std::fabs(static_cast<double>(total.data()[i]) - expected));
      }
      CHECK(difference <= 1e-6 * max_abs(total.data(), size));
      CHECK(max_abs(total.data(), size) > 0);

      std::set<std::uint32_t> distinct(stream.begin(), stream.begin() + 32);
      CHECK(one.value().input_rows == distinct.size());
      CHECK(one.value().output_rows == 13);
      CHECK(two.value().input_rows == distinct.size());
    }
  }
}

TEST_CASE("the ledger of the next step is that of its own batches, accumulated and with dropout, and changes nothing") {
  ModelConfig model = test::small_transformer(Tying::kTied);
  model.dropout = 0.3;
  TrainingConfig training{.optimizer = OptimizerKind::kSgd,
                          .learning_rate = 1,
                          .batch_size = 2,
                          .gradient_accumulation = 3,
                          .input_gradient_scale = 2,
                          .seed = 9};
  const auto trainer = test::trainer_on<double>(model, training, test::small_stream());
  test::run(*trainer, 3);
  const auto ledger = trainer->gradient();
  const auto again = trainer->gradient();
  REQUIRE(ledger.ok());
  REQUIRE(again.ok());
  const Matrix<double>& total = ledger.value().total;
  const std::size_t size = total.rows() * total.cols();
  CHECK(std::equal(total.data(), total.data() + size, again.value().total.data()));
  const auto before = test::elements_of(*trainer, "embedding");
  test::run(*trainer, 1);
  const auto after = test::elements_of(*trainer, "embedding");
  for (std::size_t i = 0; i < size; ++i) CHECK(after[i] == before[i] - total.data()[i]);
}

TEST_CASE("dropout differs between steps, parts and seeds, and inspection has none") {
  ModelConfig model = test::small_transformer(Tying::kTied);
  model.dropout = 0.5;
  const auto stream = test::small_stream();
  auto twin = create_model<double>(model, 12, 64);
  REQUIRE(twin.ok());
  // The loss of one batch under several keys.
  std::set<double> losses;
  TokenBatch batch{stream.data(), stream.data() + 1, 16};
  const double whole = twin.value()->loss(batch, Pass::kForward);
  for (const std::uint64_t seed : {1, 2}) {
    for (const std::uint64_t step : {0, 1}) {
      for (const std::uint64_t part : {0, 1}) {
        batch.dropout_key = dropout_key(seed, step, part);
        losses.insert(twin.value()->loss(batch, Pass::kForward));
        CHECK(twin.value()->loss(batch, Pass::kForward) == twin.value()->loss(batch, Pass::kForward));
      }
    }
  }
  CHECK(losses.size() == 8);
  CHECK(losses.count(whole) == 0);

  ModelConfig without = model;
  without.dropout = 0;
  const auto dropping = test::trainer_on<double>(model, test::small_training(), stream);
  const auto keeping = test::trainer_on<double>(without, test::small_training(), stream);
  CHECK(dropping->evaluate().value().loss == keeping->evaluate().value().loss);
  batch.dropout_key = 0;
  const auto a = dropping->gradient(batch);
  batch.dropout_key = 77;  // a caller's key is ignored
  const auto b = keeping->gradient(batch);
  const auto c = dropping->gradient(batch);
  REQUIRE(a.ok());
  REQUIRE(b.ok());
  REQUIRE(c.ok());
  for (const auto* ledger : {&b, &c}) {
    CHECK(std::equal(a.value().total.data(), a.value().total.data() + 13 * 8, ledger->value().total.data()));
  }
  StepRecord with_dropout;
  StepRecord without_dropout;
  REQUIRE(dropping->step(&with_dropout).ok());
  REQUIRE(keeping->step(&without_dropout).ok());
  CHECK(with_dropout.loss != without_dropout.loss);
}
