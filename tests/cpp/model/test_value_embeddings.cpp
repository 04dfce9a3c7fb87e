// A table added to the values of every layer: of its own, or the input embedding.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "gradients.h"

using namespace tied;

namespace {

ModelConfig with_values(ValueEmbeddings values, Tying tying = Tying::kTied) {
  ModelConfig config = test::small_transformer(tying);
  config.value_embeddings = values;
  return config;
}

constexpr ValueEmbeddings kBoth[] = {ValueEmbeddings::kOwn, ValueEmbeddings::kTied};

}  // namespace

TEST_CASE(
    "the value embedding follows the tables of tokens, as wide as values, with storage of its own or the input's") {
  ModelConfig config = with_values(ValueEmbeddings::kOwn);
  config.n_kv_heads = 1;
  ParameterTable table = parameter_table(config);
  const Parameter& own = table.list()[2];
  CHECK(own.name == "value_embedding");
  CHECK(own.rows == 7);
  CHECK(own.cols == 2);
  CHECK(own.owns_storage());
  CHECK(&own == table.third());
  config.value_embeddings = ValueEmbeddings::kNone;
  CHECK(table.parameter_count() - parameter_table(config).parameter_count() == 7 * 2);

  for (const Tying tying : test::kTransformerTyings) {
    table = parameter_table(with_values(ValueEmbeddings::kTied, tying));
    const Parameter& tied = *table.find("value_embedding");
    CHECK(tied.tied_to == 0);
    CHECK(tied.offset == table.list()[0].offset);
    CHECK(tied.gradient_offset != table.list()[0].gradient_offset);
    CHECK(table.parameter_count() == parameter_table(test::small_transformer(tying)).parameter_count());
  }
}

TEST_CASE("a model refuses value embeddings that it cannot have, by their name") {
  const auto blamed = [](const ModelConfig& config) {
    const Status status = validate(config);
    return status.ok() ? std::string() : status.error().argument;
  };
  ModelConfig config = with_values(ValueEmbeddings::kTied);
  CHECK(blamed(config).empty());
  config.n_kv_heads = 1;
  CHECK(blamed(config) == "value_embeddings");
  config.value_embeddings = ValueEmbeddings::kOwn;
  CHECK(blamed(config).empty());
  config.table_rank = 3;
  CHECK(blamed(config).empty());
  config.n_kv_heads = 2;
  config.value_embeddings = ValueEmbeddings::kTied;
  CHECK(blamed(config) == "value_embeddings");
  CHECK(blamed({.vocab_size = 7, .d_model = 4, .value_embeddings = ValueEmbeddings::kOwn}) == "value_embeddings");
  config = {
      .kind = ModelKind::kEncoderDecoder, .vocab_size = 7, .d_model = 4, .value_embeddings = ValueEmbeddings::kOwn};
  CHECK(blamed(config) == "value_embeddings");
  config = test::small_transformer(Tying::kTied);
  config.value_embeddings = static_cast<ValueEmbeddings>(3);
  CHECK(blamed(config) == "value_embeddings");
}

// A sequence of one token adds one row to all values, as a bias does.
TEST_CASE("for a sequence of one token, the table equals a bias of the values with that token's row") {
  for (const ValueEmbeddings values : kBoth) {
    for (const Positions positions : {Positions::kLearned, Positions::kRotary}) {
      ModelConfig config = with_values(values, Tying::kUntied);
      config.biases = Biases::kAll;
      config.positions = positions;
      if (values == ValueEmbeddings::kOwn) config.n_kv_heads = 1;
      const auto with = test::random_model<double>(config);
      config.value_embeddings = ValueEmbeddings::kNone;
      const auto without = test::random_model<double>(config);
      const ParameterTable& table = with->parameters().table();
      for (const std::uint32_t token : {0u, 5u}) {
        for (const Parameter& parameter : without->parameters().table().list()) {
          const MatrixView<double> to = without->parameters().values(parameter);
          const MatrixView<double> from = with->parameters().values(*table.find(parameter.name));
          std::copy_n(from.data, from.rows * from.cols, to.data);
          if (!parameter.name.ends_with("query_key_value.bias")) continue;
          const MatrixView<double> rows = with->parameters().values(*table.find("value_embedding"));
          for (std::size_t j = 0; j < rows.cols; ++j) to.data[to.cols - rows.cols + j] += rows(token, j);
        }
        const std::vector<std::uint32_t> ids(4, token);
        auto ours = Matrix<double>::create(4, 7).value();
        auto theirs = Matrix<double>::create(4, 7).value();
        with->logits(ours.view(), ids.data(), 4);
        without->logits(theirs.view(), ids.data(), 4);
        for (std::size_t i = 0; i < 4 * 7; ++i) {
          // Sums of a few dozen numbers of size one, in another order.
          CHECK(std::fabs(ours.data()[i] - theirs.data()[i]) < 1e-12);
        }
      }
    }
  }
}

TEST_CASE("gradients equal central differences with value embeddings, for every tying, norm, head and grouping") {
  const auto inputs = test::random_ids(12, 7, 1);
  const auto targets = test::random_ids(12, 7, 2);
  TokenBatch batch{inputs.data(), targets.data(), inputs.size()};
  batch.sample_key = 77;
  batch.dropout_key = 5;
  const auto error_of = [&](const ModelConfig& config) {
    const auto model = test::random_model<double>(config, 4, 0.5);
    return test::largest_gradient_error(*model, [&](Pass pass) { return model->loss(batch, pass); });
  };
  for (const ValueEmbeddings values : kBoth) {
    for (const Tying tying : test::kTransformerTyings) {
      CAPTURE(tying_name(tying));
      ModelConfig config = with_values(values, tying);
      // As in test_transformer_gradients.cpp.
      CHECK(error_of(config) < 1e-7);
      config.positions = Positions::kRotary;
      config.scales_embedding = true;
      config.dropout = 0.2;
      config.biases = Biases::kAll;
      CHECK(error_of(config) < 1e-7);
    }
    ModelConfig config = with_values(values);
    config.head = HeadKind::kSampled;
    config.head_samples = 4;
    CHECK(error_of(config) < 1e-7);
    config.ngram_order = 2;
    config.ngram_rows = 9;
    CHECK(error_of(config) < 1e-7);
  }
  ModelConfig config = with_values(ValueEmbeddings::kOwn);
  config.n_kv_heads = 1;
  CHECK(error_of(config) < 1e-7);
  config.table_rank = 3;
  CHECK(error_of(config) < 1e-7);
}

TEST_CASE("a decoder that caches keys and values has the logits of the whole sequence to the bit") {
  for (const ValueEmbeddings values : kBoth) {
    const auto model = test::random_model<float>(with_values(values));
    const auto ids = test::random_ids(4, 7, 3);
    auto whole = Matrix<float>::create(4, 7).value();
    model->logits(whole.view(), ids.data(), 4);
    const auto decoder = model->create_decoder();
    REQUIRE(decoder.ok());
    std::vector<float> logits(7);
    for (std::size_t first = 0; first < 4; first += first == 1 ? 2 : 1) {
      decoder.value()->append(ids.data() + first, first == 1 ? 2 : 1, logits.data());
      CHECK(test::equal_elements(logits.data(), whole.view().row(first == 1 ? 2 : first), 7));
    }
  }
}

TEST_CASE("a table of zeros changes nothing, to the bit") {
  const auto with = test::random_model<float>(with_values(ValueEmbeddings::kOwn));
  const auto without = test::random_model<float>(test::small_transformer(Tying::kTied));
  ParameterStore<float>& parameters = with->parameters();
  for (const Parameter& parameter : parameters.table().list()) {
    const MatrixView<float> values = parameters.values(parameter);
    const Parameter* same = without->parameters().table().find(parameter.name);
    if (same == nullptr) {
      std::fill_n(values.data, values.rows * values.cols, 0.0F);
    } else {
      std::copy_n(values.data, values.rows * values.cols, without->parameters().values(*same).data);
    }
  }
  const auto ids = test::random_ids(16, 7, 9);
  const TokenBatch batch{ids.data(), ids.data(), ids.size()};
  CHECK(with->loss(batch, Pass::kForward) == without->loss(batch, Pass::kForward));
}
