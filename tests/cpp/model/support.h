// Shared by the tests of model.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/random.h"
#include "model/model.h"

namespace tied::test::inline model_tests {

inline constexpr Tying kTyings[] = {Tying::kTied, Tying::kUntied, Tying::kTiedLinear, Tying::kTiedMlp};

inline constexpr Tying kTransformerTyings[] = {Tying::kTied, Tying::kUntied, Tying::kTiedLinear, Tying::kTiedLowRank};

// Two layers of two heads, contexts of four tokens; all switches as in config.h.
inline ModelConfig small_transformer(Tying tying) {
  ModelConfig config{.kind = ModelKind::kTransformer, .vocab_size = 7, .d_model = 4, .tying = tying};
  config.low_rank = tying == Tying::kTiedLowRank ? 2 : 0;
  config.d_feed_forward = 5;
  config.n_layers = 2;
  config.n_heads = 2;
  config.context_length = 4;
  return config;
}

// Whether two arrays have equal elements: no NaN, and 0 equals -0.
template <class T>
bool equal_elements(const T* a, const T* b, std::size_t size) {
  return std::equal(a, a + size, b);
}

// Moves every parameter away from its initial value, so no gradient is zero by accident.
template <class T>
void randomize(Model<T>& model, std::uint64_t seed, double std) {
  Random random(seed, stream_of("test"));
  for (const Parameter& parameter : model.parameters().table().list()) {
    if (!parameter.owns_storage()) continue;
    const MatrixView<T> values = model.parameters().values(parameter);
    for (std::size_t i = 0; i < values.rows * values.cols; ++i) values.data[i] = static_cast<T>(std * random.normal());
  }
}

template <class T>
std::unique_ptr<Model<T>> random_model(const ModelConfig& config, std::uint64_t seed = 1, double std = 0.6,
                                       std::uint64_t max_rows = 64) {
  auto created = create_model<T>(config, seed, max_rows);
  REQUIRE(created.ok());
  randomize(*created.value(), seed, std);
  return std::move(created).value();
}

inline std::vector<std::uint32_t> random_ids(std::size_t size, std::uint32_t vocab_size, std::uint64_t seed) {
  Random random(seed, stream_of("ids"));
  std::vector<std::uint32_t> ids(size);
  for (std::uint32_t& id : ids) id = random.below(vocab_size);
  return ids;
}

// A joint distribution [rows, vocab_size] with some zeros, summing to 1.
template <class T>
Matrix<T> random_joint(std::size_t rows, std::size_t vocab_size, std::uint64_t seed) {
  Random random(seed, stream_of("joint"));
  auto joint = Matrix<T>::create(rows, vocab_size);
  REQUIRE(joint.ok());
  double total = 0;
  for (std::size_t i = 0; i < rows * vocab_size; ++i) {
    const double weight = random.uniform() < 0.3F ? 0.0 : random.uniform_double();
    joint.value().data()[i] = static_cast<T>(weight);
    total += weight;
  }
  for (std::size_t i = 0; i < rows * vocab_size; ++i) joint.value().data()[i] /= static_cast<T>(total);
  return std::move(joint).value();
}

}  // namespace tied::test::inline model_tests
