// The trainer with models that have a context.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "linalg/reduce.h"
#include "support.h"

using namespace tied;

namespace {

// Models that cover every switch.
std::vector<ModelConfig> kinds() {
  std::vector<ModelConfig> configs;
  for (const Tying tying : test::kTransformerTyings) configs.push_back(test::small_transformer(tying));
  ModelConfig other = test::small_transformer(Tying::kTied);
  other.norm = Norm::kLayer;
  other.biases = Biases::kAll;
  other.positions = Positions::kRotary;
  other.feed_forward = FeedForward::kSwiGlu;
  other.n_kv_heads = 1;
  other.scales_embedding = true;
  configs.push_back(other);
  other = test::small_transformer(Tying::kUntied);
  other.dropout = 0.2;
  other.positions = Positions::kNone;
  other.final_norm = false;
  configs.push_back(other);
  other = test::small_transformer(Tying::kTied);
  other.untie_at_step = 20;
  configs.push_back(other);
  other = test::small_transformer(Tying::kUntied);
  other.tie_at_step = 20;
  other.dropout = 0.1;
  configs.push_back(other);
  return configs;
}

}  // namespace

TEST_CASE("any step of a transformer is restored bit for bit, and files continue bit for bit, for every kind") {
  for (const ModelConfig& model : kinds()) {
    TrainingConfig training = test::small_training();
    training.batch_size = 3;
    training.gradient_accumulation = 2;
    const auto trainer = test::trainer_on(model, training, test::small_stream());
    const auto expected = test::hashes(*trainer, 40);
    CHECK(std::set(expected.begin(), expected.end()).size() == expected.size());
    for (const std::uint64_t step : {40, 19, 20, 0, 21, 33}) {
      REQUIRE(trainer->rewind(step).ok());
      REQUIRE(trainer->parameter_hash() == expected[static_cast<std::size_t>(step)]);
      const auto file = test::saved(*trainer);
      auto copy = Trainer<float>::load(file);
      REQUIRE(copy.ok());
      test::run(*copy.value(), 40 - step);
      CHECK(copy.value()->parameter_hash() == expected[40]);
      REQUIRE(copy.value()->rewind(10).ok());
      CHECK(copy.value()->parameter_hash() == expected[10]);
    }
  }
}

TEST_CASE("every field of a transformer's configuration is restored from a file") {
  ModelConfig model = test::small_transformer(Tying::kTiedLowRank);
  model.low_rank = 2;
  model.scales_embedding = true;
  model.init_std = 0.25;
  model.d_feed_forward = 20;
  model.n_layers = 3;
  model.n_heads = 4;
  model.n_kv_heads = 2;
  model.context_length = 9;
  model.norm = Norm::kLayer;
  model.norm_epsilon = 1e-4;
  model.positions = Positions::kRotary;
  model.rotary_base = 500;
  model.feed_forward = FeedForward::kSwiGlu;
  model.final_norm = false;
  model.biases = Biases::kAll;
  model.dropout = 0.125;
  const auto trainer = test::trainer_on(model, test::small_training(), test::small_stream());
  const auto file = test::saved(*trainer);
  const auto copy = Trainer<float>::load(file);
  REQUIRE(copy.ok());
  const ModelConfig& found = copy.value()->model_config();
  CHECK(found.kind == ModelKind::kTransformer);
  CHECK(found.tying == Tying::kTiedLowRank);
  CHECK(found.low_rank == 2);
  CHECK(found.scales_embedding);
  CHECK(found.output_bias == model.output_bias);
  CHECK(found.init_std == 0.25);
  CHECK(found.d_feed_forward == 20);
  CHECK(found.n_layers == 3);
  CHECK(found.n_heads == 4);
  CHECK(found.n_kv_heads == 2);
  CHECK(found.context_length == 9);
  CHECK(found.norm == Norm::kLayer);
  CHECK(found.norm_epsilon == 1e-4);
  CHECK(found.positions == Positions::kRotary);
  CHECK(found.rotary_base == 500);
  CHECK(found.feed_forward == FeedForward::kSwiGlu);
  CHECK_FALSE(found.final_norm);
  CHECK(found.biases == Biases::kAll);
  CHECK(found.dropout == 0.125);
}

TEST_CASE("evaluation reads every pair once, with a shorter last sequence, each token attending to its own sequence") {
  for (const ModelConfig& model : kinds()) {
    for (const std::size_t size : {2, 5, 8, 9, 10, 17, 39}) {
      const auto stream = test::stream(size, 13, 7);
      const auto trainer = test::trainer_on<double>(model, test::small_training(), test::small_stream());
      double loss = 0;
      for (std::size_t first = 0; first + 1 < size; first += 8) {
        const std::size_t n = std::min<std::size_t>(8, size - 1 - first);
        const auto logits = sequence_logits(trainer->model(), std::span(stream).subspan(first, n));
        REQUIRE(logits.ok());
        for (std::size_t i = 0; i < n; ++i) {
          double sum = 0;
          for (std::size_t j = 0; j < 13; ++j) sum += std::exp(logits.value()(i, j));
          loss += std::log(sum) - logits.value()(i, stream[first + i + 1]);
        }
      }
      const auto evaluation = trainer->evaluate(stream.data(), size);
      REQUIRE(evaluation.ok());
      CHECK(evaluation.value().tokens == size - 1);
      CHECK(evaluation.value().loss == doctest::Approx(loss / static_cast<double>(size - 1)).epsilon(1e-10));
    }
  }
}

TEST_CASE("a transformer's accumulated step is the step of the whole batch, up to rounding") {
  for (const std::uint64_t parts : {2, 6}) {
    TrainingConfig training = test::small_training();
    training.batch_size = 6;
    const ModelConfig model = test::small_transformer(Tying::kTied);
    const auto whole = test::trainer_on<double>(model, training, test::small_stream());
    training.batch_size /= parts;
    training.gradient_accumulation = parts;
    const auto accumulated = test::trainer_on<double>(model, training, test::small_stream());
    for (int step = 0; step < 10; ++step) {
      StepRecord a;
      StepRecord b;
      REQUIRE(whole->step(&a).ok());
      REQUIRE(accumulated->step(&b).ok());
      // Double precision, sums in another order, through up to 10 steps of AdamW.
      CHECK(b.loss == doctest::Approx(a.loss).epsilon(1e-8));
      CHECK(b.gradient_norm == doctest::Approx(a.gradient_norm).epsilon(1e-7));
      CHECK(b.input_position_gradient_norm == doctest::Approx(a.input_position_gradient_norm).epsilon(1e-7));
    }
  }
}

TEST_CASE("a transformer learns the rule of a stream") {
  const auto stream = test::stream(2'000, 13, 1);
  for (const Tying tying : test::kTransformerTyings) {
    TrainingConfig training{.learning_rate = 3e-3, .batch_size = 8, .seed = 1};
    const auto trainer = test::trainer_on(test::small_transformer(tying), training, stream);
    const double before = trainer->evaluate().value().loss;
    test::run(*trainer, 300);
    // Three in ten tokens are drawn from all 13: the loss is near log 13 = 2.56 at first, and near 1.35 once everything
    // is learned.
    CHECK(before > 2.3);
    CHECK(trainer->evaluate().value().loss < 1.7);
  }
}

TEST_CASE("a transformer that diverges stops with not-finite at its last good step, and can continue from there") {
  for (const ModelConfig& model : kinds()) {
    TrainingConfig training = test::small_training(OptimizerKind::kSgd);
    training.gradient_clip = 0;
    training.warmup_steps = 0;
    training.learning_rate = 1e5;
    // Norms bound their outputs, so the weights have to grow without end.
    training.decay = Decay::kConstant;
    training.momentum = 0;
    training.weight_decay = 1;
    const auto trainer = test::trainer_on(model, training, test::small_stream());
    std::vector<std::uint64_t> known{trainer->parameter_hash()};
    Status status;
    for (int i = 0; i < 200 && status.ok(); ++i) {
      status = trainer->step();
      if (status.ok()) known.push_back(trainer->parameter_hash());
    }
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().code == ErrorCode::kNotFinite);
    CHECK(status.error().message().find("loss is") == 0);
    REQUIRE(trainer->rewind(trainer->furthest_step()).ok());
    const auto good = static_cast<std::size_t>(trainer->steps_done());
    REQUIRE(good < known.size());
    CHECK(trainer->parameter_hash() == known[good]);
    CHECK(trainer->gradient().ok());
    REQUIRE(trainer->rewind(0).ok());
    CHECK(trainer->parameter_hash() == known[0]);
    CHECK(trainer->evaluate().ok());
    CHECK(trainer->step().ok());
  }
}

TEST_CASE("logits, hidden states and attention of a sequence agree with each other, and ids are checked") {
  for (const ModelConfig& model : kinds()) {
    const auto trainer = test::trainer_on(model, test::small_training(), test::small_stream());
    test::run(*trainer, 3);
    const std::uint64_t hash = trainer->parameter_hash();
    const std::vector<std::uint32_t> some{1, 5, 2, 2, 9};
    const auto logits = sequence_logits(trainer->model(), some);
    REQUIRE(logits.ok());
    CHECK(logits.value().rows() == 5);
    CHECK(logits.value().cols() == 13);
    const auto states = hidden_states(trainer->model(), some);
    REQUIRE(states.ok());
    CHECK(states.value().size() == model.n_layers + 1);
    const auto with_head_input = hidden_states(trainer->model(), some, HeadInput::kAdd);
    REQUIRE(with_head_input.ok());
    CHECK(with_head_input.value().size() == model.n_layers + 2);
    const auto weights = attention(trainer->model(), some);
    REQUIRE(weights.ok());
    CHECK(weights.value().rows() == model.n_layers * model.n_heads * 5);
    for (std::size_t row = 0; row < weights.value().rows(); ++row) {
      // Five roundings of values below one.
      CHECK(sum(weights.value().view().row(row), 5) == doctest::Approx(1).epsilon(1e-6));
      for (std::size_t j = row % 5 + 1; j < 5; ++j) CHECK(weights.value()(row, j) == 0);
    }
    // A layer that adds nothing is one whose branches end in zeros.
    for (std::size_t layer = 0; layer < model.n_layers; ++layer) {
      const auto without = sequence_logits(trainer->model(), some, layer);
      REQUIRE(without.ok());
      const auto silent = test::trainer_on(model, test::small_training(), test::small_stream());
      test::run(*silent, 3);
      ParameterStore<float>& store = silent->model().parameters();
      for (const char* last :
           {"attention.output.weight", "attention.output.bias", "feed_forward.down.weight", "feed_forward.down.bias"}) {
        const auto found = store.table().find("layers." + std::to_string(layer) + "." + last);
        if (found == nullptr) continue;
        const MatrixView<float> values = store.values(*found);
        std::fill_n(values.data, values.rows * values.cols, 0.0f);
      }
      const auto expected = sequence_logits(silent->model(), some);
      REQUIRE(expected.ok());
      for (std::size_t i = 0; i < 5 * 13; ++i) CHECK(without.value().data()[i] == expected.value().data()[i]);
    }
    const std::string missing = "left_out is 2; expected a layer below 2";
    CHECK(sequence_logits(trainer->model(), some, 2).error().message() == missing);

    // Later tokens do not affect earlier ones.
    const auto prefix = sequence_logits(trainer->model(), std::span(some).first(2));
    REQUIRE(prefix.ok());
    for (std::size_t j = 0; j < 13; ++j) {
      CHECK(prefix.value()(1, j) == doctest::Approx(static_cast<double>(logits.value()(1, j))).epsilon(1e-4));
    }

    const std::vector<std::uint32_t> too_long(9, 1);
    const std::vector<std::uint32_t> unknown{1, 13};
    for (const auto& [bad, argument] : {std::pair<std::vector<std::uint32_t>, std::string>{{}, "token_ids.length"},
                                        {too_long, "token_ids.length"},
                                        {unknown, "token_ids[1]"}}) {
      CHECK(test::blamed(sequence_logits(trainer->model(), bad)) == argument);
      CHECK(test::blamed(hidden_states(trainer->model(), bad)) == argument);
      CHECK(test::blamed(attention(trainer->model(), bad)) == argument);
    }
    CHECK(sequence_logits(trainer->model(), too_long).error().message() ==
          "token_ids.length is 9; expected at most the context_length of the model, 8");
    CHECK(trainer->parameter_hash() == hash);
  }
}

TEST_CASE("batches of incomplete sequences, or longer than the positions, are refused by name") {
  const auto trainer =
      test::trainer_on(test::small_transformer(Tying::kTied), test::small_training(), test::small_stream());
  const auto stream = test::small_stream();
  const auto blamed_batch = [&](std::size_t size, std::size_t sequence_length) {
    return test::blamed(trainer->gradient({stream.data(), stream.data() + 1, size, sequence_length}));
  };
  CHECK(blamed_batch(8, 0) == "");
  CHECK(blamed_batch(24, 0) == "");
  CHECK(blamed_batch(5, 0) == "");  // one short sequence
  CHECK(blamed_batch(12, 0) == "inputs.length");
  CHECK(blamed_batch(12, 4) == "");
  CHECK(blamed_batch(12, 5) == "inputs.length");
  CHECK(blamed_batch(18, 9) == "sequence_length");
  CHECK(blamed_batch(0, 0) == "inputs.length");
  CHECK(blamed_batch(0, 4) == "inputs.length");
  std::vector<std::uint32_t> bad(8, 1);
  bad[6] = 13;
  CHECK(test::blamed(trainer->gradient({bad.data(), stream.data(), 8})) == "inputs[6]");
  CHECK(test::blamed(trainer->gradient({stream.data(), bad.data(), 8})) == "targets[6]");

  // A short sequence starts at the first position: the mean over three sequences of four tokens is that of each alone.
  const auto together = trainer->gradient({stream.data(), stream.data() + 1, 12, 4});
  REQUIRE(together.ok());
  std::vector<double> mean(13 * 8, 0);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto one = trainer->gradient({stream.data() + 4 * i, stream.data() + 4 * i + 1, 4});
    REQUIRE(one.ok());
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += static_cast<double>(one.value().total.data()[j]) / 3;
  }
  for (std::size_t j = 0; j < mean.size(); ++j) {
    CHECK(static_cast<double>(together.value().total.data()[j]) == doctest::Approx(mean[j]).epsilon(1e-4));
  }
}

TEST_CASE("a transformer refuses a table, a stream no longer than its context, and an id out of range") {
  const ModelConfig model = test::small_transformer(Tying::kTied);
  auto table = training_data_from_counts<float>(test::counts_of(test::small_stream(), 13).view());
  REQUIRE(table.ok());
  const auto refused = Trainer<float>::create(model, test::small_training(), std::move(table).value());
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == ErrorCode::kUnsupported);
  CHECK(refused.error().argument == "bigram_counts");
  for (const std::size_t size : {8, 9}) {
    const auto stream = test::stream(size, 13, 1);
    auto data = training_data_from_tokens<float>(stream.data(), size, nullptr, 0, 13);
    REQUIRE(data.ok());
    const auto created = Trainer<float>::create(model, test::small_training(), std::move(data).value());
    CHECK(test::blamed(created) == (size == 8 ? "token_ids.length" : ""));
  }
}

TEST_CASE("an imported model without data can be inspected, generates, and is saved and loaded") {
  const auto trained =
      test::trainer_on(test::small_transformer(Tying::kTied), test::small_training(), test::small_stream());
  test::run(*trained, 20);
  auto created = Trainer<float>::create(test::small_transformer(Tying::kTied), {}, {});
  REQUIRE(created.ok());
  Trainer<float>& ready = *created.value();
  for (const Parameter& parameter : ready.table().list()) {
    const auto from = test::elements_of(*trained, parameter.name);
    std::copy(from.begin(), from.end(), ready.model().parameters().values(parameter).data);
  }
  REQUIRE(ready.restart().ok());
  CHECK(ready.parameter_hash() == trained->parameter_hash());
  CHECK_FALSE(ready.step().ok());
  const std::vector<std::uint32_t> some{1, 5, 2};
  const auto a = sequence_logits(ready.model(), some);
  const auto b = sequence_logits(trained->model(), some);
  REQUIRE(a.ok());
  REQUIRE(b.ok());
  CHECK(std::equal(a.value().data(), a.value().data() + 3 * 13, b.value().data()));
  auto decoder = ready.model().create_decoder();
  REQUIRE(decoder.ok());
  std::vector<float> logits(13);
  decoder.value()->append(some.data(), some.size(), logits.data());
  CHECK(all_finite(logits.data(), 13));
  const auto file = test::saved(ready);
  const auto copy = Trainer<float>::load(file);
  REQUIRE(copy.ok());
  CHECK(copy.value()->parameter_hash() == ready.parameter_hash());
}
