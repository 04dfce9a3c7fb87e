#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "linalg/reduce.h"
#include "support.h"

using namespace tied;

namespace {

Matrix<float> copy_of(const Trainer<float>& trainer, const char* name) {
  const auto view = trainer.matrix(name);
  REQUIRE(view.ok());
  auto copy = Matrix<float>::create(view.value().rows, view.value().cols);
  REQUIRE(copy.ok());
  std::memcpy(copy.value().data(), view.value().data, copy.value().rows() * copy.value().cols() * sizeof(float));
  return std::move(copy).value();
}

double norm_of(const Matrix<float>& matrix) {
  return std::sqrt(squared_norm(matrix.data(), matrix.rows() * matrix.cols()));
}

double relative_change(const Matrix<float>& now, const Matrix<float>& start) {
  double change = 0;
  for (std::size_t i = 0; i < now.rows() * now.cols(); ++i) {
    const double difference = static_cast<double>(now.data()[i]) - static_cast<double>(start.data()[i]);
    change += difference * difference;
  }
  return std::sqrt(change) / norm_of(start);
}

}  // namespace

TEST_CASE("a record has the step, the loss before the update, the norms by role and the drift after it") {
  const auto ids = test::stream(400, 13, 1);
  for (const Tying tying : test::kTyings) {
    const auto trainer = test::trainer_on(test::small_model(tying), test::small_training(), ids);
    const Matrix<float> embedding = copy_of(*trainer, "embedding");
    const Matrix<float> unembedding = copy_of(*trainer, "unembedding");
    test::run(*trainer, 6);
    const auto ledger = trainer->gradient();
    REQUIRE(ledger.ok());
    StepRecord record;
    REQUIRE(trainer->step(&record).ok());
    CHECK(record.step == 7);
    CHECK(trainer->steps_done() == 7);
    // The ledger for the next step's data is that of the following step.
    CHECK(record.input_gradient_norm == doctest::Approx(norm_of(ledger.value().input)).epsilon(1e-12));
    CHECK(record.output_gradient_norm == doctest::Approx(norm_of(ledger.value().output)).epsilon(1e-12));
    CHECK(record.input_share ==
          doctest::Approx(record.input_gradient_norm / (record.input_gradient_norm + record.output_gradient_norm)));
    CHECK(record.gradient_norm >= norm_of(ledger.value().total) * (1 - 1e-12));
    CHECK(record.embedding_drift ==
          doctest::Approx(relative_change(copy_of(*trainer, "embedding"), embedding)).epsilon(1e-12));
    CHECK(record.unembedding_drift ==
          doctest::Approx(relative_change(copy_of(*trainer, "unembedding"), unembedding)).epsilon(1e-12));
    CHECK((record.embedding_drift == record.unembedding_drift) == (tying != Tying::kUntied));
  }
}

TEST_CASE(
    "the ledger's total is scale times input plus output for tied models, and scale times input for untied ones") {
  const auto ids = test::stream(400, 13, 1);
  for (const Tying tying : test::kTyings) {
    TrainingConfig training = test::small_training();
    training.input_gradient_scale = 5;
    const auto trainer = test::trainer_on(test::small_model(tying), training, ids);
    const std::vector<std::uint32_t> inputs{1, 1, 4, 7};
    const std::vector<std::uint32_t> targets{0, 2, 2, 12};
    const auto ledger = trainer->gradient({inputs.data(), targets.data(), inputs.size()});
    REQUIRE(ledger.ok());
    CHECK(ledger.value().input_rows == 3);
    CHECK(ledger.value().output_rows == 13);
    for (std::size_t i = 0; i < 13 * 4; ++i) {
      const float output = tying == Tying::kUntied ? 0.0F : ledger.value().output.data()[i];
      CHECK(ledger.value().total.data()[i] == ledger.value().input.data()[i] * 5.0F + output);
    }
  }
}

TEST_CASE("inspection changes nothing: an inspected trainer continues with the same bits") {
  const auto ids = test::stream(400, 13, 1);
  const auto looked_at = test::trainer_on(test::small_model(Tying::kTiedMlp), test::small_training(), ids);
  const auto left_alone = test::trainer_on(test::small_model(Tying::kTiedMlp), test::small_training(), ids);
  std::vector<StepRecord> records;
  REQUIRE(looked_at->run(20, 1, true, records).ok());
  CHECK(looked_at->evaluate().ok());
  CHECK(looked_at->gradient().ok());
  const std::vector<std::uint32_t> from{0, 1};
  CHECK(looked_at->next_token(from, {}, NextToken::kProbabilities).ok());
  CHECK_FALSE(test::saved(*looked_at).empty());
  REQUIRE(looked_at->run(20, 3, true, records).ok());
  test::run(*left_alone, 40);
  CHECK(looked_at->parameter_hash() == left_alone->parameter_hash());
}

TEST_CASE("records are made for multiples of record_every, and for the last step on request") {
  const auto ids = test::stream(400, 13, 1);
  const auto trainer = test::trainer_on(test::small_model(Tying::kTied), test::small_training(), ids);
  const auto steps_of = [&](std::uint64_t steps, std::uint64_t every, bool last) {
    std::vector<StepRecord> records;
    REQUIRE(trainer->run(steps, every, last, records).ok());
    std::vector<std::uint64_t> result;
    for (const StepRecord& record : records) result.push_back(record.step);
    return result;
  };
  CHECK(steps_of(7, 3, true) == std::vector<std::uint64_t>{3, 6, 7});
  CHECK(steps_of(3, 3, true) == std::vector<std::uint64_t>{9, 10});
  CHECK(steps_of(4, 0, false).empty());
  CHECK(steps_of(2, 1, true) == std::vector<std::uint64_t>{15, 16});
  CHECK(steps_of(0, 1, true).empty());
}

TEST_CASE("evaluation is the mean over every pair, however it is computed") {
  for (const std::size_t size : {2, 3, 31, 2'001}) {
    const auto ids = test::stream(size, 13, 3);
    const auto trainer = test::trainer_on<double>(test::small_model(Tying::kUntied), test::small_training(), ids);
    test::run(*trainer, 10);
    std::vector<std::uint32_t> all(13);
    for (std::uint32_t i = 0; i < 13; ++i) all[i] = i;
    const auto p = trainer->next_token(all, {}, NextToken::kProbabilities);
    REQUIRE(p.ok());
    double loss = 0;
    for (std::size_t i = 0; i + 1 < size; ++i) loss -= std::log(p.value()(ids[i], ids[i + 1]));
    const Evaluation evaluation = trainer->evaluate().value();
    CHECK(evaluation.loss == doctest::Approx(loss / static_cast<double>(size - 1)).epsilon(1e-12));
    CHECK(evaluation.perplexity == doctest::Approx(std::exp(evaluation.loss)).epsilon(1e-12));
    CHECK(evaluation.tokens == size - 1);
    const auto again = trainer->evaluate(ids.data(), ids.size());
    REQUIRE(again.ok());
    CHECK(again.value().loss == evaluation.loss);
  }
}

TEST_CASE("evaluation of a table is that of its text, including rows of the vocabulary past one block") {
  const auto ids = test::stream(3'000, 150, 5);
  const ModelConfig model{.vocab_size = 150, .d_model = 5, .tying = Tying::kTiedMlp, .init_std = 0.5};
  const TrainingConfig training{.learning_rate = 0.1, .batch_size = 8};
  const auto of_text = test::trainer_on<double>(model, training, ids);
  const auto of_table = test::trainer_on<double>(model, training, test::counts_of(ids, 150));
  const Evaluation text = of_text->evaluate().value();
  const Evaluation table = of_table->evaluate().value();
  CHECK(text.loss == doctest::Approx(table.loss).epsilon(1e-12));
  CHECK(text.tokens == 2'999);
  CHECK(table.tokens == 2'999);
}

TEST_CASE("evaluate reads the validation tokens, and training does not") {
  const auto ids = test::stream(400, 13, 3);
  const auto other = test::stream(300, 13, 4);
  auto data = training_data_from_tokens<float>(ids.data(), ids.size(), other.data(), other.size(), 13);
  REQUIRE(data.ok());
  auto with = Trainer<float>::create(test::small_model(Tying::kTied), test::small_training(), std::move(data).value());
  REQUIRE(with.ok());
  const auto without = test::trainer_on(test::small_model(Tying::kTied), test::small_training(), ids);
  test::run(*with.value(), 10);
  test::run(*without, 10);
  CHECK(with.value()->parameter_hash() == without->parameter_hash());
  const auto expected = without->evaluate(other.data(), other.size());
  REQUIRE(expected.ok());
  CHECK(with.value()->evaluate().value().loss == expected.value().loss);
}

TEST_CASE("setting the embedding of a tied model sets its output embedding") {
  const auto ids = test::stream(400, 13, 1);
  const auto trainer = test::trainer_on(test::small_model(Tying::kTied), test::small_training(), ids);
  auto ones = Matrix<float>::create(13, 4);
  REQUIRE(ones.ok());
  ones.value()(3, 2) = 1;
  REQUIRE(trainer->set_matrix("unembedding", std::as_const(ones.value()).view()).ok());
  const Matrix<float> embedding = copy_of(*trainer, "embedding");
  CHECK(std::equal(embedding.data(), embedding.data() + 52, ones.value().data()));
}

TEST_CASE("gradients above the clip are scaled to it, and smaller ones are unchanged") {
  const auto ids = test::stream(400, 13, 1);
  const auto change = [&](double clip) {
    TrainingConfig training = test::small_training(OptimizerKind::kSgd);
    training.warmup_steps = 0;
    training.decay = Decay::kConstant;
    training.momentum = 0;
    training.weight_decay = 0;
    training.learning_rate = 1;
    training.gradient_clip = clip;
    ModelConfig model = test::small_model(Tying::kTied);
    model.output_bias = false;
    const auto trainer = test::trainer_on(model, training, ids);
    const Matrix<float> start = copy_of(*trainer, "embedding");
    StepRecord record;
    REQUIRE(trainer->step(&record).ok());
    // With plain SGD at rate 1, the update is the gradient.
    return std::pair(relative_change(copy_of(*trainer, "embedding"), start) * norm_of(start), record.gradient_norm);
  };
  const auto [whole, norm] = change(0);
  CHECK(whole == doctest::Approx(norm).epsilon(1e-5));
  CHECK(change(norm / 4).first == doctest::Approx(norm / 4).epsilon(1e-5));
  CHECK(change(norm * 4).first == whole);
}

TEST_CASE(
    "a run that diverges stops with not-finite at the last step with a finite loss, and can continue from there") {
  const auto ids = test::stream(400, 13, 1);
  TrainingConfig training = test::small_training(OptimizerKind::kSgd);
  training.gradient_clip = 0;
  training.warmup_steps = 0;
  training.learning_rate = 1e6;
  const auto trainer = test::trainer_on(test::small_model(Tying::kTied), training, ids);
  std::vector<StepRecord> records;
  const Status status = trainer->run(1'000, 1, true, records);
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().code == ErrorCode::kNotFinite);
  CHECK(status.error().argument == "loss");
  REQUIRE_FALSE(records.empty());
  REQUIRE(trainer->rewind(trainer->furthest_step()).ok());
  // Each record was made before its update; the last update has been undone.
  CHECK(trainer->steps_done() == records.back().step - 1);
  CHECK(std::isfinite(records.back().loss));
  const Matrix<float> embedding = copy_of(*trainer, "embedding");
  CHECK(all_finite(embedding.data(), 52));
  CHECK(trainer->step().ok());
  REQUIRE(trainer->rewind(0).ok());
  CHECK(std::isfinite(trainer->evaluate().value().loss));
}

TEST_CASE("weights that the caller made too large are reported and remain") {
  const auto ids = test::stream(400, 13, 1);
  const auto trainer = test::trainer_on(test::small_model(Tying::kTied), test::small_training(), ids);
  test::run(*trainer, 3);
  auto huge = Matrix<float>::create(13, 4);
  REQUIRE(huge.ok());
  for (std::size_t i = 0; i < 52; ++i) huge.value().data()[i] = 1e30F;
  REQUIRE(trainer->set_matrix("embedding", std::as_const(huge.value()).view()).ok());
  const Status status = trainer->step();
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().code == ErrorCode::kNotFinite);
  CHECK(trainer->steps_done() == 3);
  CHECK(copy_of(*trainer, "embedding")(0, 0) == 1e30F);
  // Inspection reports it too, instead of returning NaN.
  const std::uint32_t token = 1;
  CHECK(trainer->evaluate().error().code == ErrorCode::kNotFinite);
  CHECK(trainer->evaluate(ids.data(), ids.size()).error().code == ErrorCode::kNotFinite);
  CHECK(trainer->gradient().error().code == ErrorCode::kNotFinite);
  CHECK(trainer->gradient({&token, &token, 1}).error().code == ErrorCode::kNotFinite);
  CHECK(trainer->next_token({&token, 1}, {}, NextToken::kProbabilities).error().code == ErrorCode::kNotFinite);
  CHECK(trainer->next_token({&token, 1}, {&token, 1}, NextToken::kLogits).error().argument == "logit");
  REQUIRE(trainer->rewind(2).ok());
  CHECK(trainer->evaluate().ok());
  CHECK(trainer->step().ok());
}
