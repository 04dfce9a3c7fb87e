// Input tables that only read: the rows that each position looks up, their gradients, and the rows that a step touches.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "gradients.h"
#include "model/ngrams.h"

using namespace tied;

namespace {

ModelConfig reading_ngrams(std::uint64_t order, std::uint64_t rows, Tying tying = Tying::kTied) {
  ModelConfig config = test::small_transformer(tying);
  config.ngram_order = order;
  config.ngram_rows = rows;
  return config;
}

// The row of the last n of `count` tokens in a head's part of a table, or of all if there are fewer.
std::size_t plain_row(const std::uint32_t* tokens, std::size_t count, std::size_t n, std::uint64_t rows,
                      std::uint32_t head = 0) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < std::min(n, count); ++i) hash = continued_ngram_hash(hash, tokens[count - 1 - i]);
  if (head > 0) hash = continued_ngram_hash(hash, head - 1);
  return static_cast<std::size_t>(head * rows + hash % rows);
}

std::string table_name(std::uint64_t n) { return "ngrams." + text_of(n); }

}  // namespace

TEST_CASE("a model with n-grams has a table of rows for each n, in the input role, after both tables of tokens") {
  const ParameterTable table = parameter_table(reading_ngrams(4, 9));
  const std::vector<Parameter>& list = table.list();
  CHECK(list[1].name == "unembedding");
  for (std::size_t n = 2; n <= 4; ++n) {
    const Parameter& parameter = list[n];
    CHECK(parameter.name == table_name(n));
    CHECK(parameter.rows == 9);
    CHECK(parameter.cols == 4);
    CHECK(parameter.role == ParameterRole::kInput);
    CHECK(parameter.sparse);
    CHECK(parameter.owns_storage());
  }
  CHECK(list[5].name == "positions");
  CHECK_FALSE(list[0].sparse);
  CHECK(table.of_role(ParameterRole::kInput)->name == "embedding");
  const ModelConfig without = test::small_transformer(Tying::kTied);
  CHECK(table.parameter_count() - parameter_table(without).parameter_count() == 3 * 9 * 4);
}

TEST_CASE(
    "each position reads its token's row and those of its n-grams, at a sequence's start of as many tokens as there "
    "are, with a part from each head") {
  for (const std::uint64_t heads : {0, 1, 2, 4}) {
    const bool scales = heads % 2 == 0;
    ModelConfig config = reading_ngrams(3, 20);
    config.ngram_heads = heads;
    config.scales_embedding = scales;
    const std::size_t width = 4 / config.ngram_parts();
    const auto model = test::random_model<double>(config);
    const auto ids = test::random_ids(4, 7, 3);
    Matrix<double> states = Matrix<double>::create(4, 4).value();
    std::vector<Matrix<double>> rest;
    std::vector<MatrixView<double>> views{states.view()};
    for (int i = 0; i < 2; ++i) {
      rest.push_back(Matrix<double>::create(4, 4).value());
      views.push_back(rest.back().view());
    }
    model->hidden_states(views, ids.data(), 4);
    const ParameterStore<double>& parameters = model->parameters();
    const auto values = [&](std::string_view name) { return parameters.values(*parameters.table().find(name)); };
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) {
        double x = values("embedding")(ids[i], j);
        const auto head = static_cast<std::uint32_t>(j / width);
        for (std::size_t n = 2; n <= 3; ++n) {
          x += values(table_name(n))(plain_row(ids.data(), i + 1, n, 20, head), j % width);
        }
        CHECK(states(i, j) == doctest::Approx((scales ? 2 : 1) * x + values("positions")(i, j)).epsilon(1e-14));
      }
    }
  }
}

TEST_CASE("rows that are added before every layer are added unscaled to the states of all but the first") {
  ModelConfig config = reading_ngrams(3, 20);
  config.n_layers = 3;
  config.ngram_heads = 2;
  config.ngram_places = NgramPlaces::kEveryLayer;
  config.scales_embedding = true;
  const auto with = test::random_model<double>(config, 1, 0.5);
  config.ngram_places = NgramPlaces::kInput;
  const auto at_input = create_model<double>(config, 1, 4);
  REQUIRE(at_input.ok());
  const ParameterStore<double>& parameters = with->parameters();
  std::copy_n(parameters.all_values().data(), parameters.all_values().size(),
              at_input.value()->parameters().all_values().data());
  const auto ids = test::random_ids(4, 7, 3);
  const auto states_of = [&](Model<double>& model) {
    std::vector<Matrix<double>> states;
    std::vector<MatrixView<double>> views;
    for (int i = 0; i < 4; ++i) {
      states.push_back(Matrix<double>::create(4, 4).value());
      views.push_back(states.back().view());
    }
    model.hidden_states(views, ids.data(), 4);
    return states;
  };
  const auto states = states_of(*with);
  const auto others = states_of(*at_input.value());
  const auto read = [&](std::size_t i, std::size_t j) {
    double x = 0;
    for (std::size_t n = 2; n <= 3; ++n) {
      const std::size_t row = plain_row(ids.data(), i + 1, n, 20, static_cast<std::uint32_t>(j / 2));
      x += parameters.values(*parameters.table().find(table_name(n)))(row, j % 2);
    }
    return x;
  };
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      CHECK(states[0](i, j) == others[0](i, j));
      CHECK(states[1](i, j) == doctest::Approx(others[1](i, j) + read(i, j)).epsilon(1e-14));
    }
  }
}

TEST_CASE("a pass that leaves a layer out and resumes another one adds rows before the next layer once") {
  ModelConfig config = reading_ngrams(3, 20);
  config.n_layers = 3;
  config.ngram_places = NgramPlaces::kEveryLayer;
  const auto model = test::random_model<double>(config, 1, 0.5);
  const auto ids = test::random_ids(4, 7, 3);
  const auto logits_without = [&](std::size_t layer, bool resumes) {
    Matrix<double> logits = Matrix<double>::create(4, 7).value();
    model->logits(logits.view(), ids.data(), 4, layer, resumes);
    return logits;
  };
  const Matrix<double> whole = logits_without(kNoLayer, false);
  for (std::size_t layer = 3; layer-- > 0;) {
    CAPTURE(layer);
    const Matrix<double> without = logits_without(layer, false);
    logits_without(kNoLayer, false);
    const Matrix<double> resumed = logits_without(layer, true);
    CHECK(test::equal_elements(without.data(), resumed.data(), std::size_t{4 * 7}));
    CHECK_FALSE(test::equal_elements(without.data(), whole.data(), std::size_t{4 * 7}));
  }
}

TEST_CASE("gradients equal central differences with n-grams, for every tying, and for rows that n-grams share") {
  for (const Tying tying : test::kTransformerTyings) {
    for (const std::uint64_t rows : {std::uint64_t{2}, std::uint64_t{30}}) {
      ModelConfig config = reading_ngrams(3, rows, tying);
      config.scales_embedding = rows == 2;
      config.ngram_heads = rows == 2 ? 4 : 0;
      if (tying != Tying::kUntied) config.ngram_places = NgramPlaces::kEveryLayer;
      const auto model = test::random_model<double>(config, 4, 0.5);
      const auto inputs = test::random_ids(12, 7, 1);
      const auto targets = test::random_ids(12, 7, 2);
      TokenBatch batch{inputs.data(), targets.data(), inputs.size()};
      CAPTURE(tying_name(tying));
      // As in test_transformer_gradients.cpp.
      CHECK(test::largest_gradient_error(*model, [&](Pass pass) { return model->loss(batch, pass); }) < 1e-7);
    }
  }
}

TEST_CASE("gradients equal central differences with n-grams combined with factorized tables or with any other head") {
  const auto inputs = test::random_ids(12, 7, 1);
  const auto targets = test::random_ids(12, 7, 2);
  TokenBatch batch{inputs.data(), targets.data(), inputs.size()};
  batch.sample_key = 77;
  const auto error_of = [&](const ModelConfig& config) {
    const auto model = test::random_model<double>(config, 4, 0.5);
    return test::largest_gradient_error(*model, [&](Pass pass) { return model->loss(batch, pass); });
  };
  for (const Tying tying : {Tying::kTied, Tying::kUntied}) {
    ModelConfig config = reading_ngrams(2, 30, tying);
    config.table_rank = 3;
    CHECK(error_of(config) < 1e-7);
    config.table_rank = 0;
    config.head = HeadKind::kSampled;
    config.head_samples = 4;
    CHECK(error_of(config) < 1e-7);
    config.head_samples = 0;
    config.head = HeadKind::kAdaptive;
    config.head_divisor = 2;
    config.head_cutoffs[0] = 3;
    CHECK(error_of(config) < 1e-7);
  }
}

TEST_CASE("a step touches the rows of its n-grams and no others, and zeroing gradients clears the marks") {
  const ModelConfig config = reading_ngrams(2, 500);
  const auto model = test::random_model<float>(config);
  const auto ids = test::random_ids(12, 7, 5);
  std::set<std::size_t> expected;
  for (std::size_t i = 0; i < 12; ++i) expected.insert(plain_row(ids.data() + i / 4 * 4, i % 4 + 1, 2, 500));
  model->zero_gradients();
  model->loss({ids.data(), ids.data(), ids.size()}, Pass::kForwardBackward);
  ParameterStore<float>& parameters = model->parameters();
  const Parameter& table = *parameters.table().find("ngrams.2");
  const auto visited = [&] {
    std::set<std::size_t> rows;
    for (ParameterStore<float>::Run run; parameters.next_touched(run, table);) {
      for (std::size_t i = run.first; i < run.first + run.size; i += 4) rows.insert(i / 4);
    }
    return rows;
  };
  CHECK(visited() == expected);
  const MatrixView<float> gradient = parameters.gradient(table);
  for (std::size_t row = 0; row < 500; ++row) {
    const bool zero = std::all_of(gradient.row(row), gradient.row(row) + 4, [](float x) { return x == 0; });
    CHECK(zero != expected.contains(row));
  }
  model->zero_gradients();
  CHECK(visited().empty());
  CHECK(std::all_of(gradient.data, gradient.data + 500 * 4, [](float x) { return x == 0; }));
}

TEST_CASE("with several heads, a table has as many numbers as with one, and a step touches one row in each part") {
  ModelConfig config = reading_ngrams(2, 100);
  config.ngram_heads = 4;
  const ParameterTable parameters = parameter_table(config);
  const Parameter& table = *parameters.find("ngrams.2");
  CHECK(table.rows == 400);
  CHECK(table.cols == 1);
  const auto model = test::random_model<float>(config);
  const auto ids = test::random_ids(12, 7, 5);
  std::set<std::size_t> expected;
  for (std::uint32_t head = 0; head < 4; ++head) {
    for (std::size_t i = 0; i < 12; ++i) {
      expected.insert(plain_row(ids.data() + i / 4 * 4, i % 4 + 1, 2, 100, head));
    }
  }
  model->zero_gradients();
  model->loss({ids.data(), ids.data(), ids.size()}, Pass::kForwardBackward);
  const MatrixView<float> gradient = model->parameters().gradient(table);
  for (std::size_t row = 0; row < 400; ++row) CHECK((gradient(row, 0) != 0) == expected.contains(row));
}

TEST_CASE("with tables of zeros, a model with n-grams equals the one without them to the last bit") {
  const auto with = test::random_model<float>(reading_ngrams(5, 11));
  const auto without = create_model<float>(test::small_transformer(Tying::kTied), 1, 8);
  REQUIRE(without.ok());
  ParameterStore<float>& parameters = with->parameters();
  for (const Parameter& parameter : parameters.table().list()) {
    const MatrixView<float> values = parameters.values(parameter);
    const Parameter* same = without.value()->parameters().table().find(parameter.name);
    if (same == nullptr) {
      std::fill_n(values.data, values.rows * values.cols, 0.0F);
    } else {
      std::copy_n(values.data, values.rows * values.cols, without.value()->parameters().values(*same).data);
    }
  }
  const auto ids = test::random_ids(16, 7, 9);
  const TokenBatch batch{ids.data(), ids.data(), ids.size()};
  CHECK(with->loss(batch, Pass::kForward) == without.value()->loss(batch, Pass::kForward));
}
