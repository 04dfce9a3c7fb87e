// Gradients of every part of a transformer compared with central differences, in double precision.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "gradients.h"
#include "linalg/reduce.h"

using namespace tied;
using test::small_transformer;

namespace {

constexpr std::size_t kVocab = 7;
// A logit passes through a few products of values of size one: third derivatives and gradients are larger than for the
// direct path. Actual errors are below 1e-8; a wrong term would be about 1e-2.
constexpr double kLooseTolerance = 1e-7;

// The error over two sequences of four tokens.
double error_of(const ModelConfig& config, std::uint64_t seed, std::uint64_t dropout_key = 0) {
  const auto inputs = test::random_ids(8, kVocab, seed);
  const auto targets = test::random_ids(8, kVocab, seed + 1);
  const auto model = test::random_model<double>(config, seed + 2, 0.4, 8);
  TokenBatch batch{inputs.data(), targets.data(), inputs.size()};
  batch.dropout_key = dropout_key;
  return test::largest_gradient_error(*model, [&](Pass pass) { return model->loss(batch, pass); });
}

}  // namespace

TEST_CASE("gradients equal central differences for every tying, with and without output bias and scaled lookup") {
  for (const Tying tying : test::kTransformerTyings) {
    for (const bool bias : {false, true}) {
      for (const bool scales : {false, true}) {
        ModelConfig config = small_transformer(tying);
        config.output_bias = bias;
        config.scales_embedding = scales;
        CHECK(error_of(config, 10) < kLooseTolerance);
      }
    }
  }
}

TEST_CASE("gradients equal central differences for every norm, position, feed-forward and choice of biases") {
  for (const Norm norm : {Norm::kRms, Norm::kLayer}) {
    for (const Positions positions : {Positions::kLearned, Positions::kNone, Positions::kRotary}) {
      for (const FeedForward feed_forward : {FeedForward::kGelu, FeedForward::kSwiGlu}) {
        for (const Biases biases : {Biases::kNone, Biases::kFeedForward, Biases::kAll}) {
          for (const bool final_norm : {false, true}) {
            ModelConfig config = small_transformer(Tying::kTied);
            config.norm = norm;
            config.positions = positions;
            config.feed_forward = feed_forward;
            config.biases = biases;
            config.final_norm = final_norm;
            CHECK(error_of(config, 20) < kLooseTolerance);
          }
        }
      }
    }
  }
}

TEST_CASE("gradients equal central differences if several query heads share keys and values") {
  for (const std::uint64_t n_kv_heads : {1, 2}) {
    for (const Positions positions : {Positions::kLearned, Positions::kRotary}) {
      ModelConfig config = small_transformer(Tying::kUntied);
      config.d_model = 8;
      config.n_heads = 4;
      config.n_kv_heads = n_kv_heads;
      config.positions = positions;
      CHECK(error_of(config, 30) < kLooseTolerance);
    }
  }
}

TEST_CASE("gradients equal central differences over several blocks of attention") {
  constexpr std::size_t kLength = 70;
  for (const double dropout : {0.0, 0.2}) {
    ModelConfig config = small_transformer(Tying::kTied);
    config.n_layers = 1;
    config.context_length = kLength;
    config.dropout = dropout;
    config.norm_epsilon = 0.1;
    const auto inputs = test::random_ids(2 * kLength, kVocab, 50);
    const auto targets = test::random_ids(2 * kLength, kVocab, 51);
    const auto model = test::random_model<double>(config, 52, 0.6, kLength);
    TokenBatch batch{inputs.data(), targets.data(), inputs.size()};
    batch.dropout_key = 3;
    CHECK(
        test::largest_gradient_error(*model, [&](Pass pass) { return model->loss(batch, pass); }, 7) < kLooseTolerance);
  }
}

TEST_CASE("gradients equal central differences with dropout, whose choices follow from the key") {
  for (const FeedForward feed_forward : {FeedForward::kGelu, FeedForward::kSwiGlu}) {
    ModelConfig config = small_transformer(Tying::kTied);
    config.feed_forward = feed_forward;
    config.dropout = 0.3;
    // A row of which most was dropped is short; with the usual epsilon its norm would curve too sharply for
    // differences.
    config.norm_epsilon = 0.1;
    CHECK(error_of(config, 40, 77) < kLooseTolerance);
  }
}
