#include "head_steps.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "base/random.h"
#include "training_steps.h"

namespace tied::bench {
namespace {

constexpr TransformerShape kShape{.vocab_size = 50257, .d_model = 64, .batch_size = 16};
constexpr std::uint64_t kSamples = 1024;
constexpr std::uint64_t kClusters = 224;
constexpr std::uint64_t kKept = 4096;

// The share of a text's tokens with ids from `begin` to before `end`. The token with id i occurs with probability
// log(1 + 1 / (i + 1)) / log(V + 1), which is nearly Zipf's law.
double share_of(double begin, double end) {
  return std::log((end + 1) / (begin + 1)) / std::log(static_cast<double>(kShape.vocab_size) + 1);
}

std::vector<std::uint32_t> frequent_tokens() {
  constexpr std::size_t kTokens = 50000;
  std::vector<std::uint32_t> token_ids(kTokens);
  Random random(7, stream_of("tokens"));
  const auto vocab_size = static_cast<std::uint32_t>(kShape.vocab_size);
  for (std::uint32_t& id : token_ids) {
    const double end = std::exp(random.uniform_double() * std::log(static_cast<double>(vocab_size) + 1));
    id = std::min(static_cast<std::uint32_t>(end), vocab_size) - 1;
  }
  return token_ids;
}

// The cost per token of the head's products with the table, as the number of rows of d elements that it multiplies.
double rows_of(const ModelConfig& model) {
  const auto vocab_size = static_cast<double>(model.vocab_size);
  const auto d = static_cast<double>(model.d_model);
  switch (model.head) {
    case HeadKind::kFull:
      return vocab_size;
    case HeadKind::kSampled: {
      // Equal draws count as one row. The target has another.
      double distinct = 1;
      for (double i = 0; i < vocab_size; ++i) {
        distinct += 1 - std::pow(1 - share_of(i, i + 1), static_cast<double>(model.head_samples));
      }
      return distinct;
    }
    case HeadKind::kClustered:
      return static_cast<double>(model.head_clusters) + vocab_size / static_cast<double>(model.head_clusters);
    case HeadKind::kCulled:
      return share_of(0, static_cast<double>(model.head_kept)) * static_cast<double>(model.head_kept);
    case HeadKind::kAdaptive:
      break;
  }
  double rows = static_cast<double>(model.head_cutoffs[0] + model.tails());
  for (std::size_t k = 0; k < model.tails(); ++k) {
    const auto begin = static_cast<double>(model.tail_begin(k));
    const auto end = static_cast<double>(model.tail_begin(k + 1));
    rows += share_of(begin, end) * static_cast<double>(model.tail_width(k)) * (1 + (end - begin) / d);
  }
  return rows;
}

Case head_step(const char* head, ModelConfig model) {
  const bool tied = model.tying == Tying::kTied;
  Case result =
      step_on(std::string("head/") + head + (tied ? "/tied" : "/untied"), model, kShape.batch_size, frequent_tokens);
  TransformerShape counted = kShape;
  counted.vocab_size = static_cast<std::uint64_t>(std::llround(rows_of(model)));
  result.operations = operations_of_step(counted);
  result.items = static_cast<double>(kShape.tokens());
  result.items_name = "tokens";
  return result;
}

}  // namespace

void add_head_steps(std::vector<Case>& cases) {
  for (const Tying tying : {Tying::kTied, Tying::kUntied}) {
    const ModelConfig full = transformer_of(tying, kShape);
    ModelConfig sampled = full;
    sampled.head = HeadKind::kSampled;
    sampled.head_samples = kSamples;
    ModelConfig adaptive = full;
    adaptive.head = HeadKind::kAdaptive;
    adaptive.head_divisor = 4;
    adaptive.head_cutoffs[0] = 2000;
    adaptive.head_cutoffs[1] = 10000;
    ModelConfig clustered = full;
    clustered.head = HeadKind::kClustered;
    clustered.head_clusters = kClusters;
    ModelConfig culled = full;
    culled.head = HeadKind::kCulled;
    culled.head_kept = kKept;
    cases.push_back(head_step("full", full));
    cases.push_back(head_step("sampled", sampled));
    cases.push_back(head_step("adaptive", adaptive));
    cases.push_back(head_step("clustered", clustered));
    cases.push_back(head_step("culled", culled));
  }
}

}  // namespace tied::bench
