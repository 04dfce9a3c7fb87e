// Shared by the tests of heads: models of a small vocabulary with each of them.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gradients.h"

namespace tied::test::inline model_tests {

inline constexpr std::size_t kHeadVocab = 11;
inline constexpr std::uint32_t kHeadCounts[kHeadVocab] = {5, 0, 9, 9, 1, 30, 2, 0, 4, 9, 3};
inline constexpr std::uint32_t kKeptTokens[] = {0, 2, 3, 5, 6, 7, 10};

inline void set_cutoffs(ModelConfig& config, const std::vector<std::uint64_t>& cutoffs, std::uint64_t divisor) {
  config.head_divisor = divisor;
  std::fill_n(config.head_cutoffs, kMaxCutoffs, std::uint64_t{0});
  std::copy(cutoffs.begin(), cutoffs.end(), config.head_cutoffs);
}

inline ModelConfig head_config_of(HeadKind head, bool transformer, Tying tying) {
  ModelConfig config = small_transformer(tying);
  config.kind = transformer ? ModelKind::kTransformer : ModelKind::kDirectPath;
  config.vocab_size = kHeadVocab;
  config.low_rank = 0;
  config.head = head;
  if (head == HeadKind::kSampled) config.head_samples = 6;
  if (head == HeadKind::kClustered) config.head_clusters = 3;
  if (head == HeadKind::kCulled) config.head_kept = std::size(kKeptTokens);
  if (head == HeadKind::kAdaptive) set_cutoffs(config, {4, 8}, 2);
  return config;
}

template <class T = double>
std::unique_ptr<Model<T>> head_model_of(const ModelConfig& config, std::uint64_t seed = 3, double std = 0.4) {
  const std::span<const std::uint32_t> kept =
      config.head == HeadKind::kCulled ? std::span<const std::uint32_t>(kKeptTokens) : std::span<const std::uint32_t>();
  auto made = create_model<T>(config, seed, 8, {kHeadCounts, kept});
  REQUIRE(made.ok());
  randomize(*made.value(), seed, std);
  return std::move(made).value();
}

}  // namespace tied::test::inline model_tests
