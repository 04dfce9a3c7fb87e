// Outputs of a transformer, and conditions that must not change them.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "linalg/reduce.h"
#include "linalg/softmax.h"
#include "model/transformer_layout.h"
#include "support.h"

using namespace tied;
using test::small_transformer;

namespace {

// Configurations that together cover every part.
std::vector<ModelConfig> varied() {
  std::vector<ModelConfig> configs;
  for (const Tying tying : test::kTransformerTyings) configs.push_back(small_transformer(tying));
  for (const Positions positions : {Positions::kNone, Positions::kRotary}) {
    ModelConfig config = small_transformer(Tying::kUntied);
    config.d_model = 16;
    config.n_heads = 4;
    config.n_kv_heads = 2;
    config.context_length = 9;
    config.positions = positions;
    config.feed_forward = FeedForward::kSwiGlu;
    config.norm = Norm::kLayer;
    config.biases = Biases::kAll;
    config.output_bias = true;
    config.scales_embedding = true;
    configs.push_back(config);
  }
  ModelConfig ngrams = small_transformer(Tying::kTied);
  ngrams.context_length = 9;
  ngrams.ngram_order = 3;
  ngrams.ngram_rows = 40;
  configs.push_back(ngrams);
  // More tokens than a block of attention has rows, and probabilities that are not stored.
  ModelConfig config = small_transformer(Tying::kTied);
  config.context_length = 150;
  config.final_norm = false;
  configs.push_back(config);
  return configs;
}

template <class T>
Matrix<T> logits_of(Model<T>& model, const std::vector<std::uint32_t>& ids) {
  auto out = Matrix<T>::create(ids.size(), static_cast<std::size_t>(model.config().vocab_size));
  REQUIRE(out.ok());
  model.logits(out.value().view(), ids.data(), ids.size());
  return std::move(out).value();
}

std::size_t context_of(const ModelConfig& config) { return static_cast<std::size_t>(config.context_length); }

double loss_and_gradient(Model<double>& model, const TokenBatch& batch, std::vector<double>& gradient) {
  model.zero_gradients();
  const double loss = model.loss(batch, Pass::kForwardBackward);
  const AlignedBuffer<double>& all = model.parameters().all_gradients();
  gradient.assign(all.begin(), all.end());
  return loss;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::fmax(largest, std::fabs(a[i] - b[i]));
  return largest;
}

// Sums of a few hundred values of size one in another order.
constexpr double kRounding = 1e-12;

}  // namespace

TEST_CASE("the loss is the mean cross-entropy of the logits of each sequence") {
  for (const ModelConfig& config : varied()) {
    const auto model = test::random_model<double>(config, 1, 0.4);
    const std::size_t length = context_of(config);
    const auto ids = test::random_ids(3 * length, 7, 2);
    const auto targets = test::random_ids(3 * length, 7, 3);
    double expected = 0;
    for (std::size_t first = 0; first < ids.size(); first += length) {
      auto logits = logits_of(*model, {ids.begin() + static_cast<std::ptrdiff_t>(first),
                                       ids.begin() + static_cast<std::ptrdiff_t>(first + length)});
      log_softmax_rows(logits.view(), logits.view());
      for (std::size_t i = 0; i < length; ++i) expected -= logits(i, targets[first + i]);
    }
    expected /= static_cast<double>(ids.size());
    TokenBatch batch{ids.data(), targets.data(), ids.size()};
    CHECK(std::fabs(model->loss(batch, Pass::kForward) - expected) < kRounding);
    batch.weight = 0.25;
    CHECK(std::fabs(model->loss(batch, Pass::kForwardBackward) - 0.25 * expected) < kRounding);
  }
}

TEST_CASE("layers below one that is left out need not be computed again, if later ones were left out before") {
  for (ModelConfig config : varied()) {
    config.n_layers = 4;
    const auto model = test::random_model<double>(config, 1, 0.4);
    const auto ids = test::random_ids(context_of(config), 7, 2);
    auto again = logits_of(*model, ids);
    for (std::size_t layer = 4; layer-- > 0;) {
      auto resumed = Matrix<double>::create(ids.size(), 7);
      model->logits(resumed.value().view(), ids.data(), ids.size(), layer, true);
      const auto fresh = test::random_model<double>(config, 1, 0.4);
      fresh->logits(again.view(), ids.data(), ids.size(), layer);
      CHECK(test::equal_elements(resumed.value().data(), again.data(), ids.size() * 7));
    }
  }
}

TEST_CASE("for the tables alone, their gradient has the same bits, and that of the maps is zero") {
  for (const ModelConfig& config : varied()) {
    const auto model = test::random_model<double>(config, 1, 0.4);
    const auto ids = test::random_ids(2 * context_of(config), 7, 2);
    const auto targets = test::random_ids(ids.size(), 7, 3);
    const TokenBatch batch{ids.data(), targets.data(), ids.size()};
    std::vector<double> whole;
    std::vector<double> tables;
    const double loss = loss_and_gradient(*model, batch, whole);
    ParameterStore<double>& parameters = model->parameters();
    parameters.set_tables_alone(true);
    CHECK(loss_and_gradient(*model, batch, tables) == loss);
    for (const Parameter& parameter : parameters.table().list()) {
      const std::size_t first = static_cast<std::size_t>(parameter.gradient_offset);
      const std::size_t size = static_cast<std::size_t>(parameter.rows * parameter.cols);
      CAPTURE(parameter.name);
      const bool is_map = parameter.name.starts_with("layers.") && parameter.name.find("_norm.") == std::string::npos;
      const std::vector<double> none(size, 0);
      CHECK(test::equal_elements(tables.data() + first, is_map ? none.data() : whole.data() + first, size));
    }
  }
}

TEST_CASE("a batch processed in chunks has the loss and the gradient of the whole, including dropout") {
  for (ModelConfig config : varied()) {
    config.dropout = 0.25;
    const std::size_t size = 10 * context_of(config);
    const auto whole = test::random_model<double>(config, 4, 0.4, size);
    const auto in_chunks = test::random_model<double>(config, 4, 0.4, 1);
    const auto ids = test::random_ids(size, 7, 5);
    const auto targets = test::random_ids(size, 7, 6);
    for (const std::uint64_t key : {0, 9}) {
      TokenBatch batch{ids.data(), targets.data(), size};
      batch.dropout_key = key;
      std::vector<double> expected;
      std::vector<double> gradient;
      const double loss = loss_and_gradient(*whole, batch, expected);
      CHECK(std::fabs(loss_and_gradient(*in_chunks, batch, gradient) - loss) < kRounding);
      CHECK(largest_difference(gradient, expected) < kRounding);
      CHECK(std::fabs(in_chunks->position_gradient_square() - whole->position_gradient_square()) < kRounding);
    }
  }
}

TEST_CASE("a batch larger than any chunk has the gradient of its parts") {
  const ModelConfig config = small_transformer(Tying::kTied);
  const std::size_t size = 3'000;  // several chunks
  const auto model = test::random_model<double>(config, 7, 0.4, size);
  const auto ids = test::random_ids(size, 7, 8);
  const auto targets = test::random_ids(size, 7, 9);
  std::vector<double> whole;
  const double loss = loss_and_gradient(*model, {ids.data(), targets.data(), size}, whole);
  model->zero_gradients();
  double sum = 0;
  for (std::size_t first = 0; first < size; first += 300) {
    TokenBatch part{ids.data() + first, targets.data() + first, 300};
    part.weight = 0.1;
    sum += model->loss(part, Pass::kForwardBackward);
  }
  const AlignedBuffer<double>& all = model->parameters().all_gradients();
  CHECK(std::fabs(sum - loss) < kRounding);
  CHECK(largest_difference({all.begin(), all.end()}, whole) < kRounding);
}

TEST_CASE("memory does not grow with the batch beyond a chunk, and never includes all logits") {
  ModelConfig config{.kind = ModelKind::kTransformer, .vocab_size = 50'257, .d_model = 64};
  const std::uint64_t chunk = workspace_extent(config, 1'024);
  CHECK(workspace_extent(config, 1'000'000) == chunk);
  CHECK(workspace_extent(config, 64) < chunk);
  CHECK(chunk < 1'024 * config.vocab_size / 5);
}

TEST_CASE("a wide model has chunks of half a group, unless that would change how something is summed") {
  const ModelConfig wide{.kind = ModelKind::kTransformer, .vocab_size = 8'192, .d_model = 256};
  const auto halves = [&](void (*change)(ModelConfig&)) {
    ModelConfig config = wide;
    change(config);
    const TransformerLayout layout(config, 2'048);
    CHECK(layout.group_rows % layout.rows == 0);
    return layout.rows == 256 && layout.group_rows == 512;
  };
  CHECK(halves([](ModelConfig&) {}));
  CHECK(halves([](ModelConfig& config) { config.context_length = 256; }));
  CHECK(!halves([](ModelConfig& config) { config.d_model = 252; }));
  CHECK(!halves([](ModelConfig& config) { config.context_length = 60; }));
  CHECK(!halves([](ModelConfig& config) { config.context_length = 512; }));
  // A tile of the head has 440 rows.
  CHECK(!halves([](ModelConfig& config) { config.vocab_size = 300; }));
  CHECK(!halves([](ModelConfig& config) { config.head = HeadKind::kSampled; }));
  CHECK(!halves([](ModelConfig& config) { config.ngram_order = 2; }));
  CHECK(!halves([](ModelConfig& config) { config.value_embeddings = ValueEmbeddings::kOwn; }));
  CHECK(!halves([](ModelConfig& config) { config.objective = Objective::kMasked; }));
}

TEST_CASE("sequences shorter than the context do not affect each other") {
  for (const ModelConfig& config : varied()) {
    const auto model = test::random_model<double>(config, 10, 0.4);
    const auto ids = test::random_ids(9, 7, 11);
    const auto targets = test::random_ids(9, 7, 12);
    TokenBatch batch{ids.data(), targets.data(), 9};
    batch.sequence_length = 3;
    std::vector<double> together;
    const double loss = loss_and_gradient(*model, batch, together);
    model->zero_gradients();
    double sum = 0;
    for (std::size_t first = 0; first < 9; first += 3) {
      TokenBatch one{ids.data() + first, targets.data() + first, 3};
      one.sequence_length = 3;
      one.weight = 1.0 / 3;
      sum += model->loss(one, Pass::kForwardBackward);
    }
    const AlignedBuffer<double>& all = model->parameters().all_gradients();
    CHECK(std::fabs(sum - loss) < kRounding);
    CHECK(largest_difference({all.begin(), all.end()}, together) < kRounding);
  }
}

TEST_CASE("no token changes the logits before it, and each changes its own") {
  for (const ModelConfig& config : varied()) {
    const auto model = test::random_model<float>(config, 13, 0.4);
    const std::size_t length = context_of(config);
    auto ids = test::random_ids(length, 7, 14);
    const auto before = logits_of(*model, ids);
    const std::size_t changed = length / 2;
    ids[changed] = (ids[changed] + 1) % 7;
    const auto after = logits_of(*model, ids);
    CHECK(test::equal_elements(before.data(), after.data(), changed * 7));
    CHECK_FALSE(test::equal_elements(before.view().row(changed), after.view().row(changed), 7));
    CHECK_FALSE(test::equal_elements(before.view().row(length - 1), after.view().row(length - 1), 7));
  }
}

TEST_CASE("a decoder's logits are those of the whole sequence to the last bit, in pieces of any size") {
  for (const ModelConfig& config : varied()) {
    const auto model = test::random_model<float>(config, 15, 0.4);
    const std::size_t length = context_of(config);
    const auto ids = test::random_ids(length, 7, 16);
    const auto expected = logits_of(*model, ids);
    auto decoder = model->create_decoder();
    REQUIRE(decoder.ok());
    CHECK(decoder.value()->capacity() == length);
    for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, length}) {
      decoder.value()->reset();
      CHECK(decoder.value()->size() == 0);
      for (std::size_t first = 0; first < length; first += piece) {
        const std::size_t n = std::min(piece, length - first);
        std::vector<float> logits(7);
        decoder.value()->append(ids.data() + first, n, logits.data());
        CHECK(test::equal_elements(logits.data(), expected.view().row(first + n - 1), 7));
      }
      CHECK(decoder.value()->size() == length);
    }
    // A decoder's cache is its own: the model can be used and trained in between.
    decoder.value()->reset();
    decoder.value()->append(ids.data(), 2, nullptr);
    model->loss({ids.data(), ids.data(), length}, Pass::kForwardBackward);
    std::vector<float> logits(7);
    decoder.value()->append(ids.data() + 2, 1, logits.data());
    CHECK(test::equal_elements(logits.data(), expected.view().row(2), 7));
  }
}

TEST_CASE("attention's rows are distributions over the tokens up to and including their own") {
  for (const ModelConfig& config : varied()) {
    const auto model = test::random_model<double>(config, 17, 0.8);
    const std::size_t n = context_of(config) - 1;
    const auto ids = test::random_ids(n, 7, 18);
    const std::size_t rows = static_cast<std::size_t>(config.n_layers * config.n_heads) * n;
    auto attention = Matrix<double>::create(rows, n);
    REQUIRE(attention.ok());
    std::fill_n(attention.value().data(), rows * n, -1.0);
    model->attention(attention.value().view(), ids.data(), n);
    for (std::size_t row = 0; row < rows; ++row) {
      const double* shares = attention.value().view().row(row);
      const std::size_t own = row % n;
      for (std::size_t j = own + 1; j < n; ++j) CHECK(shares[j] == 0);
      CHECK(std::all_of(shares, shares + own + 1, [](double share) { return share > 0; }));
      CHECK(std::fabs(sum(shares, own + 1) - 1) < kRounding);
    }
  }
}

TEST_CASE("hidden states start with the looked-up rows and end with the input of the head") {
  ModelConfig config = small_transformer(Tying::kTied);
  config.scales_embedding = true;
  for (const bool final_norm : {false, true}) {
    config.final_norm = final_norm;
    const auto model = test::random_model<double>(config, 19, 0.4);
    const std::vector<std::uint32_t> ids{3, 1, 3};
    std::vector<Matrix<double>> states;
    std::vector<MatrixView<double>> views;
    REQUIRE(model->n_hidden_states() == 3);
    for (std::size_t i = 0; i < 4; ++i) states.push_back(std::move(Matrix<double>::create(3, 4)).value());
    for (Matrix<double>& state : states) views.push_back(state.view());
    model->hidden_states(views, ids.data(), ids.size());

    const ParameterStore<double>& store = model->parameters();
    const auto embedding = store.values(*store.table().find("embedding"));
    const auto positions = store.values(*store.table().find("positions"));
    const auto logits = logits_of(*model, ids);
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(std::equal(states[2].view().row(i), states[2].view().row(i) + 4, states[3].view().row(i)) == !final_norm);
      for (std::size_t j = 0; j < 4; ++j) CHECK(states[0](i, j) == 2 * embedding(ids[i], j) + positions(i, j));
      for (std::size_t token = 0; token < 7; ++token) {
        CHECK(std::fabs(dot(states[3].view().row(i), embedding.row(token), 4) - logits(i, token)) < kRounding);
      }
    }
  }
}

TEST_CASE("float and double agree within float's rounding") {
  for (const ModelConfig& config : varied()) {
    const auto in_float = test::random_model<float>(config, 20, 0.4);
    const auto in_double = test::random_model<double>(config, 20, 0.4);
    // The same values in both: those of float.
    for (std::size_t i = 0; i < in_float->parameters().all_values().size(); ++i) {
      in_double->parameters().all_values()[i] = static_cast<double>(in_float->parameters().all_values()[i]);
    }
    const std::size_t size = 2 * context_of(config);
    const auto ids = test::random_ids(size, 7, 21);
    const auto targets = test::random_ids(size, 7, 22);
    const TokenBatch batch{ids.data(), targets.data(), size};
    const double loss = in_double->loss(batch, Pass::kForwardBackward);
    // About a hundred roundings of 6e-8 of values of size one.
    CHECK(std::fabs(in_float->loss(batch, Pass::kForwardBackward) - loss) < 1e-5);
    for (std::size_t i = 0; i < in_float->parameters().all_gradients().size(); ++i) {
      const double expected = in_double->parameters().all_gradients()[i];
      const double difference = static_cast<double>(in_float->parameters().all_gradients()[i]) - expected;
      CHECK(std::fabs(difference) < 1e-5 * (1 + std::fabs(expected)));
    }
  }
}

TEST_CASE("the tied gradient is the input part plus the output part of an untied twin, to the last bit") {
  for (const bool scales : {false, true}) {
    ModelConfig config = small_transformer(Tying::kTied);
    config.scales_embedding = scales;
    const auto tied_model = test::random_model<float>(config, 23, 0.4);
    config.tying = Tying::kUntied;
    const auto twin = test::random_model<float>(config, 24, 0.4);
    ParameterStore<float>& tied_store = tied_model->parameters();
    ParameterStore<float>& twin_store = twin->parameters();
    for (const Parameter& parameter : tied_store.table().list()) {
      const auto from = tied_store.values(parameter);
      std::memcpy(twin_store.values(*twin_store.table().find(parameter.name)).data, from.data,
                  from.rows * from.cols * sizeof(float));
    }
    const auto ids = test::random_ids(40, 7, 25);
    const auto targets = test::random_ids(40, 7, 26);
    const TokenBatch batch{ids.data(), targets.data(), 40};
    CHECK(tied_model->loss(batch, Pass::kForwardBackward) == twin->loss(batch, Pass::kForwardBackward));
    CHECK(tied_model->position_gradient_square() == twin->position_gradient_square());
    const auto input = twin_store.gradient(*twin_store.table().find("embedding"));
    const auto output = twin_store.gradient(*twin_store.table().find("unembedding"));
    tied_store.combine_gradients(5, 1);
    const auto total = tied_store.gradient(*tied_store.table().find("embedding"));
    for (std::size_t i = 0; i < 7 * 4; ++i) CHECK(total.data[i] == input.data[i] * 5.0F + output.data[i]);
  }
}

TEST_CASE("without repeated tokens, the gradient by position has the norm of the scattered one") {
  for (const bool scales : {false, true}) {
    ModelConfig config = small_transformer(Tying::kUntied);
    config.scales_embedding = scales;
    const auto model = test::random_model<double>(config, 27, 0.4);
    const std::vector<std::uint32_t> inputs{5, 0, 6, 2};
    const std::vector<std::uint32_t> targets{0, 6, 2, 2};
    model->loss({inputs.data(), targets.data(), 4}, Pass::kForwardBackward);
    const ParameterStore<double>& store = model->parameters();
    const auto input = store.gradient(*store.table().find("embedding"));
    CHECK(std::fabs(model->position_gradient_square() - squared_norm(input.data, 28)) < kRounding);
    for (const std::size_t token : {1, 3, 4}) CHECK(max_abs(input.row(token), 4) == 0);
  }
}

TEST_CASE("dropout follows from its key, is off without one, and preserves the mean") {
  ModelConfig config = small_transformer(Tying::kTied);
  const auto plain = test::random_model<double>(config, 28, 0.4);
  config.dropout = 0.5;
  const auto model = test::random_model<double>(config, 28, 0.4);
  const auto ids = test::random_ids(8, 7, 29);
  TokenBatch batch{ids.data(), ids.data(), 8};
  const double without = plain->loss(batch, Pass::kForward);
  CHECK(model->loss(batch, Pass::kForward) == without);
  batch.dropout_key = 1;
  const double first = model->loss(batch, Pass::kForward);
  CHECK(first != without);
  CHECK(model->loss(batch, Pass::kForward) == first);
  batch.dropout_key = 2;
  CHECK(model->loss(batch, Pass::kForward) != first);
}

TEST_CASE("a matrix whose tying changes is read from its current storage") {
  ModelConfig config = small_transformer(Tying::kTied);
  config.untie_at_step = 10;
  const auto model = test::random_model<double>(config, 30, 0.4);
  const std::vector<std::uint32_t> ids{1, 2, 3};
  const auto joined = logits_of(*model, ids);
  ParameterStore<double>& store = model->parameters();
  store.set_joined(false);
  const auto own = store.values(*store.table().find("unembedding"));
  std::fill_n(own.data, own.rows * own.cols, 0.0);
  CHECK(max_abs(logits_of(*model, ids).data(), 21) == 0);
  store.set_joined(true);
  CHECK(test::equal_elements(logits_of(*model, ids).data(), joined.data(), 21));
}
