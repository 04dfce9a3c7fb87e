// Models that predict hidden tokens: what is hidden, what they read, gradients, what they refuse.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <vector>

#include "gradients.h"
#include "model/masking.h"
#include "model/sequence_outputs.h"

using namespace tied;

namespace {

ModelConfig masked_transformer(Tying tying = Tying::kTied, Objective objective = Objective::kMasked,
                               double rate = 0.4) {
  ModelConfig config = test::small_transformer(tying);
  config.objective = objective;
  config.mask_rate = rate;
  return config;
}

struct HiddenBatch {
  std::vector<std::uint32_t> inputs;
  std::vector<std::uint32_t> targets;
  std::vector<std::uint32_t> tokens;
};

HiddenBatch hidden_batch(const ModelConfig& config, std::size_t sequences, std::uint64_t seed) {
  const auto length = static_cast<std::size_t>(config.context_length);
  HiddenBatch batch;
  batch.tokens = test::random_ids(sequences * length, 7, seed);
  batch.targets = batch.tokens;
  batch.inputs.resize(batch.tokens.size());
  for (std::size_t i = 0; i < sequences; ++i) {
    hide_tokens(&batch.inputs[i * length], &batch.targets[i * length], length, config, seed + i);
  }
  return batch;
}

std::size_t hidden_in(const std::uint32_t* targets, std::size_t n) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; ++i) count += targets[i] != kNotPredicted ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("a fixed rate hides that fraction, rounded, of every sequence, and at least one token") {
  const struct {
    double rate;
    std::size_t n;
    std::size_t hidden;
  } cases[] = {{0.15, 64, 10}, {0.15, 3, 1}, {1e-9, 64, 1}, {0.5, 3, 2}, {1, 64, 64}, {1, 1, 1}, {0.25, 1000, 250}};
  for (const auto& [rate, n, hidden] : cases) {
    CAPTURE(rate);
    CAPTURE(n);
    const ModelConfig config = masked_transformer(Tying::kTied, Objective::kMasked, rate);
    const auto tokens = test::random_ids(n, 7, 1);
    for (std::uint64_t key = 0; key < 20; ++key) {
      std::vector<std::uint32_t> targets = tokens;
      std::vector<std::uint32_t> inputs(n);
      hide_tokens(inputs.data(), targets.data(), n, config, key);
      CHECK(hidden_in(targets.data(), n) == hidden);
      for (std::size_t i = 0; i < n; ++i) {
        const bool is_hidden = targets[i] != kNotPredicted;
        CHECK(inputs[i] == (is_hidden ? 7 : tokens[i]));
        if (is_hidden) CHECK(targets[i] == tokens[i]);
      }
    }
  }
}

// Frequencies of 40,000 draws: four standard deviations of a frequency of 1/2 are 0.01.
TEST_CASE("every choice of so many places is equally likely, and with masked diffusion every number of them") {
  constexpr std::size_t kDraws = 40000;
  const auto frequencies = [&](const ModelConfig& config) {
    std::map<std::vector<bool>, double> found;
    for (std::uint64_t key = 0; key < kDraws; ++key) {
      std::vector<std::uint32_t> targets(4, 3);
      std::vector<std::uint32_t> inputs(4);
      hide_tokens(inputs.data(), targets.data(), 4, config, key * 0x9E3779B97F4A7C15);
      std::vector<bool> hidden;
      for (const std::uint32_t target : targets) hidden.push_back(target != kNotPredicted);
      found[hidden] += 1.0 / kDraws;
    }
    return found;
  };
  const auto pairs = frequencies(masked_transformer(Tying::kTied, Objective::kMasked, 0.5));
  CHECK(pairs.size() == 6);
  for (const auto& [hidden, frequency] : pairs) CHECK(std::fabs(frequency - 1.0 / 6) < 0.01);
  const auto all = frequencies(masked_transformer(Tying::kTied, Objective::kMaskedDiffusion));
  CHECK(all.size() == 15);
  const double ways[] = {0, 4, 6, 4, 1};
  for (const auto& [hidden, frequency] : all) {
    const auto count = std::count(hidden.begin(), hidden.end(), true);
    CHECK(std::fabs(frequency - 0.25 / ways[count]) < 0.01);
  }
}

TEST_CASE("gradients equal central differences for every tying, objective, norm, position and chunk") {
  const auto error_of = [&](const ModelConfig& config, std::uint64_t max_rows = 64) {
    const HiddenBatch hidden = hidden_batch(config, 5, 3);
    TokenBatch batch{hidden.inputs.data(), hidden.targets.data(), hidden.inputs.size()};
    batch.dropout_key = 5;
    batch.label_smoothing = 0.1;
    const auto model = test::random_model<double>(config, 4, 0.5, max_rows);
    return test::largest_gradient_error(*model, [&](Pass pass) { return model->loss(batch, pass); });
  };
  for (const Objective objective : {Objective::kMasked, Objective::kMaskedDiffusion}) {
    for (const Tying tying : test::kTransformerTyings) {
      CAPTURE(tying_name(tying));
      ModelConfig config = masked_transformer(tying, objective);
      // As in test_transformer_gradients.cpp.
      CHECK(error_of(config) < 1e-7);
      CHECK(error_of(config, 1) < 1e-7);
      config.positions = Positions::kRotary;
      config.scales_embedding = true;
      config.dropout = 0.2;
      config.biases = Biases::kAll;
      config.norm = Norm::kLayer;
      config.output_bias = true;
      CHECK(error_of(config) < 1e-7);
      config.final_norm = false;
      config.feed_forward = FeedForward::kSwiGlu;
      config.n_kv_heads = 1;
      CHECK(error_of(config) < 1e-7);
    }
  }
}

TEST_CASE("the loss is the mean over sequences of the mean over hidden tokens, of the logits where they are hidden") {
  for (const Objective objective : {Objective::kMasked, Objective::kMaskedDiffusion}) {
    const ModelConfig config = masked_transformer(Tying::kUntied, objective);
    const auto model = test::random_model<double>(config);
    const HiddenBatch hidden = hidden_batch(config, 6, 9);
    double expected = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      auto logits = Matrix<double>::create(4, 7).value();
      model->logits(logits.view(), &hidden.inputs[i * 4], 4);
      const double weight = 1.0 / 6 / static_cast<double>(hidden_in(&hidden.targets[i * 4], 4));
      for (std::size_t j = 0; j < 4; ++j) {
        const std::uint32_t target = hidden.targets[i * 4 + j];
        if (target == kNotPredicted) continue;
        double sum = 0;
        for (std::size_t k = 0; k < 7; ++k) sum += std::exp(logits(j, k));
        expected += weight * (std::log(sum) - logits(j, target));
      }
    }
    TokenBatch batch{hidden.inputs.data(), hidden.targets.data(), hidden.inputs.size()};
    CHECK(std::fabs(model->loss(batch, Pass::kForward) - expected) < 1e-12);
    // Shards of whole sequences add up.
    double sum = 0;
    for (std::uint64_t k = 0; k < 4; ++k) {
      batch.shard = {k, 4};
      sum += model->loss(batch, Pass::kForward);
    }
    CHECK(std::fabs(sum - expected) < 1e-12);
  }
}

TEST_CASE("every place reads both sides, and nothing reads the token that a mask hides") {
  const ModelConfig config = masked_transformer();
  const auto model = test::random_model<double>(config);
  const auto logits_of = [&](std::vector<std::uint32_t> ids) {
    auto logits = sequence_logits<double>(*model, ids);
    REQUIRE(logits.ok());
    return std::move(logits).value();
  };
  const auto here = logits_of({1, 7, 3, 4});
  for (const std::size_t changed : {0u, 2u, 3u}) {
    std::vector<std::uint32_t> ids{1, 7, 3, 4};
    ids[changed] = 5;
    const auto there = logits_of(ids);
    for (std::size_t i = 0; i < 4; ++i) CHECK(!test::equal_elements(here.view().row(i), there.view().row(i), 7));
  }
  auto attended = attention<double>(*model, std::vector<std::uint32_t>{1, 7, 3, 4});
  REQUIRE(attended.ok());
  for (std::size_t i = 0; i < 2 * 2 * 4 * 4; ++i) CHECK(attended.value().data()[i] > 0);

  // Targets are read as labels only.
  HiddenBatch hidden = hidden_batch(config, 1, 2);
  const std::vector<std::uint32_t> inputs = hidden.inputs;
  const double loss = model->loss({hidden.inputs.data(), hidden.targets.data(), 4}, Pass::kForward);
  CHECK(hidden.inputs == inputs);
  CHECK(loss > 0);
}

// All models have a table for the same tokens, and no logit of the mask.
TEST_CASE("the mask has one row of its own, which is no row of a table, in every tying") {
  for (const Tying tying : test::kTransformerTyings) {
    const ParameterTable with = parameter_table(masked_transformer(tying));
    const ParameterTable without = parameter_table(test::small_transformer(tying));
    const Parameter& mask = *with.find("mask_embedding");
    CHECK(mask.rows == 1);
    CHECK(mask.cols == 4);
    CHECK(mask.owns_storage());
    CHECK(with.parameter_count() == without.parameter_count() + 4);
    CHECK(with.find("embedding")->rows == 7);
    CHECK(with.of_role(ParameterRole::kInput)->name == "embedding");
    // Other parameters start with the same values.
    const auto masked = create_model<float>(masked_transformer(tying), 5, 8).value();
    const auto plain = create_model<float>(test::small_transformer(tying), 5, 8).value();
    for (const Parameter& parameter : without.list()) {
      const auto ours = masked->parameters().values(*with.find(parameter.name));
      const auto theirs = plain->parameters().values(parameter);
      CHECK(test::equal_elements(ours.data, theirs.data, static_cast<std::size_t>(parameter.size())));
    }
  }
}

TEST_CASE("models that cannot predict hidden tokens are refused by the name of the option") {
  const auto blamed = [](const ModelConfig& config) {
    const Status status = validate(config);
    return status.ok() ? std::string() : status.error().argument;
  };
  ModelConfig config = masked_transformer();
  CHECK(blamed(config).empty());
  for (const double rate : {0.0, -0.1, 1.5, std::nan("")}) {
    config.mask_rate = rate;
    CHECK(blamed(config) == "mask_rate");
  }
  config.mask_rate = 1;
  CHECK(blamed(config).empty());
  CHECK(blamed({.vocab_size = 7, .d_model = 4, .objective = Objective::kMasked}) == "objective");
  CHECK(blamed({.kind = ModelKind::kEncoderDecoder,
                .vocab_size = 7,
                .d_model = 4,
                .objective = Objective::kMaskedDiffusion}) == "objective");
  config.table_rank = 2;
  CHECK(blamed(config) == "objective");
  config.table_rank = 0;
  config.value_embeddings = ValueEmbeddings::kOwn;
  CHECK(blamed(config) == "objective");
  config.value_embeddings = ValueEmbeddings::kNone;
  config.ngram_order = 2;
  config.ngram_rows = 9;
  CHECK(blamed(config) == "objective");
  config = masked_transformer();
  config.head = HeadKind::kSampled;
  config.head_samples = 2;
  CHECK(blamed(config) == "objective");
  config = masked_transformer();
  config.objective = static_cast<Objective>(3);
  CHECK(blamed(config) == "objective");
}

TEST_CASE("such a model does not continue a text, and reads the id of the mask, which no other model does") {
  const auto model = test::random_model<float>(masked_transformer());
  const auto decoder = model->create_decoder();
  REQUIRE(!decoder.ok());
  CHECK(decoder.error().argument == "objective");
  const std::vector<std::uint32_t> ids{7, 1};
  CHECK(sequence_logits<float>(*model, ids).ok());
  CHECK(!sequence_logits<float>(*model, std::vector<std::uint32_t>{8, 1}).ok());
  const auto plain = test::random_model<float>(test::small_transformer(Tying::kTied));
  CHECK(!sequence_logits<float>(*plain, ids).ok());
}
