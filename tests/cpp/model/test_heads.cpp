// Heads other than the full one: gradients, sums, and what each has in common with the full head.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "heads.h"
#include "linalg/matmul.h"
#include "linalg/softmax.h"

using namespace tied;
using tied::test::head_config_of;
using tied::test::head_model_of;
using tied::test::kHeadCounts;
using tied::test::kHeadVocab;
using tied::test::kKeptTokens;
using tied::test::set_cutoffs;

namespace {

// As in test_transformer_gradients.cpp.
constexpr double kHeadTolerance = 1e-7;
constexpr HeadKind kOthers[] = {HeadKind::kSampled, HeadKind::kClustered, HeadKind::kCulled, HeadKind::kAdaptive};

// The error of central differences; both sides of each difference use the same draws.
double head_error_of(const ModelConfig& config, double smoothing, double temperature) {
  const auto inputs = test::random_ids(8, kHeadVocab, 1);
  auto targets = test::random_ids(8, kHeadVocab, 2);
  targets[3] = 5;  // kept
  // With this seed, no parameter's gradient is close to 0.
  const auto model = head_model_of(config, 4, 0.5);
  model->set_temperature(temperature);
  TokenBatch batch{inputs.data(), targets.data(), inputs.size()};
  batch.sample_key = 77;
  batch.label_smoothing = smoothing;
  return test::largest_gradient_error(*model, [&](Pass pass) { return model->loss(batch, pass); });
}

double sum_of_probabilities(Model<double>& model, std::vector<double>& row) {
  const std::uint32_t token = 4;
  row.resize(kHeadVocab);
  const MatrixView<double> out(row.data(), 1, kHeadVocab);
  model.logits(out, &token, 1);
  double sum = 0;
  for (const double z : row) sum += std::exp(z);
  return sum;
}

}  // namespace

TEST_CASE("gradients equal central differences for every head, kind of model, tying, bias, smoothing and temperature") {
  for (const HeadKind head : kOthers) {
    for (const bool transformer : {false, true}) {
      for (const Tying tying : {Tying::kTied, Tying::kUntied, Tying::kTiedLinear, Tying::kTiedMlp}) {
        if (transformer && tying == Tying::kTiedMlp) continue;
        for (const bool bias : {false, true}) {
          ModelConfig config = head_config_of(head, transformer, tying);
          config.output_bias = bias;
          config.scales_embedding = bias;
          CAPTURE(static_cast<int>(head));
          CAPTURE(transformer);
          CAPTURE(tying_name(tying));
          CHECK(head_error_of(config, 0, 1) < kHeadTolerance);
          CHECK(head_error_of(config, 0.2, 1.7) < kHeadTolerance);
        }
      }
    }
  }
}

TEST_CASE("gradients of factorized tables equal central differences for every head, kind of model and tying") {
  for (const HeadKind head : {HeadKind::kFull, HeadKind::kSampled, HeadKind::kClustered, HeadKind::kCulled}) {
    for (const bool transformer : {false, true}) {
      for (const Tying tying : {Tying::kTied, Tying::kUntied}) {
        for (const bool scales : {false, true}) {
          ModelConfig config = head_config_of(head, transformer, tying);
          config.table_rank = 2;
          config.output_bias = scales;
          config.scales_embedding = scales;
          CAPTURE(static_cast<int>(head));
          CAPTURE(transformer);
          CAPTURE(tying_name(tying));
          CHECK(head_error_of(config, 0, 1) < kHeadTolerance);
          CHECK(head_error_of(config, 0.2, 1.7) < kHeadTolerance);
        }
      }
    }
  }
}

TEST_CASE("a model with factorized tables predicts as one whose tables are the products") {
  for (const bool transformer : {false, true}) {
    for (const Tying tying : {Tying::kTied, Tying::kUntied}) {
      ModelConfig config = head_config_of(HeadKind::kFull, transformer, tying);
      config.table_rank = 3;
      const auto factorized = head_model_of(config);
      config.table_rank = 0;
      const auto whole = head_model_of(config);
      for (const Parameter& parameter : whole->parameters().table().list()) {
        if (!parameter.owns_storage()) continue;
        const MatrixView<double> to = whole->parameters().values(parameter);
        const ParameterTable& table = factorized->parameters().table();
        const MatrixView<double> from = factorized->parameters().values(*table.find(parameter.name));
        if (const Parameter* factor = table.find(parameter.name + ".factor"); factor != nullptr) {
          matmul_nn(to, from, factorized->parameters().values(*factor));
        } else {
          std::copy_n(from.data, from.rows * from.cols, to.data);
        }
      }
      std::vector<double> a;
      std::vector<double> b;
      sum_of_probabilities(*factorized, a);
      sum_of_probabilities(*whole, b);
      // Sums of at most a dozen values of size one in different orders.
      for (std::size_t j = 0; j < kHeadVocab; ++j) CHECK(a[j] == doctest::Approx(b[j]).epsilon(1e-12));
    }
  }
}

TEST_CASE(
    "gradients of the full head equal central differences with label smoothing and temperature, also on a table") {
  for (const bool transformer : {false, true}) {
    ModelConfig config = head_config_of(HeadKind::kFull, transformer, Tying::kTied);
    config.output_bias = true;
    CHECK(head_error_of(config, 0.3, 0.6) < kHeadTolerance);
  }
  const auto model = head_model_of(head_config_of(HeadKind::kFull, false, Tying::kUntied));
  model->set_temperature(1.4);
  const auto joint = test::random_joint<double>(kHeadVocab, kHeadVocab, 5);
  std::vector<std::uint32_t> all(kHeadVocab);
  std::iota(all.begin(), all.end(), 0U);
  const JointBatch<double> batch{all.data(), joint.view(), 0.25};
  CHECK(test::largest_gradient_error(*model, [&](Pass pass) { return model->joint_loss(batch, pass); }) <
        kHeadTolerance);
}

TEST_CASE("label smoothing mixes the target with the uniform distribution, and a temperature divides logits") {
  const auto model = head_model_of(head_config_of(HeadKind::kFull, false, Tying::kUntied));
  const std::uint32_t input = 2;
  const std::uint32_t target = 7;
  std::vector<double> z(kHeadVocab);
  const MatrixView<double> row(z.data(), 1, kHeadVocab);
  model->logits(row, &input, 1);
  std::vector<double> before = z;
  model->set_temperature(2);
  model->logits(row, &input, 1);
  for (std::size_t j = 0; j < kHeadVocab; ++j) CHECK(z[j] == before[j] / 2);
  log_softmax_rows(row, row);
  TokenBatch batch{&input, &target, 1};
  batch.label_smoothing = 0.1;
  double expected = -0.9 * z[target];
  for (const double log_probability : z) expected -= 0.1 / kHeadVocab * log_probability;
  // Two sums of the same eleven values of size one in different orders.
  CHECK(model->loss(batch, Pass::kForward) == doctest::Approx(expected).epsilon(1e-13));
}

TEST_CASE("a clustered head's probabilities sum to 1, and its loss is that of its logits") {
  for (const std::uint64_t clusters : {2, 3, 4, 11}) {
    for (const Tying tying : {Tying::kTied, Tying::kUntied}) {
      ModelConfig config = head_config_of(HeadKind::kClustered, false, tying);
      config.head_clusters = clusters;
      config.output_bias = true;
      const auto model = head_model_of(config);
      std::vector<double> row;
      CHECK(sum_of_probabilities(*model, row) == doctest::Approx(1).epsilon(1e-13));
      for (std::uint32_t target = 0; target < kHeadVocab; ++target) {
        const std::uint32_t input = 4;
        CHECK(model->loss({&input, &target, 1}, Pass::kForward) == doctest::Approx(-row[target]).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("an adaptive head's probabilities sum to 1, and its loss is that of its logits") {
  const struct {
    std::vector<std::uint64_t> cutoffs;
    std::uint64_t divisor;
  } splits[] = {{{4, 8}, 2}, {{1}, 4}, {{10}, 3}, {{1, 2, 3, 10}, 1}, {{3, 4}, 2}};
  for (const auto& [cutoffs, divisor] : splits) {
    for (const bool transformer : {false, true}) {
      for (const Tying tying : {Tying::kTied, Tying::kUntied, Tying::kTiedLinear}) {
        ModelConfig config = head_config_of(HeadKind::kAdaptive, transformer, tying);
        set_cutoffs(config, cutoffs, divisor);
        config.output_bias = true;
        const auto model = head_model_of(config);
        std::vector<double> row;
        CHECK(sum_of_probabilities(*model, row) == doctest::Approx(1).epsilon(1e-13));
        for (std::uint32_t target = 0; target < kHeadVocab; ++target) {
          const std::uint32_t input = 4;
          TokenBatch batch{&input, &target, 1};
          batch.sequence_length = 1;
          CHECK(model->loss(batch, Pass::kForward) == doctest::Approx(-row[target]).epsilon(1e-12));
        }
      }
    }
  }
}

TEST_CASE("with vectors of width d and identity maps, the odds within a cluster are those of the full softmax") {
  ModelConfig adaptive = head_config_of(HeadKind::kAdaptive, false, Tying::kTied);
  set_cutoffs(adaptive, {1}, 1);
  const auto a = head_model_of(adaptive);
  const ParameterTable& table = a->parameters().table();
  const MatrixView<double> map = a->parameters().values(*table.find("tails.0.map"));
  for (std::size_t i = 0; i < map.rows; ++i) {
    for (std::size_t j = 0; j < map.cols; ++j) map(i, j) = i == j ? 1 : 0;
  }
  ModelConfig full = adaptive;
  full.head = HeadKind::kFull;
  set_cutoffs(full, {}, 0);
  const auto b = head_model_of(full);
  std::vector<double> row;
  std::vector<double> full_row;
  sum_of_probabilities(*a, row);
  sum_of_probabilities(*b, full_row);
  // The most frequent token is 5; ratios of all others are those of the full softmax.
  for (std::uint32_t token = 0; token < kHeadVocab; ++token) {
    if (token != 5) CHECK(row[token] - row[0] == doctest::Approx(full_row[token] - full_row[0]).epsilon(1e-12));
  }
}

TEST_CASE("an untied adaptive head has narrow tables, a tied one reads the first columns of its rows") {
  ModelConfig config = head_config_of(HeadKind::kAdaptive, true, Tying::kUntied);
  const auto d = static_cast<std::size_t>(config.d_model);
  const auto size_of = [](const ParameterTable& table, std::string_view name) {
    const Parameter* parameter = table.find(name);
    return parameter == nullptr ? std::pair<std::uint64_t, std::uint64_t>{}
                                : std::pair{parameter->rows, parameter->cols};
  };
  const ParameterTable untied = parameter_table(config);
  CHECK(size_of(untied, "unembedding") == std::pair<std::uint64_t, std::uint64_t>{4, d});
  CHECK(size_of(untied, "clusters") == std::pair<std::uint64_t, std::uint64_t>{2, d});
  CHECK(size_of(untied, "tails.0.table") == std::pair<std::uint64_t, std::uint64_t>{4, d / 2});
  CHECK(size_of(untied, "tails.1.table") == std::pair<std::uint64_t, std::uint64_t>{3, d / 4});
  CHECK(size_of(untied, "tails.1.map") == std::pair<std::uint64_t, std::uint64_t>{d / 4, d});
  config.tying = Tying::kTied;
  const ParameterTable tied = parameter_table(config);
  CHECK(tied.find("tails.0.table") == nullptr);
  CHECK_FALSE(tied.find("unembedding")->owns_storage());
  CHECK(untied.parameter_count() - tied.parameter_count() == 4 * d + 4 * (d / 2) + 3 * (d / 4));

  // Columns beyond a cluster's width have no gradient of the output role.
  const auto model = head_model_of(config);
  const auto inputs = test::random_ids(8, kHeadVocab, 1);
  std::vector<std::uint32_t> targets(8);
  for (std::size_t i = 0; i < targets.size(); ++i) targets[i] = static_cast<std::uint32_t>(i);
  model->zero_gradients();
  model->loss({inputs.data(), targets.data(), inputs.size()}, Pass::kForwardBackward);
  const MatrixView<double> gradient = model->parameters().gradient(*model->parameters().table().find("unembedding"));
  // By frequency: 5, 2, 3, 9 | 0, 8, 10, 6 | 4, 1, 7 (see kHeadCounts).
  const std::size_t widths[kHeadVocab] = {d / 2, d / 4, d, d, d / 4, d, d / 2, d / 4, d / 2, d, d / 2};
  for (std::size_t token = 0; token < kHeadVocab; ++token) {
    CAPTURE(token);
    CHECK(gradient(token, widths[token] - 1) != 0);
    for (std::size_t j = widths[token]; j < d; ++j) CHECK(gradient(token, j) == 0);
  }
}

TEST_CASE("a culled head is the full one on the kept tokens, and its loss is a mean over the kept targets") {
  const ModelConfig culled = head_config_of(HeadKind::kCulled, false, Tying::kUntied);
  ModelConfig full = culled;
  full.head = HeadKind::kFull;
  full.head_kept = 0;
  const auto a = head_model_of(culled);
  const auto b = head_model_of(full);
  std::vector<double> kept_row;
  std::vector<double> full_row;
  sum_of_probabilities(*a, kept_row);
  sum_of_probabilities(*b, full_row);
  for (std::uint32_t token = 0; token < kHeadVocab; ++token) {
    const bool kept = std::find(std::begin(kKeptTokens), std::end(kKeptTokens), token) != std::end(kKeptTokens);
    CHECK(a->count_sayable(&token, 1) == (kept ? 1 : 0));
    CHECK(kept_row[token] == (kept ? full_row[token] : kUnsayableLogit));
  }
  const std::uint32_t inputs[] = {4, 4, 4};
  const std::uint32_t targets[] = {3, 1, 5};  // 1 is not kept
  const double three = a->loss({inputs, targets, 3}, Pass::kForward);
  const std::uint32_t two[] = {3, 5};
  CHECK(three == doctest::Approx(a->loss({inputs, two, 2}, Pass::kForward)).epsilon(1e-13));
  // A batch without a kept target.
  const std::uint32_t none[] = {1, 4, 8};
  a->zero_gradients();
  CHECK(a->loss({inputs, none, 3}, Pass::kForwardBackward) == 0);
  for (const double number : a->parameters().all_gradients()) CHECK(number == 0);
}

TEST_CASE("a culled head without a list keeps the most frequent tokens") {
  ModelConfig config = head_config_of(HeadKind::kCulled, false, Tying::kTied);
  config.head_kept = 3;
  const auto model = create_model<double>(config, 1, 8, {kHeadCounts, {}});
  REQUIRE(model.ok());
  std::vector<std::uint32_t> kept;
  for (std::uint32_t token = 0; token < kHeadVocab; ++token) {
    if (model.value()->count_sayable(&token, 1) == 1) kept.push_back(token);
  }
  CHECK(kept == std::vector<std::uint32_t>{2, 3, 5});
}

TEST_CASE("fields of a head that a model does not have are refused, and so is a tying that it cannot have") {
  const auto blamed = [](const ModelConfig& config) {
    const Status status = validate(config);
    return status.ok() ? std::string() : status.error().argument;
  };
  for (const HeadKind head : kOthers) CHECK(blamed(head_config_of(head, true, Tying::kTied)).empty());
  ModelConfig config = head_config_of(HeadKind::kFull, true, Tying::kTied);
  config.head_samples = 4;
  CHECK(blamed(config) == "head_samples");
  config = head_config_of(HeadKind::kClustered, true, Tying::kTied);
  config.head_clusters = 12;
  CHECK(blamed(config) == "head_clusters");
  config.head_clusters = 1;
  CHECK(blamed(config) == "head_clusters");
  config = head_config_of(HeadKind::kCulled, true, Tying::kTied);
  config.head_kept = 0;
  CHECK(blamed(config) == "head_kept");
  config.head_kept = 4;
  config.proposal = Proposal::kCounts;
  CHECK(blamed(config) == "proposal");
  for (const auto& [cutoffs, divisor, argument] :
       {std::tuple<std::vector<std::uint64_t>, std::uint64_t, std::string>{{}, 2, "head_cutoffs"},
        {{4, 4}, 2, "head_cutoffs"},
        {{4, 0, 8}, 2, "head_cutoffs"},
        {{11}, 2, "head_cutoffs"},
        {{4}, 0, "head_divisor"},
        {{4, 5, 6, 7}, 2, "head_divisor"},
        {{4}, 9, "head_divisor"}}) {
    config = head_config_of(HeadKind::kAdaptive, true, Tying::kTied);
    set_cutoffs(config, cutoffs, divisor);
    CHECK(blamed(config) == argument);
  }
  config = head_config_of(HeadKind::kAdaptive, true, Tying::kUntied);
  config.tie_at_step = 5;
  CHECK(blamed(config) == "tying");
  config = head_config_of(HeadKind::kFull, true, Tying::kTied);
  set_cutoffs(config, {4}, 0);
  CHECK(blamed(config) == "head_cutoffs");
  for (const bool adaptive : {false, true}) {
    config = head_config_of(adaptive ? HeadKind::kAdaptive : HeadKind::kFull, true, Tying::kTied);
    config.table_rank = adaptive ? 2 : config.d_model + 1;
    CHECK(blamed(config) == "table_rank");
  }
  config = head_config_of(HeadKind::kFull, true, Tying::kTiedLinear);
  config.table_rank = 2;
  CHECK(blamed(config) == "tying");
  config = head_config_of(HeadKind::kFull, true, Tying::kTied);
  config.table_rank = 2;
  config.untie_at_step = 3;
  CHECK(blamed(config) == "tying");
  config = head_config_of(HeadKind::kSampled, true, Tying::kTiedLowRank);
  config.low_rank = 2;
  CHECK(blamed(config) == "tying");
}
