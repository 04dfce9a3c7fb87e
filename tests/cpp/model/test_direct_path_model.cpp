#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "linalg/reduce.h"
#include "model/direct_path_model.h"
#include "model/next_token.h"
#include "support.h"

using namespace tied;
using test::kTyings;

namespace {

// Logits by the formulas, one at a time, in double.
double plain_logit(const Model<double>& model, std::size_t from, std::size_t to) {
  const ParameterStore<double>& store = model.parameters();
  const auto matrix = [&](const char* name) { return store.values(*store.table().find(name)); };
  const auto embedding = matrix("embedding");
  const std::size_t d_model = embedding.cols;
  const double scale = model.config().scales_embedding ? std::sqrt(static_cast<double>(d_model)) : 1;
  std::vector<double> row(embedding.row(from), embedding.row(from) + d_model);
  for (double& number : row) number *= scale;
  std::vector<double> read_out = row;
  if (store.table().find("between") != nullptr) {
    for (std::size_t k = 0; k < d_model; ++k) {
      read_out[k] = 0;
      for (std::size_t i = 0; i < d_model; ++i) read_out[k] += row[i] * matrix("between")(i, k);
    }
  }
  if (store.table().find("mlp.up.weight") != nullptr) {
    const auto up = matrix("mlp.up.weight");
    for (std::size_t k = 0; k < d_model; ++k) read_out[k] += matrix("mlp.down.bias")(0, k);
    for (std::size_t f = 0; f < up.rows; ++f) {
      double x = matrix("mlp.up.bias")(0, f);
      for (std::size_t i = 0; i < d_model; ++i) x += up(f, i) * row[i];
      const double gelu = 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
      for (std::size_t k = 0; k < d_model; ++k) read_out[k] += matrix("mlp.down.weight")(k, f) * gelu;
    }
  }
  double logit = store.table().find("output_bias") != nullptr ? matrix("output_bias")(0, to) : 0;
  for (std::size_t k = 0; k < d_model; ++k) logit += read_out[k] * matrix("unembedding")(to, k);
  return logit;
}

template <class T>
Matrix<T> all_logits(Model<T>& model) {
  const std::size_t vocab_size = static_cast<std::size_t>(model.config().vocab_size);
  std::vector<std::uint32_t> from(vocab_size);
  for (std::size_t i = 0; i < vocab_size; ++i) from[i] = static_cast<std::uint32_t>(i);
  auto logits = next_token(model, from, {}, NextToken::kLogits);
  REQUIRE(logits.ok());
  return std::move(logits).value();
}

}  // namespace

TEST_CASE("logits equal the formulas for every tying, with and without a scaled lookup") {
  for (const Tying tying : kTyings) {
    for (const bool bias : {false, true}) {
      for (const bool scales_embedding : {false, true}) {
        const auto model = test::random_model<double>({.vocab_size = 9,
                                                       .d_model = 5,
                                                       .tying = tying,
                                                       .scales_embedding = scales_embedding,
                                                       .output_bias = bias,
                                                       .d_feed_forward = 6},
                                                      2);
        const auto logits = all_logits(*model);
        for (std::size_t i = 0; i < 9; ++i) {
          // Rounding of sums of a few products of size one.
          for (std::size_t j = 0; j < 9; ++j) CHECK(std::fabs(logits(i, j) - plain_logit(*model, i, j)) < 1e-13);
        }
      }
    }
  }
}

TEST_CASE("a decoder and the hidden states of a direct path scale the looked-up row as its logits do") {
  for (const Tying tying : kTyings) {
    const auto model = test::random_model<double>(
        {.vocab_size = 9, .d_model = 5, .tying = tying, .scales_embedding = true, .d_feed_forward = 6}, 3);
    const std::vector<std::uint32_t> ids{4, 7};
    auto decoder = model->create_decoder();
    REQUIRE(decoder.ok());
    std::vector<double> logits(9);
    decoder.value()->append(ids.data(), ids.size(), logits.data());
    for (std::size_t j = 0; j < 9; ++j) CHECK(std::fabs(logits[j] - plain_logit(*model, 7, j)) < 1e-13);
    auto states = Matrix<double>::create(2, 5);
    REQUIRE(states.ok());
    auto head_input = Matrix<double>::create(2, 5);
    REQUIRE(head_input.ok());
    const std::vector<MatrixView<double>> views{states.value().view(), head_input.value().view()};
    model->hidden_states(views, ids.data(), ids.size());
    const auto embedding = model->parameters().values(*model->parameters().table().find("embedding"));
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t k = 0; k < 5; ++k) {
        CHECK(states.value()(i, k) == doctest::Approx(std::sqrt(5.0) * embedding(ids[i], k)).epsilon(1e-14));
      }
      if (tying != Tying::kTied && tying != Tying::kTiedMlp) continue;
      for (std::size_t j = 0; j < 9; ++j) {
        const double logit = dot(head_input.value().view().row(i), embedding.row(j), 5);
        CHECK(std::fabs(logit - plain_logit(*model, ids[i], j)) < 1e-13);
      }
    }
  }
}

TEST_CASE("the tied direct path is symmetric to the last bit, across tiles and whatever the width") {
  for (const std::uint64_t vocab_size : {2, 3, 65, 130, 700}) {
    for (const std::uint64_t d_model : {1, 2, 3, 7, 16, 33}) {
      for (const bool scales_embedding : {false, true}) {
        const auto model = test::random_model<float>(
            {.vocab_size = vocab_size, .d_model = d_model, .scales_embedding = scales_embedding}, vocab_size + d_model);
        const auto logits = all_logits(*model);
        bool symmetric = true;
        for (std::size_t i = 0; i < vocab_size; ++i) {
          for (std::size_t j = 0; j < i; ++j) symmetric = symmetric && logits(i, j) == logits(j, i);
        }
        CHECK(symmetric);
      }
    }
  }
}

TEST_CASE("initially the MLP has no effect and M is the identity: both start as the tied model") {
  const auto logits_of = [](Tying tying) {
    auto created = create_model<float>({.vocab_size = 40, .d_model = 8, .tying = tying, .init_std = 0.5}, 7, 64);
    REQUIRE(created.ok());
    return all_logits(*created.value());
  };
  const auto expected = logits_of(Tying::kTied);
  for (const Tying tying : {Tying::kTiedLinear, Tying::kTiedMlp}) {
    const auto logits = logits_of(tying);
    CHECK(std::equal(logits.data(), logits.data() + 40 * 40, expected.data()));
  }
}

TEST_CASE("the loss over all pairs equals the expected loss over the table of their counts") {
  constexpr std::uint32_t kVocabSize = 12;
  constexpr std::size_t kPairs = 300;
  const auto ids = test::random_ids(kPairs + 1, kVocabSize, 3);
  auto joint = Matrix<double>::create(kVocabSize, kVocabSize);
  REQUIRE(joint.ok());
  std::vector<std::uint32_t> rows(kVocabSize);
  for (std::uint32_t i = 0; i < kVocabSize; ++i) rows[i] = i;
  for (std::size_t i = 0; i < kPairs; ++i) joint.value()(ids[i], ids[i + 1]) += 1.0 / kPairs;
  for (const Tying tying : kTyings) {
    // Tiles of eight rows: more than one for the table as well.
    const auto model = test::random_model<double>({.vocab_size = kVocabSize, .d_model = 4, .tying = tying}, 4, 0.6, 8);
    const double pairs = model->loss({ids.data(), ids.data() + 1, kPairs}, Pass::kForwardBackward);
    const auto gradients = model->parameters().all_gradients().clone();
    REQUIRE(gradients.ok());
    model->parameters().zero_gradients();
    const double table = model->joint_loss({rows.data(), joint.value().view()}, Pass::kForwardBackward);
    // 300 terms in another order, in double.
    CHECK(std::fabs(pairs - table) < 1e-12);
    for (std::size_t i = 0; i < gradients.value().size(); ++i) {
      CHECK(std::fabs(gradients.value()[i] - model->parameters().all_gradients()[i]) < 1e-12);
    }
  }
}

TEST_CASE("the loss does not depend on the rows expected at creation") {
  const auto inputs = test::random_ids(1'000, 30, 5);
  const auto targets = test::random_ids(1'000, 30, 6);
  const TokenBatch batch{inputs.data(), targets.data(), inputs.size()};
  const ModelConfig config{.vocab_size = 30, .d_model = 5};
  const double expected = test::random_model<double>(config, 7, 0.6, 1'000)->loss(batch, Pass::kForward);
  for (const std::uint64_t max_rows : {1, 8, 100}) {
    const double loss = test::random_model<double>(config, 7, 0.6, max_rows)->loss(batch, Pass::kForward);
    CHECK(std::fabs(loss - expected) < 1e-13);
  }
}

TEST_CASE("the workspace grows with the vocabulary, not with the batch") {
  const ModelConfig config{.vocab_size = 50'257, .d_model = 64};
  const std::uint64_t some = workspace_extent(config, 1'000);
  CHECK(workspace_extent(config, 1'000'000) == some);
  // 64 rows of logits, and little else.
  CHECK(some < 66 * 50'257);
}

TEST_CASE("selected columns equal those of whole rows, and probabilities sum to one over the vocabulary") {
  const auto model = test::random_model<float>({.vocab_size = 50, .d_model = 6, .tying = Tying::kUntied}, 8);
  std::vector<std::uint32_t> from(37);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::uint32_t>((7 * i) % 50);
  const std::vector<std::uint32_t> to{49, 0, 3, 3};
  for (const NextToken what : {NextToken::kLogits, NextToken::kProbabilities}) {
    const auto all = next_token(*model, from, {}, what);
    const auto chosen = next_token(*model, from, to, what);
    REQUIRE(all.ok());
    REQUIRE(chosen.ok());
    for (std::size_t i = 0; i < from.size(); ++i) {
      for (std::size_t j = 0; j < to.size(); ++j) CHECK(chosen.value()(i, j) == all.value()(i, to[j]));
      if (what == NextToken::kProbabilities) {
        // 50 roundings of values below one in single precision.
        CHECK(std::fabs(sum(all.value().view().row(i), 50) - 1) < 50 * 6e-8);
      }
    }
  }
}
