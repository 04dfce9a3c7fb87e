// Gradients compared with central differences, in double precision.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "gradients.h"
#include "linalg/reduce.h"
#include "support.h"

using namespace tied;
using test::kTyings;

namespace {

constexpr std::size_t kFewTokens = 7;

ModelConfig small(Tying tying, bool output_bias, bool scales_embedding = false) {
  return {.vocab_size = kFewTokens,
          .d_model = 3,
          .tying = tying,
          .scales_embedding = scales_embedding,
          .output_bias = output_bias,
          .d_feed_forward = 5};
}

// Values are of size one here: see gradients.h. 1e-8 leaves a margin and would reveal any wrong term.
constexpr double kTolerance = 1e-8;

}  // namespace

TEST_CASE("gradients of pairs equal central differences for every parameter, tying and bias") {
  const auto inputs = test::random_ids(20, kFewTokens, 1);
  const auto targets = test::random_ids(20, kFewTokens, 2);
  for (const Tying tying : kTyings) {
    for (const bool bias : {false, true}) {
      for (const bool scales_embedding : {false, true}) {
        // Batches of one tile, and of three with a remainder.
        for (const std::uint64_t max_rows : {64, 8}) {
          const auto model = test::random_model<double>(small(tying, bias, scales_embedding), 3, 0.6, max_rows);
          const TokenBatch batch{inputs.data(), targets.data(), inputs.size()};
          CHECK(test::largest_gradient_error(*model, [&](Pass pass) { return model->loss(batch, pass); }) < kTolerance);
        }
      }
    }
  }
}

TEST_CASE("gradients of the expected loss over a table equal central differences for every parameter, tying and bias") {
  const std::vector<std::uint32_t> rows{0, 1, 2, 4, 6};  // tokens 3 and 5 never come first
  const auto joint = test::random_joint<double>(rows.size(), kFewTokens, 4);
  for (const Tying tying : kTyings) {
    for (const bool bias : {false, true}) {
      for (const bool scales_embedding : {false, true}) {
        const auto model = test::random_model<double>(small(tying, bias, scales_embedding), 5);
        const JointBatch<double> batch{rows.data(), joint.view()};
        CHECK(test::largest_gradient_error(*model, [&](Pass pass) { return model->joint_loss(batch, pass); }) <
              kTolerance);
      }
    }
  }
}

TEST_CASE("the tied gradient is the input part plus the output part of an untied twin, to the last bit") {
  const auto inputs = test::random_ids(50, kFewTokens, 6);
  const auto targets = test::random_ids(50, kFewTokens, 7);
  const TokenBatch batch{inputs.data(), targets.data(), inputs.size()};
  for (const float input_scale : {1.0F, 5.0F, 0.25F}) {
    const auto tied_model = test::random_model<float>(small(Tying::kTied, true), 8);
    const auto twin = test::random_model<float>(small(Tying::kUntied, true), 9);
    ParameterStore<float>& tied_store = tied_model->parameters();
    ParameterStore<float>& twin_store = twin->parameters();
    const auto copy = [&](const char* to, const char* from) {
      const auto source = tied_store.values(*tied_store.table().find(from));
      std::memcpy(twin_store.values(*twin_store.table().find(to)).data, source.data,
                  source.rows * source.cols * sizeof(float));
    };
    copy("embedding", "embedding");
    copy("unembedding", "embedding");
    copy("output_bias", "output_bias");

    CHECK(tied_model->loss(batch, Pass::kForwardBackward) == twin->loss(batch, Pass::kForwardBackward));
    const auto input = twin_store.gradient(*twin_store.table().find("embedding"));
    const auto output = twin_store.gradient(*twin_store.table().find("unembedding"));
    std::vector<float> expected(kFewTokens * 3);
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = input.data[i] * input_scale + output.data[i];
    tied_store.combine_gradients(static_cast<double>(input_scale), 1);
    const auto total = tied_store.gradient(*tied_store.table().find("embedding"));
    for (std::size_t i = 0; i < expected.size(); ++i) CHECK(total.data[i] == expected[i]);
    // The untied twin's unembedding is unscaled; its embedding is scaled.
    const float output_before = output.data[1];
    const float input_before = input.data[1];
    twin_store.combine_gradients(static_cast<double>(input_scale), 1);
    CHECK(output.data[1] == output_before);
    CHECK(input.data[1] == input_before * input_scale);
  }
}

TEST_CASE("the input gradient of a position is that of the looked-up row, before the scale") {
  // One position: scattering gives the whole input gradient of its row.
  const std::vector<std::uint32_t> input{4};
  const std::vector<std::uint32_t> target{2};
  for (const Tying tying : kTyings) {
    const auto model = test::random_model<double>(small(tying, true, true), 14);
    model->loss({input.data(), target.data(), 1}, Pass::kForwardBackward);
    const auto gradient = model->parameters().gradient(*model->parameters().table().find("embedding"));
    double square = 0;
    for (std::size_t k = 0; k < gradient.cols; ++k) square += gradient(4, k) * gradient(4, k);
    CHECK(model->position_gradient_square() == doctest::Approx(square).epsilon(1e-13));
  }
}

TEST_CASE("gradients accumulate: two passes without zeroing give the sum") {
  const auto inputs = test::random_ids(9, kFewTokens, 10);
  const auto targets = test::random_ids(9, kFewTokens, 11);
  const TokenBatch batch{inputs.data(), targets.data(), inputs.size()};
  const auto model = test::random_model<double>(small(Tying::kTiedMlp, true), 12);
  model->loss(batch, Pass::kForwardBackward);
  const auto once = model->parameters().all_gradients().clone();
  REQUIRE(once.ok());
  model->loss(batch, Pass::kForwardBackward);
  for (std::size_t i = 0; i < once.value().size(); ++i) {
    // Sums in another order: a few units in the last place of values below one.
    CHECK(std::fabs(model->parameters().all_gradients()[i] - 2 * once.value()[i]) < 1e-14);
  }
}

TEST_CASE("only rows of the batch have an input gradient, and every row has an output gradient") {
  const std::vector<std::uint32_t> inputs{2, 2, 5};
  const std::vector<std::uint32_t> targets{1, 6, 0};
  const auto model = test::random_model<float>(small(Tying::kTied, false), 13);
  model->loss({inputs.data(), targets.data(), inputs.size()}, Pass::kForwardBackward);
  const ParameterStore<float>& store = model->parameters();
  const auto input = store.gradient(*store.table().find("embedding"));
  const auto output = store.gradient(*store.table().find("unembedding"));
  for (std::size_t i = 0; i < kFewTokens; ++i) {
    CHECK((max_abs(input.row(i), 3) > 0) == (i == 2 || i == 5));
    CHECK(max_abs(output.row(i), 3) > 0);
  }
}
