#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "model/model.h"
#include "support.h"

using namespace tied;

TEST_CASE("a matrix that two names share is counted once") {
  // V = 50,000, d = 4,096: the example of the parameter calculator.
  ModelConfig config{.vocab_size = 50'000, .d_model = 4'096};
  CHECK(parameter_table(config).parameter_count() == 204'800'000);
  config.tying = Tying::kUntied;
  CHECK(parameter_table(config).parameter_count() == 409'600'000);
  config.tying = Tying::kTiedLinear;
  CHECK(parameter_table(config).parameter_count() == 204'800'000 + 4'096 * 4'096);
  config.tying = Tying::kTiedMlp;
  config.d_feed_forward = 100;
  config.output_bias = true;
  CHECK(parameter_table(config).parameter_count() == 204'800'000 + 2 * 100 * 4'096 + 100 + 4'096 + 50'000);
}

TEST_CASE("tied names have the owner's values and separate gradients") {
  const ParameterTable table = parameter_table({.vocab_size = 6, .d_model = 3});
  const Parameter* embedding = table.find("embedding");
  const Parameter* unembedding = table.find("unembedding");
  REQUIRE(embedding != nullptr);
  REQUIRE(unembedding != nullptr);
  CHECK(table.list()[unembedding->tied_to].name == "embedding");
  CHECK(unembedding->offset == embedding->offset);
  CHECK(unembedding->gradient_offset != embedding->gradient_offset);
  CHECK(unembedding->role == ParameterRole::kOutput);
  CHECK(table.find("between") == nullptr);
}

TEST_CASE("no two parameters overlap, and each starts on a cache line") {
  for (const Tying tying : test::kTyings) {
    const ParameterTable table =
        parameter_table({.vocab_size = 7, .d_model = 5, .tying = tying, .output_bias = true, .d_feed_forward = 3});
    std::vector<int> values(static_cast<std::size_t>(table.value_extent()), 0);
    std::vector<int> gradients(static_cast<std::size_t>(table.gradient_extent()), 0);
    for (const Parameter& parameter : table.list()) {
      CHECK(parameter.offset % 16 == 0);
      CHECK(parameter.gradient_offset % 16 == 0);
      REQUIRE(parameter.offset + parameter.size() <= values.size());
      REQUIRE(parameter.gradient_offset + parameter.size() <= gradients.size());
      const auto first_value = static_cast<std::size_t>(parameter.offset);
      const auto first_gradient = static_cast<std::size_t>(parameter.gradient_offset);
      for (std::size_t i = 0; i < parameter.size(); ++i) {
        if (parameter.owns_storage()) CHECK(++values[first_value + i] == 1);
        CHECK(++gradients[first_gradient + i] == 1);
      }
    }
  }
}

TEST_CASE("matrices decay and biases do not") {
  const ParameterTable table =
      parameter_table({.vocab_size = 7, .d_model = 5, .tying = Tying::kTiedMlp, .output_bias = true});
  for (const Parameter& parameter : table.list()) CHECK(parameter.decays == !parameter.is_vector);
}

TEST_CASE("a parameter's initial value depends on the seed and its name alone") {
  const auto start = [](Tying tying, std::uint64_t seed) {
    auto created = create_model<float>({.vocab_size = 11, .d_model = 4, .tying = tying, .output_bias = true}, seed, 8);
    REQUIRE(created.ok());
    return std::move(created).value();
  };
  const auto embedding = [](const Model<float>& model) {
    const auto view = model.parameters().values(*model.parameters().table().find("embedding"));
    return std::vector<float>(view.data, view.data + view.rows * view.cols);
  };
  const auto tied_model = start(Tying::kTied, 3);
  for (const Tying tying : test::kTyings) CHECK(embedding(*start(tying, 3)) == embedding(*tied_model));
  CHECK(embedding(*start(Tying::kTied, 4)) != embedding(*tied_model));

  const auto untied = start(Tying::kUntied, 3);
  const auto unembedding = untied->parameters().values(*untied->parameters().table().find("unembedding"));
  const auto start_of_embedding = embedding(*untied);
  CHECK_FALSE(std::equal(start_of_embedding.begin(), start_of_embedding.end(), unembedding.data));
}

TEST_CASE("the embedding starts with the configured standard deviation, M with the identity, W_down with zero") {
  ModelConfig config{.vocab_size = 400, .d_model = 50, .tying = Tying::kTiedLinear, .init_std = 0.3};
  auto created = create_model<double>(config, 5, 8);
  REQUIRE(created.ok());
  const Model<double>& linear = *created.value();
  const auto embedding = linear.parameters().values(*linear.parameters().table().find("embedding"));
  double sum = 0;
  double square = 0;
  for (std::size_t i = 0; i < 20'000; ++i) {
    sum += embedding.data[i];
    square += embedding.data[i] * embedding.data[i];
  }
  // Of 20,000 draws: four standard errors of the mean and of the variance.
  CHECK(std::fabs(sum / 20'000) < 4 * 0.3 / std::sqrt(20'000.0));
  CHECK(std::fabs(square / 20'000 / 0.09 - 1) < 4 * std::sqrt(2.0 / 20'000));
  const auto between = linear.parameters().values(*linear.parameters().table().find("between"));
  for (std::size_t i = 0; i < 50; ++i) {
    for (std::size_t j = 0; j < 50; ++j) CHECK(between(i, j) == (i == j ? 1.0 : 0.0));
  }

  config.tying = Tying::kTiedMlp;
  auto with_mlp = create_model<double>(config, 5, 8);
  REQUIRE(with_mlp.ok());
  const Model<double>& mlp = *with_mlp.value();
  const auto down = mlp.parameters().values(*mlp.parameters().table().find("mlp.down.weight"));
  for (std::size_t i = 0; i < down.rows * down.cols; ++i) CHECK(down.data[i] == 0.0);
}
