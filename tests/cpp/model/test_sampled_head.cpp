// A head that is trained on sampled tokens: its draws, its gradient in expectation, and the rows that a step touches.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "heads.h"
#include "model/token_order.h"

using namespace tied;
using tied::test::head_config_of;
using tied::test::head_model_of;
using tied::test::kHeadCounts;
using tied::test::kHeadVocab;

TEST_CASE("a sampled head predicts as the full one does, and without a key trains as it does") {
  const auto inputs = test::random_ids(8, kHeadVocab, 1);
  const auto targets = test::random_ids(8, kHeadVocab, 2);
  const ModelConfig sampled = head_config_of(HeadKind::kSampled, true, Tying::kUntied);
  ModelConfig full = sampled;
  full.head = HeadKind::kFull;
  full.head_samples = 0;
  const auto a = head_model_of<float>(sampled);
  const auto b = head_model_of<float>(full);
  const TokenBatch batch{inputs.data(), targets.data(), inputs.size()};
  CHECK(a->loss(batch, Pass::kForwardBackward) == b->loss(batch, Pass::kForwardBackward));
  const auto& given = a->parameters().all_gradients();
  CHECK(test::equal_elements(given.data(), b->parameters().all_gradients().data(), given.size()));
}

TEST_CASE("a sampled head's draws have the declared probabilities, which sum to 1") {
  for (const Proposal kind : {Proposal::kLogUniform, Proposal::kCounts}) {
    TokenProposal proposal;
    REQUIRE(proposal.create(kind, kHeadCounts, kHeadVocab).ok());
    std::vector<double> drawn(kHeadVocab);
    Random random(1, 2);
    constexpr int kDraws = 200'000;
    for (int i = 0; i < kDraws; ++i) drawn[proposal.draw(random)] += 1.0 / kDraws;
    double sum = 0;
    for (std::uint32_t token = 0; token < kHeadVocab; ++token) {
      const double p = proposal.probability(token);
      sum += p;
      // Five standard errors of a frequency.
      CHECK(std::fabs(drawn[token] - p) < 5 * std::sqrt(p * (1 - p) / kDraws));
    }
    CHECK(sum == doctest::Approx(1).epsilon(1e-13));
    // The most frequent token, 5, is drawn most often.
    CHECK(proposal.probability(5) > proposal.probability(2));
  }
}

TEST_CASE("the mean of a sampled gradient over 100,000 draws is that of the full softmax, except for a bias of 1 / S") {
  // The gradient of log Z', where Z' is unbiased, is N / Z' with N unbiased: its bias is, to second order,
  //   (N Var(Z') / Z - Cov(N, Z')) / Z^2.
  // The test measures the mean of N and Z' from the gradient and the loss of each draw, which must be unbiased within
  // their standard errors, and the bias of the gradient itself at S and 4 S.
  constexpr int kDraws = 100'000;
  const std::uint32_t input = 4;
  const std::uint32_t target = 5;
  double biases[2] = {};
  std::size_t next = 0;
  for (const std::uint64_t samples : {8, 32}) {
    ModelConfig config = head_config_of(HeadKind::kSampled, false, Tying::kUntied);
    config.head_samples = samples;
    const auto model = head_model_of(config, 3, 0.5);
    ParameterStore<double>& parameters = model->parameters();
    const Parameter& output = *parameters.table().find("unembedding");
    const std::size_t size = static_cast<std::size_t>(output.size());
    TokenBatch batch{&input, &target, 1};
    model->zero_gradients();
    const double full_loss = model->loss(batch, Pass::kForwardBackward);
    const std::vector<double> full(parameters.gradient(output).data, parameters.gradient(output).data + size);
    std::vector<double> sum(size);
    std::vector<double> unnormalised(size);
    std::vector<double> square(size);
    double partition = 0;
    double partition_square = 0;
    for (int draw = 1; draw <= kDraws; ++draw) {
      batch.sample_key = static_cast<std::uint64_t>(draw);
      model->zero_gradients();
      const double ratio = std::exp(model->loss(batch, Pass::kForwardBackward) - full_loss);  // Z' / Z
      partition += ratio / kDraws;
      partition_square += ratio * ratio / kDraws;
      const MatrixView<double> gradient = parameters.gradient(output);
      const MatrixView<double> embedding = parameters.values(*parameters.table().find("embedding"));
      for (std::size_t i = 0; i < size; ++i) {
        // dz + onehot: the probabilities p' = N / Z'; times Z' / Z: the unnormalized part.
        const double one = i / output.cols == target ? embedding(input, i % output.cols) : 0;
        const double number = (gradient.data[i] + one) * ratio;
        sum[i] += gradient.data[i] / kDraws;
        unnormalised[i] += number / kDraws;
        square[i] += number * number / kDraws;
      }
    }
    // Four standard errors: none of about 50 values should exceed them.
    CHECK(std::fabs(partition - 1) < 4 * std::sqrt((partition_square - partition * partition) / kDraws));
    double bias = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const double one = i / output.cols == target
                             ? parameters.values(*parameters.table().find("embedding"))(input, i % output.cols)
                             : 0;
      // The target's own row does not depend on the draw: only rounding remains.
      const double variance = std::fmax(square[i] - unnormalised[i] * unnormalised[i], 0);
      CHECK(std::fabs(unnormalised[i] - (full[i] + one)) < 4 * std::sqrt(variance / kDraws) + 1e-12);
      bias += std::fabs(sum[i] - full[i]);
    }
    double norm = 0;
    for (const double number : full) norm += std::fabs(number);
    biases[next++] = bias / norm;
  }
  MESSAGE("bias of the gradient, as a share of its norm: ", biases[0], " at S = 8, ", biases[1], " at S = 32");
  // A quarter, up to terms of 1 / S^2 and noise.
  CHECK(biases[1] < 0.4 * biases[0]);
  CHECK(biases[1] < 0.05);
}

TEST_CASE("a sampled loss touches the rows of targets and draws only, and the others have no gradient") {
  ModelConfig config = head_config_of(HeadKind::kSampled, true, Tying::kUntied);
  config.vocab_size = 300;
  config.output_bias = true;
  const auto made = create_model<double>(config, 1, 8);
  REQUIRE(made.ok());
  Model<double>& model = *made.value();
  const auto inputs = test::random_ids(8, 300, 1);
  const auto targets = test::random_ids(8, 300, 2);
  TokenBatch batch{inputs.data(), targets.data(), inputs.size()};
  for (std::uint64_t key = 1; key < 4; ++key) {
    batch.sample_key = key;
    model.zero_gradients();
    model.loss(batch, Pass::kForwardBackward);
    for (const Parameter& parameter : model.parameters().table().list()) {
      if (!parameter.sparse) continue;
      std::vector<bool> touched(static_cast<std::size_t>(parameter.size()));
      std::size_t count = 0;
      for (ParameterStore<double>::Run run; model.parameters().next_touched(run, parameter);) {
        for (std::size_t i = 0; i < run.size; ++i) touched[run.first + i] = true;
        count += run.size;
      }
      CHECK(count > 0);
      CHECK(count <= 14 * parameter.unit_size());
      const MatrixView<double> gradient = model.parameters().gradient(parameter);
      for (std::size_t i = 0; i < touched.size(); ++i) {
        if (!touched[i]) CHECK(gradient.data[i] == 0);
      }
    }
  }
}
